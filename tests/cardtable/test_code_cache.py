"""Compiled code on disk: whatever happens to the files, a start works, and mends them."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba import types

from cardtable.table.compiling import compiler
from tests.processes import printed

SMALL = """
import sys
from cardtable.table.compiling.compiler import compiler_of

@compiler_of(__file__)
def doubled(number):
    return 2 * number

print(doubled(21), sum(doubled.stats.cache_hits.values()))
"""
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"  # nothing more can be written

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "garbled": lambda data: data[:40] + random.Random(1).randbytes(40) + data[80:],
    "one bit": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "something else": lambda _: b"no code at all",
}


def started(program: Path, folder: Path) -> str:
    """What the program prints: the answer, and how many functions it did not have to compile."""
    return printed(program, NUMBA_CACHE_DIR=str(folder)).strip()


@pytest.mark.slow
def test_a_damaged_file_is_compiled_anew_and_mended(tmp_path: Path) -> None:
    program = tmp_path / "small.py"
    program.write_text(SMALL)
    assert started(program, tmp_path) == "42 0"
    assert started(program, tmp_path) == "42 1"
    for damage in DAMAGES.values():
        (file,) = tmp_path.rglob("*doubled*.nbc")
        file.write_bytes(damage(file.read_bytes()))
        assert started(program, tmp_path) == "42 0"
        assert started(program, tmp_path) == "42 1"


@pytest.mark.slow
def test_a_full_disk_means_that_nothing_is_kept(tmp_path: Path) -> None:
    program = tmp_path / "small.py"
    program.write_text(LIMITED + SMALL)
    assert started(program, tmp_path) == "42 0"
    assert started(program, tmp_path) == "42 0"
    assert not [*tmp_path.rglob("*.draft")]


def test_a_tuple_and_star_arguments_have_files_of_their_own() -> None:
    untyped: Any = types
    cache: Any = compiler.compiler_of(__file__)(lambda *many: many)
    members = untyped.int64, untyped.float64
    kinds = untyped.Tuple(members), untyped.StarArgTuple(members)
    assert len({cache._cache._file_name((kind,)) for kind in kinds}) == 2
