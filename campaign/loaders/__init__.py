"""Everything that reads files and texts from strangers: each loader makes damaged inputs and reads them."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import skipbo_env
import skyjo_action_env
import skyjo_env

GAMES: dict[str, Any] = {"skyjo": skyjo_env, "skipbo": skipbo_env, "skyjo_action": skyjo_action_env}

Read = Callable[[], Any]
Attempt = Callable[[random.Random], tuple[bytes, Read]]  # a damaged input, and what reads it


@dataclass(frozen=True)
class Loader:
    """Something that reads; `prepare` gets the game, random numbers and an empty folder."""

    name: str
    inputs: int  # of a batch
    prepare: Callable[[str, random.Random, Path], Attempt]
