"""From compiled functions to a WebAssembly module: numba's intermediate code, made and optimised for another target.

With `for_wasm` numba makes intermediate code for WebAssembly, whose pointers have 32 bits: of every function once, as
little as possible, and nothing of it is kept on disk. Every entry gets a function with plain arguments around it, which
alone is exported, and what numba expects of its runtime is replaced by a few lines. All of it is optimised together.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba import types
from numba.core import codegen, targetconfig
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.np import arrayobj

from cardtable.table.compiling import linking
from cardtable.table.compiling.compiler import compiler_of
from skyjo.web.building.entries import Entry
from skyjo.web.building.linking_wasm import link

llvm: Any = binding  # neither is typed
config: Any = numba.config
compiling: Any = linking
arrays: Any = arrayobj
Library: Any = codegen.JITCodeLibrary
Codegen: Any = codegen.JITCPUCodegen
Flags: Any = targetconfig.TargetConfig

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
STACK, ROOM = 1 << 18, "stack"  # bytes, and the name of the global that holds them
INT_BITS = 64
OK, NONE = 0, -2  # what functions of numba return when nothing went wrong; the last if they have no result

OUR_RUNTIME = Path(__file__).with_name("runtime.ll")  # what numba's compiled functions call

compiled = compiler_of(__file__)


@compiled
def shapes_differ(_: Any, __: Any) -> None:
    """Raise an error without words: those of numba need half of its functions for texts."""
    raise ValueError


class OneFunction(Library):  # type: ignore[misc]
    """The intermediate code of one function, without that of the functions it calls: `module_of` links them all."""

    def _optimize_functions(self, _: Any) -> None:
        """Leave it as it is: all functions are optimised together."""

    def finalize(self) -> None:
        """Leave it as it is."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return a number, as numba wants one: there is no pointer."""
        del name
        return 0


class CalledFunction(OneFunction):
    """The same for a function of ours, in place of `linking.CalledLibrary`. It is not kept on disk."""

    ways = frozenset((linking.WHOLE, linking.LOOPS))

    def __init__(self, codegen: Any, name: str, _: Any) -> None:
        super().__init__(codegen, name)


class WasmCodegen(Codegen):  # type: ignore[misc]
    """Numba's way of making code, for WebAssembly."""

    _library_class = OneFunction

    def _init(self, module: Any) -> None:
        super()._init(module)
        self._tm, self._target_data = machine(), machine().target_data
        self._data_layout = str(self._target_data)

    def set_env(self, name: str, environment: Any) -> None:
        """Set nothing: no code is run that would need it."""


@cache
def machine() -> Any:
    """Return LLVM's compiler for WebAssembly."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)


def for_wasm() -> None:
    """Let numba make intermediate code for WebAssembly from now on.

    This process cannot run what it compiles afterwards.
    """
    context = cpu_target.target_context
    context.refresh()  # numba's own runtime is for this machine
    context._internal_codegen = WasmCodegen("wasm")
    context.cached_internal_func.clear()
    arrays.raise_with_shape_context = shapes_differ
    config.CPU_NAME = TRIPLE  # or code kept for this machine would be read: its folders are named after the processor
    compiling.CalledLibrary = CalledFunction
    plain_call = compiling.KernelDispatcher.get_call_template
    compiling.KernelDispatcher.get_call_template = lambda self, args, kws: plain_call(self, [*map(plain, args)], kws)
    Flags.__hash__ = lambda _: 0  # numba looks functions up by their flags, and works out all of them each time
    Flags.__eq__ = lambda one, other: one._values == other._values


def plain(kind: Any) -> Any:
    """Return the type of an argument of a function, which is compiled once for whole numbers of any size or value."""
    kind = getattr(kind, "literal_type", kind)
    return types.int64 if kind in types.integer_domain and kind.bitwidth < INT_BITS else kind


def module_of(entries: Mapping[str, Entry]) -> bytes:
    """Return the module that exports these functions."""
    around, needed = [OUR_RUNTIME.read_text("utf-8")], []
    for name, entry in entries.items():
        library, signature, inner = intermediate(entry)
        needed += with_called(library)
        around.append(exported(name, inner, signature))
    code = llvm.parse_assembly(f"@{ROOM} = global [{STACK} x i8] zeroinitializer, align 64")
    for library in dict.fromkeys(needed):
        code.link_in(library._final_module, preserve=True)
    whole = llvm.parse_assembly(str(code).replace("@llvm.smul.with.overflow.i64(", "@size_of_array("))
    for function in whole.functions:
        if not function.is_declaration:
            function.linkage = "linkonce_odr"  # what our runtime defines replaces it
    whole.link_in(llvm.parse_assembly("".join(around)))
    whole.triple = TRIPLE
    optimise(whole, {*entries, ROOM})
    return link(machine().emit_object(whole), list(entries), STACK)


def intermediate(entry: Entry) -> tuple[OneFunction, Any, str]:
    """Return a function's code, its types, and its name there."""
    function, arguments = entry
    with global_compiler_lock:
        linking.under_compilation.append(function)
        try:
            called, description, library = function._compile_called(arguments)
            return library, called.signature, description.llvm_func_name
        finally:
            linking.under_compilation.pop()


def with_called(library: OneFunction) -> list[OneFunction]:
    """Return the code of a function and of everything it calls."""
    reached = {library: None}
    waiting = [library]
    while waiting:
        new = [called for called in waiting.pop()._linking_libraries if called not in reached]
        reached |= dict.fromkeys(new)
        waiting += new
    return list(reached)


def exported(name: str, inner: str, signature: Any) -> str:
    """Return a function with plain arguments that calls one of numba's; its whole numbers have 32 bits, unsigned ones
    64.

    An exception ends in a trap, which is one in JavaScript, too.
    """
    outside = [_outside(kind) for kind in signature.args]
    taken = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(outside))
    wide = [f"%w{k} = sext i32 %a{k} to i64" for k, kind in enumerate(outside) if kind == "i32"]
    inside = ["i64" if kind == "i32" else kind for kind in outside]
    given = ", ".join(f"{kind} %{'w' if outside[k] == 'i32' else 'a'}{k}" for k, kind in enumerate(inside))
    result, end = {
        types.none: ("void", "ret void"),
        types.float64: ("double", "%n = load double, ptr %result\n  ret double %n"),
        types.int64: ("i32", "%v = load i64, ptr %result\n  %n = trunc i64 %v to i32\n  ret i32 %n"),
    }[signature.return_type]
    return "\n  ".join(
        (
            f"declare i32 @{inner}(ptr, ptr, {', '.join(inside)})\n",
            f"define {result} @{name}({taken}) {{",
            "store i32 0, ptr @taken\n  store i32 -1, ptr @uppermost",
            "%result = alloca i64\n  %error = alloca ptr",
            *wide,
            f"%status = call i32 @{inner}(ptr %result, ptr %error, {given})",
            f"switch i32 %status, label %failed [i32 {OK}, label %done i32 {NONE}, label %done]",
            "\nfailed:\n  call void @llvm.trap()\n  unreachable\ndone:",
            f"{end}\n}}\n",
        )
    )


def _outside(kind: Any) -> str:
    """Return the type of an argument as JavaScript passes it."""
    return {types.int64: "i32", types.uint64: "i64", types.float64: "double"}.get(kind, "ptr")


def optimise(code: Any, names: set[str]) -> None:
    """Keep what these functions need, and make it fast."""
    code.verify()
    for defined in (*code.functions, *code.global_variables):
        if not defined.is_declaration and defined.name not in names:
            defined.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    builder = llvm.create_pass_builder(machine(), tuning)
    builder.getModulePassManager().run(code, builder)
