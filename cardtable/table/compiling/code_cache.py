"""Compiled code on disk, a file for each function and each combination of types of its arguments.

A file is a pickle behind a digest of its content; if it is damaged, the function is compiled again. Reading a pickle
runs its code. But these files are in the package's own folder, in the user's cache, or in a folder that the user named.
Anyone who can change them can change the sources or the user's programs as well.
"""

import pickle
import re
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba.core import runtime, serialize, sigutils
from numba.core.compiler import CompileResult

from cardtable.table.compiling.code_folders import CodeFolders
from cardtable.table.files import write_whole

DIGEST = 16  # bytes
NAME, MAX_LETTERS = 10, 32  # the same in the name of a file, and how much of the function's name it shows

rebuilt: Any = CompileResult._rebuild  # numba is not typed
dumps: Any = serialize.dumps
start_runtime: Any = runtime.rtsys.initialize  # type: ignore[attr-defined]
normalised: Any = sigutils.normalize_signature

readers: list[Callable[[Path], None]] = []  # called with every file that is read


class CodeCache:
    """The cache of one function: numba asks it before compiling, and gives it the compiled code."""

    def __init__(self, function: Callable[..., Any], folders: CodeFolders) -> None:
        self._folders = folders
        self._full_name = full_name(function)
        self._name = re.sub(r"\W", "", function.__name__)[:MAX_LETTERS]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for these types of arguments, or None."""
        name = self._file_name(sig)
        for folder in self._folders.readable:
            reduced = read(folder / name)
            if reduced is not None:
                for hear in readers:
                    hear(folder / name)
                start_runtime(target_context)  # compiled code refers to it; the rest of numba only compiles
                return rebuilt(target_context, *reduced)
        return None

    def _file_name(self, sig: Any) -> str:
        """Return a name for these types: numba writes different ones differently, except a tuple and star arguments."""
        arguments, _ = normalised(sig)
        types = f"{self._full_name} {arguments} {[type(argument).__name__ for argument in arguments]}"
        return f"{self._name}.{blake2b(types.encode(), digest_size=NAME).hexdigest()}.nbc"

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code, if a folder is writable and the code holds no address of this process."""
        if not data.lifted and not data.library.has_dynamic_globals:
            self._keep(self._file_name(sig), data._reduce())

    def load_called(self, types: Any, way: str) -> Any:
        """Return the code that `save_called` has kept; None if there is none."""
        name = f"{way}-{self._file_name(types)}"
        return next(filter(None, (read(folder / name) for folder in self._folders.readable)), None)

    def save_called(self, types: Any, way: str, reduced: Any) -> None:
        """Keep what other functions need to call this one, for one way of compiling them."""
        self._keep(f"{way}-{self._file_name(types)}", reduced)

    def _keep(self, name: str, reduced: Any) -> None:
        own = self._folders.own
        if own is None:
            return
        with suppress(OSError):
            if not own.is_dir():
                self._folders.forget_older()
                own.mkdir(parents=True, exist_ok=True)
            data: bytes = dumps(reduced)
            write_whole(own / name, _digest(data) + data, is_lasting=False)  # what a power failure damages is noticed


def full_name(function: Any) -> str:
    """Return a name that no other function has, not even one that the same factory made of other functions."""
    place = function.__qualname__.replace("<locals>.", "")
    name = f"{function.__module__}.{place}-{function.__code__.co_firstlineno}"
    held = [_name_of(cell.cell_contents) for cell in function.__closure__ or ()]
    return f"{name}-{blake2b(repr(held).encode(), digest_size=DIGEST).hexdigest()}" if held else name


def _name_of(held: Any) -> Any:
    """Return a name for what a function finds in its closure: compiled functions, several of them, or a number."""
    if isinstance(held, tuple):
        return [_name_of(function) for function in held]
    function = getattr(held, "py_func", None)
    return held if function is None else full_name(function)


def read(file: Path) -> Any:
    """Return the content that was written into a file; None if it is not there, or damaged."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    return pickle.loads(data[DIGEST:]) if data[:DIGEST] == _digest(data[DIGEST:]) else None


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=DIGEST).digest()
