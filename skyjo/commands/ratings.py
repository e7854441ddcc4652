"""The command `ratings`: how strong the players of any game are, judging by its results."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from skyjo.interfaces import file_named

if TYPE_CHECKING:
    from cardtable.arena.ratings.results import Results
    from cardtable.arena.results.result_document import Document

PLAIN = ("anchor", "prior", "resamples", "seed")
ELO = ("series", "k", "form", "start", "ceiling", "luck")


@dataclass(frozen=True)
class Ratings:
    """Rate the players of any game from its results, allowing for the strength of their opponents.

    A FILE is a CSV with the columns game, player and score, and optionally deal, one row per seat and game; - is
    standard input. A FILE may also be a folder of stored games, which has a column luck if they were played with
    --luck. Games are taken in the order of their first rows.

    Ratings are Bradley-Terry, or Plackett-Luce for larger tables, on the Elo scale with 95 % intervals over deals. With
    --elo they are Elo ratings for games of chance, updated series by series.
    """

    files: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="FILE ...", help_behavior_hint=""), tyro.conf.Positional
    ] = ()
    """Files of results, in the order of play."""

    better: Annotated[Literal["more", "fewer"] | None, tyro.conf.arg(metavar="{more,fewer}", help_behavior_hint="")] = (
        None
    )
    """Direction of points: more or fewer are better (default: as in the game of this command)."""

    anchor: Annotated[str | None, tyro.conf.arg(metavar="PLAYER", help_behavior_hint="")] = None
    """The player rated 1000 (default: the median player)."""

    prior: Annotated[float, tyro.conf.arg(metavar="GAMES")] = 0.0
    """Draws of every player against an imaginary one, so that no rating is infinite."""

    resamples: Annotated[int, tyro.conf.arg(metavar="N")] = 400
    """Bootstrap resamples of the deals for the intervals; 0 for no intervals."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of the resamples."""

    elo: bool = False
    """Use Elo ratings for games of chance; all options below except --out and --json need this one."""

    series: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Number of games of the same players that are rated together."""

    k: Annotated[float | Literal["newcomers"], tyro.conf.arg(metavar="K|newcomers")] = 0.02
    """Share of a surprise by which a rating moves; newcomers: large at first, smaller with every series played."""

    form: Literal["ratio", "difference"] = "ratio"
    """Form of the prediction: shares of the points (ratio) or points between players (difference)."""

    start: Annotated[float, tyro.conf.arg(metavar="RATING")] = 800.0
    """Initial rating."""

    ceiling: Annotated[float, tyro.conf.arg(metavar="POINTS")] = 100.0
    """Where fewer points are better, a rating is 10 × (POINTS − mean points a game)."""

    luck: Annotated[str | None, tyro.conf.arg(metavar="COLUMN", help_behavior_hint="")] = None
    """Column with the points that chance added to each score; they are subtracted."""

    out: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write an HTML page with plots of the ratings here."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Read, rate and print."""
        from skyjo.commands.shared import show
        from skyjo.terminal.text_files import target

        self._check_options()
        page = None if self.out is None else target(self.out, file_named("ratings")())
        games, *luck = self._games([] if self.luck is None else [self.luck])
        document = self._by_elo(games, luck) if self.elo else self._by_rank(games)
        show(document, self.json, page, asdict(self) | {"better": "fewer" if self._fewer_are_better else "more"})

    @property
    def _fewer_are_better(self) -> bool:
        from skyjo.commands.shared import the_game

        return the_game().lower_is_better if self.better is None else self.better == "fewer"

    def _check_options(self) -> None:
        """Raise TableError for options that make no sense together."""
        from cardtable.table.errors import TableError

        if not self.files:
            raise TableError("ratings need results: name a file, or - for standard input")
        defaults = {field.name: field.default for field in fields(self)}
        unused = [f"--{name}" for name in (PLAIN if self.elo else ELO) if getattr(self, name) != defaults[name]]
        if unused:
            words = "cannot be given with --elo" if self.elo else "can only be given with --elo"
            raise TableError(f"{', '.join(unused)} {words}")

    def _games(self, columns: list[str]) -> list[Results]:
        """Return the games of all files, then the same with the numbers of each column as scores."""
        from cardtable.arena.ratings.results import joined
        from skyjo.terminal.console import waiting

        with waiting("reading"):
            parts = [_read(file, columns, self._fewer_are_better) for file in self.files]
            return [joined(results) for results in zip(*parts, strict=True)]

    def _by_rank(self, games: Results) -> Document:
        from cardtable.arena.ratings.bradley_terry import fit
        from cardtable.arena.results.rating_documents import ranked
        from skyjo.terminal.progress import progress

        with progress("rating", self.resamples) as report:
            return ranked(games, fit(games, self.anchor, self.prior, self.resamples, self.seed, report))

    def _by_elo(self, games: Results, luck: list[Results]) -> Document:
        from cardtable.arena.ratings.elo import Scheme, subtract_luck
        from cardtable.arena.results.rating_documents import rated

        scheme = Scheme(self.series, self.k, self.form, self.start, self.ceiling)
        for added in luck:
            games = subtract_luck(games, added.scores)
        return rated(games, scheme, scheme.rate(games))


def _read(file: str, columns: list[str], lower_is_better: bool) -> list[Results]:
    """Return the games of one file, then the same with the numbers of each column as scores."""
    from cardtable.arena.ratings.results import read_results
    from skyjo.terminal.text_files import read_text

    if Path(file).expanduser().is_dir():
        return _stored(Path(file).expanduser(), columns, lower_is_better)
    return read_results(read_text(file), file, columns, lower_is_better)


def _stored(folder: Path, columns: list[str], lower_is_better: bool) -> list[Results]:
    """Return the same for a folder of stored games."""
    from cardtable.arena.results.ladder import read_games
    from cardtable.arena.stored.plan_store import open_games
    from cardtable.table.errors import TableError
    from skyjo.commands.shared import the_game

    game = the_game()
    store = open_games(folder, game)
    games = read_games(store)
    if store.manifest["finished"] is None:
        print(f"{folder}: not all games are played yet, so some tables may count for more than others", file=sys.stderr)
    if lower_is_better != game.lower_is_better:
        better = "fewer" if game.lower_is_better else "more"
        raise TableError(f"{folder}: these are games of {game.title}, where {better} points are better")
    scores = {} if games.luck is None else {"luck": games.luck}
    strange = [name for name in columns if name not in scores]
    if strange:
        allowed = "luck" if scores else "none, as they were played without --luck"
        raise TableError(f"{folder}: these games have no column {strange[0]}, only {allowed}")
    return [games.results, *(scores[name] for name in columns)]
