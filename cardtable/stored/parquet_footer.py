"""How many values a Parquet file claims to have, read without pyarrow, which a contradictory footer can crash.

The footer is a struct in Thrift's compact protocol: before each field its number and kind, whole numbers as varints.
"""

from typing import Any

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
