"""Compiles a function together with everything that it calls, optimised once: that takes a third of the time.

Numba makes optimised machine code of every compiled function, with a wrapper for Python, although most of them are
only called by other compiled functions, where all of it is optimised again. For a single table and for the agents,
which people wait for first, what a function calls stays intermediate code until it is linked into it. The agents come
out faster, too. Loops that step many tables are compiled as numba does it: they come out up to a tenth faster. A
function that both call is compiled for each.
"""

from typing import Any, NamedTuple

from numba.core import codegen, compiler, event, registry, typing
from numba.core import types as numba_types
from numba.core.compiler_lock import global_compiler_lock

Dispatcher: Any = registry.CPUDispatcher  # numba is not typed
Library: Any = codegen.JITCodeLibrary
Flags: Any = compiler.Flags
compile_extra: Any = compiler.compile_extra
template_of: Any = typing.make_concrete_template  # type: ignore[attr-defined]
under_way: Any = event.trigger_event
Array: Any = numba_types.Array
Tuple: Any = numba_types.BaseTuple  # named or not


class CalledLibrary(Library):  # type: ignore[misc]
    """The intermediate code of a function and of all that it calls."""

    def finalize(self) -> None:
        """Link what it calls, and leave the rest to whoever calls it."""
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class Called(NamedTuple):
    """A function as other compiled functions call it."""

    result: Any  # of numba's compiler; keeps alive what the code refers to
    key: Any  # by which numba finds it


whole: list[Any] = []  # what is being compiled together with its calls; numba's lock lets one thread compile at a time


class KernelDispatcher(Dispatcher):  # type: ignore[misc]
    """A compiled function; with `is_whole` it is compiled together with everything that it calls."""

    def __init__(self, function: Any, options: dict[str, Any], is_whole: bool = False) -> None:
        super().__init__(function, {}, {"nopython": True, "boundscheck": None, **options})
        self._is_whole = is_whole
        self._called: dict[tuple[Any, ...], Called] = {}

    def compile(self, sig: Any) -> Any:
        """Compile it for calls from Python, or from loops over many tables."""
        if not self._is_whole:
            return super().compile(sig)
        with global_compiler_lock:
            whole.append(self)
            try:
                entry = super().compile(sig)
            finally:
                whole.pop()
            for result in self.overloads.values():
                _check_linked(result.library)
                for environment in result._find_referenced_environments():  # of the functions that were linked into it
                    result.library.codegen.set_env(environment.env_name, environment)
        return entry

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Python calls it with arguments of new types: compile it for them.

        A read-only array is taken as any other: the machine code would be the same, and a copy or a pickle of the array
        is writable. So Python must not hand over for writing what may be read-only.
        """
        given = [self.typeof_pyval(each) for each in args]
        kinds = [_writable(kind) for kind in given]
        if kinds == given:
            return super()._compile_for_args(*args, **kws)
        self._compilation_chain_init_hook()
        entry = self.compile(tuple(kinds))
        self._insert([kind._code for kind in given], entry, False)
        return entry

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba asks for this where another compiled function calls this one."""
        if not whole:
            return super().get_call_template(args, kws)
        signature, folded = self._compiler.fold_argument_types(args, kws)
        types, name = tuple(folded), self.py_func.__name__
        if types not in self._called:
            self._called[types] = self._compile_called(types)
        known = [called.result.signature for called in self._called.values()]
        return template_of(f"CallTemplate({name})", key=name, signatures=known), signature, types, {}

    def get_overload(self, sig: Any) -> Any:
        """The key by which numba finds the function for these types."""
        return self._called[tuple(sig)].key if whole else super().get_overload(sig)

    def _compile_called(self, types: tuple[Any, ...]) -> Called:
        with global_compiler_lock, self._compiling_counter:
            flags = Flags()
            self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            library, about = CalledLibrary(self.targetctx.codegen(), self.py_func.__qualname__), (types, None, flags)
            with under_way("numba:compile", data={"dispatcher": self, "args": types, "return_type": None}):
                result = compile_extra(self.typingctx, self.targetctx, self.py_func, *about, {}, library=library)
            called = Called(result, object())
            self.targetctx.insert_user_function(called.key, result.fndesc, [library])
        return called


def _writable(kind: Any) -> Any:
    """The type of an argument, with writable arrays in place of read-only ones."""
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
