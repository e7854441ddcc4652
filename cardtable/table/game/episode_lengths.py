"""Lengths of episodes, and the number of stopped ones: counted by every environment, with a warning when many are."""

import warnings
from math import nan

from cardtable.table.game.card_game import CardGame
from cardtable.table.game.table_rules import TableRules

MEMORY = 100  # episodes that are remembered, at least
ACCEPTED = 0.1  # share of them that may be stopped without a warning
GROWTH = 3  # times as many decisions as at first


class StalledWarning(UserWarning):
    """No seat ends a round: episodes have become long, or many are stopped after too many turns."""


class EpisodeLengths:
    """The mean number of decisions in the episodes that ended lately, and the share of them that was stopped.

    Lately means in the last hundred or two, or as many as there are tables. `StalledWarning` is given once if more than
    a tenth were stopped, or if they took three times as many decisions as the first ones.
    """

    def __init__(self, card_game: CardGame, rules: TableRules, tables: int = 1) -> None:
        self._when, self._memory = card_game.stopped(rules), max(MEMORY, tables)
        self._decisions = self._ended = self._stopped = 0.0
        self._first: float | None = None  # the mean at first
        self._has_warned = False

    @property
    def mean(self) -> float:
        """Decisions per episode; NaN until one has ended. It rises at once when no episode ends any more."""
        return self._decisions / self._ended if self._ended else nan

    @property
    def stopped(self) -> float:
        """The share of the episodes that was stopped; NaN until one has ended."""
        return self._stopped / self._ended if self._ended else nan

    def __repr__(self) -> str:
        return f"EpisodeLengths(mean={self.mean:.1f}, stopped={self.stopped:.3f})"

    def add(self, decisions: int, ended: int, stopped: int) -> None:
        """Count decisions, and the episodes that ended with them, those that were stopped included."""
        self._decisions += decisions
        if ended == 0:
            return
        self._ended += ended
        self._stopped += stopped
        if self._ended < self._memory:
            return
        self._first = self.mean if self._first is None else self._first
        if not self._has_warned and (self.stopped > ACCEPTED or self.mean > GROWTH * self._first):
            self._has_warned = True
            warnings.warn(
                f"rounds stall, with {self.mean:.0f} decisions an episode, and {100 * self.stopped:.0f} % of the last "
                f"episodes stopped {self._when} of a round. No seat ends it, since waiting costs nothing: "
                "docs/guides/self_play.md (Why did my self-play stall?) has remedies",
                StalledWarning,
                stacklevel=3,
            )
        if self._ended > 2 * self._memory:
            keep = self._memory / self._ended
            self._decisions, self._ended, self._stopped = (
                keep * count for count in (self._decisions, self._ended, self._stopped)
            )
