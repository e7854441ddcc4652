"""A scripted agent that reads only the text plays the same rounds as its native self in the array environment."""

import re
from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.scripted_agent import ScriptedAgent
from skyjo_env import EMPTY, HIDDEN, OFFICIAL, PHASES, ObservationSpec, Rules, action_names, make_agent
from skyjo_env.envs import SkyjoEnv, SkyjoTextEnv

MARKS = {"?": HIDDEN, ".": EMPTY}


def first(pattern: str, text: str, otherwise: int = EMPTY) -> int:
    """The number that a pattern finds."""
    found = re.search(pattern, text)
    return int(found[1]) if found else otherwise


def counts(pattern: str, text: str, rules: Rules) -> list[int]:
    """How many there are of each value, in a line that begins like this."""
    line = re.search(f"^{pattern}: (.*)$", text, re.MULTILINE)
    assert line is not None
    found = {int(value): int(count) for value, count in re.findall(r"(-?\d+): (\d+)", line[1])}
    return [found.get(value, 0) for value in rules.values]


def observation_read(text: str, rules: Rules) -> Any:
    """What the text says, where an observation has it; what it does not say stays 0."""
    spec = ObservationSpec(rules)
    observation = np.zeros(spec.size, np.int16)
    view = spec.view(observation)
    phase = re.search(r"^phase: (\w+)", text, re.MULTILINE)
    assert phase is not None
    view.phase[...] = PHASES.index(phase[1])
    view.hand[...] = first(r"(-?\d+) in hand", text)
    view.discard_top[...] = first(r"discard (-?\d+)", text)
    view.draw_pile_size[...] = first(r"draw pile (\d+)", text)
    view.reshuffles[...] = "the next draw is one of" in text
    for cell, card in re.findall(r"(\d+) \[ *([^ \]]+)\]", text):
        view.cells[0, int(cell)] = MARKS[card] if card in MARKS else int(card)
    view.hidden_left[0] = (view.cells[0] == HIDDEN).sum()
    view.hidden_pool[...] = counts("not seen yet", text, rules)
    return observation


class Played:
    """What an agent decides from what it is shown, with the same random numbers whoever shows it."""

    def __init__(self, agent: ScriptedAgent, rules: Rules) -> None:
        self.agent, self.names, self.decided = agent, action_names(rules), list[str]()

    def decide(self, observation: Any, mask: Any) -> int:
        chance = np.array([len(self.decided) + 1], np.uint64)
        action = int(self.agent.act(observation[None], mask[None], chance)[0])
        self.decided.append(self.names[action])
        return action


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", ["threshold:t=2,columns=true", "threshold:t=5"])
def test_the_threshold_player_of_the_paper_needs_only_the_text(name: str, players: int) -> None:
    rules = OFFICIAL.replace(players=players)
    agent = make_agent(name, rules)
    assert isinstance(agent, ScriptedAgent)
    native, reader = Played(agent, rules), Played(agent, rules)
    options: dict[str, Any] = {"rules": rules, "opponents": "tempo"}
    env, words = SkyjoEnv(**options), SkyjoTextEnv(**options)
    for seed in range(8):
        observation, info = env.reset(seed=seed)
        text, _ = words.reset(seed=seed)
        result = text_result = (0.0, False, False)
        while not any(result[1:]):
            observation, *result, info = env.step(native.decide(observation, info["action_mask"]))  # type: ignore[assignment]
        while not any(text_result[1:]):
            legal = text.splitlines()[-1].removeprefix("legal actions: ").split(", ")
            mask = np.array([each in legal for each in reader.names], np.int8)
            text, *text_result, _ = words.step(reader.names[reader.decide(observation_read(text, rules), mask)])  # type: ignore[assignment]
        assert result == text_result
        assert native.decided == reader.decided
    assert len(native.decided) > 100
