"""Everything that measures serves any game: one-card Nim plays, is stored, resumed, rated and reported as Skyjo is."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nim_env as nim
from cardtable.arena.play.pairing import play_paired, shares_of_rounds
from cardtable.arena.play.plan import Plan, pace, tournament
from cardtable.arena.play.rounds import play_rounds
from cardtable.arena.ratings.bradley_terry import fit
from cardtable.arena.results.games_page import games_document, ladder_markdown, summaries
from cardtable.arena.results.ladder import ladder, read_games
from cardtable.arena.results.page import page_of
from cardtable.arena.results.standings import tournament_document
from cardtable.arena.stored.game_search import Wanted, first_of, matching, seat_table
from cardtable.arena.stored.pieces import GameId, plan_of, read_pieces
from cardtable.arena.stored.plan_store import open_games, store_for
from cardtable.arena.stored.recheck import record_of
from cardtable.arena.stored.store import Store, StoreError
from cardtable.arena.workers.plan_run import play
from cardtable.table.agents.agents import agents_of
from cardtable.table.compiling.code_cache import full_name
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, Setup, find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_batch import batch_class
from cardtable.table.game.table_game import game_class
from cardtable.table.kernel.game_kernel import GameKernel
from nim_env import NIM, NimRules
from tests.cardtable.guessing import GUESSING
from tests.processes import install

NIM_AND_PLAYERS = """
[cardtable.games]
nim = nim_env:NIM
[nim_env.agents]
greedy = tests.cardtable.test_any_game:Greedy
perfect = tests.cardtable.test_any_game:Perfect
"""


class Greedy:
    """Takes as many stones as it may."""

    def __init__(self, rules: NimRules) -> None:
        self.rules = rules

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:  # noqa: ARG002
        return masks.sum(axis=1).astype(np.int64) - 1


class Perfect(Greedy):
    """Leaves a multiple of one more than may be taken, for two players."""

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:  # noqa: ARG002
        return np.maximum(observations[:, 0] % (self.rules.most + 1), 1).astype(np.int64) - 1


AGENTS = ("random", "greedy", "perfect")
SLOW = f"{__name__}:Slow:may_be_built=false"


class Slow(Perfect):
    """Thinks long; a plan need not build it."""

    is_slow = True

    def __init__(self, rules: NimRules, may_be_built: bool = True) -> None:
        if not may_be_built:
            raise RuntimeError("it was built")
        super().__init__(rules)


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", "nim", NIM_AND_PLAYERS)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    vars(agents_of(NIM)).pop("points", None)  # their package was not installed before


def test_games_are_found_by_the_name_that_rules_carry() -> None:
    assert Setup(NimRules()).game is find_game("nim") is NIM
    with pytest.raises(TableError, match=r"no game is called 'chess'; installed: .*nim, skipbo, skyjo"):
        find_game("chess")


def test_the_best_player_wins_and_more_points_are_better() -> None:
    """Whoever begins with a multiple of 4 loses, and 6 of 26 cards are; every deal is played from both seats."""
    rounds = play_rounds([agents_of(NIM).make("perfect", NimRules())] * 2, Setup(NimRules(), seed=1), range(400))
    stones = rounds.scores.sum(axis=1)
    assert (rounds.wins[:, 0] == (stones % 4 != 0)).all()
    assert (rounds.margins == rounds.scores - rounds.scores[:, ::-1]).all()
    paired = play_paired(["perfect", "greedy"], Setup(NimRules(), seed=1), range(400))
    assert paired.wins.mean(axis=0)[0] > 0.6
    assert paired.margins.mean(axis=0)[0] > 3


def test_luck_cannot_be_asked_of_a_game_that_notes_none() -> None:
    setup = Setup(NimRules(), with_luck=True)
    for play_it in (
        lambda: Plan((("greedy", "random"),), (10,), setup),
        lambda: play_paired(["greedy", "random"], setup, range(2)),
    ):
        with pytest.raises(TableError, match="Nim has no measure of luck"):
            play_it()


def test_pace_is_declared_and_nothing_is_built_to_ask() -> None:
    assert pace(agents_of(NIM), ["perfect", "greedy"]) == "asked"
    assert pace(agents_of(NIM), ["perfect", SLOW]) == "slow"
    assert pace(agents_of(find_game("skyjo")), ["tempo", "naive"]) == "compiled"
    plan = tournament(["greedy", "perfect", SLOW], Setup(NimRules()), deals=100, slow_deals=7)
    assert plan.deals == (100, 7, 7)
    assert len(list(plan.pieces())) == 2 + 1 + 1


def test_what_a_game_does_not_offer_is_refused_by_its_name() -> None:
    table = game_class(NIM)(seed=5)
    for offer, words in (
        (table.svg, "Nim has no pictures"),
        (lambda: table.outcomes(0), "the cards of Nim cannot be chosen"),
        (lambda: table.apply(0, 3), "the cards of Nim cannot be chosen"),
        (lambda: NIM.parse_action("", "take 9"), r"unknown action 'take 9': the actions are take 1-3"),
    ):
        with pytest.raises(TableError, match=words):
            offer()
    assert table.legal_actions() == [0, 1, 2]


def test_a_declaration_says_what_it_lacks() -> None:
    five: Any = {name: getattr(NIM, name) for name in ("rules_type", "dtype", "named_actions", "view")}
    with pytest.raises(TableError, match="the game nim must declare its deal_round"):
        CardGame(kernel=GameKernel(*NIM.kernel[:3]), **five)
    with pytest.raises(TableError, match="the view of nim names phase, which its record does not have"):
        CardGame(kernel=NIM.kernel._replace(write_observation=None), **{**five, "dtype": np.dtype([("left", "i8")])})


def test_tables_without_a_class_of_their_own_are_pickled() -> None:
    table, batch = game_class(NIM)(seed=5), batch_class(NIM)(n=3, seed=5)
    table.apply(1)
    again, others = pickle.loads(pickle.dumps((table, batch)))
    assert (again.record(), type(again)) == (table.record(), type(table))
    assert others.state()["games"].tobytes() == batch.state()["games"].tobytes()


def test_two_games_in_one_process_keep_their_compiled_code_apart() -> None:
    loops = [(*game.single_table, *game.batch_loops, game.play_line, *game.measured_rounds) for game in (NIM, GUESSING)]
    for ours, theirs in zip(*loops, strict=True):
        names = {full_name(loop.py_func) for loop in (ours, theirs)}
        assert len(names) == 2
        assert not any("<" in name for name in names)  # file names on any system


def played(folder: Path, deals: int = 200) -> Store:
    plan = tournament(AGENTS, Setup(NimRules(), seed=5), deals)
    store = store_for(folder, plan, "nim tournament ...")
    play(plan, store, workers=1)
    return Store.open(store.folder)


def test_stored_games_are_found_and_played_again(tmp_path: Path) -> None:
    store = played(tmp_path / "games")
    plan = plan_of(store)
    wanted = Wanted(plan, agent="perfect", winner="perfect")
    chosen = [each for stored in read_pieces(store, plan) if (each := matching(wanted, stored)) is not None]
    games, found = first_of(chosen, "score", False, "perfect", 3)
    assert found == sum(len(each.rows) for each in chosen) > 300
    assert [max(game["scores"]) for game in games] == [nim.MAX_STONES] * 3
    rows = [row for each in chosen for row in seat_table(each).to_pylist()]
    assert {row["won"] for row in rows} == {0.0, 1.0}
    assert all(row["moved"] > 0 for row in rows)
    record = record_of(store, GameId(2, 7, 1))
    assert sum(record["actions"]) + len(record["actions"]) == max(read_scores(store, 2, 7))
    taken = [event.stones for events in RecordFormat(NIM).events(record) for event in events]
    assert sum(taken) == max(read_scores(store, 2, 7))


def read_scores(store: Store, table: int, deal: int) -> list[int]:
    rows = [row for file in store.pieces().values() for row in store.read(file).to_pylist()]
    return next(row["scores"] for row in rows if (row["table"], row["deal"]) == (table, deal))


@pytest.mark.slow
def test_the_players_are_rated_and_reported(tmp_path: Path) -> None:
    store = played(tmp_path / "games")
    found = ladder(store, "greedy", resamples=100)
    assert found.rungs[0].agent == "perfect"
    (pair,) = (each for each in found.pairs if (each.agent, each.other) == ("perfect", "random"))
    assert pair.ahead.mean > 0
    games = read_games(store)
    results = games.results
    assert games.luck is None
    assert np.array_equal(results.better, results.scores)
    assert fit(results, "greedy", prior=1.0, resamples=0).ratings.max() > 1000
    summary = summaries(NIM, [str(tmp_path / "games")], "greedy")
    page = page_of(games_document(summary))
    assert "In Nim <strong>the most points win</strong>" in page
    assert "moves a round" in page
    assert "A move takes stones." in page
    assert "official, 2 players" in page
    assert "`perfect`" in ladder_markdown(summary)
    assert json.dumps(games_document(summary).to_dict())


@pytest.mark.slow
def test_what_is_noted_of_whole_tables_is_told_as_a_share_of_rounds(tmp_path: Path) -> None:
    store = played(tmp_path / "games")
    setup, rows = (
        plan_of(store).setup,
        [row for file in store.pieces().values() for row in store.read(file).to_pylist()],
    )
    share = np.mean([max(row["scores"]) > nim.HIGH for row in rows])
    found = ladder(store, "greedy", resamples=10)
    assert found.shares == pytest.approx({"high": share})
    plan = Plan((("perfect", "random"),), (50,), setup)
    tally = play(plan).tallies[0]
    assert shares_of_rounds(setup, tally.round_stats, tally.rounds) == pytest.approx(found.shares, abs=0.2)
    document = tournament_document(found, play(plan))
    assert f"{100 * share:.3g} % of all rounds were high" in document.findings
    assert document.to_dict()["high"] == pytest.approx(share)
    summary = summaries(NIM, [str(tmp_path / "games")], "greedy")
    assert f"{100 * share:.2f} % of all rounds were high." in page_of(games_document(summary))
    assert f"\n{100 * share:.2f} % of all rounds were high.\n" in ladder_markdown(summary)
    assert summary[0].to_dict()["high"] == pytest.approx(share)


def test_a_store_of_one_game_is_not_taken_for_another(tmp_path: Path) -> None:
    played(tmp_path / "games", deals=8)
    with pytest.raises(StoreError, match="holds games of nim, not of skyjo"):
        open_games(tmp_path / "games", find_game("skyjo"))


def test_it_is_learned_without_a_line_about_learning(tmp_path: Path) -> None:
    """With the network that reads any observation: the policy, which plays by name, takes the last stones if it can."""
    pytest.importorskip("sb3_contrib")
    from skyjo_training.learned_game import learned_game
    from skyjo_training.training_run import POLICY, begin, train

    few = {"decisions": 40_000, "tables": 64, "n_steps": 16, "measurements": 1, "deals": 50, "players": (2, 3)}
    config = learned_game("nim").preset("demo").with_changes(few | {"baselines": ("random",)})
    begin(tmp_path / "run", [config], "nim train")
    train(tmp_path / "run")
    agent = agents_of(NIM).make(f"policy:path={tmp_path / 'run' / POLICY}", NimRules())
    seen = np.array([[stones, 0, 0, 1] for stones in (1, 2, 3)], np.int16)
    masks = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]], np.int8)
    assert agent.act(seen, masks, np.zeros(3, np.uint64)).tolist() == [0, 1, 2]
