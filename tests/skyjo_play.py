"""Playing Skyjo in tests: as the product does, by the official rules unless a test says otherwise.

All other options are those of `cardtable.table.game.card_game.Setup`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardtable.arena.play import pairing, plan, rounds
from cardtable.arena.play.pairing import Paired
from cardtable.table.agents.agents import Agent
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import DealResults, taken
from skyjo_env import OFFICIAL, Rules


def play_rounds(
    agents: Sequence[Agent],
    rules: Rules = OFFICIAL,
    seed: int = 0,
    deals: range = range(1000),
    threads: int = 1,
    **options: Any,
) -> DealResults:
    return rounds.play_rounds(agents, Setup(rules, seed, **options), deals, threads)


def play_paired(
    agents: Sequence[str | Agent],
    rules: Rules = OFFICIAL,
    seed: int = 0,
    deals: range = range(1000),
    threads: int = 1,
    **options: Any,
) -> Paired:
    return pairing.play_paired(agents, Setup(rules, seed, **options), deals, threads)


def play_rotation(
    agents: Sequence[Agent], rotation: int, rules: Rules, seed: int, deals: range, **options: Any
) -> DealResults:
    played = pairing.play_rotations(agents, Setup(rules, seed, **options), deals)
    return taken(played, np.arange(len(deals)) + rotation * len(deals))


def files(folder: Path) -> list[str]:
    """The files of stored games; their names hold the digests of all games."""
    return sorted(file.name for file in folder.glob("games-*"))


def a_plan(
    tables: Any, deals: Any, rules: Rules = OFFICIAL, episode: str = "round", stop: str = "", **options: Any
) -> plan.Plan:
    return plan.Plan(tables, deals, Setup(rules, episode=episode, **options), stop)


def a_tournament(
    agents: Sequence[str], players: int = 2, deals: int = 1000, slow_deals: int | None = None, **options: Any
) -> plan.Plan:
    rules: Rules = options.pop("rules", OFFICIAL)
    return plan.tournament(agents, Setup(rules.replace(players=players), **options), deals, slow_deals)
