"""Pieces of stored games as Parquet files. Matches import this, like every module that needs pyarrow, only if games are
stored.
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

MAX_BYTES = 2**30  # of a piece once it is unpacked; those that we write have a few million
WIDEST = 8  # bytes of a number
UNREADABLE = (pa.ArrowException, OSError, ValueError)


def pack(rows: pa.Table) -> bytes:
    """Return the rows of a piece as they are stored. Workers call this: it takes longer than writing the file."""
    stream = pa.BufferOutputStream()
    pq.write_table(rows, stream, compression="zstd", compression_level=1)
    return bytes(stream.getvalue())


def unpacked(data: bytes, columns: list[str] | None, most_rows: int | None = None) -> pa.Table:
    """Return the rows of a Parquet file; ValueError if they would fill the memory, or a column is not there."""
    footer = pq.read_metadata(pa.BufferReader(data))
    if most_rows is not None and footer.num_rows > most_rows:
        raise ValueError(f"it has {footer.num_rows:,} rows; a piece of this plan has at most {most_rows:,}")
    _check_size(max(sum(_sizes(footer)), WIDEST * sum(_values(footer))))
    schema = footer.schema.to_arrow_schema()
    if not set(columns or ()) <= set(schema.names):
        raise ValueError("columns are missing")
    texts = [field.name for field in schema if pa.types.is_binary(field.type) or pa.types.is_string(field.type)]
    file = pq.ParquetFile(pa.BufferReader(data), metadata=footer, read_dictionary=texts)
    # Threads of Arrow's own may abort the process as it ends (apache/arrow#34314), and are no faster for a piece.
    rows = file.read(columns, use_threads=False)
    for place, name in enumerate(rows.column_names):
        if name in texts:
            rows = rows.set_column(place, name, _decoded(rows[name], schema.field(name).type))
    return rows


def _sizes(footer: pq.FileMetaData) -> Iterator[int]:
    return (footer.row_group(group).total_byte_size for group in range(footer.num_row_groups))


def _values(footer: pq.FileMetaData) -> Iterator[int]:
    """Yield how many values each column has in each group of rows; those of a list count one by one."""
    for group in map(footer.row_group, range(footer.num_row_groups)):
        yield from (group.column(column).num_values for column in range(group.num_columns))


def _decoded(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """Return a column of texts, each of which was read once, however often it stands there."""
    lengths = (pc.sum(pc.take(pc.binary_length(part.dictionary), part.indices)) for part in column.chunks)
    _check_size(sum(length.as_py() or 0 for length in lengths))
    return pa.chunked_array([part.dictionary_decode() for part in column.chunks], kind)


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise ValueError(f"it has {size:,} bytes once it is unpacked")
