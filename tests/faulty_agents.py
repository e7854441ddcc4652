"""Agents that go wrong, installed for a while as a package of their own would be."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import agents_of
from skyjo_env import ObservationSpec, Rules, make_agent
from skyjo_env.card_game import SKYJO
from tests.processes import install


class Faulty:
    """Plays like naive in seat 0, and in seat 1 until it goes wrong, once in so many decisions."""

    is_slow = True  # so pieces are small

    def __init__(self, rules: Rules, how: str, odds: int = 20) -> None:
        self.how, self.odds, self.spec, self.naive = how, odds, ObservationSpec(rules), make_agent("naive", rules)

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:
        at = (rng_states % self.odds == 0) & (self.spec.view(observations).seat == 1)
        actions = self.naive.act(observations, masks, rng_states)
        if at.any():
            if self.how == "raises":
                raise ZeroDivisionError("too hard")
            if self.how == "hangs":
                time.sleep(3600)
            if self.how == "dies":
                os._exit(7)
            if self.how == "leaves":
                sys.exit("enough")
            if self.how == "prints":
                print("thinking ...")
            if self.how == "forks":
                self.how = "has forked"
                os.fork()
        return np.where(at & (self.how == "cheats"), 25 - actions, actions)


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Makes the agent known by name, here and in processes that are started; the folder is for PYTHONPATH."""
    install(tmp_path / "site", "faulty", "[skyjo_env.agents]\nfaulty = tests.faulty_agents:Faulty\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    vars(agents_of(SKYJO)).pop("points", None)
    yield tmp_path / "site"
    vars(agents_of(SKYJO)).pop("points", None)
