"""The linker: what it makes of code from LLVM runs in Node, and what it cannot link it names."""

import json
import subprocess
from pathlib import Path

import pytest
from llvmlite import binding

from cardtable.table.errors import TableError
from skyjo.web.building.linking_wasm import PAGE, link
from skyjo.web.building.wasm_code import machine
from tests.anywhere.worker_client import NODE
from tests.helpers import cannot_test

STACK, ROOM = 1 << 12, 3 * PAGE
DATA = f"""
@stack = global [{STACK} x i8] zeroinitializer, align 64
@numbers = internal global [3 x i64] [i64 1, i64 20, i64 300]
@room = internal global [{ROOM} x i8] zeroinitializer, align 64
@last = internal global ptr getelementptr ([3 x i64], ptr @numbers, i32 0, i32 2)
"""
PROGRAM = f"""{DATA}
define internal i32 @read(ptr %place) noinline {{
  %number = load i32, ptr %place
  ret i32 %number
}}
define i32 @sum(i32 %k) {{
  %chosen = getelementptr [3 x i64], ptr @numbers, i32 0, i32 %k
  %target = load ptr, ptr @last
  %copy = alloca [9 x i32]
  %third = getelementptr [9 x i32], ptr %copy, i32 0, i32 2
  store volatile i32 4000, ptr %third
  %one = call i32 @read(ptr %chosen)
  %two = call i32 @read(ptr %target)
  %three = call i32 @read(ptr %third)
  %four = add i32 %one, %two
  %five = add i32 %four, %three
  store ptr %chosen, ptr @last
  ret i32 %five
}}
define ptr @end_of_room() {{
  ret ptr getelementptr (i8, ptr @room, i32 {ROOM})
}}
"""
RUN = """
const { instance } = await WebAssembly.instantiate(require("fs").readFileSync(process.argv[1]), {});
const { sum, end_of_room, memory, __heap_base: heap } = instance.exports;
console.log(JSON.stringify([sum(0), sum(1), sum(2), end_of_room(), heap.value, memory.buffer.byteLength]));
"""
USES = "define i32 @sum(i32 %k) {{\n  {}\n  ret i32 %n\n}}\n"
CALL, LOAD = "%n = call i32 @missing(i32 %k)", "%n = load i32, ptr @missing"
POINTER = "%p = load volatile ptr, ptr @table\n  %n = call i32 %p(i32 %k)"
UNKNOWN = [
    ("missing", "declare i32 @missing(i32)\n" + USES.format(CALL)),
    ("missing", "@missing = external global i32\n" + USES.format(LOAD)),
    ("__indirect_function_table", "@table = global ptr @sum\n" + USES.format(POINTER)),
]


def linked(text: str, *exports: str) -> bytes:
    return link(machine().emit_object(binding.parse_assembly(text)), exports, STACK)


def test_a_linked_module_calls_reads_and_writes_as_its_code_says(tmp_path: Path) -> None:
    if NODE is None:
        cannot_test("Node is not installed", "linked modules are")
    file = tmp_path / "module.wasm"
    file.write_bytes(linked(PROGRAM, "sum", "end_of_room"))
    assert file.stat().st_size < ROOM, "zeros are stored"
    done = subprocess.run([str(NODE), "-e", f"(async () => {{{RUN}}})()", str(file)], capture_output=True, check=True)
    *sums, end, heap, size = json.loads(done.stdout)
    assert sums == [4301, 4021, 4320]
    assert STACK + ROOM < end <= heap <= size < heap + PAGE
    assert size % PAGE == 0


@pytest.mark.parametrize(("name", "text"), UNKNOWN)
def test_what_is_not_defined_is_named(name: str, text: str) -> None:
    with pytest.raises(TableError, match=f"{name} is not defined"):
        linked(DATA + text, "sum")


def test_no_data_lie_where_the_stack_grows() -> None:
    with pytest.raises(TableError, match="not the first global"):
        linked(f'@early = global [{PAGE} x i8] c"{"x" * PAGE}"\n{PROGRAM}', "sum")
