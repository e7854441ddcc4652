"""Playing Skyjo in tests: as the product does, by the official rules unless a test says otherwise."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cardtable.agents import Agent
from cardtable.card_game import Setup
from cardtable.deal_results import DealResults
from cardtable.play import decisions, pairing, plan
from cardtable.play.decisions import Watch
from cardtable.play.pairing import Paired
from skyjo_env import OFFICIAL, Rules


def play_rounds(
    agents: Sequence[Agent],
    rules: Rules = OFFICIAL,
    seed: int = 0,
    deals: range = range(1000),
    threads: int = 1,
    may_peek: bool = False,
    episode: str = "round",
    with_luck: bool = False,
    keep: bool = False,
    watch: Watch | None = None,
) -> DealResults:
    setup = Setup(rules, seed, episode, with_luck, may_peek, keep)
    return decisions.play_rounds(agents, setup, deals, threads, watch)


def play_paired(
    agents: Sequence[str | Agent],
    rules: Rules = OFFICIAL,
    seed: int = 0,
    deals: range = range(1000),
    threads: int = 1,
    may_peek: bool = False,
    episode: str = "round",
    with_luck: bool = False,
) -> Paired:
    return pairing.play_paired(agents, Setup(rules, seed, episode, with_luck, may_peek), deals, threads)


def play_rotation(
    agents: Sequence[Agent],
    rotation: int,
    rules: Rules,
    seed: int,
    deals: range,
    threads: int = 1,
    may_peek: bool = False,
    episode: str = "round",
    with_luck: bool = False,
    keep: bool = False,
) -> DealResults:
    setup = Setup(rules, seed, episode, with_luck, may_peek, keep)
    return pairing.play_rotation(agents, rotation, setup, deals, threads)


def files(folder: Path) -> list[str]:
    """The files of stored games; their names hold the digests of all games."""
    return sorted(file.name for file in folder.glob("games-*"))


def a_plan(
    tables: Any,
    deals: Any,
    rules: Rules = OFFICIAL,
    episode: str = "round",
    seed: int = 0,
    with_luck: bool = False,
    may_peek: bool = False,
    stop: str = "",
) -> plan.Plan:
    return plan.Plan(tables, deals, Setup(rules, seed, episode, with_luck, may_peek), stop)


def a_tournament(
    agents: Sequence[str],
    players: int = 2,
    deals: int = 1000,
    slow: int | None = None,
    rules: Rules = OFFICIAL,
    episode: str = "round",
    seed: int = 0,
    with_luck: bool = False,
) -> plan.Plan:
    setup = Setup(rules.replace(players=players), seed, episode, with_luck)
    return plan.tournament(agents, setup, deals, slow)
