"""Whom the study of a game compares, as data: light, so that help can show it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SkillPlayers:
    """Who plays in the study of a game. What is said of them is in the templates that begin with the game's name."""

    game: str
    populations: Mapping[str, tuple[str, ...]]  # everybody, then those who look at their cards, in the same order
    beginner: str
    best: str
    fictive: str  # the player that knows every card
    work: Mapping[str, float]  # by episode: how long a deal takes, in the time that a round takes
    fictive_work: Mapping[str, float]  # and one with the fictive player

    @property
    def everybody(self) -> tuple[str, ...]:
        """All players that are compared."""
        return next(iter(self.populations.values()))


_THINKING = ("threshold:t=0", "threshold:t=2", "threshold:t=4", "threshold:t=2,columns=true", "expected", "tempo")

PLAYERS = {
    players.game: players
    for players in (
        SkillPlayers(
            game="skyjo",
            populations={"all eight": ("random", "naive", *_THINKING), "six that look at cards": _THINKING},
            beginner="naive",
            best="tempo",
            fictive="peek",
            work={"round": 1, "game": 2},
            fictive_work={"round": 7_000, "game": 45_000},
        ),
    )
}
