"""From the object file that LLVM makes of a whole game to a WebAssembly module that imports `exp` and `pow`.

An object file is a module that others could be linked to: it imports its memory and the pointer to its stack, and its
section `linking` names its functions. Alone, all of its indices and addresses are right as they stand. All of this, and
the names used here, are in https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md.

Data begin at address 0, and what is beyond them, from `__heap_base` on, is free. The first global must be the room of
the stack. It grows down to address 0, so that a stack without an end traps and harms no data.
"""

from collections.abc import Iterator, Sequence

from cardtable.table.errors import TableError

HEADER = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA = 0, 1, 2, 3, 5, 6, 7, 10, 11  # sections
SYMBOL_TABLE = 8  # a subsection of `linking`
OF_FUNCTION, OF_DATA, OF_GLOBAL, UNDEFINED = 0, 1, 2, 0x10  # kinds of symbols, and a flag
GIVEN = "__linear_memory", "__stack_pointer"  # what an object file may import, and the module has: memory 0, global 0
IMPORTED = "exp", "pow"  # functions that JavaScript has, and LLVM calls by these names
FUNCTION_EXPORT, MEMORY_EXPORT, GLOBAL_EXPORT, EMPTY = b"\0", b"\2", b"\3", b"\0"  # the last is a list of nothing
GROWING, CONSTANT, MUTABLE, I32, I32_CONST, END = b"\0", b"\0", b"\1", b"\x7f", b"\x41", b"\x0b"
PADDED = 5  # bytes of a number in LEB128 with room for 32 bits
PAGE, ALIGNMENT = 1 << 16, 16  # bytes: of a page of memory, and what `__heap_base` is a multiple of


class Reader:
    """Reads a part of an object file from its beginning to its end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        """Read so many bytes."""
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self) -> int:
        """Read a number that is not negative in LEB128: seven bits a byte, the lowest first."""
        value = bits = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << bits
            bits += 7
            if byte < 0x80:
                return value

    def name(self) -> str:
        """Read a name."""
        return self.take(self.number()).decode()

    def parts(self) -> Iterator[tuple[int, "Reader"]]:
        """Read numbered parts up to the end."""
        while self.at < len(self.data):
            yield self.number(), Reader(self.take(self.number()))


def link(code: bytes, exports: Sequence[str], stack: int) -> bytes:
    """Return the module that exports these functions, `memory` and `__heap_base`; its stack has so many bytes.

    TableError names a symbol that is not defined, or a kind of symbol that is not known here. It is also raised if data
    lie where the stack grows.
    """
    sections: dict[int | str, bytes] = {DATA: EMPTY}
    for number, content in Reader(code[len(HEADER) :]).parts():
        key = content.name() if number == CUSTOM else number
        sections[key] = content.data[content.at :]
    imports = [*imported_functions(Reader(sections[IMPORT]))]
    linking = dict(Reader(sections["linking"][1:]).parts())  # after its version
    symbols = dict(function_symbols(linking[SYMBOL_TABLE]))
    segments = dict(read_segments(Reader(sections[DATA])))
    if any(content for address, content in segments.items() if address < stack and any(content)):
        raise TableError("the room of the stack is not the first global")
    end = max([stack, *(address + len(content) for address, content in segments.items())])
    heap = end + -end % ALIGNMENT
    exported = {"memory": MEMORY_EXPORT + leb(0), "__heap_base": GLOBAL_EXPORT + leb(1)}
    exported |= {name: FUNCTION_EXPORT + leb(symbols[name]) for name in exports}
    data = [EMPTY + constant(address) + sized(content) for address, content in segments.items() if any(content)]
    sections |= {
        IMPORT: vector(imports),
        MEMORY: vector([GROWING + leb(-(-heap // PAGE))]),
        GLOBAL: vector([I32 + MUTABLE + constant(stack), I32 + CONSTANT + constant(heap)]),
        EXPORT: vector([sized(name.encode()) + what for name, what in exported.items()]),
        DATA: vector(data),
    }
    kept = (TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA)
    return HEADER + b"".join(bytes([section]) + sized(sections[section]) for section in kept)


def imported_functions(imports: Reader) -> Iterator[bytes]:
    """Yield the imports that the module keeps; TableError if another one is something that it does not have."""
    for _ in range(imports.number()):
        start, _, name, _ = imports.at, imports.name(), imports.name(), imports.take(1)  # the place, module and kind
        if name in IMPORTED:
            imports.number()  # its type
            yield imports.data[start : imports.at]
        elif name in GIVEN:
            imports.take(1), imports.number()  # its type and size
        else:
            raise TableError(f"{name} is not defined")


def read_segments(data: Reader) -> Iterator[tuple[int, bytes]]:
    """Yield the addresses and the contents of the data."""
    for _ in range(data.number()):
        data.take(2)  # flags, and the instruction that gives the address
        address, _ = data.number(), data.take(1)
        yield address, data.take(data.number())


def function_symbols(table: Reader) -> Iterator[tuple[str, int]]:
    """Yield the names and the indices of the functions that are defined."""
    for _ in range(table.number()):
        kind, is_defined = table.number(), not table.number() & UNDEFINED
        if kind == OF_DATA:
            name = table.name()
            if not is_defined:
                raise TableError(f"{name} is not defined")
            table.number(), table.number(), table.number()  # the segment, the place in it, and the size
        elif kind in (OF_FUNCTION, OF_GLOBAL):
            index, name = table.number(), table.name() if is_defined else ""
            if kind == OF_FUNCTION and is_defined:
                yield name, index
        else:
            raise TableError(f"symbols of kind {kind} are not known")


def leb(number: int, least: int = 1) -> bytes:
    """Return a number that is not negative in LEB128, in at least so many bytes."""
    sevens = [number >> bits & 0x7F for bits in range(0, max(7 * least, number.bit_length()), 7)]
    return bytes([*(seven | 0x80 for seven in sevens[:-1]), sevens[-1]])


def constant(number: int) -> bytes:
    """Return an expression for a number; as it is padded, none of its bits is taken for a sign."""
    return I32_CONST + leb(number, PADDED) + END


def sized(content: bytes) -> bytes:
    """Return bytes after their number."""
    return leb(len(content)) + content


def vector(items: Sequence[bytes]) -> bytes:
    """Return items after their number."""
    return leb(len(items)) + b"".join(items)
