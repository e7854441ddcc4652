"""Shared code of the commands that play many games: options, the store, and play with a progress bar."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import tyro

from skyjo.commands.shared import command_line
from skyjo.interfaces import file_named

if TYPE_CHECKING:
    from cardtable.arena.play.plan import Plan
    from cardtable.arena.stored.store import Store
    from cardtable.arena.workers.plan_run import PlanProgress
    from cardtable.table.game.card_game import Setup


@dataclass(frozen=True, kw_only=True)
class OnCluster:
    """A command that may use a Ray cluster."""

    cluster: Annotated[str | None, tyro.conf.arg(metavar="ADDRESS", help_behavior_hint="")] = None
    """Use all cores of the Ray cluster at HOST:PORT; local starts one on this machine."""

    def connected(self, workers: int) -> AbstractContextManager[None]:
        """Return the time of the connection to the cluster; without the option there is none."""
        if self.cluster is None:
            return nullcontext()
        from cardtable.arena.workers.cluster import connected

        return connected(self.cluster, workers)


@dataclass(frozen=True, kw_only=True)
class Playing(OnCluster):
    """A command that plays the same deals with any agents."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of all deals."""

    luck: bool = False
    """Subtract luck from the margins; on average they stay the same, and their intervals are usually narrower."""

    workers: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """Number of pieces to play at once: in threads if all agents are scripted, otherwise in separate processes."""

    timeout: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 300
    """Time limit of an agent that is not scripted for one answer, which may cover many tables."""

    json: bool = False
    """Print JSON instead of a table."""

    name: ClassVar[str]  # of the command
    does_not_matter: ClassVar[tuple[str, ...]] = ("workers", "cluster", "timeout", "out", "json")  # to what is played

    def command(self) -> str:
        """Return the command line that plays the same."""
        return command_line(self.name, self, self.does_not_matter)


@dataclass(frozen=True, kw_only=True)
class PlayingTables(Playing):
    """A command that plays the tables of a plan."""

    agents: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="AGENT ...", help_behavior_hint=""), tyro.conf.Positional
    ] = ()
    """The agents that play; see the command `agents`."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 1000
    """Deals per table."""

    episode: Literal["round", "game"] = "round"
    """Play one round of each deal, or a whole game to the target score."""

    rules: Annotated[str, tyro.conf.arg(metavar="TEXT", help_behavior_hint="(default: none)")] = ""
    """Changes to the official rules, as "name=value ..."."""

    luck_by: Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="(default: cards)")] = None
    """Measure of luck (implies --luck): cards; or network, if the game has one, slower but often far narrower."""

    reveal_hidden: bool = False
    """Let agents such as oracle see the hidden cards: for measuring, not for ranking."""

    store: Annotated[str | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Store every game here. If interrupted, run the same command again to continue. See `games` and `report`."""

    out: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write an HTML page here."""

    def setup(self, players: int) -> Setup:
        """Return the setup of tables of this size; TableError for options that cannot be played."""
        from cardtable.arena.play.luck import OWN
        from cardtable.table.errors import TableError
        from cardtable.table.game.card_game import Setup, find_game
        from skyjo.interfaces import interface

        if self.luck_by is not None and ":" in self.luck_by:
            raise TableError(f"--luck-by {self.luck_by}: name the measure of luck, without a version")
        if any(word.startswith("players=") for word in self.rules.split()):
            raise TableError(f"--rules {self.rules!r}: set the number of players with --players")
        rules = find_game(interface().game).rules(self.rules, players)
        return Setup(rules, self.seed, self.episode, self._has_luck, self.reveal_hidden, luck_by=self.luck_by or OWN)

    @property
    def _has_luck(self) -> bool:
        return self.luck or self.luck_by is not None

    @property
    def request(self) -> dict[str, Any]:
        """The options of the command, for JSON."""
        return asdict(self) | {"luck": self._has_luck}

    def begin(self, plan: Plan) -> str | None:
        """Return the file of the page, if one is wanted; TableError for options that cannot be played or written."""
        from cardtable.arena.workers.plan_run import check
        from skyjo.terminal.text_files import target

        check(plan, self.workers, self.timeout)
        return None if self.out is None else target(self.out, file_named(self.name)())

    def store_in(self, folder: str | Path, plan: Plan) -> Store:
        """Return the store of a plan's games."""
        from cardtable.arena.stored.plan_store import store_for

        return store_for(Path(folder).expanduser(), plan, self.command())

    def play(
        self, plan: Plan, store: Store | None, say: Callable[[PlanProgress], str] = lambda _: "playing", **how: Any
    ) -> PlanProgress:
        """Play a plan, as `cardtable.arena.workers.plan_run.play` does, while a bar shows how far it is."""
        from cardtable.arena.workers.plan_run import play
        from skyjo.terminal.progress import playing, resumable

        how |= {"workers": self.workers, "limit": self.timeout, "on_cluster": self.cluster is not None}
        with resumable(self.store), self.connected(self.workers), playing(sum(plan.deals), say) as report:
            return play(plan, store, report=report, **how)
