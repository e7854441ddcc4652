"""Examinations: what they count as given away, that their labels are right, and that everybody draws the same ones."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.arena.exam import questions as exam_questions
from cardtable.arena.exam.drawing import draw, label
from cardtable.arena.exam.questions import Draw, Exam, ExamKind, Questions, grade
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import find_game
from skipbo_agents.judging import SKIPBO_EXAM
from skyjo_agents import LookaheadAgent
from skyjo_agents.judging import PHASES, SKYJO_EXAM
from skyjo_env import OFFICIAL, Game, make_agent

FEW = Draw(questions=8, rollouts=20, agents=("random", "tempo"))
KINDS = {
    "skyjo": replace(SKYJO_EXAM, draws={2: FEW, 3: FEW}),
    "skipbo": replace(SKIPBO_EXAM, draws={2: FEW._replace(agents=("random", "planner"))}),
}


def questions(*halves: list[list[float]]) -> Questions:
    return asking(np.array(halves))


def asking(action_values: NDArray[np.float64]) -> Questions:
    n = action_values.shape[1]
    return Questions(
        np.zeros((n, 1), np.int16), action_values.astype(np.float32), np.ones(n, np.float32), np.zeros(n, np.int8)
    )


def test_the_best_action_of_one_half_is_valued_by_the_other() -> None:
    asked = questions([[3.0, 1.0, 0.0], [0.0, 5.0, np.nan]], [[2.0, 4.0, 1.0], [0.0, 7.0, np.nan]])
    # At the first, half 0 prefers action 0, worth 2 by half 1; half 1 prefers action 1, worth 1 by half 0.
    assert asked.given_away(np.array([0, 1])).tolist() == [((2 - 2) + (1 - 3)) / 2, 0]
    assert asked.given_away(np.array([2, 0])).tolist() == [((2 - 1) + (1 - 0)) / 2, 6]
    assert asked.masks.tolist() == [[1, 1, 1], [1, 1, 0]]


def test_nobody_gives_anything_away_on_average_where_all_actions_are_alike() -> None:
    """Whoever compares with the highest of noisy numbers would find that everybody does."""
    asked = asking(np.random.default_rng(1).normal(size=(2, 4000, 6)))
    assert abs(asked.given_away(np.zeros(4000, np.int64)).mean()) < 0.1


def final_lap(seed: int) -> Game | None:
    """The last decision of a round: the other seat has drawn a card."""
    game, tempo = Game(seed=seed, episode="round"), make_agent("tempo")
    while not game.is_over:
        if game.ender is not None and game.phase == "drawn":
            return game
        game.apply(int(tempo.act(game.observation()[None], game.mask()[None], np.array([seed], np.uint64))[0]))
    return None


def test_labels_are_the_worths_that_the_last_decision_of_a_round_has() -> None:
    """There `lookahead` counts every card, so it knows them."""
    look, search = LookaheadAgent(OFFICIAL, name="2p"), SKYJO_EXAM.search(OFFICIAL, SKYJO_EXAM.base)
    compared = 0
    for seed in range(12):
        game = final_lap(seed)
        if game is None:
            continue
        action_values, error = label(search, game.observation(), game.mask(), 2000, np.uint64(seed))
        known = look.action_values(game.observation())[:, game.seat]
        assert np.array_equal(np.isnan(action_values[0]), np.isnan(known))
        off = (action_values.mean(axis=0) - known)[game.mask() == 1]
        assert np.abs(off - off.mean()).max() < 5 * error + 0.05
        assert np.abs(off).max() < 1.5
        compared += 1
    assert compared >= 8


@pytest.mark.parametrize("name", ["skyjo", "skipbo"])
def test_everybody_draws_the_same_questions(name: str, tmp_path: Path) -> None:
    kind, counted = KINDS[name], list[int]()
    exam, again, other = draw(kind, 7, 1, counted.append), draw(kind, 7, 2), draw(kind, 8, 2)
    assert sum(counted) == sum(each.questions for each in kind.draws.values())
    path = tmp_path / "exam.npz"
    exam.write(path)
    read = Exam.read(path)
    assert read.recipe == exam.recipe == again.recipe
    for players, asked in exam.tables.items():
        for field, array in vars(asked).items():
            assert np.array_equal(array, getattr(again.tables[players], field), equal_nan=field == "action_values")
            assert np.array_equal(array, getattr(read.tables[players], field), equal_nan=field == "action_values")
        assert not np.array_equal(asked.observations, other.tables[players].observations)
        rules = find_game(name).official.replace(players=players)
        assert [kind.phase_of(rules, seen) for seen in asked.observations] == asked.phases.tolist()


def test_actions_that_come_to_the_same_are_worth_the_same() -> None:
    exam = draw(KINDS["skyjo"], 3, 2)
    for players, asked in exam.tables.items():
        search = SKYJO_EXAM.search(OFFICIAL.replace(players=players), SKYJO_EXAM.base)
        assert {PHASES[phase] for phase in asked.phases.tolist()} == set(PHASES)
        for observation, mask, action_values in zip(
            asked.observations, asked.masks, asked.action_values[0], strict=True
        ):
            distinct = search.distinct_actions(observation, mask, int(np.argmax(mask)))
            assert len(set(action_values[mask == 1].tolist())) <= len(distinct)


ORDERS = {
    "skyjo": (SKYJO_EXAM, ["policy", "tempo", "threshold:t=2", "random"]),
    "skipbo": (SKIPBO_EXAM, ["planner", "greedy", "random"]),
}


@pytest.mark.parametrize(("kind", "order"), ORDERS.values(), ids=ORDERS)
def test_the_questions_of_the_package_rank_agents_as_they_play(kind: ExamKind, order: list[str]) -> None:
    exam = Exam.read(kind.file)
    lost = [np.concatenate([*grade(name, exam).lost.values()]).mean() for name in order]
    assert lost == sorted(lost)
    assert exam.recipe["seed"] == 1
    assert exam.recipe["base"] == kind.base
    for players, each in kind.draws.items():
        assert exam.recipe["agents"][str(players)] == [*each.agents]
        assert exam.recipe["rollouts"][str(players)] == each.rollouts
        assert len(exam.tables[players].phases) == each.questions
    assert kind.file.stat().st_size < 5_000_000


def test_an_agent_that_can_play_nowhere_is_refused() -> None:
    with pytest.raises(AgentError, match="unknown agent"):
        grade("nobody", Exam({"game": "skyjo"}, {}))


class Faulty:
    """Does the same at every question, or raises it."""

    def __init__(self, does: int | BaseException) -> None:
        self.does = does

    def act(self, observations: Any, *_: Any) -> Any:
        if isinstance(self.does, int):
            return np.full(len(observations), self.does)
        raise self.does


@pytest.mark.parametrize(
    ("does", "words"),
    [
        (-2, "agent faulty chose action -2, which is not legal"),
        (2, "agent faulty chose action 2, which is not legal"),
        (10**9, "agent faulty chose action 1000000000, which is not legal"),
        (ValueError("a\nb"), "agent faulty: ValueError: a b"),
        (SystemExit(0), "agent faulty: SystemExit: 0"),
    ],
)
def test_a_faulty_agent_is_named(does: int | BaseException, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions count from the end nowhere, and an agent cannot end the examination."""
    monkeypatch.setattr(exam_questions, "candidates", lambda *_: ({2: Faulty(does)}, {}))
    exam = Exam({"game": "skyjo"}, {2: questions([[1.0, 2.0, np.nan]], [[1.0, 2.0, np.nan]])})
    with pytest.raises(AgentError, match=re.escape(words)):
        grade("faulty", exam)
