"""Functions that are compiled together with all that they call."""

import re
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.kernel.compiler import config
from cardtable.kernel.whole_calls import KernelDispatcher

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")


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


def test_a_function_is_compiled_for_python_only_when_python_calls_it() -> None:
    summed(2, True)
    assert len(changed.overloads) == 0
    assert changed(2.5, True) == 7.5
    assert len(changed.overloads) == 1
    assert len(tripled.overloads) == 0


def test_compiled_functions_can_be_passed_on() -> None:
    @compiled
    def twice(function, number):  # type: ignore[no-untyped-def]
        return function(function(number))

    @compiled
    def ninefold(number):  # type: ignore[no-untyped-def]
        return twice(tripled, number)

    assert ninefold(2) == 18


def test_it_is_compiled_once_for_all_types_of_its_arguments() -> None:
    @compiled
    def both(number):  # type: ignore[no-untyped-def]
        return tripled(number), tripled(number + 0.5)

    assert both(2) == (6, 7.5)


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


LACKING = """
from cardtable.kernel.whole_calls import CalledLibrary, KernelDispatcher

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

CalledLibrary.finalize = lambda library: setattr(library, "_finalized", True)
lacking(3)
"""


def test_code_that_lacks_a_function_is_not_run() -> None:
    """In a process of its own: LLVM ends the process when it next compiles."""
    done = subprocess.run([sys.executable, "-c", LACKING], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert re.search(r"RuntimeError: .* calls what has not been linked", done.stderr)
