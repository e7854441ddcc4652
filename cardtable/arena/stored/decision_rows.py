"""The decisions of stored games as a Parquet file: a row for each decision of every seat."""

import json
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cardtable.arena.play.plan import Plan
from cardtable.arena.stored.decisions import Decisions, decisions_of, ids_of
from cardtable.arena.stored.game_search import Chosen
from cardtable.arena.stored.store import Store
from cardtable.table.files import drafted
from cardtable.table.game.card_game import distribution_of

ABOUT = "about"  # the entry of the file's metadata that says what was played
Losses = Callable[[Chosen], NDArray[Any]]  # the points that every decision gave away


def about(store: Store, plan: Plan) -> dict[str, Any]:
    """What was played, by whom and how, for files of decisions."""
    setup, distribution = plan.setup, distribution_of(plan.game)
    what = {"game": plan.game.name, "rules": setup.rules.to_text(), "episode": setup.episode, "seed": setup.seed}
    made = {"command": store.manifest["command"], "agents": store.manifest["agents"]}
    return what | made | {"requires": f"{distribution}=={version(distribution)}"}


def write_decisions(
    path: Path, facts: dict[str, Any], plan: Plan, games: Iterable[Chosen], losses: Losses | None = None
) -> None:
    """Write the decisions of all these games, as a whole or not at all; with losses there is one column more."""
    schema = _schema(plan, losses is not None).with_metadata({ABOUT: json.dumps(facts)})
    with drafted(path) as stream, pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for chosen in games:
            columns = _columns(chosen, decisions_of(chosen))
            if losses is not None:
                columns["loss"] = losses(chosen)
            arrays = [_array(columns[field.name], field.type) for field in schema]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _schema(plan: Plan, with_loss: bool) -> pa.Schema:
    rules = plan.setup.rules
    columns = {
        "game": pa.string(),  # as `games list` calls it
        "deal": pa.int64(),
        "round": pa.int32(),
        "turn": pa.int32(),
        "seat": pa.int8(),
        "agent": pa.string(),
        "phase": pa.string(),
        "observation": pa.list_(pa.int16(), plan.game.spec_of(rules).size),
        "mask": pa.list_(pa.int8(), rules.actions),
        "action": pa.int16(),
        "reward": pa.float32(),
    }
    return pa.schema(columns | ({"loss": pa.float32()} if with_loss else {}))


def _columns(chosen: Chosen, found: Decisions) -> dict[str, NDArray[Any]]:
    ids = ids_of(chosen)
    return {
        "game": np.array([str(game) for game in ids])[found.games],
        "deal": np.array([game.deal for game in ids])[found.games],
        "round": found.rounds,
        "turn": found.turns,
        "seat": found.seats,
        "agent": chosen.names[found.games, found.seats],
        "phase": np.array(chosen.plan.game.phases)[found.phases],
        "observation": found.observations,
        "mask": found.masks,
        "action": found.actions,
        "reward": found.rewards,
    }


def _array(column: NDArray[Any], kind: pa.DataType) -> pa.Array:
    if column.ndim == 2:
        return pa.FixedSizeListArray.from_arrays(pa.array(column.ravel()), type=kind)
    return pa.array(column).cast(kind)
