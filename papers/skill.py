"""Skill and chance: how much of a two-player game is skill, from every player against every other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from papers.paper import Paper, Report
from papers.skill_study import Study

if TYPE_CHECKING:
    from papers.skill_results import SkillResult

FULL, QUICK = 20_000, 2_000  # deals of every pair; with too few, the worst player may never win a game


@dataclass(frozen=True)
class Skill(Paper):
    """Measure how much of a game is skill, from every player against every other in rounds and games.

    The page says how far Elo ratings spread, compared with a game partly decided by a coin; how many rounds it takes
    until the better of two players leads; and how close players come to one who knows every card.
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
    def study(self) -> Study:
        """The games that are played."""
        return Study(self.game, QUICK if self.quick else FULL, self.seed)

    @property
    def work(self) -> float:
        """The amount of work that `result` reports in all."""
        return self.study.work(with_fictive="relative" in self.chosen)

    def result(self, report: Report) -> SkillResult:
        """Play every pair, and take the measures that were asked for."""
        from papers.skill_results import measure

        return measure(self.study, self.chosen, report)
