"""From the object file that LLVM makes of a whole game to a WebAssembly module that imports `exp` and `pow`.

An object file is a module with gaps: wherever code or data refer to a symbol (a function, a global or data), an index
or an address is missing. The section `linking` lists the symbols and the segments of data, and the sections
`reloc.CODE` and `reloc.DATA` list the gaps. All of this, and the names used here, are in
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md.

Memory begins with the stack. It grows down to address 0, so that a stack without an end traps and harms no data. Data
come next, and what is beyond them, from `__heap_base` on, is free.
"""

from collections.abc import Iterator, Sequence

from cardtable.table.errors import TableError

HEADER = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA = 0, 1, 2, 3, 5, 6, 7, 10, 11  # sections
SEGMENT_INFO, SYMBOL_TABLE = 5, 8  # subsections of `linking`
OF_FUNCTION, OF_DATA, OF_GLOBAL, UNDEFINED = 0, 1, 2, 0x10  # kinds of symbols, and a flag
FUNCTION_INDEX_LEB, MEMORY_ADDR_LEB, MEMORY_ADDR_SLEB, MEMORY_ADDR_I32, GLOBAL_INDEX_LEB = 0, 3, 4, 5, 7  # relocations
INDICES, ADDRESSES = (FUNCTION_INDEX_LEB, GLOBAL_INDEX_LEB), (MEMORY_ADDR_LEB, MEMORY_ADDR_SLEB, MEMORY_ADDR_I32)
GIVEN = "__linear_memory", "__stack_pointer"  # what an object file may import, and the module has: memory 0, global 0
IMPORTED = "exp", "pow"  # functions that JavaScript has, and LLVM calls by these names
FUNCTION_EXPORT, MEMORY_EXPORT, GLOBAL_EXPORT, EMPTY = b"\0", b"\2", b"\3", b"\0"  # the last is a list of nothing
ACTIVE, GROWING, CONSTANT, MUTABLE, I32, I32_CONST, END = b"\0", b"\0", b"\0", b"\1", b"\x7f", b"\x41", b"\x0b"
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

    def number(self, is_signed: bool = False) -> int:
        """Read a number in LEB128: seven bits a byte, the lowest first."""
        value = bits = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << bits
            bits += 7
            if byte < 0x80:
                return value - (1 << bits) if is_signed and byte & 0x40 else value

    def name(self) -> str:
        """Read a name."""
        return self.take(self.number()).decode()

    def parts(self) -> Iterator[tuple[int, "Reader"]]:
        """Read numbered parts up to the end."""
        while self.at < len(self.data):
            yield self.number(), Reader(self.take(self.number()))


def link(code: bytes, exports: Sequence[str], stack: int) -> bytes:
    """Return the module that exports these functions, `memory` and `__heap_base`. TableError names a symbol that is not
    defined, or a kind of symbol or relocation that is not known here.
    """
    sections: dict[int | str, bytes] = {DATA: EMPTY}
    for number, content in Reader(code[len(HEADER) :]).parts():
        key = content.name() if number == CUSTOM else number
        sections[key] = content.data[content.at :]
    sections[IMPORT] = vector([*imported_functions(Reader(sections[IMPORT]))])
    linking = {SEGMENT_INFO: Reader(EMPTY), **dict(Reader(sections["linking"][1:]).parts())}  # after its version
    places, addresses, end = lay_out(Reader(sections[DATA]), linking[SEGMENT_INFO], stack)
    symbols = list(read_symbols(linking[SYMBOL_TABLE], addresses))
    for section, gaps in ((CODE, "reloc.CODE"), (DATA, "reloc.DATA")):
        if gaps in sections:
            sections[section] = filled(sections[section], Reader(sections[gaps]), [value for _, value in symbols])
    data = zip(addresses, (sections[DATA][place] for place in places), strict=True)
    exported = {"memory": MEMORY_EXPORT + leb(0), "__heap_base": GLOBAL_EXPORT + leb(1)}
    exported |= {name: FUNCTION_EXPORT + leb(dict(symbols)[name]) for name in exports}
    sections |= {
        MEMORY: vector([GROWING + leb(-(-end // PAGE))]),
        GLOBAL: vector([I32 + MUTABLE + constant(stack), I32 + CONSTANT + constant(end)]),
        EXPORT: vector([sized(name.encode()) + what for name, what in exported.items()]),
        DATA: vector([ACTIVE + constant(address) + sized(each) for address, each in data if any(each)]),
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


def lay_out(data: Reader, info: Reader, start: int) -> tuple[list[slice], list[int], int]:
    """Return the places of segments in the section of data, their addresses in memory, and where free memory begins."""
    places, addresses, end = [], [], start
    for _ in range(info.number() and data.number()):
        data.take(2), data.number(), data.take(1)  # flags, and an address that means nothing
        size = data.number()
        places.append(slice(data.at, data.at + len(data.take(size))))
        info.name()
        addresses.append(end + -end % (1 << info.number()))
        info.number()  # flags
        end = addresses[-1] + size
    return places, addresses, end + -end % ALIGNMENT


def read_symbols(table: Reader, addresses: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield the name of each symbol and what belongs into its gaps: an index, or an address of data."""
    for _ in range(table.number()):
        kind, is_defined = table.number(), not table.number() & UNDEFINED
        if kind in (OF_FUNCTION, OF_GLOBAL):
            index = table.number()
            yield table.name() if is_defined else "", index
        elif kind == OF_DATA:
            name = table.name()
            if not is_defined:
                raise TableError(f"{name} is not defined")
            segment, offset, _ = table.number(), table.number(), table.number()
            yield name, addresses[segment] + offset
        else:
            raise TableError(f"symbols of kind {kind} are not known")


def filled(section: bytes, gaps: Reader, values: Sequence[int]) -> bytes:
    """Return a section without gaps, given the values of symbols."""
    written = bytearray(section)
    gaps.number()  # the section's
    for _ in range(gaps.number()):
        kind, at, value = gaps.number(), gaps.number(), values[gaps.number()]
        if kind not in INDICES + ADDRESSES:
            raise TableError(f"relocations of type {kind} are not known")
        value += gaps.number(is_signed=True) if kind in ADDRESSES else 0
        missing = value.to_bytes(4, "little") if kind == MEMORY_ADDR_I32 else leb(value, PADDED)
        written[at : at + len(missing)] = missing
    return bytes(written)


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
