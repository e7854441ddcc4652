"""The command `skyjo train`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from skyjo.commands.train import Train
from skyjo_env.learning import SkyjoConfig


@dataclass(frozen=True)
class SkyjoTrain(SkyjoConfig, Train):  # noqa: D101 (see below)
    __doc__ = Train.__doc__  # the command says the same for every game

    preset: Literal["demo", "standard", "search", "full"] = "demo"
    """demo takes about a minute, standard an hour, search (looking ahead) an hour on two; full needs a GPU."""
