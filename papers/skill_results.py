"""Skill and chance: every pair plays the same deals from both seats, and the margins are measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from cardtable.arena.play.pairing import by_agent, play_rotations
from cardtable.arena.ratings.results import Floats
from cardtable.arena.statistics import Estimate, Range, estimate
from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import Setup, find_game
from papers import skill_measures
from papers.paper import THREADS, Report
from papers.skill import EPISODES, PIECE, Players, Skill

AFTER = (1, 10, 50)  # rounds or games
SERIES = 20  # leads are counted only where at least this many series were played

Played = dict[tuple[str, str], Floats]  # by pair: the first player's margins from both seats, [deals, seatings]


@dataclass(frozen=True)
class SpreadRow:
    """The spread of a population's Elo ratings."""

    population: str
    episode: str
    spread: Range
    coin_share: Range  # the share of sure wins with which a game of coins spreads them as far


@dataclass(frozen=True)
class RatingRow:
    """A player's Elo ratings, about the mean of all."""

    player: str
    rounds: Range
    games: Range


@dataclass(frozen=True)
class ReliabilityRow:
    """The number of rounds or games after which skill shows in a population."""

    population: str
    episode: str
    skill_sd: float
    chance_sd: float
    reliability: list[float]  # after 1, 10 and 50 rounds or games
    leads: list[float]  # how often the better of two leads after as many
    is_counted: list[bool]  # in what was played; if there was too little of it, the lead is computed
    needed: Range  # rounds or games until the better one leads with 75 %, for these players


@dataclass(frozen=True)
class RelativeRow:
    """A player's gains on the best player, and the relative skill that follows from them."""

    player: str
    round_gain: Estimate
    round_skill: Estimate
    game_gain: Estimate
    game_skill: Estimate


@dataclass(frozen=True)
class Relative:
    """The relative skill of all players."""

    round_deals: int  # of the fictive player
    game_deals: int
    round_gain: Estimate  # of the fictive player
    game_gain: Estimate
    rows: list[RelativeRow]


@dataclass(frozen=True)
class SkillResult:
    """All measures, with the players that they were taken of."""

    game: str
    deals: int
    players: Players
    spread: list[SpreadRow] | None
    ratings: list[RatingRow] | None  # with the spread
    reliability: list[ReliabilityRow] | None
    relative: Relative | None


def measure(study: Skill, report: Report) -> SkillResult:
    """Play every pair, and take the measures that were asked for."""
    players, chosen = study.players, study.chosen
    played = {episode: _round_robin(study, episode, report) for episode in EPISODES}
    spread, ratings = _spread(players, played) if "spread" in chosen else (None, None)
    return SkillResult(
        game=study.game,
        deals=study.deals,
        players=players,
        spread=spread,
        ratings=ratings,
        reliability=_reliability(players, played) if "reliability" in chosen else None,
        relative=_relative(study, played, report) if "relative" in chosen else None,
    )


def play_pair(pair: Sequence[str], deals: range, setup: Setup) -> Floats:
    """Return the first player's margins from both seats, [deals, seatings]; 0 where play was stopped."""
    agents = [agents_of(setup.game).make(name, setup.rules) for name in pair]
    played = play_rotations(agents, setup, deals, THREADS)
    margins: Floats = np.where(played.is_stopped, 0.0, by_agent(played, played.margins)[:, 0]).reshape(2, -1)
    return margins.T


def among(played: Played, names: Sequence[str]) -> Floats:
    """Return the margins of these players against each other, [deals, seatings, pairs]."""
    return np.stack([margins for pair, margins in played.items() if set(pair) <= set(names)], axis=-1)


def against(played: Played, opponent: str) -> dict[str, Floats]:
    """Return the margins of the others against one player, averaged over both seats, [deals]; 0 against itself."""
    means = {pair: margins.mean(axis=1) for pair, margins in played.items()}
    gains = {one: mean for (one, other), mean in means.items() if other == opponent}
    gains |= {other: -mean for (one, other), mean in means.items() if one == opponent}
    return gains | {opponent: 0 * next(iter(means.values()))}


def _round_robin(study: Skill, episode: str, report: Report) -> Played:
    setup, played = Setup(find_game(study.game).rules(), study.seed, episode), {}
    for pair in combinations(study.players.names, 2):
        played[pair] = play_pair(pair, range(study.deals), setup)
        report(1)
    return played


def _spread(players: Players, played: dict[str, Played]) -> tuple[list[SpreadRow], list[RatingRow]]:
    rows, ratings = [], []
    for (name, names), episode in product(players.populations.items(), EPISODES):
        rated, spread = skill_measures.elo_spread(among(played[episode], names), names)
        shares = (skill_measures.coin_share(end, len(names)) for end in (spread.value, spread.low, spread.high))
        rows.append(SpreadRow(name, episode, spread, Range(*shares)))
        ratings.append(rated)
    return rows, [RatingRow(*row) for row in zip(players.names, *ratings[:2], strict=True)]


def _reliability(players: Players, played: dict[str, Played]) -> list[ReliabilityRow]:
    rows = []
    for (name, names), episode in product(players.populations.items(), EPISODES):
        margins = among(played[episode], names)
        skill, chance = skill_measures.variances(margins)
        is_counted = [k <= len(margins) // SERIES for k in AFTER]
        ways = [skill_measures.observed_lead if counted else skill_measures.lead_among for counted in is_counted]
        rows.append(
            ReliabilityRow(
                population=name,
                episode=episode,
                skill_sd=skill**0.5,
                chance_sd=chance**0.5,
                reliability=[skill / (skill + chance / k) for k in AFTER],
                leads=[lead(margins, k) for lead, k in zip(ways, AFTER, strict=True)],
                is_counted=is_counted,
                needed=skill_measures.rounds_among(margins),
            )
        )
    return rows


def _relative(study: Skill, played: dict[str, Played], report: Report) -> Relative:
    players = study.players
    fictive, columns = [], []
    for episode in EPISODES:
        gains, room = against(played[episode], players.best), _fictive_gains(study, episode, report)
        beginner = gains[players.beginner]
        fictive.append(room)
        columns.append([estimate(gains[name]) for name in players.names])
        columns.append([skill_measures.relative_skill(gains[name], beginner, room) for name in players.names])
    rows = [RelativeRow(*row) for row in zip(players.names, *columns, strict=True)]
    rounds, games = fictive
    return Relative(len(rounds), len(games), estimate(rounds), estimate(games), rows)


def _fictive_gains(study: Skill, episode: str, report: Report) -> Floats:
    """Return the margins of the player that knows every card against the best, averaged over both seats, [deals]."""
    deals, gains = study.fictive_deals(episode), []
    setup = Setup(find_game(study.game).rules(), study.seed, episode, reveal_hidden=True)
    for start in range(0, len(deals), PIECE):
        piece = deals[start : start + PIECE]
        gains.append(play_pair((study.players.fictive, study.players.best), piece, setup).mean(axis=1))
        report(len(piece) / PIECE)
    return np.concatenate(gains)
