"""Skill and chance: how much of a two-player game is skill, from every player against every other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from papers.paper import Paper, Report

if TYPE_CHECKING:
    from papers.skill_results import SkillResult

FULL, QUICK = 20_000, 2_000  # deals of every pair; with too few, the worst player may never win a game
EPISODES = ("round", "game")
PIECE = 8  # deals that the fictive player plays at once: about as long as a pair takes for all of its deals


@dataclass(frozen=True)
class Players:
    """The players in the study of a game; `skill.md.jinja` describes them."""

    populations: Mapping[str, tuple[str, ...]]  # all players, then those who play with thought, in the same order
    beginner: str  # its relative skill is 0
    best: str  # relative skill is measured in points against it
    fictive: str = "oracle"  # the player that knows every card; its relative skill is 1

    @property
    def names(self) -> tuple[str, ...]:
        """All players that are compared."""
        return next(iter(self.populations.values()))


_THINKING = ("threshold:t=0", "threshold:t=2", "threshold:t=4", "threshold:t=2,columns=true", "expected", "tempo")
_ONE_PILE = ("greedy", "hpvp", "hpvp:empty=as_zero")  # that they use at all, or nearly always
_ALL_PILES = ("greedy:pile=random", "hpvp:empty=first", "hpvp:gap=farthest,empty=as_zero", "greedy:pile=smallest")
PLAYERS = {
    "skyjo": Players(
        populations={"all eight": ("random", "naive", *_THINKING), "six that look at cards": _THINKING},
        beginner="naive",
        best="tempo",
    ),
    "skipbo": Players(
        populations={"all seven": (*_ONE_PILE, *_ALL_PILES), "best four": _ALL_PILES},
        beginner="greedy",
        best="greedy:pile=smallest",
    ),
}


@dataclass(frozen=True)
class Skill(Paper):
    """Measure how much of a game is skill, from every player against every other in rounds and games.

    The page gives the spread of Elo ratings, compared with a game partly decided by a coin, and the number of rounds
    until the better of two players leads. It also compares players with one who knows every card.
    """

    game: Literal["skyjo", "skipbo"] = "skyjo"
    """The game that is measured."""

    name = "skill"
    parts = ("spread", "reliability", "relative")

    @property
    def command(self) -> str:
        """The command that computes the same numbers again."""
        return super().command + f" --game {self.game}"

    @property
    def deals(self) -> int:
        """The deals of every pair."""
        return QUICK if self.quick else FULL

    @property
    def players(self) -> Players:
        """The players of this game."""
        return PLAYERS[self.game]

    def fictive_deals(self, episode: str) -> range:
        """Return the deals of the fictive player, which come after those of the others; few, since it is slow."""
        few = max(8, self.deals // 100) if episode == "round" else max(4, self.deals // 400)
        return range(self.deals, self.deals + few)

    @property
    def work(self) -> float:
        """The number of pairs, in rounds and in games, and of pieces of the fictive player's deals."""
        pairs = len(self.players.names) * (len(self.players.names) - 1) // 2
        pieces = sum(len(self.fictive_deals(episode)) for episode in EPISODES) / PIECE
        return len(EPISODES) * pairs + pieces * ("relative" in self.chosen)

    def result(self, report: Report) -> SkillResult:
        """Play every pair, and take the measures that were asked for."""
        from papers.skill_results import measure

        return measure(self, report)
