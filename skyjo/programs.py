"""The command lines, one for each game: they are one program, and the name it is called by decides the game.

Modules of higher layers are named as `module:name` and loaded when needed, so that help is quick.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

COMMANDS = {
    "agents": "skyjo.commands.agents:Agents",
    "compare": "skyjo.commands.compare:Compare",
    "export": "skyjo.commands.export:Export",
    "games": "skyjo.commands.games:Games",
    "match": "skyjo.commands.match:Match",
    "play": "skyjo.commands.play:Play",
    "ratings": "skyjo.commands.ratings:Ratings",
    "replay": "skyjo.commands.replay:Replay",
    "report": "skyjo.commands.report:Report",
    "rules": "skyjo.commands.rules:RulesPage",
    "tournament": "skyjo.commands.tournament:Tournament",
    "warmup": "skyjo.commands.warmup:WarmUp",
    "web": "skyjo.commands.web:Web",
}  # of every game


class Preset(NamedTuple):
    """Rules that have a name."""

    name: str
    rules: str  # as text, for two
    words: str


@dataclass(frozen=True)
class Program:
    """The command line of a game."""

    game: str  # its name, by which the program is called, too
    title: str  # as people write it
    most_points_win: bool
    opponents: tuple[str, ...]  # who plays against you if you name nobody
    rules_page: str  # the file with the rules
    presets: tuple[Preset, ...]  # rules to choose from, the usual ones first
    terminal: str  # how the game is shown and asked: a `skyjo.table.game_terminal.GameTerminal`
    analysis: str  # what judges its written games: a `skyjo.table.game_judge.Judge`; "" if nothing does
    own_commands: Mapping[str, str]  # those that no other game has, or not with the same options

    @property
    def commands(self) -> dict[str, str]:
        """Every command by name, and where it is, in alphabetical order."""
        return dict(sorted({**COMMANDS, **self.own_commands}.items()))


PROGRAMS = {
    program.game: program
    for program in (
        Program(
            game="skyjo",
            title="Skyjo",
            most_points_win=False,
            opponents=("expected",),
            rules_page="RULES.md",
            presets=(
                Preset("official", "", "the rules as printed"),
                Preset(
                    "reichel",
                    "initial_flip=random first_starter=seat_0 flip_after_discard=none cleared_cards=out_of_play "
                    "reveal_clear=false ender_penalty_mode=off max_turns=500 max_rounds=1",
                    "the model of Reichel (2026): one round, no forced flip, no penalty",
                ),
            ),
            terminal="skyjo.terminal.skyjo_terminal:SKYJO_TERMINAL",
            analysis="skyjo.analysis.skyjo_judge:SkyjoJudge",
            own_commands={
                "analyse": "skyjo.commands.analyse:Analyse",
                "train": "skyjo.commands.train:SkyjoTrain",
                "tune": "skyjo.commands.tune:Tune",
            },
        ),
        Program(
            game="skipbo",
            title="Skip-Bo",
            most_points_win=True,
            opponents=("greedy",),
            rules_page="SKIPBO_RULES.md",
            presets=(
                Preset("official", "", "the rules as printed"),
                Preset("short", "stock=10", "a third of the stock pile: a round takes minutes"),
                Preset(
                    "strittmatter",
                    "stock=30 view=own max_rounds=1",
                    "the model of Strittmatter: one round, players see only the tops of their own piles",
                ),
            ),
            terminal="skyjo.terminal.skipbo_terminal:SKIPBO_TERMINAL",
            analysis="",
            own_commands={
                "train": "skyjo.commands.train:SkipboTrain",
            },
        ),
    )
}

_CALLED: ContextVar[Program] = ContextVar("called", default=PROGRAMS["skyjo"])


def program() -> Program:
    """The program that was called."""
    return _CALLED.get()


@contextmanager
def called(name: str) -> Iterator[Program]:
    """The program of this name is the one that was called."""
    token = _CALLED.set(PROGRAMS[name])
    try:
        yield program()
    finally:
        _CALLED.reset(token)


def file_named(what: str) -> Callable[[], str]:
    """The file that a command writes if none is named, such as `skyjo-report.html`."""
    return lambda: f"{program().game}-{what}.html"


def loaded(place: str) -> Any:
    """What stands at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
