"""Calls between compiled functions: a function that only they call is made into intermediate code, once, and kept.

Numba makes machine code of every compiled function, with a wrapper for Python, although most are only called by other
compiled functions, which contain them. Here only what Python calls becomes machine code. For the others numba's own
work, types and intermediate code, is done once, and kept on disk for the next process. There are two ways to link them
into a function that Python calls:

- As a whole: everything is linked first, and optimised once. A single table and the agents, which people wait for
  first, are compiled in this way; agents also come out faster.
- For loops over many tables, each called function is optimised together with what it calls, as numba does it: compiled
  as a whole, these loops come out up to a tenth slower.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import binding
from numba.core import codegen, compiler, environment, event, registry, typing
from numba.core import types as numba_types
from numba.core.compiler_lock import global_compiler_lock

from cardtable.table.compiling.code_cache import CodeCache

Dispatcher: Any = registry.CPUDispatcher  # numba is not typed
Library: Any = codegen.JITCodeLibrary
Flags: Any = compiler.Flags
compile_extra: Any = compiler.compile_extra
template_of: Any = typing.make_concrete_template  # type: ignore[attr-defined]
parsed: Any = binding.parse_bitcode
lookup_environment: Any = environment.lookup_environment
can_be_kept: Any = environment.Environment.can_cache
DYNAMIC = "numba.dynamic.globals"  # how the names of addresses of this process begin
under_way: Any = event.trigger_event
Array: Any = numba_types.Array
Tuple: Any = numba_types.BaseTuple  # named or not

if hasattr(os, "register_at_fork"):  # or a forked process could inherit a lock that no thread of its own releases
    release = global_compiler_lock.release
    os.register_at_fork(before=global_compiler_lock.acquire, after_in_parent=release, after_in_child=release)


class CalledLibrary(Library):  # type: ignore[misc]
    """The intermediate code of a function that only compiled functions call: nothing is made of it for Python."""

    _final_module: Any

    def __init__(self, codegen: Any, name: str, linked: Callable[[str, Any], None] | None = None) -> None:
        super().__init__(codegen, name)
        self.with_calls: dict[str, Any] = {}  # for each way of compiling, together with all that it calls
        self._linked = linked  # called with each of these

    @property
    def ways(self) -> set[str]:
        """The ways of compiling for which it can be linked; code read from disk serves only one."""
        if self._linked is None:
            return {*self.with_calls}
        called = [library.ways for library in self._linking_libraries if isinstance(library, CalledLibrary)]
        return {WHOLE, LOOPS}.intersection(*called)

    def finalize(self) -> None:
        """Leave it as it is until somebody links it."""
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code together with all that it calls: as it is for a whole, optimised for loops."""
        way = way_of_compiling()
        if way not in self.with_calls:
            own: Any = self._final_module
            self._shared_module = None
            self._final_module = own.clone()
            for library in dict.fromkeys(self._linking_libraries):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
            if way == LOOPS:
                self._optimize_final_module()
            self.with_calls[way] = super()._get_module_for_linking()
            self._final_module = own
            if self._linked is not None:
                self._linked(way, self.with_calls[way])
        return self.with_calls[way]


class Called(NamedTuple):
    """A function as other compiled functions call it."""

    signature: Any
    key: Any  # by which numba finds it
    environments: list[Any]  # to which the code refers


WHOLE, LOOPS = "whole", "loops"  # ways of compiling
under_compilation: list[Any] = []  # called by Python; numba's lock lets one thread compile at a time


def way_of_compiling() -> str:
    """Return the way in which the function that Python calls is being compiled."""
    return WHOLE if under_compilation[-1].is_whole else LOOPS


class KernelDispatcher(Dispatcher):  # type: ignore[misc]
    """A compiled function; with `is_whole` it is optimised together with everything that it calls."""

    def __init__(self, function: Any, options: dict[str, Any], is_whole: bool = False) -> None:
        super().__init__(function, {}, {"nopython": True, "boundscheck": None, **options})
        self.is_whole = is_whole
        self._called: dict[tuple[str, tuple[Any, ...]], Called] = {}
        self._inserted: set[tuple[Any, ...]] = set()  # types with read-only arrays among them

    def compile(self, sig: Any) -> Any:
        """Compile it for calls from Python."""
        with global_compiler_lock:
            under_compilation.append(self)
            try:
                entry = super().compile(sig)
            finally:
                under_compilation.pop()
            for result in self.overloads.values():
                _check_linked(result.library)
                for environment in result._find_referenced_environments():  # of the functions that were linked into it
                    result.library.codegen.set_env(environment.env_name, environment)
        return entry

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Python calls it with arguments of new types: compile it for them.

        A read-only array is taken as any other: the machine code would be the same, and a copy or a pickle of the array
        is writable. So callers must not pass a read-only array to a function that writes to it: nothing
        would refuse it.
        """
        given = tuple(self.typeof_pyval(each) for each in args)
        kinds = tuple(_writable(kind) for kind in given)
        if kinds == given:
            return super()._compile_for_args(*args, **kws)
        self._compilation_chain_init_hook()
        with global_compiler_lock:
            entry = self.compile(kinds)
            if given not in self._inserted:  # by another thread: numba finds neither of two entries for the same types
                self._inserted.add(given)
                self._insert([kind._code for kind in given], entry, False)
        return entry

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba asks for this where another compiled function calls this one."""
        if not under_compilation:  # the caller is not one of ours
            return super().get_call_template(args, kws)
        signature, folded = self._compiler.fold_argument_types(args, kws)
        types, name = tuple(folded), self.py_func.__name__
        if (way_of_compiling(), types) not in self._called:
            called, description, library = self._read_called(types) or self._compile_called(types)
            self._called |= {(way, types): called for way in library.ways}
            self.targetctx.insert_user_function(called.key, description, [library])
        known = [called.signature for (way, _), called in self._called.items() if way == way_of_compiling()]
        return template_of(f"CallTemplate({name})", key=name, signatures=known), signature, types, {}

    def get_overload(self, sig: Any) -> Any:
        """Return the key by which numba finds the function for these types."""
        return self._called[way_of_compiling(), tuple(sig)].key if under_compilation else super().get_overload(sig)

    def _read_called(self, types: tuple[Any, ...]) -> tuple[Called, Any, CalledLibrary] | None:
        """Return the function as it was kept for these types."""
        way = way_of_compiling()
        kept = self._cache.load_called(types, way) if isinstance(self._cache, CodeCache) else None
        if kept is None:
            return None
        code, description, signature, environments = kept
        library = CalledLibrary(self.targetctx.codegen(), self.py_func.__qualname__)
        library.with_calls[way] = parsed(code)
        library.finalize()
        return Called(signature, object(), environments), description, library

    def _compile_called(self, types: tuple[Any, ...]) -> tuple[Called, Any, CalledLibrary]:
        with global_compiler_lock, self._compiling_counter:
            flags = Flags()
            self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True

            def keep(way: str, module: Any) -> None:
                self._keep_called(types, way, module, result)

            library = CalledLibrary(self.targetctx.codegen(), self.py_func.__qualname__, keep)
            about = (types, None, flags)
            with under_way("numba:compile", data={"dispatcher": self, "args": types, "return_type": None}):
                result = compile_extra(self.typingctx, self.targetctx, self.py_func, *about, {}, library=library)
        return Called(result.signature, object(), [result.environment]), result.fndesc, library

    def _keep_called(self, types: tuple[Any, ...], way: str, module: Any, result: Any) -> None:
        """Keep it for other processes, if it holds no address of this one."""
        named = [each.name for each in module.global_variables]
        environments = [each for each in map(lookup_environment, named) if each is not None]
        is_bound = any(name.startswith(DYNAMIC) for name in named) or not all(map(can_be_kept, environments))
        if isinstance(self._cache, CodeCache) and not is_bound:
            result.fndesc.typemap = result.fndesc.calltypes = None  # as numba does, too
            self._cache.save_called(types, way, (module.as_bitcode(), result.fndesc, result.signature, environments))


def _writable(kind: Any) -> Any:
    """Return the type of an argument, with writable arrays in place of read-only ones."""
    if isinstance(kind, Array):
        return kind.copy(readonly=False)
    if isinstance(kind, Tuple):
        return type(kind).from_types([_writable(each) for each in kind], getattr(kind, "instance_class", None))
    return kind


def _check_linked(library: Any) -> None:
    """RuntimeError if a function is called that is not there: running it would end the process."""
    missing = [each.name for each in library._final_module.functions if each.is_declaration and each.name[:3] == "_ZN"]
    if missing:
        raise RuntimeError(f"{library.name} calls what has not been linked: {', '.join(missing)}")
