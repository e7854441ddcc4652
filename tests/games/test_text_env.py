"""The environments in words: the same games as those with arrays, and nothing in a text but what its seat sees."""

import random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cardtable.table.envs.text import table_text
from cardtable.table.errors import CallError, IllegalActionError
from cardtable.table.render.text import in_few_words
from tests.games.under_test import GameUnderTest


def names_in(text: str) -> list[str]:
    """The legal actions that a text lists."""
    return text.splitlines()[-1].removeprefix("legal actions: ").split(", ")


# The same games


@pytest.mark.parametrize("seed", range(6))
def test_whoever_picks_by_the_names_plays_the_games_of_the_array_environment(game: GameUnderTest, seed: int) -> None:
    rules, episode = game.short_rules(seed), ("round", "game")[seed % 2]
    options: dict[str, Any] = {"rules": rules, "opponents": [game.nth], "episode": episode, "reward": game.rewards[-1]}
    env, twin, chance = game.text(**options), game.single(**options), random.Random(seed)
    names = game.card_game.action_names(rules)
    for deal in range(3):
        text, info = env.reset(seed=seed) if deal == 0 else env.reset()
        observation, twins_info = twin.reset(seed=seed) if deal == 0 else twin.reset()
        ended: tuple[bool, ...] = (False, False)
        while not any(ended):
            assert text == table_text(rules, observation, twins_info["action_mask"])
            assert names_in(text) == [names[action] for action in np.flatnonzero(info["action_mask"])]
            name = chance.choice(names_in(text))
            text, reward, *ended_now, info = env.step(name)
            observation, twins_reward, *twins_ended, twins_info = twin.step(names.index(name))
            assert (reward, ended_now) == (twins_reward, twins_ended)
            assert {key: np.array(value).tolist() for key, value in info.items()} == {
                key: np.array(value).tolist() for key, value in twins_info.items()
            }
            ended = tuple(ended_now)
        assert "legal actions" not in text
        totals = ", ".join(map(str, info["totals"]))
        assert text.splitlines()[-1].endswith(f"totals: {totals}")
        assert ("stopped" in text.splitlines()[-1]) == ended[1]


def test_gymnasiums_check_env(game: GameUnderTest) -> None:
    """It samples answers, which are no names of actions: the first legal one is taken for each."""

    class Obliging(game.text):  # type: ignore[misc, name-defined]
        def step(self, action: str) -> Any:
            assert self.action_space.contains(action)
            return super().step(game.card_game.action_names(self.rules)[int(self._mask.argmax())])

    check_env(Obliging(rules=game.quick_rules, opponents=[game.nth]), skip_render_check=True)


# Answers


def test_anything_but_one_legal_name_is_refused_in_a_line_and_changes_nothing(game: GameUnderTest) -> None:
    env = game.text(opponents=[game.nth], seat=0)
    twin = game.text(opponents=[game.nth], seat=0)
    text, info = env.reset(seed=4)
    twin.reset(seed=4)
    first, second, *_ = names_in(text)
    names = game.card_game.action_names(env.rules)
    illegal = names[int(info["action_mask"].argmin())]
    no_names = ["", f"I choose {first}", f"{first}, {second}", f"{first}\n{second}", "x" * 10**6]
    wrong = {illegal: "is not legal now", **dict.fromkeys(no_names, "is not the name of an action")}
    for answer, why in wrong.items():
        with pytest.raises(IllegalActionError, match=why) as refused:
            env.step(answer)
        assert str(refused.value).endswith(f"answer with one of: {in_few_words(names_in(text))}")
        assert len(str(refused.value).splitlines()) == 1
    nothing: list[Any] = [0, None, [first]]
    for each in nothing:
        with pytest.raises(IllegalActionError, match="is not the name of an action"):
            env.step(each)
    assert env.step(first)[:2] == twin.step(first)[:2]


def test_nothing_can_be_decided_before_a_reset_or_after_the_end(game: GameUnderTest) -> None:
    env, chance = game.text(rules=game.quick_rules), random.Random(1)
    with pytest.raises(CallError, match="call reset"):
        env.step("pass")
    text, _ = env.reset(seed=1)
    is_over = False
    while not is_over:
        text, _, terminated, truncated, _ = env.step(chance.choice(names_in(text)))
        is_over = terminated or truncated
    with pytest.raises(CallError, match="call reset"):
        env.step("pass")
