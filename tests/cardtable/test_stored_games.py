"""Stored games: they come back as played, and replay bit for bit; what was changed or is strange is named."""

import random
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardtable.arena.play import plan as plans
from cardtable.arena.play.pairing import play_rotations
from cardtable.arena.play.plan import Piece, Plan
from cardtable.arena.stored import parquet
from cardtable.arena.stored.parquet import pack
from cardtable.arena.stored.pieces import GameId, from_rows, plan_of, read_piece, seats_of
from cardtable.arena.stored.plan_store import store_for
from cardtable.arena.stored.recheck import faults, record_of
from cardtable.arena.stored.store import Store, StoreError
from cardtable.arena.workers.local_workers import play_piece
from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import DealResults
from cardtable.table.game.records import RecordFormat
from skyjo_env import EMPTY, AgentError, Game, Rules, format_record, parse_action, replay
from skyjo_env.card_game import SKYJO
from skyjo_env.events import RoundScored, RoundStopped
from skyjo_env.kernel.play import act
from tests.helpers import SEEDED, many_rules, play_at_random, seeds
from tests.skyjo_play import a_plan

PLAN = a_plan((("tempo", "naive"),), (7,), Rules(clear="confirm", target_score=40), "game", seed=5)


def stored(folder: Path, plan: Plan, *pieces: Piece) -> Store:
    """These pieces of a plan, played and stored."""
    store = store_for(folder, plan, "skyjo match")
    for piece in pieces or plan.pieces():
        games = play_piece(plan, piece, with_games=True).games
        assert games is not None
        store.keep(piece.number, games)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return stored(tmp_path / "games", PLAN)


def replaced(store: Store, change: Callable[[dict[str, Any]], None], row: int = 9) -> Path:
    """Store the only piece anew with another row: deal 2, played with the agents one seat further."""
    (file,) = store.pieces().values()
    rows = store.read(file)
    games = rows.to_pylist()
    change(games[row])
    file.unlink()
    store.keep(0, pack(pa.Table.from_pylist(games, rows.schema)))
    return store.pieces()[0]


def equal(again: DealResults, played: DealResults) -> bool:
    """Luck is stored with 32 bits, everything else as it was."""
    found, expected = (
        {field.name: getattr(rounds, field.name) for field in fields(DealResults)} for rounds in (again, played)
    )
    expected["luck"] = expected["luck"].astype(np.float32)
    return all(np.array_equal(found[name], expected[name]) for name in expected)


@settings(SEEDED, max_examples=25)
@given(many_rules, seeds, st.sampled_from(["round", "game"]), st.booleans())
@pytest.mark.slow
def test_random_games_come_back_equal_and_replay_bit_for_bit(rules: Rules, seed: int, episode: str, luck: bool) -> None:
    rules = rules.replace(max_turns=min(40, rules.max_turns), max_rounds=min(3, rules.max_rounds))
    names = ("naive", "tempo", "threshold", "expected", "naive", "tempo", "naive", "naive")[: rules.players]
    plan = a_plan((names,), (2,), rules, episode, seed=seed, with_luck=luck)
    agents, (piece,) = plan.seated(0).agents, plan.pieces()
    setup = Setup(rules, seed, episode, with_luck=luck, record_actions=True)
    played = play_rotations(agents, setup, piece.deals)
    with TemporaryDirectory() as folder:
        store = stored(Path(folder), plan)
        rows = store.read(store.pieces()[0])
        assert equal(from_rows(plan, piece, rows), played)
        assert list(faults(store)) == []
        for deal in piece.deals:
            record = record_of(store, GameId(0, deal, 0))
            told = [event for events in RecordFormat(SKYJO).events(record) for event in events]
            ends = [event for event in told if isinstance(event, RoundScored | RoundStopped)]
            assert (len(ends), ends[-1].totals) == (played.rounds[deal], tuple(replay(record).totals))
            assert record == replay(record).record() == replay(format_record(record)).record()
            assert [record[name] for name in ("rules", "seed", "deal", "episode")] == [
                plan.setup.rules.to_text(),
                seed,
                deal,
                episode,
            ]
            game = replay(record)
            assert (game.is_over, game.is_truncated) == (True, played.is_stopped[deal])
            assert list(game.totals if episode == "game" else game.round_scores) == played.scores[deal].tolist()
            assert list(game.round_scores) == played.round_scores[played.rounds[: deal + 1].sum() - 1].tolist()
            assert (
                record["actions"] == played.actions[played.decisions[:deal].sum() :][: played.decisions[deal]].tolist()
            )


def test_games_of_agents_that_are_not_scripted_replay_too(tmp_path: Path) -> None:
    plan = a_plan((("random",) * 3,), (20,), Rules(players=3, clear="confirm", row_clear=True, max_turns=60), seed=8)
    store = stored(tmp_path, plan)
    assert list(faults(store)) == []
    rows = [row for file in store.pieces().values() for row in store.read(file).to_pylist()]
    assert {row["stopped"] for row in rows} == {False, True}
    for row in rows[::7]:
        game = replay(record_of(store, GameId(0, row["deal"], row["rotation"])))
        assert (list(game.round_scores), game.is_truncated) == (row["scores"], row["stopped"])


def test_rows_that_are_not_the_pieces_are_refused(store: Store) -> None:
    rows = store.read(store.pieces()[0])
    for piece in (Piece(0, 1, range(7)), Piece(0, 0, range(6)), Piece(0, 0, range(1, 8))):
        with pytest.raises(TableError, match="piece 0 does not hold the games in its plan"):
            from_rows(PLAN, piece, rows)


def test_every_game_has_a_name_by_which_it_is_found(store: Store) -> None:
    rows = store.read(store.pieces()[0]).to_pylist()
    piece = read_piece(store, PLAN, 0, store.pieces()[0])
    ids = [piece.id_of(row) for row in range(len(rows))]
    assert [tuple(game) for game in ids] == [(row["table"], row["deal"], row["rotation"]) for row in rows]
    assert [GameId.read(str(game)) for game in ids] == ids
    assert [record_of(store, game)["actions"] for game in ids] == [list(row["actions"]) for row in rows]
    assert (seats_of(PLAN, ids[0]), seats_of(PLAN, ids[-1])) == (["tempo", "naive"], ["naive", "tempo"])
    assert plan_of(store) == PLAN


@pytest.mark.parametrize("text", ["", "0.1", "0.1.2.3", "0.-1.0", "a.b.c", "0.1.0 ", "0.1.²", "0.1.9999999999"])
def test_what_names_no_game_is_refused(text: str) -> None:
    with pytest.raises(TableError, match=r"does not name a game: write table\.deal\.rotation, such as 0\.1024\.1"):
        GameId.read(text)


@pytest.mark.parametrize("game", [GameId(1, 0, 0), GameId(0, 7, 0), GameId(0, 0, 2)])
def test_a_game_that_there_is_not_is_said_to_be_missing(store: Store, game: GameId) -> None:
    with pytest.raises(TableError, match=f"there is no game {game}"):
        record_of(store, game)


def added(name: str, more: int, place: int = 0) -> Callable[[dict[str, Any]], None]:
    """Changes a number, or one of several."""

    def change(game: dict[str, Any]) -> None:
        if isinstance(game[name], list):
            game[name][place] += more
        else:
            game[name] += more

    return change


def moved(change: Callable[[list[int]], list[int]]) -> Callable[[dict[str, Any]], None]:
    """Changes the actions."""
    return lambda game: game.update(actions=bytes(change(list(game["actions"]))))


def stopped(game: dict[str, Any]) -> None:
    game["stopped"] = not game["stopped"]


def with_nothing_played(game: dict[str, Any]) -> None:
    """A game that was never begun, with what would be so at its beginning."""
    game.update(scores=[0, 0], rounds=0, turns=0, cleared=[0, 0], round_scores=[], actions=b"")


CHANGES = {
    "score": (added("scores", 1, 1), "scores: "),
    "turns": (added("turns", -1), "turns: "),
    "stopped": (stopped, "stopped: True is stored, but the moves give False"),
    "cleared": (added("cleared", 3, 1), "cleared: "),
    "round score": (added("round_scores", 1, -1), "round_scores: "),
    "last action": (moved(lambda actions: [*actions[:-1], 22]), "scores: "),
    "no such action": (moved(lambda actions: [*actions[:5], 255, *actions[6:]]), "move 6: "),
    "another action": (moved(lambda actions: [actions[0] - 1, *actions[1:]]), "game 0.2.1: "),
    "cut off": (moved(lambda actions: actions[:-1]), "game 0.2.1: "),
    "too long": (moved(lambda actions: [*actions, 0]), "move "),
    "nothing": (with_nothing_played, "it is not over after its 0 moves"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_game_that_does_not_come_out_as_it_is_stored_is_named(store: Store, name: str) -> None:
    change, words = CHANGES[name]
    file = replaced(store, change)
    (said,) = faults(store)
    assert said.startswith(f"{file}: game 0.2.1: ")
    assert words in said
    with pytest.raises(TableError, match=r"game 0\.2\.1: "):
        record_of(store, GameId(0, 2, 1))
    assert record_of(store, GameId(0, 2, 0))["deal"] == 2


def test_a_game_that_only_broke_the_rules_is_named(tmp_path: Path) -> None:
    """Somebody says that lines are kept where none is complete, which passes; all that follows is as it is stored."""
    rules = Rules(clear="confirm")
    plan = a_plan((("naive", "naive"),), (3,), rules, seed=5)
    store, game = stored(tmp_path, plan), Game(rules, 5, 2, "round")
    keep, actions = parse_action(rules, "keep"), play_at_random(game, random.Random(1), 4)
    assert game.phase == "turn"
    act(game.state[0], rules.params[0], keep, None)
    game.apply(0)
    actions += [keep, 0, *play_at_random(game, random.Random(2), 10_000)]
    cleared = [int((game.board(seat) == EMPTY).sum()) for seat in range(2)]
    forged = {"scores": list(game.round_scores), "turns": game.turns, "cleared": cleared, "rounds": 1}
    forged |= {"stopped": False, "round_scores": list(game.round_scores), "actions": bytes(actions)}
    file = replaced(store, lambda row: row.update(forged), row=5)
    (said,) = faults(store)
    assert said.startswith(f"{file}: game 0.2.1: move 5: ")
    assert "keep" in said


@pytest.fixture
def pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The same games in three pieces, all played."""
    monkeypatch.setattr(plans, "MIN_PIECE", 3)
    return stored(tmp_path / "pieces", PLAN).finish(3, {})


def test_nothing_is_wrong_with_games_as_they_were_stored(pieces: Store) -> None:
    done: list[float] = []
    assert list(faults(pieces, done.append)) == []
    assert done == [1, 1, 1]


def test_all_files_are_looked_at_whatever_is_wrong(pieces: Store) -> None:
    first, second, third = pieces.pieces().values()
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1])
    third.rename(third.with_name(f"{third.stem.replace('games-', 'games-old-')}.parquet"))
    renamed, damaged = faults(pieces)
    assert "games-old-000002" in renamed
    assert str(second) in damaged
    renamed_again = third.with_name(f"{third.stem.replace('games-', 'games-old-')}.parquet")
    renamed_again.rename(third)
    missing, damaged = faults(pieces)
    assert "games-000000-*.parquet is missing" in missing
    assert str(second) in damaged


def swapped(one: Path, other: Path) -> list[Path]:
    """The games of each under the other's number."""
    names = [f"games-{b.stem[6:12]}-{a.stem[13:]}.parquet" for a, b in ((one, other), (other, one))]
    return [one.rename(one.with_name(names[0])), other.rename(other.with_name(names[1]))]


@pytest.mark.parametrize("is_finished", [True, False])
def test_files_in_each_others_place_are_named(pieces: Store, is_finished: bool) -> None:
    if not is_finished:
        pieces.manifest["finished"] = None
    second, third = list(pieces.pieces().values())[1:]
    late, early = swapped(second, third)
    said = list(faults(pieces))
    if is_finished:
        assert said[0].startswith(f"{early}: it begins with deal 6 of table 0, where 3 should come; it has the number")
    else:
        assert said == [
            f"{late}: it begins with deal 3 of table 0, where 7 should come; it has the number of another file"
        ]


def test_games_that_were_left_out_are_no_fault(pieces: Store) -> None:
    list(pieces.pieces().values())[1].unlink()
    assert ["is missing, 1 in all" in words for words in faults(pieces)] == [True]
    pieces.manifest["finished"] = None
    assert list(faults(pieces.finish(3, {}))) == []


def test_those_who_played_need_not_be_installed(pieces: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents_of(SKYJO), "points", {})
    with pytest.raises(AgentError, match="unknown agent 'tempo'"):
        agents_of(PLAN.game).make("tempo", PLAN.setup.rules)
    assert list(faults(pieces)) == []
    assert record_of(pieces, GameId(0, 6, 1))["deal"] == 6


def shorter(rows: pa.Table) -> pa.Table:
    games = rows.to_pylist()
    games[0]["round_scores"].pop()
    return pa.Table.from_pylist(games, rows.schema)


def without_a_round(rows: pa.Table) -> pa.Table:
    """A round of the first game has no scores."""
    games = rows.to_pylist()
    del games[0]["round_scores"][:2]
    return pa.Table.from_pylist(games, rows.schema)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows.drop_columns("turns"), "the columns are not those of stored games"),
        (lambda rows: rows.append_column("luck", rows["scores"]), "the columns are not those of stored games"),
        (lambda rows: rows.slice(0, 0), "the columns are not those of stored games"),
        (lambda rows: rows.set_column(0, "table", pa.array([4] * len(rows), pa.uint32())), "there is no table 4"),
        (lambda rows: rows.slice(1), "piece 0 does not hold the games in its plan"),
        (lambda rows: rows.take(list(range(len(rows)))[::-1]), "piece 0 does not hold the games in its plan"),
        (shorter, "cannot reshape"),
        (without_a_round, "game 0.0.0: rounds: "),
    ],
)
def test_a_whole_file_with_something_else_in_it_is_named(
    store: Store, change: Callable[[pa.Table], pa.Table], words: str
) -> None:
    (file,) = store.pieces().values()
    rows = change(store.read(file))
    file.unlink()
    store.keep(0, pack(rows))
    (said,) = faults(store)
    assert said.startswith(f"{store.pieces()[0]}: ")
    assert words in said


STRANGE_PIECES, MANIFESTS = 400, 120
STRANGE: list[Any] = [None, -1, 0, 1, 255, 2**31 - 1, 2**40, 1.5, "text", b"", b"\x00\x01", [], [1], [None], [[1]], {}]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return stored(tmp_path_factory.mktemp("strange") / "games", PLAN)


def changed(rows: pa.Table, chance: random.Random) -> pa.Table:
    """The same rows with something else in a column."""
    name, kind = chance.choice(rows.column_names), chance.randrange(5)
    column, place = rows.column_names.index(name), chance.randrange(len(rows))
    values = rows[name].to_pylist()
    if kind == 0:
        return rows.drop_columns([name])
    if kind == 1:
        return rows.slice(0, chance.randrange(len(rows)))
    if kind == 2:
        return rows.rename_columns([each if each != name else "other" for each in rows.column_names])
    values[place] = chance.choice(STRANGE) if kind == 3 else chance.choice(values)
    try:
        array = pa.array(values, rows.schema.field(name).type if chance.random() < 0.7 else None)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        array = pa.array([chance.choice(STRANGE[:3])] * len(rows))
    return rows.set_column(column, name, array)


BOMBS = {  # small files that hold far more
    "numbers": np.zeros(4_000_000, np.uint32),
    "lists": [np.zeros(4_000_000)],
    "one long text": [bytes(40_000_000)],
    "the same text again and again": [bytes(40_000)] * 1000,
}


@pytest.mark.parametrize("values", BOMBS.values(), ids=BOMBS)
def test_a_small_file_that_would_fill_the_memory_is_refused(
    values: Any, sound: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "MAX_BYTES", 10_000_000)
    store = Store.create(tmp_path / "games", sound.manifest)
    store.keep(0, pack(pa.table({"table": values})))
    path = store.pieces()[0]
    assert path.stat().st_size < 100_000
    with pytest.raises(StoreError, match="once it is unpacked"):
        store.read(path)


def test_more_rows_than_the_plan_has_are_refused_before_they_are_read(sound: Store, tmp_path: Path) -> None:
    store = Store.create(tmp_path / "games", sound.manifest)
    store.keep(0, pack(pa.table({"table": np.zeros(3_000_000, np.uint32)})))
    with pytest.raises(StoreError, match=r"it has 3,000,000 rows; a piece of this plan has at most"):
        read_piece(store, plan_of(sound), 0, store.pieces()[0])
