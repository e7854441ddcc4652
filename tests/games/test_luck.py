"""The luck terms: against a plain computation from the same rounds, and without bias whoever plays and by any rules."""

from typing import Any

import numpy as np
import pytest

from cardtable.arena.play.rounds import play_rounds
from cardtable.table.agents.agents import agents_of, rng_states_of
from cardtable.table.game.card_game import Setup, find_game
from cardtable.table.game.table_game import game_class
from tests.skipbo_env import luck as skipbo
from tests.skyjo_env import luck as skyjo

PLAIN: dict[str, Any] = {"skyjo": skyjo.Luck, "skipbo": skipbo.Luck}
CASES = [
    ("skyjo", "", "threshold:t=3,columns=true naive"),
    ("skyjo", "players=3 final_lap=complete_current_round", "tempo threshold expected"),
    ("skyjo", "players=3 row_clear=true reshuffle=all_then_turn_up_new", "expected naive tempo"),
    ("skyjo", "players=8", "naive threshold:t=1" + 6 * " threshold"),  # reshuffles in most rounds
    ("skipbo", "", "greedy:pile=smallest hpvp"),
    ("skipbo", "players=3 stock=12", "hpvp:gap=nearest,empty=first greedy random"),
    ("skipbo", "stock=15 recycle=on_completion", "hpvp greedy:pile=smallest"),
    ("skipbo", "stock=25 recycle=when_empty", "greedy hpvp:gap=farthest,empty=as_zero"),
]


def made(name: str, rules: str, agents: str) -> tuple[Any, list[Any]]:
    """The rules, and the agents for them."""
    game = find_game(name)
    found = game.rules(rules)
    return found, [agents_of(game).make(agent, found) for agent in agents.split()]


@pytest.mark.parametrize(("name", "rules", "agents"), CASES)
def test_the_luck_of_a_round_is_what_a_plain_computation_finds(name: str, rules: str, agents: str) -> None:
    by, seated = made(name, rules, agents)
    luck = play_rounds(seated, Setup(by, 3, with_luck=True), range(2)).luck
    for deal in range(2):
        plain = PLAIN[name](game_class(find_game(name))(by, 3, deal, "round"))
        while not plain.game.is_over:
            seen, mask = plain.game.observation()[None], plain.game.mask()[None]
            plain.move(int(seated[plain.game.seat].act(seen, mask, rng_states_of(seen))[0]))
        assert luck[deal] == pytest.approx(plain.terms, abs=1e-6)


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules", "agents"), CASES)
def test_luck_is_zero_on_average_whoever_plays(name: str, rules: str, agents: str) -> None:
    by, seated = made(name, rules, agents)
    luck = play_rounds(seated, Setup(by, 11, with_luck=True), range(6000)).luck
    assert np.abs(luck.mean(axis=0) / (luck.std(axis=0) / len(luck) ** 0.5)).max() < 4
