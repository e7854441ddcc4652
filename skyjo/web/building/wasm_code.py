"""From compiled functions to a WebAssembly module: numba's intermediate code, made and optimised for another target.

`cardtable.table.compiling.linking` makes the intermediate code of a function together with all that it calls, and keeps
it. With `for_wasm` numba makes it for WebAssembly, whose pointers have 32 bits. Every entry gets a function with plain
arguments around it, which alone is exported, and what numba expects of its runtime is replaced by a few lines. Then
everything is optimised together, and linked.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba import types
from numba.core import codegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from cardtable.table.compiling import linking
from skyjo.web.building.entries import Entry
from skyjo.web.building.float_functions import exponential, power
from skyjo.web.building.linking_wasm import link

llvm: Any = binding  # neither is typed
config: Any = numba.config
Library: Any = codegen.JITCodeLibrary
Codegen: Any = codegen.JITCPUCodegen

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
STACK = 1 << 18  # bytes
OK, FAILED, NONE = 0, -1, -2  # what functions of numba return; the last if they have no result

FLOAT: Any = types.float64
FUNCTIONS = {"exp": Entry(exponential, (FLOAT,)), "pow": Entry(power, (FLOAT, FLOAT))}  # that LLVM calls by these names
RUNTIME = re.compile(
    r"^define [^\n]*@NRT_(?!MemInfo_data_fast)\w+\(.*?^}\n|^declare [^\n]*@(NRT_|numba_|llvm.smul)[\w.]+\([^\n]*\n",
    re.MULTILINE | re.DOTALL,
)
# How numba words an error about shapes, for which it would need half of Python
WORDING = re.compile(r"^(define [^\n]*@\w*raise_with_shape_context\w*\([^\n]*{\n).*?^}\n", re.MULTILINE | re.DOTALL)
OUR_RUNTIME = Path(__file__).with_name("runtime.ll")  # what numba's compiled functions call


class NeverRun(Library):  # type: ignore[misc]
    """Code of which no machine code is made for this process."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()

    def get_pointer_to_function(self, name: str) -> int:
        """There is none, but numba wants a number."""
        del name
        return 0


class WasmCodegen(Codegen):  # type: ignore[misc]
    """Numba's way of making code, for WebAssembly."""

    _library_class = NeverRun

    def _init(self, module: Any) -> None:
        super()._init(module)
        self._tm, self._target_data = machine(), machine().target_data
        self._data_layout = str(self._target_data)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing is run that would need it."""


@cache
def machine() -> Any:
    """LLVM's compiler for WebAssembly."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)


def for_wasm(folder: Path) -> None:
    """Let numba make intermediate code for WebAssembly from now on, and keep it in a folder of its own.

    This process cannot run what it compiles afterwards.
    """
    config.CACHE_DIR = str(folder)
    context = cpu_target.target_context
    context.refresh()  # numba's own runtime is for this machine
    context._internal_codegen = WasmCodegen("wasm")
    context.cached_internal_func.clear()


def write_module(entries: Mapping[str, Entry], file: Path) -> None:
    """Write the module that exports these functions."""
    code, around = llvm.parse_assembly(""), [OUR_RUNTIME.read_text("utf-8")]
    whole_module = {**entries, **FUNCTIONS}
    for name, entry in whole_module.items():
        called, signature, inner = intermediate(entry)
        code.link_in(called)
        around.append(exported(name, inner, signature))
    code.triple = TRIPLE
    text = RUNTIME.sub("", WORDING.sub(rf"\1  ret i32 {FAILED}\n}}\n", str(code))).replace(" = common ", " = internal ")
    text = text.replace("@llvm.smul.with.overflow.i64(", "@size_of_array(")
    whole = llvm.parse_assembly(text + "".join(around))
    optimise(whole, set(whole_module))
    file.write_bytes(link(machine().emit_object(whole), list(entries), STACK))


def intermediate(entry: Entry) -> tuple[Any, Any, str]:
    """A function's code together with all that it calls, its types, and its name there."""
    function, arguments = entry
    with global_compiler_lock:
        linking.under_compilation.append(function)
        try:
            called, description, library = function._read_called(arguments) or function._compile_called(arguments)
            code, name = library._get_module_for_linking().clone(), description.llvm_func_name
            code.get_function(name).linkage = "external"  # or it would not be linked before it is called
            return code, called.signature, name
        finally:
            linking.under_compilation.pop()


def exported(name: str, inner: str, signature: Any) -> str:
    """A function with plain arguments that calls one of numba's; its whole numbers have 32 bits, unsigned ones 64.

    An exception ends in a trap, which is one in JavaScript, too.
    """
    outside = [_outside(kind) for kind in signature.args]
    taken = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(outside))
    wide = [f"%w{k} = sext i32 %a{k} to i64" for k, kind in enumerate(outside) if kind == "i32"]
    given = ", ".join(f"i64 %w{k}" if kind == "i32" else f"{kind} %a{k}" for k, kind in enumerate(outside))
    result, end = {
        types.none: ("void", "ret void"),
        types.float64: ("double", "%n = load double, ptr %result\n  ret double %n"),
        types.int64: ("i32", "%v = load i64, ptr %result\n  %n = trunc i64 %v to i32\n  ret i32 %n"),
    }[signature.return_type]
    return "\n  ".join(
        (
            f"define {result} @{name}({taken}) {{",
            "" if name in FUNCTIONS else "store i32 0, ptr @taken\n  store i32 -1, ptr @uppermost",
            "%result = alloca i64\n  %error = alloca ptr",
            *wide,
            f"%status = call i32 @{inner}(ptr %result, ptr %error, {given})",
            f"switch i32 %status, label %failed [i32 {OK}, label %done i32 {NONE}, label %done]",
            "\nfailed:\n  call void @llvm.trap()\n  unreachable\ndone:",
            f"{end}\n}}\n",
        )
    )


def _outside(kind: Any) -> str:
    """The type of an argument as JavaScript passes it."""
    return {types.int64: "i32", types.uint64: "i64", types.float64: "double"}.get(kind, "ptr")


def optimise(code: Any, names: set[str]) -> None:
    """Keep what these functions need, and make it fast."""
    code.verify()
    for function in code.functions:
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    builder = llvm.create_pass_builder(machine(), tuning)
    builder.getModulePassManager().run(code, builder)
