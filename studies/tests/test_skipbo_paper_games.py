"""The games that the study of Strittmatter's paper plays, looks at and stores."""

from pathlib import Path

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from cardtable.play.pairing import play_paired
from skipbo_env import make_agent
from skipbo_env.card_game import SKIPBO
from skipbo_env.kernel.state import DISCARD, PASS
from skipbo_env.rules import STRITTMATTER
from studies.skipbo_paper.decisions import choices_of, differing_games, discarded_on
from studies.skipbo_paper.games_files import NAMES, games_files
from studies.skipbo_paper.matchups import Play
from studies.skipbo_paper.pair_measures import PValues
from studies.skipbo_paper.players import AS_ZERO, FARTHEST, FOUR_PILES, GREEDY, LITERAL, PLAYS_FIRST, RANDOM
from studies.skipbo_paper.rule_changes import CHANGES, change_document


def ignore(_: float) -> None:
    """Nobody looks at the progress."""


def play(deals: int = 40) -> Play:
    return Play(deals, 3, 1, ignore)


def test_a_pair_is_played_as_any_match() -> None:
    found = play().pair(GREEDY, LITERAL)
    as_match = play_paired((GREEDY, LITERAL), play().setup(STRITTMATTER), range(40))
    assert found.shares.tolist() == as_match.wins[:, 0].tolist()
    assert not found.is_truncated.any()


def test_random_players_block_each_other() -> None:
    found, played = play().alone(RANDOM)
    assert found.is_blocked.mean() > 0.9
    assert found.points[found.is_blocked].tolist() == [[0.5, 0.5]] * int(found.is_blocked.sum())
    assert np.count_nonzero(played.rounds.actions == PASS) > 0


def test_every_decision_is_looked_at_once() -> None:
    _, played = play(20).alone(LITERAL)
    others = {name: make_agent(name, STRITTMATTER) for name in (LITERAL, GREEDY)}
    found = choices_of(played, 12, others)
    assert found.decisions == played.rounds.decisions[:12].sum()
    assert found.agreeing[LITERAL] == found.decisions > found.agreeing[GREEDY] > 0
    assert found.discards + found.plays == pytest.approx(found.mean * found.decisions)
    assert found.quartiles[0] <= found.quartiles[1] <= found.quartiles[2] <= found.most
    assert 0 < found.stock_choices < found.decisions
    assert 0 < found.recycled <= 1


def test_choices_are_those_of_a_game_played_by_hand() -> None:
    _, played = play(1).alone(PLAYS_FIRST)
    game = SKIPBO.new_game(STRITTMATTER, 3, 0, "round")
    legal = []
    for action in played.rounds.actions:
        legal.append(len(game.legal_actions()))
        game.apply(int(action))
    found = choices_of(played, 1, {})
    assert game.is_over
    assert found.legal.tolist() == np.bincount(legal, minlength=len(found.legal)).tolist()
    assert found.mean == pytest.approx(np.mean(legal))
    assert found.most == max(legal)


def test_the_literal_player_discards_on_one_pile_in_both_senses() -> None:
    _, literal = play().alone(LITERAL)
    piles = discarded_on(literal.rounds.actions)
    assert piles[0] > 0 == piles[1:].sum()
    pairs = [play().games(reading, GREEDY, keep=True) for reading in (LITERAL, FARTHEST, AS_ZERO)]
    assert [differing_games(*each) for each in zip(pairs[0], pairs[1], strict=True)] == [0, 0]
    assert min(differing_games(*each) for each in zip(pairs[0], pairs[2], strict=True)) > 20


def test_changed_rules_are_compared_deal_by_deal() -> None:
    usual = play().pair(GREEDY, LITERAL)
    tests = PValues()
    same = change_document(CHANGES[0], usual, usual, tests)
    assert (same["difference"]["mean"], same["test"]["p"]) == (0, 1)
    rules = STRITTMATTER.replace(**CHANGES[1].changes)
    found = change_document(CHANGES[1], play().pair(GREEDY, LITERAL, rules), usual, tests)
    assert found["difference"]["mean"] == pytest.approx(found["share"]["mean"] - usual.shares.mean())
    assert (found["rules"], len(tests.found)) == ("recycled_wild=as_played", 2)


def test_every_game_is_stored_and_can_be_played_again(tmp_path: Path) -> None:
    with games_files(tmp_path) as keep:
        storing = Play(5, 3, 1, ignore, keep)
        found = storing.pair(FOUR_PILES, RANDOM)
        storing.alone(RANDOM)
    assert {path.name for path in tmp_path.iterdir()} == set(NAMES)
    rows = pq.read_table(tmp_path / NAMES[0]).to_pylist()
    assert len(rows) == 15
    assert [row["winner"] == 0 for row in rows[:5]] == found.wins[:, 0, 0].tolist()
    assert [row["winner"] == 1 for row in rows[5:10]] == found.wins[:, 1, 0].tolist()
    assert {row["ending"] for row in rows[10:]} == {"blocked"}
    text = pyarrow.csv.read_csv(tmp_path / NAMES[1]).to_pylist()
    for row, line in zip(rows, text, strict=True):
        assert [int(word) for word in line["actions"].split()] == row["actions"]
        assert (line["seat_0"], line["ending"], line["turns_taken_1"]) == (
            row["seat_0"],
            row["ending"],
            row["turns_taken_1"],
        )
        assert len(row["actions"]) == row["decisions"]
        game = SKIPBO.new_game(SKIPBO.rules(row["rules"]), row["seed"], row["deal"], "round")
        for action in row["actions"]:
            game.apply(action)
        assert game.is_over
        assert game.winners == (() if row["winner"] is None else (row["winner"],))
        discarded = [action for action in row["actions"] if DISCARD + 48 <= action < PASS]
        assert row["wilds_0"] + row["wilds_1"] == len(discarded)
