"""Pieces of stored games as Parquet files. Matches import this, as all that needs pyarrow, only if games are stored."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

MOST_BYTES = 2**30  # of a piece once it is unpacked; those that we write have a few million
WIDEST = 8  # bytes of a number
UNREADABLE = (pa.ArrowException, OSError, ValueError)


def pack(rows: pa.Table) -> bytes:
    """The rows of a piece as they are stored. Workers call this, because it takes longer than writing the file."""
    stream = pa.BufferOutputStream()
    pq.write_table(rows, stream, compression="zstd", compression_level=1)
    return bytes(stream.getvalue())


def unpacked(data: bytes, columns: list[str] | None) -> pa.Table:
    """The rows of a Parquet file; ValueError if they would fill the memory, or a column is not there."""
    schema = pq.read_schema(pa.BufferReader(data))
    if not set(columns or ()) <= set(schema.names):
        raise ValueError("columns are missing")
    texts = [field.name for field in schema if pa.types.is_binary(field.type) or pa.types.is_string(field.type)]
    file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
    groups = (file.metadata.row_group(number) for number in range(file.num_row_groups))
    _check_size(max(claimed_values(data) * WIDEST, sum(group.total_byte_size for group in groups)))
    # Threads of Arrow's own may abort the process as it ends (apache/arrow#34314), and are no faster for a piece.
    rows = file.read(columns, use_threads=False)
    for place, name in enumerate(rows.column_names):
        if name in texts:
            rows = rows.set_column(place, name, _decoded(rows[name], schema.field(name).type))
    return rows


def _decoded(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """A column of texts, each of which was read once, however often it stands there."""
    lengths = (pc.sum(pc.take(pc.binary_length(part.dictionary), part.indices)) for part in column.chunks)
    _check_size(sum(length.as_py() or 0 for length in lengths))
    return pa.chunked_array([part.dictionary_decode() for part in column.chunks], kind)


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise ValueError(f"it has {size:,} bytes once it is unpacked")


# The footer, read without pyarrow, which a contradictory one can crash. It is a struct in Thrift's compact protocol:
# before each field its number and kind, whole numbers as varints.

TAIL = 8  # bytes after the footer: its length, and PAR1
DEEPEST = 16  # structs and lists within each other; a footer has about eight
LONGEST = 10  # bytes of a whole number
TRUE, FALSE, BYTE, SHORT, INTEGER, LONG, DOUBLE, BINARY, LIST, SET, STRUCT = (*range(1, 11), 12)
ROW_GROUPS, COLUMNS, METADATA, VALUES = 4, 1, 3, 5  # the numbers of the fields that lead to a column's values


def claimed_values(data: bytes) -> int:
    """How many values all columns together claim to have; ValueError if the footer cannot be read."""
    length = int.from_bytes(data[-TAIL:-4], "little")
    try:
        groups = _Footer(data[-TAIL - length : -TAIL]).struct(DEEPEST)[ROW_GROUPS]
        found = [column[METADATA][VALUES] for group in groups for column in group[COLUMNS]]
    except (IndexError, KeyError, TypeError):
        raise ValueError("its footer cannot be read") from None
    if not all(isinstance(values, int) and values >= 0 for values in found):
        raise ValueError("its footer has no numbers of values")
    return sum(found)


class _Footer:
    """Reads one value after another; IndexError at the end of the bytes."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def struct(self, depth: int) -> dict[int, Any]:
        """The fields by number."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            if not 0 < number < 2**15:  # pyarrow would take it for another
                raise ValueError(f"its footer has a field with the number {number}")
            if number in fields:
                raise ValueError("its footer has a field twice")
            kind = head & 15
            fields[number] = None if kind in (TRUE, FALSE) else self._value(kind, depth - 1)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth < 0:
            raise ValueError("its footer is nested too deeply")
        if kind in (SHORT, INTEGER, LONG):
            return self._signed()
        if kind in (TRUE, FALSE, BYTE):
            return self._byte()
        if kind in (LIST, SET):
            return self._list(depth)
        if kind == STRUCT:
            return self.struct(depth)
        if kind in (DOUBLE, BINARY):
            self._skip(8 if kind == DOUBLE else self._varint())
            return None
        raise ValueError(f"its footer has a value of kind {kind}")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size = head >> 4 if head >> 4 < 15 else self._varint()
        return [self._value(head & 15, depth - 1) for _ in range(size)]

    def _skip(self, length: int) -> None:
        self._place += length
        if self._place > len(self._data):
            raise IndexError

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _varint(self) -> int:
        found = 0
        for place in range(LONGEST):
            byte = self._byte()
            found |= (byte & 127) << (7 * place)
            if byte < 128:
                return found
        raise ValueError("its footer has a number that is too long")

    def _signed(self) -> int:
        """A number with its sign."""
        found = self._varint()
        return (found >> 1) ^ -(found & 1)
