"""`skyjo replay`: prints a written game turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

import tyro

if TYPE_CHECKING:
    from skyjo.table.story import Decision, RoundOver, StoryTeller
    from skyjo_env import Game


class RoundEndDocument(TypedDict):
    """The end of a round: without scores if it was stopped."""

    ender: int | None
    scores: Sequence[int] | None
    boards: list[list[int | str]]


class MoveDocument(TypedDict):
    """A move, with what everybody saw after it."""

    move: int
    round: int
    seat: int
    action: int
    name: str
    words: str
    boards: list[list[int | str]]  # cell by cell a card, ? or a point, as in a written position
    discard_top: int | None
    draw_pile_size: int
    totals: Sequence[int]
    round_end: NotRequired[RoundEndDocument]
    position: NotRequired[str]  # with --all-cards


class ReplayDocument(TypedDict):
    """A game as --json prints it."""

    record: dict[str, Any]
    moves: list[MoveDocument]
    winners: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """How a game is printed, and which moves of it."""

    from_: Annotated[int, tyro.conf.arg(name="from", metavar="N")] = 1
    """The number of the first move to tell; a move is one decision, and lines begin with their first move's number."""

    to: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="(default: the last)")] = None
    """The number of the last move to tell."""

    tables: bool = False
    """Show the table after every turn."""

    step: bool = False
    """Show the table after every turn, and wait for Enter."""

    all_cards: bool = False
    """Also show what not everybody could see: hidden cards, and a drawn card in hand."""

    json: bool = False
    """Print JSON: the record, every move with what could be seen after it, and the scores of every round."""

    colour: Literal["auto", "always", "never"] = "auto"
    """Colours of the cards."""

    def tell(self, record: dict[str, Any], names: Sequence[str]) -> None:
        """Print the game of a record; `names` are the players' names by seat."""
        from cardtable.errors import TableError

        moves = len(record["actions"])
        last = moves if self.to is None else self.to
        if not (1 <= self.from_ <= last <= moves or (moves == 0 and self.from_ == 1 and last == 0)):
            raise TableError(f"--from {self.from_} --to {last}: the game has moves 1 to {moves}")
        if self.json:
            self._print_json(record, last)
        else:
            with suppress(EOFError):  # standard input has ended
                self._tell(record, last, names)

    def _tell(self, record: dict[str, Any], last: int, names: Sequence[str]) -> None:
        from skyjo.table.story import StoryTeller, result_words, turn_lines
        from skyjo.terminal.console import ask, has_colour
        from skyjo.terminal.table_view import round_end
        from skyjo_env.record import begin

        colour, shows_tables = has_colour(self.colour), self.tables or self.step
        teller = StoryTeller(begin(record))
        print(f"{_origin(record)}\n")
        for turn in self._turns(teller, record["actions"][:last]):
            end = turn[-1].end
            print(f"{turn[0].number:>5}  {turn_lines(turn, names)[0]}")
            if end is not None:
                print(f"\n{round_end(teller.game.rules, end, names, colour)}\n")
            elif shows_tables:
                print(f"\n{self._table(teller.game, colour)}")
            if self.step and not teller.game.is_over and ask("Enter goes on, q leaves: ") == "q":
                return
        if not teller.game.is_over and not shows_tables:
            print(f"\n{self._table(teller.game, colour)}")
        print(f"The {teller.game.episode} is {result_words(teller.game, names)}.")

    def _turns(self, teller: StoryTeller, actions: list[int]) -> Iterator[list[Decision]]:
        """The turns to print, each after it has been played."""
        turn: list[Decision] = []
        for action in actions:
            told = teller.apply(action)
            if told.number < self.from_:
                continue
            turn.append(told)
            if told.ends_turn or told.number == len(actions):
                yield turn
                turn = []

    def _table(self, game: Game, colour: bool) -> str:
        from skyjo_env.render.text import format_table

        return format_table(game, colour, all_cards=self.all_cards, drawn_card=self.all_cards)

    def _print_json(self, record: dict[str, Any], last: int) -> None:
        import json

        from skyjo.table.story import StoryTeller
        from skyjo.terminal.console import waiting
        from skyjo_env.record import begin

        teller = StoryTeller(begin(record))
        moves: list[MoveDocument] = []
        with waiting("playing the game again"):
            for action in record["actions"][:last]:
                told = teller.apply(action)
                if told.number >= self.from_:
                    move = _move(told, teller.game)
                    if self.all_cards:
                        move["position"] = teller.game.position()
                    moves.append(move)
        document: ReplayDocument = {"record": record, "moves": moves, "winners": teller.game.winners}
        print(json.dumps(document, indent=2))


@dataclass(frozen=True)
class Replay(ReplayOptions):
    """Print a written game: a line for every turn, and the boards and scores at the end of every round."""

    file: Annotated[str, tyro.conf.arg(metavar="FILE"), tyro.conf.Positional]
    """The record, as text or JSON (docs/notation.md); - reads standard input."""

    def run(self) -> None:
        """Read, check and tell the game."""
        from cardtable.errors import TableError
        from skyjo.terminal.console import waiting
        from skyjo.terminal.table_view import seat_names
        from skyjo.terminal.text_files import read_text
        from skyjo_env import replay

        if self.step and (self.file == "-" or self.json):
            raise TableError("--step waits at the terminal, so it goes with neither - nor --json")
        text = read_text(self.file)
        with waiting("reading the game"):
            try:
                game = replay(text)
            except TableError as error:
                raise TableError(f"{self.file}: {error}") from None
        self.tell(game.record(), seat_names(game.rules))


def _origin(record: dict[str, Any]) -> str:
    """Where the cards came from."""
    if record["start"] is not None:
        return f"from a written position, {len(record['actions'])} moves"
    rules = f"rules {record['rules']}" if record["rules"] else "official rules"
    return f"{rules}, seed {record['seed']}, deal {record['deal']}, {len(record['actions'])} moves"


def _move(told: Decision, game: Game) -> MoveDocument:
    """A move for JSON, with what everybody saw after it."""
    from skyjo_env import action_names

    move: MoveDocument = {
        "move": told.number,
        "round": told.round,
        "seat": told.seat,
        "action": told.action,
        "name": action_names(game.rules)[told.action],
        "words": told.words,
        "boards": _boards(game),
        "discard_top": game.discard_top,
        "draw_pile_size": game.draw_pile_size,
        "totals": game.totals,
    }
    if told.end is not None:
        move["round_end"] = _round_end(told.end)
    return move


def _round_end(end: RoundOver) -> RoundEndDocument:
    """The end of a round; one that was stopped has neither ender nor scores."""
    from skyjo_env.events import RoundScored

    ender, scores = (end.ender, end.scores) if isinstance(end, RoundScored) else (None, None)
    return {"ender": ender, "scores": scores, "boards": [_marks(board) for board in end.boards]}


def _boards(game: Game) -> list[list[int | str]]:
    """Every board as in a written position: cell by cell a card, ? or a point."""
    return [_marks(game.board(seat).T.ravel().tolist()) for seat in range(game.rules.players)]


def _marks(cells: Iterable[int]) -> list[int | str]:
    from skyjo_env import EMPTY, HIDDEN

    marks = {HIDDEN: "?", EMPTY: "."}
    return [marks.get(card, card) for card in cells]
