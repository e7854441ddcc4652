"""The command `skipbo train`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from skipbo_env.learning import SkipboConfig
from skyjo.commands.train import Train


@dataclass(frozen=True)
class SkipboTrain(SkipboConfig, Train):  # noqa: D101 (see below)
    __doc__ = Train.__doc__  # the command says the same for every game

    preset: Literal["demo", "standard", "full"] = "demo"
    """demo takes about 3 minutes on one core, standard about an hour; full needs a GPU or a day."""
