"""The searches of Skyjo Action."""

import numpy as np
import pytest

from cardtable.arena.play.pairing import play_paired
from cardtable.table.game.card_game import Setup
from skyjo_action_agents import RolloutAgent
from skyjo_action_env import ACTION, Rules
from skyjo_action_env.rules import action_names
from tests.helpers import decide
from tests.skyjo_action_agents.tables import table

OWN, OTHER = "9 9 ? | 1 ? ? | ? ? 2 | ? ? ?", "5 ? 3 | ? 4 ? | 1 ? ? | ? 2 ?"


def test_equal_open_action_cards_are_tried_once() -> None:
    game = table(OWN, OTHER, top=9, open_actions="look swap look double")
    found = RolloutAgent(ACTION, "greedy").distinct_actions(game.observation(), game.mask(), 28)
    assert [action_names(ACTION)[action] for action in found] == ["open 2", "draw", "take", "open 1", "open 3", "pile"]


def test_threads_change_nothing() -> None:
    game = table(OWN, OTHER, top=9)
    one, two = (RolloutAgent(ACTION, "greedy", n=10, threads=threads) for threads in (1, 2))
    assert decide(one, game, 5) == decide(two, game, 5)


def test_it_takes_what_completes_a_line() -> None:
    assert decide("rollout:base=greedy,n=40", table(OWN, OTHER, top=9), 1) == "take"


@pytest.mark.long
def test_peek_beats_those_whom_it_foresees() -> None:
    setup = Setup(Rules(), seed=2, may_peek=True)
    paired = play_paired(["peek:base=greedy,n=2", "greedy"], setup, range(3))
    assert np.isfinite(paired.margins).all()
    assert paired.margins[:, 0].mean() > 0
