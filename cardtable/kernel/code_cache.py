"""Compiled code on disk: a damaged file is compiled anew, and where nothing can be written nothing is kept.

With numba's own files every start fails once one of them is empty, cut off or garbled, or the disk is full.
"""

import pickle
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba.core import caching

DIGEST = 16  # bytes

NumbaCache: Any = caching.FunctionCache  # numba is not typed
NumbaFiles: Any = caching.IndexDataCacheFile


class CodeCache(NumbaCache):  # type: ignore[misc]
    """What is kept of one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CheckedFiles(self.cache_path, self._impl.filename_base, stamp)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, if there is room."""
        with suppress(OSError):
            super().save_overload(sig, data)


class _CheckedFiles(NumbaFiles):  # type: ignore[misc]
    """The files of a function, each behind a digest of what is in it."""

    def _dump(self, content: Any) -> bytes:
        data: bytes = super()._dump(content)
        return _digest(data) + data

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, names = self._read(self._index_path)
        except OSError:
            return {}
        return names if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        with self._open_for_write(self._index_path) as stream:
            stream.write(self._dump((self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _read(self, path: str) -> Any:
        """What is in a file; OSError, after which numba compiles, if that is not what was written."""
        data = Path(path).read_bytes()
        if data[:DIGEST] != _digest(data[DIGEST:]):
            raise OSError(f"{path} is damaged")
        return pickle.loads(data[DIGEST:])


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=DIGEST).digest()
