"""Opponents that compiled code plays in the learner's own call: the same games as if Python had asked them."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from numpy.typing import NDArray

from cardtable.table.agents.agents import RandomAgent, agents_of
from cardtable.table.envs import seat_batch
from cardtable.table.envs.reward_functions import RoundResults
from cardtable.testing.agent_tests import Asked
from tests.games.under_test import GameUnderTest, Options


def told_apart(results: RoundResults) -> NDArray[np.float64]:
    """A reward that tells rounds and seats apart."""
    return results.scores + 0.25 * results.is_last[:, None] + np.arange(results.scores.shape[1])


def quick(game: GameUnderTest, players: int) -> Any:
    """Rules for this many players under which rounds end soon."""
    return game.api.Rules.from_text(game.quick_rules).replace(players=players, max_turns=6 * players)


def seated(game: GameUnderTest, players: int) -> list[str]:
    """A script, random play, and more scripts."""
    return [game.card_game.reference_agent, "random", *game.scripts][: players - 1]


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"autoreset_mode": "SameStep"}),
        (3, {"autoreset_mode": "NextStep", "episode": "game", "illegal": "lose", "shaping": True}),
        (4, {"autoreset_mode": "Disabled", "encoding": "onehot"}),
        (4, {"autoreset_mode": "SameStep", "episode": "game", "reward": told_apart}),
    ],
)
def test_they_play_as_if_they_were_asked(game: GameUnderTest, players: int, options: Options) -> None:
    """In every mode, with resets of some tables, and with other opponents from some step on."""
    rules, names, n = quick(game, players), seated(game, players), 70
    chosen = {**options, "rules": rules, "shaping": game.shaping if "shaping" in options else None}
    agents = [Asked(agents_of(game.card_game).make(name, rules)) for name in names]
    ours, theirs = (game.vector(n, opponents=who, **chosen) for who in (names, agents))
    chance, ends = np.random.default_rng(1), 0
    assert data_equivalence(ours.reset(seed=3), theirs.reset(seed=3), exact=True)
    for step in range(60):
        actions = game.nth.choices(ours._tables._shown.observations, ours.action_masks())
        if options.get("illegal") == "lose" and step % 9 == 0:
            actions = chance.integers(0, rules.actions, n)
        seen = ours.step(actions)
        assert data_equivalence(seen, theirs.step(actions), exact=True)
        has_ended = seen[2] | seen[3]
        ends += int(has_ended.sum())
        if options["autoreset_mode"] == "Disabled":
            where = has_ended | (chance.random(n) < 0.1) | (np.arange(n) == step)
            begun, other = (env.reset(options={"reset_mask": where}) for env in (ours, theirs))
            assert data_equivalence(begun, other, exact=True)
        if step == 30:
            ours.set_opponents(names[::-1])
            theirs.set_opponents(agents[::-1])
    assert ends > 20


def test_python_asks_none_of_them(game: GameUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(seat_batch, "choose", fail)
    for opponents in (RandomAgent(None), "random", game.card_game.reference_agent, seated(game, 4)):
        env = game.vector(3, quick(game, 4), opponents=opponents)
        _, infos = env.reset(seed=1)
        for _ in range(20):
            *_, infos = env.step(infos["action_mask"].argmax(1))
