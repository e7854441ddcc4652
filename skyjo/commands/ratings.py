"""The command `ratings`: how strong the players of any game are, judging by its results."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from skyjo.programs import program

if TYPE_CHECKING:
    from cardtable.ratings.elo import Correction, History
    from cardtable.ratings.rating_documents import EloDocument, RankedDocument
    from cardtable.ratings.results import Results

PLAIN = ("anchor", "prior", "resamples", "seed", "matrix")
ELO = ("series", "k", "form", "start", "settling", "ceiling", "luck", "hands", "values", "sensitivity", "charts")


@dataclass(frozen=True)
class Ratings:
    """Rate the players of any game from its results, allowing for the strength of their opponents.

    A FILE is a CSV with the columns game, player and score, and optionally deal and seat, one row per seat and game; or
    a JSON list of such objects; or - for standard input; or a folder of stored games, which has a column luck if they
    were played with --luck. Games are taken in the order of their first rows.

    Ratings are Bradley-Terry, or Plackett-Luce for larger tables, on the Elo scale with 95 % intervals over deals. With
    --elo they are Elo ratings for games of chance, updated series by series.
    """

    files: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="FILE ...", help_behavior_hint=""), tyro.conf.Positional
    ] = ()
    """Files of results, in the order of play."""

    higher_is_better: Annotated[bool, tyro.conf.arg(help_behavior_hint="")] = field(
        default_factory=lambda: program().most_points_win
    )
    """More points are better (default: as in the game of this command)."""

    anchor: Annotated[str | None, tyro.conf.arg(metavar="PLAYER", help_behavior_hint="")] = None
    """The player rated 1000 (default: the median player)."""

    prior: Annotated[float, tyro.conf.arg(metavar="GAMES")] = 0.0
    """Draws of every player against an imaginary one, so that no rating is infinite."""

    resamples: Annotated[int, tyro.conf.arg(metavar="N")] = 400
    """Bootstrap resamples of the deals for the intervals; 0 for no intervals."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of the resamples."""

    matrix: bool = False
    """Compare every pair's results with what their ratings predict."""

    elo: bool = False
    """Use Elo ratings for games of chance; all options below except --json need this one."""

    series: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """How many games of the same players are rated together."""

    k: Annotated[float | Literal["newcomers"], tyro.conf.arg(metavar="K|newcomers")] = 0.02
    """Share of a surprise by which a rating moves; newcomers: large at first, smaller with every series played."""

    form: Literal["ratio", "difference"] = "ratio"
    """Whether ratings predict shares of the points (ratio) or how many points lie between players (difference)."""

    start: Annotated[float, tyro.conf.arg(metavar="RATING")] = 800.0
    """Initial rating."""

    settling: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Start each player at their mean score in their first N series, instead of at --start."""

    ceiling: Annotated[float, tyro.conf.arg(metavar="POINTS")] = 100.0
    """Where fewer points are better, a rating is 10 × (POINTS − mean points a game)."""

    luck: Annotated[str | None, tyro.conf.arg(metavar="COLUMN", help_behavior_hint="")] = None
    """Column with the points that chance added to each score; they are subtracted."""

    hands: Annotated[str | None, tyro.conf.arg(metavar="COLUMN", help_behavior_hint="")] = None
    """Column with the strength of each hand; scores are divided by it. Only where more points are better."""

    values: Annotated[str | None, tyro.conf.arg(metavar="COLUMN", help_behavior_hint="")] = None
    """Column with the value of each game; scores are scaled so that all games count the same."""

    sensitivity: bool = False
    """Show how far ratings spread for four values of K and every combination of corrections for chance."""

    charts: Annotated[str | None, tyro.conf.arg(metavar="FILE.html|FOLDER", help_behavior_hint="")] = None
    """Chart the ratings over each player's own series and over all series: a page, or two SVG files in a folder."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Read, rate and print."""
        from skyjo.commands.ratings_printing import print_ranked, print_rated

        self._check_options()
        games, *further = self._games([name for name in (self.luck, self.hands, self.values) if name is not None])
        if self.elo:
            elo = self._by_elo(games, further)
            self._print_json(elo) if self.json else print_rated(elo)
        else:
            ranks = self._by_rank(games)
            self._print_json(ranks) if self.json else print_ranked(ranks)

    def _print_json(self, document: RankedDocument | EloDocument) -> None:
        import json

        print(json.dumps(asdict(self) | document, indent=2))

    def _check_options(self) -> None:
        """TableError for options that make no sense together."""
        from cardtable.errors import TableError

        if not self.files:
            raise TableError("ratings need results: name a file, or - for standard input")
        defaults = {field.name: field.default for field in fields(self)}
        given = [f"--{name}" for name in (PLAIN if self.elo else ELO) if getattr(self, name) != defaults[name]]
        if given:
            words = "cannot be given with --elo" if self.elo else "can only be given with --elo"
            raise TableError(f"{', '.join(given)} {words}")
        if self.luck is not None and self.hands is not None:
            raise TableError("--luck and --hands cannot be given together: both correct the scores for the cards")
        if self.hands is not None and not self.higher_is_better:
            raise TableError("--hands divides the scores, which needs --higher-is-better; use --luck instead")

    def _games(self, columns: list[str]) -> list[Results]:
        """The games of all files, then the same with the numbers of each column as scores."""
        from cardtable.ratings.results import joined
        from skyjo.terminal.console import waiting

        with waiting("reading"):
            parts = [_read(file, columns, not self.higher_is_better) for file in self.files]
            return [joined(each) for each in zip(*parts, strict=True)]

    def _by_rank(self, games: Results) -> RankedDocument:
        from cardtable.ratings.bradley_terry import fit, intransitivity
        from cardtable.ratings.rating_documents import pair_rows, ranked
        from skyjo.terminal.progress import progress

        with progress("rating", self.resamples * (1 + self.matrix)) as report:
            strengths = fit(games, self.anchor, self.prior, self.resamples, self.seed, report)
            document = ranked(games, strengths)
            if self.matrix:
                document["pairs"] = pair_rows(
                    strengths, intransitivity(games, self.prior, self.resamples, self.seed, report)
                )
        return document

    def _by_elo(self, games: Results, further: list[Results]) -> EloDocument:
        from cardtable.ratings.elo import Scheme, corrected
        from cardtable.ratings.rating_documents import rated, spreads

        files = None if self.charts is None else _chart_files(self.charts)
        scheme = Scheme(self.series, self.k, self.form, self.start, self.settling, self.ceiling)
        variants = corrected(games, self._corrections(further))
        chosen = list(variants.values())[-1]
        history = scheme.rate(chosen)
        document = rated(chosen, scheme, history)
        if self.sensitivity:
            series = {name: scheme.series_of(each) for name, each in variants.items()}
            document["spreads"] = spreads(series, scheme.starts(list(series.values())[-1]), scheme.form)
        if files is not None:
            _write_charts(files, history)
            document["written"] = [str(file) for file in files]
        return document

    def _corrections(self, further: list[Results]) -> dict[str, Correction]:
        """The corrections for chance by name, for the columns that were read."""
        from cardtable.ratings.elo import divide_by_hands, level_values, subtract_luck

        columns = iter(further)
        corrections: dict[str, Correction] = {}
        if self.luck is not None:
            luck = next(columns).scores
            corrections["luck"] = lambda games: subtract_luck(games, luck)
        if self.hands is not None:
            hands = next(columns).scores
            corrections["hands"] = lambda games: divide_by_hands(games, hands)
        if self.values is not None:
            values = next(columns)
            corrections["values"] = lambda games: level_values(games, values)
        return corrections


def _read(file: str, columns: list[str], lower_is_better: bool) -> list[Results]:
    """The games of one file, then the same with the numbers of each column as scores."""
    from cardtable.ratings.results_files import read_results
    from skyjo.terminal.text_files import read_text

    if Path(file).expanduser().is_dir():
        return _stored(Path(file).expanduser(), columns, lower_is_better)
    return read_results(read_text(file), file, columns, lower_is_better)


def _stored(folder: Path, columns: list[str], lower_is_better: bool) -> list[Results]:
    """The same for a folder of stored games."""
    from cardtable.errors import TableError
    from cardtable.report.ladder import store_results
    from cardtable.stored.plan_store import open_games
    from skyjo.commands.chosen_game import the_game

    game = the_game()
    store = open_games(folder, game)
    games, luck = store_results(store)
    if store.manifest["finished"] is None:
        print(f"{folder}: not all games are played yet, so some tables may count for more than others", file=sys.stderr)
    if lower_is_better != game.lower_is_better:
        better = "fewer" if game.lower_is_better else "more"
        raise TableError(f"{folder}: these are games of {game.title}, where {better} points are better")
    known = {} if luck is None else {"luck": luck}
    strange = [name for name in columns if name not in known]
    if strange:
        allowed = "luck" if known else "none, as they were played without --luck"
        raise TableError(f"{folder}: these games have no column {strange[0]}, only {allowed}")
    return [games, *(known[name] for name in columns)]


def _chart_files(charts: str) -> list[Path]:
    """The files to write: a page, or two pictures; TableError, before anything is rated, if that is not possible."""
    from cardtable.errors import TableError
    from skyjo.terminal.text_files import target

    path = Path(charts).expanduser()
    if path.is_dir():
        return [path / "time-contracted.svg", path / "time-expanded.svg"]
    if path.suffix != ".html":
        raise TableError(f"--charts {charts} must be a page, such as ratings.html, or an existing folder")
    return [Path(target(charts, path.name))]


def _write_charts(files: list[Path], history: History) -> None:
    from cardtable.ratings.rating_charts import charts, page
    from skyjo.terminal.text_files import write_text

    texts = [page(history)] if len(files) == 1 else charts(history)
    for file, text in zip(files, texts, strict=True):
        write_text(str(file), text)
