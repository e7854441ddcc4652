"""Functions that are compiled together with all that they call."""

import os
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from numpy.typing import NDArray

from cardtable.table.compiling import compiler
from cardtable.table.compiling.compiler import config
from cardtable.table.compiling.linking import KernelDispatcher

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")

ROOT = str(Path(compiler.__file__).parents[2])


def compiled(function: Any) -> Any:
    return KernelDispatcher(function, {"nogil": True, "error_model": "numpy"}, is_whole=True)


@compiled
def tripled(number):  # type: ignore[no-untyped-def]
    return 3 * number


@compiled
def changed(number, is_tripled):  # type: ignore[no-untyped-def]
    if is_tripled:
        return tripled(number)
    return number


@compiled
def summed(number, is_tripled):  # type: ignore[no-untyped-def]
    return changed(number, False) + changed(number, is_tripled)


def test_what_one_call_leaves_out_and_another_needs_is_there() -> None:
    assert summed(2, True) == 8
    assert summed(2, False) == 4


KEPT = """
import sys
from numba.core import event
from cardtable.table.compiling.compiler import compiler_of

compiled = []

class Count(event.Listener):
    def on_start(self, what): compiled.append(what.data["dispatcher"].py_func.__name__)
    def on_end(self, what): pass

event.register("numba:compile", Count())
ours, whole = compiler_of(__file__), compiler_of(__file__, whole=True)

@ours
def halved(number):
    if number % 2:
        raise ValueError("odd")
    return number // 2

@ours
def quartered(number):
    return halved(halved(number))

@ours
def in_loops(number):
    return quartered(number)

@whole
def as_a_whole(number):
    return quartered(number)

print(*[globals()[name](12) for name in sys.argv[1:]], *sorted(compiled))
"""


@pytest.mark.slow
def test_what_functions_call_is_kept_for_other_processes(tmp_path: Path) -> None:
    interface, told = (
        tmp_path / "kept.py",
        {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "code"), "PYTHONPATH": ROOT},
    )
    interface.write_text(KEPT)

    def compiled(*names: str, without: str = "nothing") -> list[str]:
        """What is compiled to call the named functions, without some of what is kept."""
        for file in tmp_path.rglob("*.nbc"):
            if re.match(rf"(\w+-)?{without}\w*\.", file.name):
                file.unlink()
        command = [sys.executable, str(interface), *names]
        done = subprocess.run(command, env=told, capture_output=True, text=True, check=True)
        assert done.stdout.split()[: len(names)] == ["3"] * len(names)
        return done.stdout.split()[len(names) :]

    assert compiled("as_a_whole") == ["as_a_whole", "halved", "quartered"]
    assert compiled("as_a_whole", without="as_a_whole") == ["as_a_whole"]
    # What was read for a whole cannot be linked into loops: its parts are not optimised.
    changed = compiled("as_a_whole", "in_loops", without="[aq]")
    assert changed == ["as_a_whole", "halved", "in_loops", "quartered", "quartered"]
    assert compiled("in_loops", without="in_loops") == ["in_loops"]


def test_a_function_is_compiled_once_for_loops_and_for_wholes() -> None:
    def once(number):  # type: ignore[no-untyped-def]
        return number + 1

    called = compiled(once)
    looping = KernelDispatcher(lambda number: called(number), {})
    assert (compiled(lambda number: called(number))(1), looping(1)) == (2, 2)
    assert len({id(kept) for kept in called._called.values()}) == 1
    assert len(called._called) == 2


def test_a_function_is_compiled_for_python_only_when_python_calls_it() -> None:
    summed(2, True)
    assert len(changed.overloads) == 0
    assert changed(2.5, True) == 7.5
    assert len(changed.overloads) == 1
    assert len(tripled.overloads) == 0


def test_what_a_called_function_raises_reaches_python() -> None:
    @compiled
    def refused(numbers):  # type: ignore[no-untyped-def]
        if numbers[0] == 0:
            raise ValueError("no zero")
        return numbers[0]

    @compiled
    def asked(numbers):  # type: ignore[no-untyped-def]
        return refused(numbers)

    assert asked(np.ones(1)) == 1
    with pytest.raises(ValueError, match="no zero"):
        asked(np.zeros(1))


class Pair(NamedTuple):
    numbers: NDArray[np.float64]
    number: int


@pytest.mark.parametrize("pair", [Pair, lambda *both: both])
def test_read_only_arrays_run_the_code_of_writable_ones(pair: Any) -> None:
    @compiled
    def total(numbers, pair):  # type: ignore[no-untyped-def]
        return numbers[0] + pair[0][0] + pair[1]

    writable, read_only = np.ones(1), np.ones(1)
    read_only.flags.writeable = False
    for numbers, others in ((read_only, writable), (writable, writable), (read_only, read_only)):
        assert total(numbers, pair(others, 2)) == 4
    assert len(total.overloads) == 1


def test_threads_that_call_first_at_the_same_time_leave_one_entry() -> None:
    @compiled
    def first(numbers):  # type: ignore[no-untyped-def]
        return numbers[0]

    numbers = np.ones(1)
    numbers.flags.writeable = False
    for _ in range(2):  # the second thread asks, too, before the first has finished
        assert first._compile_for_args(numbers)(numbers) == 1
    first._compile_for_args = None  # every later call finds the code without it
    assert first(numbers) == 1


LACKING = """
from cardtable.table.compiling.linking import CalledLibrary, KernelDispatcher

def compiled(function):
    return KernelDispatcher(function, {"nogil": True, "error_model": "numpy"}, is_whole=True)

@compiled
def lost(number):
    return number if number < 2 else lost_too(number) + 1

@compiled
def lost_too(number):
    total = 0
    for k in range(number):
        total += k * number
    return total

@compiled
def lacking(number):
    return lost(number)

CalledLibrary.add_linking_library = lambda *_: None
lacking(3)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_process_that_is_forked_while_a_thread_compiles_can_compile() -> None:
    is_compiling = Event()

    def compile_slowly() -> None:
        with global_compiler_lock:
            is_compiling.set()
            sleep(0.1)

    thread = Thread(target=compile_slowly)
    thread.start()
    is_compiling.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks while there are threads
        child = os.fork()
    if child == 0:
        signal.alarm(60)
        with global_compiler_lock:
            os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    thread.join()


def test_code_that_lacks_a_function_is_not_run() -> None:
    """In a process of its own: LLVM ends the process when it next compiles."""
    done = subprocess.run([sys.executable, "-c", LACKING], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert re.search(r"RuntimeError: .* calls what has not been linked", done.stderr)
