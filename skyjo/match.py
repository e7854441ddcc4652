"""`skyjo match`: who is better, on deals that are played from every seat."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

if TYPE_CHECKING:
    from arena.match import Match as Played
    from arena.match import Standing
    from arena.paired import Paired
    from arena.statistics import Hypotheses


@dataclass(frozen=True)
class Match:
    """Play a match: every deal once for each rotation of the agents over the seats, so that luck falls on all alike.

    Margins are points a round (or game) by which an agent is ahead of the mean of the others, with 95 % intervals over
    deals. The same seed gives the same numbers, whatever the number of threads.
    """

    agents: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="AGENT ...", help_behavior_hint=""), tyro.conf.Positional
    ] = ()
    """Who plays, by name; see skyjo agents."""

    players: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Seats; the last agent takes all that are left (as many as agents if left out, at least 2)."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 10_000
    """How many deals; with --until at most so many."""

    until: Annotated[float | None, tyro.conf.arg(metavar="POINTS", help_behavior_hint="")] = None
    """Stop when the first agent's margin is known to within so many points."""

    sprt: Annotated[str | None, tyro.conf.arg(metavar="LOW,HIGH", help_behavior_hint="")] = None
    """Stop when it is decided whether the first agent's margin is LOW or HIGH, with 5 % errors: a sequential test."""

    episode: Literal["round", "game"] = "round"
    """One round of each deal, or a whole game to the target score."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Of all deals."""

    rules: Annotated[str, tyro.conf.arg(metavar="TEXT")] = ""
    """What differs from the official rules, such as "clear=confirm draw_streams=true"."""

    threads: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """How many deals to play at once."""

    peek: bool = False
    """Show the hidden cards to the agent peek: for measures, not for rankings."""

    luck: bool = False
    """Take off the margins what luck explains of them: the same on average, with narrower intervals."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Play and print."""
        from arena.match import Match as Played
        from arena.match import seat_all
        from skyjo_env import Rules

        rules = Rules.from_text(self.rules)
        agents = seat_all(self.agents, self.players)
        match = Played(
            agents, rules.replace(players=len(agents)), self.episode, self.seed, self.threads, self.peek, self.luck
        )
        with _progress(self.deals) as report:
            played = match.play(self.deals, self._is_enough(), report)
        if self.json:
            import json

            print(json.dumps(self._document(match, played), indent=2))
        else:
            _print_standings(match, played)
            if self.sprt is not None:
                _print_verdict(self._hypotheses(), self._verdict(played)["verdict"])

    def _is_enough(self) -> Callable[[Any], bool] | None:
        """What ends the match early, if anything does."""
        from arena.statistics import is_narrow, sprt_margins
        from skyjo_env import SkyjoError

        if self.until is not None and self.sprt is not None:
            raise SkyjoError("--until and --sprt cannot be given together")
        if self.sprt is not None:
            hypotheses = self._hypotheses()
            return lambda margins: sprt_margins(margins, hypotheses).decision is not None
        if self.until is None:
            return None
        if not self.until > 0:
            raise SkyjoError(f"until={self.until} must be a number of points above 0")
        until = self.until
        return lambda margins: is_narrow(margins, until)

    def _hypotheses(self) -> Hypotheses:
        from arena.statistics import Hypotheses
        from skyjo_env import SkyjoError

        try:
            low, high = map(float, str(self.sprt).split(","))
        except ValueError:
            raise SkyjoError(f"--sprt {self.sprt} must be two numbers of points, such as 0,1") from None
        return Hypotheses(low, high)

    def _verdict(self, played: Paired) -> dict[str, Any]:
        """What the sequential test says, if there is one."""
        if self.sprt is None:
            return {}
        from arena.statistics import sprt_margins

        verdict = asdict(sprt_margins(played.without_luck[:, 0], self._hypotheses()))
        if not math.isfinite(verdict["llr"]):  # all deals alike: JSON has no infinity
            verdict["llr"] = None
        return {"verdict": verdict}

    def _document(self, match: Played, played: Paired) -> dict[str, Any]:
        asked = asdict(self)
        asked["agents"] = list(match.agents)
        stopped = float(played.is_stopped.mean())
        standings = [asdict(standing) for standing in match.standings(played)]
        return (
            asked | {"played": len(played.margins), "stopped": stopped, "standings": standings} | self._verdict(played)
        )


@contextmanager
def _progress(deals: int) -> Iterator[Callable[[int, Paired], None]]:
    """A bar on standard error with the margin so far and the time left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from arena.statistics import estimate

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playing", total=deals)

        def report(done: int, so_far: Paired) -> None:
            progress.update(task, completed=done, description=str(estimate(so_far.without_luck[:, 0])))

        yield report


def _print_standings(match: Played, played: Paired) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    corrected = ("without luck",) if match.with_luck else ()
    for title in ("agent", f"points a {match.episode}", *corrected, "score", "won"):
        table.add_column(title, overflow="fold", justify="left" if title == "agent" else "right")
    for standing in match.standings(played):
        corrected = (str(standing.without_luck),) if match.with_luck else ()
        table.add_row(standing.agent, str(standing.margin), *corrected, *_words(standing))
    console = Console()
    console.print(table)
    deals, rotations = len(played.margins), match.rules.players
    console.print(f"{deals} deals, each {rotations} times with the agents one seat further; ± is half a 95 % interval")
    if played.is_stopped.any():
        console.print(f"{100 * played.is_stopped.mean():.2g} % were stopped after too many turns")


def _print_verdict(hypotheses: Hypotheses, verdict: dict[str, Any]) -> None:
    value = {"H0": hypotheses.low, "H1": hypotheses.high}.get(verdict["decision"])
    words = "undecided, more deals are needed" if value is None else f"{value:g} points rather than the other"
    ratio = "all deals are alike" if verdict["llr"] is None else f"log-likelihood ratio {verdict['llr']:+.2f}"
    print(f"{hypotheses.low:g} or {hypotheses.high:g} points: {words} ({ratio})")


def _words(standing: Standing) -> tuple[str, str]:
    score, wins = standing.score, standing.wins
    return f"{score.mean:.2f} ± {score.half:.2f}", f"{100 * wins.mean:.1f} ± {100 * wins.half:.1f} %"
