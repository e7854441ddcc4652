"""Whom the study of a game compares, as data: light, so that help can show it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SkillPlayers:
    """Who plays in the study of a game. They are described in the templates whose names begin with the game's."""

    game: str
    populations: Mapping[str, tuple[str, ...]]  # everybody, then those who look at their cards, in the same order
    beginner: str
    best: str
    fictive: str  # the player that knows every card
    thinkers: str  # what the second population does, and the others do not
    work: Mapping[str, float]  # by episode: how long a deal takes, in the time that a round takes
    fictive_work: Mapping[str, float]  # and one with the fictive player

    @property
    def everybody(self) -> tuple[str, ...]:
        """All players that are compared."""
        return next(iter(self.populations.values()))


_THINKING = ("threshold:t=0", "threshold:t=2", "threshold:t=4", "threshold:t=2,columns=true", "expected", "tempo")
_ONE_PILE = ("greedy", "hpvp", "hpvp:empty=as_zero")  # that they use at all, or nearly always
_ALL_PILES = ("greedy:pile=random", "hpvp:empty=first", "hpvp:gap=farthest,empty=as_zero", "greedy:pile=smallest")

PLAYERS = {
    players.game: players
    for players in (
        SkillPlayers(
            game="skyjo",
            populations={"all eight": ("random", "naive", *_THINKING), "six that look at cards": _THINKING},
            beginner="naive",
            best="tempo",
            fictive="peek",
            thinkers="look at their cards",
            work={"round": 1, "game": 2},
            fictive_work={"round": 7_000, "game": 45_000},
        ),
        SkillPlayers(
            game="skipbo",
            populations={"all seven": (*_ONE_PILE, *_ALL_PILES), "best four": _ALL_PILES},
            beginner="greedy",
            best="greedy:pile=smallest",
            fictive="peek",
            thinkers="use all of their discard piles",
            work={"round": 1, "game": 7},
            fictive_work={"round": 11_000, "game": 60_000},
        ),
    )
}
