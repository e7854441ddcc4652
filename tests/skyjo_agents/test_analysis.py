"""Analysis: luck has mean 0 over the cards that may come, the best gives nothing away, marks begin where they ought."""

import copy
import random
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.table.game.records import RecordFormat

pytest.importorskip("torch")

from cardtable.arena.exam.analysis import MARK_NAMES, Check, Judged, chances, conduct_of
from skyjo_agents import LookaheadAgent
from skyjo_agents.judging import MARKS, LookAnalyst, analyst_of
from skyjo_agents.rollout import RolloutAgent
from skyjo_agents.round_ends import COUNTED
from skyjo_env import Game, ObservationSpec, Rules
from skyjo_env.card_game import SKYJO
from tests.policies import saved

SMALL = Rules.from_text("rows=3 columns=2 opening_flips=1 deck=-1:4,0:4,3:6,7:6,9:4")


@pytest.fixture(scope="module", params=[2, 3])
def look(request: Any, tmp_path_factory: pytest.TempPathFactory) -> LookaheadAgent:
    rules = SMALL.replace(players=request.param)
    return LookaheadAgent(
        rules, str(saved(tmp_path_factory.mktemp("policy") / "p.safetensors", (request.param,), rules, 1))
    )


def played(rules: Rules, seed: int, agent: LookaheadAgent | None = None, sanity: float = 0.0) -> Game:
    """A round played at random, or by an agent in this share of its decisions."""
    game, chance = Game(rules, seed, episode="round"), random.Random(seed)
    while not game.is_over:
        if agent is not None and chance.random() < sanity:
            action_values = agent.action_values(game.observation(), len(game.record()["actions"]) + 1)
            game.apply(int(np.nanargmax(action_values[:, game.seat])))
        else:
            game.apply(chance.choice(game.legal_actions()))
    return game


def test_luck_has_mean_0_over_the_cards_that_may_come(look: LookaheadAgent) -> None:
    """Each card by the rules' own outcomes, at every decision of some rounds but those that may end one."""
    compared = 0
    for seed in range(4):
        record = played(look.rules, seed).record()
        game = Game(look.rules, seed, episode="round")
        for action in record["actions"]:
            mean, options = np.zeros(look.rules.players), game.outcomes(action)
            for card, probability in options.items():
                after = copy.copy(game)
                if after.play(action, card) and after.is_over:
                    break
                mean += float(probability) * look.seat_values(after.observation())
            else:
                if options:
                    assert mean == pytest.approx(look.action_values(game.observation())[action], abs=1e-6)
                    compared += 1
            game.apply(action)
    assert compared > 50


def test_a_margin_is_what_decisions_and_luck_and_the_networks_surprises_made_of_it(look: LookaheadAgent) -> None:
    """Surprise is how far the network's value of a table is from that of its best action."""
    for seed in range(6):
        game = played(look.rules, seed)
        analysed = list(LookAnalyst(look).decisions(game.record()))
        assert [judged.action for judged in analysed] == game.record()["actions"]
        margins = analysed[-1].margins
        assert margins is not None
        total = analysed[0].action_values[analysed[0].best].copy()
        for judged, after in zip(analysed, [*analysed[1:], None], strict=True):
            total += judged.action_values[judged.action] - judged.action_values[judged.best] + judged.luck
            if after is not None:
                total += after.action_values[after.best] - judged.action_values[judged.action] - judged.luck
        assert total == pytest.approx(margins)
        assert sum(margins) == pytest.approx(0)


def test_who_does_what_is_worth_most_gives_nothing_away(look: LookaheadAgent) -> None:
    for seed in range(4):
        analysed = list(LookAnalyst(look).decisions(played(look.rules, seed, look, sanity=1.0).record()))
        assert sum(judged.lost for judged in analysed) == 0
        assert not any(judged.mark for judged in analysed)
    wild = list(LookAnalyst(look).decisions(played(look.rules, 1).record()))
    conduct = conduct_of(0, wild)
    assert conduct.lost > 0
    assert conduct.decisions >= conduct.unforced > 0
    assert conduct.margin == pytest.approx(sum(j.margins[0] for j in wild if j.margins is not None))


def judged(lost: float, check: Check | None = None) -> Judged:
    action_values = np.array([[1.0, -1.0], [1.0 - lost, lost - 1.0], [np.nan, np.nan]])
    return Judged(1, 1, 0, 1, np.zeros(1, np.int16), action_values, MARKS, 100.0, np.zeros(2), check=check)


def test_marks_begin_where_they_are_said_to() -> None:
    for name in MARK_NAMES:
        least = getattr(MARKS, name)
        assert judged(least + 1e-9).mark == name
        assert judged(least - 1e-3).mark != name
    assert judged(0.4).mark == ""
    assert judged(0.0).is_forced
    sure = MARKS.inaccuracy / 3
    assert judged(5.0, Check(0.1, sure, 100)).mark == ""
    assert judged(5.0, Check(1.1, sure, 100)).mark == "mistake"
    assert judged(5.0, Check(0.8, sure + 0.01, 100)).mark == ""  # not known well enough
    assert judged(5.0, Check(2.5, sure + 0.01, 100)).mark == "blunder"  # known well enough for so much
    assert judged(5.0, Check(-1.0, sure, 100)).lost == 0


def test_half_a_point_weighs_more_in_a_close_round_than_in_a_decided_one() -> None:
    close, decided = (
        Judged(1, 1, 0, 1, np.zeros(1, np.int16), lead + np.array([[0.0, 0.0], [-0.45, 0.45]]), MARKS, 4.1)
        for lead in (np.zeros(2), np.array([40.0, -40.0]))
    )
    assert close.chances == pytest.approx([0.5, 0.5])
    assert close.chance_lost == pytest.approx(0.0274, abs=1e-3)
    assert close.mark == "inaccuracy"
    assert close.least == pytest.approx(0.3, abs=0.01)
    assert replace(close, check=Check(0.35, 0.09, 500)).mark == "inaccuracy"
    assert replace(close, check=Check(0.35, 0.11, 500)).mark == ""  # a third of what matters here is not known
    assert decided.chance_lost < 1e-3
    assert decided.mark == ""


@pytest.mark.parametrize("players", [2, 3, 8])
def test_chances_of_winning_add_up_and_follow_margins(players: int) -> None:
    margins = np.linspace(-6, 6, players)
    found = chances(margins, 6.0)
    assert found.sum() == pytest.approx(1)
    assert np.all(np.diff(found) > 0)
    worse = chances(margins, 6.0, players - 1, 1.0)
    assert worse[-1] < found[-1]
    assert np.all(worse[:-1] > found[:-1])


@pytest.mark.slow
def test_a_check_finds_what_the_last_decision_of_a_round_is_worth(tmp_path: Path) -> None:
    """What looking ahead says is exact where every action ends the round, and at most two cards are still hidden."""
    rules = SMALL.replace(players=2)
    agent = LookaheadAgent(rules, str(saved(tmp_path / "p.safetensors", (2,), rules)))
    checked = 0
    for seed in range(150):
        record = played(rules, seed).record()
        last = list(LookAnalyst(agent).decisions(record))[-1]
        hidden = ObservationSpec(rules).view(last.observation).hidden_left.sum()
        if hidden <= COUNTED and last.seems_lost > 1 and ends_whatever_is_done(record):
            check = LookAnalyst(agent).check(last)
            assert check.lost == pytest.approx(last.seems_lost, abs=5 * check.error + 1e-6)
            assert check.error < inf
            checked += 1
    assert checked > 3


def ends_whatever_is_done(record: dict[str, Any]) -> bool:
    """Whether every action would have ended the round in place of the last one."""
    game = RecordFormat(SKYJO).begin(record)
    for action in record["actions"][:-1]:
        game.apply(action)
    afters = [copy.copy(game) for _ in game.legal_actions()]
    for after, action in zip(afters, game.legal_actions(), strict=True):
        after.apply(action)
    return all(after.is_over for after in afters)


def test_a_stopped_round_has_no_margin() -> None:
    game = Game(Rules(max_turns=2), seed=1, episode="round")
    while not game.is_over:
        game.apply(game.legal_actions()[0])
    assert game.is_truncated
    analyst = analyst_of(RolloutAgent(game.rules, "naive", n=1))
    assert [judged.margins for judged in analyst.decisions(game.record())] == [None] * len(game.record()["actions"])
