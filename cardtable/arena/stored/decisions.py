"""The decisions of stored games, also as a Parquet file with a row for each: the observation of the seat to move, its
legal actions, its action, and its reward.

The games are replayed by the rules, many at a time; the agents need not be installed.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cardtable.arena.exam.analysis import Analyst
from cardtable.arena.play.plan import Plan
from cardtable.arena.stored.game_search import Chosen
from cardtable.arena.stored.pieces import ids_of, numbers
from cardtable.arena.stored.store import Store, StoreError
from cardtable.table.files import drafted
from cardtable.table.game.card_game import distribution_of
from cardtable.table.game.measured_deals import MeasuredDeals
from cardtable.table.game.records import recorded

TOGETHER = 1 << 14  # decisions that are read at a time, unless one game has more
USUAL_REWARD, UNSHAPED = 0, 0  # codes
ABOUT = "about"  # the entry of the file's metadata that says what was played


class Decisions(NamedTuple):
    """Every decision of some games, [M], one game after the other in the order of play."""

    games: NDArray[np.int64]  # the number of the game, from 0
    rounds: NDArray[np.int64]  # from 1
    turns: NDArray[np.int64]  # completed before in the round
    seats: NDArray[np.int8]
    phases: NDArray[np.int8]
    observations: NDArray[np.int16]  # [M, D]
    masks: NDArray[np.int8]  # [M, A]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]  # the seat's until it decided again, as the environments for one seat pay it
    finals: NDArray[np.int16]  # [games, players, D], what every seat saw at the end
    final_rounds: NDArray[np.int64]  # [games]


def actions_of(chosen: Chosen) -> list[NDArray[Any]]:
    """Return every action of each game."""
    return [np.frombuffer(data, chosen.plan.game.action_type) for data in chosen.rows["actions"].to_pylist()]


def parts_of(chosen: Chosen) -> Iterator[Chosen]:
    """Yield the same games, a few at a time."""
    lengths = [len(game) for game in actions_of(chosen)]
    cuts = np.flatnonzero(np.diff((np.cumsum(lengths) - 1) // TOGETHER)) + 1
    for start, stop in pairwise([0, *cuts.tolist(), len(lengths)]):
        if start < stop:
            rows = chosen.rows.slice(start, stop - start)
            yield Chosen(chosen.plan, rows, *(column[start:stop] for column in chosen[2:]))


def losses_of(chosen: Chosen, analyst: Analyst) -> NDArray[np.float32]:
    """Return the points that every decision gave away, as the analyst judges it, [M]."""
    plan, games = chosen.plan, zip(ids_of(chosen.rows), actions_of(chosen), strict=True)
    records = (recorded(plan.setup, game.deal, actions.tolist()) for game, actions in games)
    return np.array([judged.lost for record in records for judged in analyst.decisions(record)], np.float32)


def decisions_of(chosen: Chosen) -> Decisions:
    """Return all decisions of these games; StoreError for a game that does not end with the last of its actions."""
    setup, card_game, actions = replace(chosen.plan.setup, with_luck=False), chosen.plan.game, actions_of(chosen)
    lengths, decisions = np.array([len(game) for game in actions]), np.concatenate(actions).astype(np.int64)
    tables = MeasuredDeals(setup, numbers(chosen.rows, "deal"))
    starts, move, records, paid = np.cumsum(lengths) - lengths, 0, [], []
    while len(tables.playing) > 0:
        games, now, views = tables.playing, tables.states, tables.shown
        _refuse(chosen, games[lengths[games] <= move])
        decided = decisions[starts[games] + move]
        wrong = tables.refusal(decided)
        _refuse(chosen, [] if wrong is None else games[[wrong[0]]])
        rounds, turns = (now[name].astype(np.int64) for name in ("round_number", "turns"))
        where = games, rounds, turns, views.seats, now["phase"].astype(np.int8)
        records.append((*where, views.observations, views.masks, decided))
        tables.step(decided)
        paid.append(_brought(chosen.plan, now, tables.games[games]))
        move += 1
    columns = [np.concatenate(parts) for parts in (*zip(*records, strict=True), paid)]
    order = np.argsort(columns[0], kind="stable")
    *ordered, by_seat = (column[order] for column in columns)
    _refuse(chosen, np.flatnonzero(np.bincount(ordered[0], minlength=len(lengths)) != lengths))
    finals = np.zeros((len(tables.games), chosen.plan.players, tables.spec.size), np.int16)
    for (table, seat), _ in np.ndenumerate(finals[:, :, 0]):
        card_game.kernel.write_observation(tables.games[table], setup.rules.params[0], seat, finals[table, seat])
    rewards, final_rounds = credited(by_seat, seats=ordered[3], games=ordered[0]), tables.games["round_number"]
    return Decisions._make([*ordered, rewards, finals, final_rounds.astype(np.int64)])


def _refuse(chosen: Chosen, wrong: Any) -> None:
    """StoreError for the first of these games."""
    if len(wrong) > 0:
        game = ids_of(chosen.rows)[wrong[0]]
        raise StoreError(f"game {game} cannot be played again by its actions; games check says more")


def _brought(plan: Plan, before: NDArray[Any], after: NDArray[Any]) -> NDArray[np.float64]:
    """Return the reward of every seat for a decision at each of these tables; 0 unless the decision ended a round."""
    rules, card_game = plan.setup.rules, plan.game
    rewards, expected = np.zeros((len(after), rules.players)), np.zeros(rules.players)
    has_scored = (after["round_number"] != before["round_number"]) | (after["phase"] == card_game.over)
    for place in np.flatnonzero(has_scored).tolist():
        paid = rules.params, USUAL_REWARD, UNSHAPED, True, expected, rewards[place]
        card_game.single_table.reward_seats(after[place : place + 1], *paid)
    return rewards


def credited(paid: NDArray[np.float64], seats: NDArray[np.int8], games: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the reward of every decision, [M]: the sum of its seat's pay until that seat decides again in the game.

    `paid` is the pay of every seat for every decision, [M, players].
    """
    rewards, is_first = np.zeros(len(seats)), np.diff(games, prepend=-1) != 0
    for seat in range(paid.shape[1]):
        starts = np.flatnonzero((seats == seat) | is_first)
        sums, is_own = np.add.reduceat(paid[:, seat], starts), seats[starts] == seat
        rewards[starts[is_own]] = sums[is_own]
    return rewards


# Files


def about(store: Store, plan: Plan) -> dict[str, Any]:
    """Return the description of a store's games for files of decisions: rules, seed, agents, command and versions."""
    setup, distribution = plan.setup, distribution_of(plan.game)
    what = {"game": plan.game.name, "rules": setup.rules.to_text(), "episode": setup.episode, "seed": setup.seed}
    origin = {"command": store.manifest["command"], "agents": store.manifest["agents"]}
    return what | origin | {"requires": f"{distribution}=={version(distribution)}"}


def write_decisions(
    path: Path,
    facts: dict[str, Any],
    plan: Plan,
    games: Iterable[Chosen],
    losses: Callable[[Chosen], NDArray[Any]] | None = None,
) -> None:
    """Write the decisions of all these games, as a whole or not at all; with losses there is one column more."""
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
    schema = pa.schema(columns if losses is None else columns | {"loss": pa.float32()})
    schema = schema.with_metadata({ABOUT: json.dumps(facts)})
    with drafted(path) as stream, pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for chosen in games:
            values = _columns(chosen)
            if losses is not None:
                values["loss"] = losses(chosen)
            arrays = [
                pa.FixedSizeListArray.from_arrays(pa.array(values[field.name].ravel()), type=field.type)
                if values[field.name].ndim == 2
                else pa.array(values[field.name]).cast(field.type)
                for field in schema
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _columns(chosen: Chosen) -> dict[str, NDArray[Any]]:
    ids, decisions = ids_of(chosen.rows), decisions_of(chosen)
    return {
        "game": np.array([str(game) for game in ids])[decisions.games],
        "deal": np.array([game.deal for game in ids])[decisions.games],
        "round": decisions.rounds,
        "turn": decisions.turns,
        "seat": decisions.seats,
        "agent": chosen.names[decisions.games, decisions.seats],
        "phase": np.array(chosen.plan.game.phases)[decisions.phases],
        "observation": decisions.observations,
        "mask": decisions.masks,
        "action": decisions.actions,
        "reward": decisions.rewards,
    }
