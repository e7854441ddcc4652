"""Every game as a row, for other programs: as Parquet and as CSV."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from cardtable.files import drafted
from studies.skipbo_paper.matchups import Keep, Played, fact, has_won

FACTS = ("turns_taken", "completed", "stock_left", "wilds")
SCHEMA = pa.schema(
    [
        ("rules", pa.string()),  # what differs from the official ones
        ("seed", pa.int64()),
        ("deal", pa.int64()),
        ("seat_0", pa.string()),  # the agent, which starts
        ("seat_1", pa.string()),
        ("starter", pa.int8()),  # a seat
        ("winner", pa.int8()),  # a seat, null if nobody has won
        ("ending", pa.string()),  # won, blocked or truncated
        ("decisions", pa.int32()),
        *((f"{name}_{seat}", pa.int32()) for name in FACTS for seat in range(2)),
        ("actions", pa.list_(pa.uint8())),  # their numbers (SKIPBO_RULES 7.1)
    ]
)
IN_CSV = SCHEMA.set(SCHEMA.get_field_index("actions"), pa.field("actions", pa.string()))
NAMES = ("games.parquet", "games.csv")


@contextmanager
def games_files(folder: Path) -> Iterator[Keep]:
    """Writes games to two files in this folder, which appear once all is written."""
    with drafted(folder / NAMES[0]) as binary, drafted(folder / NAMES[1]) as text:
        writer = parquet.ParquetWriter(binary, SCHEMA, compression="zstd")
        sheet = csv.CSVWriter(text, IN_CSV)

        def keep(played: Played) -> None:
            rows = rows_of(played)
            writer.write_table(rows)
            sheet.write_table(_with_text(rows))

        yield keep
        writer.close()
        sheet.close()


def rows_of(played: Played) -> pa.Table:
    """The games as rows."""
    rounds, games = played.rounds, len(played.deals)
    won = has_won(rounds)
    is_won, is_blocked = won.any(axis=1), fact(rounds, "blocked")[:, 0] != 0
    columns = {
        "rules": [played.setup.rules.to_text()] * games,
        "seed": np.full(games, played.setup.seed),
        "deal": np.array(played.deals),
        "seat_0": [played.seats[0]] * games,
        "seat_1": [played.seats[1]] * games,
        "starter": np.zeros(games, np.int8),
        "winner": pa.array(won.argmax(axis=1), mask=~is_won),
        "ending": np.where(is_won, "won", np.where(is_blocked, "blocked", "truncated")),
        "decisions": rounds.decisions,
        **{f"{name}_{seat}": fact(rounds, name)[:, seat] for name in FACTS for seat in range(2)},
    }
    arrays = [pa.array(column).cast(SCHEMA.field(name).type) for name, column in columns.items()]
    ends = np.concatenate([[0], np.cumsum(rounds.decisions)]).astype(np.int32)
    actions = pa.ListArray.from_arrays(pa.array(ends), pa.array(rounds.actions))
    return pa.Table.from_arrays([*arrays, actions], schema=SCHEMA)


def _with_text(rows: pa.Table) -> pa.Table:
    """The same with the actions as words, parted by blanks."""
    words = [" ".join(map(str, actions)) for actions in rows["actions"].to_pylist()]
    return rows.set_column(rows.schema.get_field_index("actions"), "actions", pa.array(words))
