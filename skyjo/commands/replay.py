"""The command `replay`: prints a recorded game turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

import tyro

if TYPE_CHECKING:
    from skyjo.table.story import Decision, StoryTeller


class MoveDocument(TypedDict):
    """A move, with what everybody saw after it; the game's own `table_document` stands there, too."""

    move: int
    round: int
    seat: int
    action: int
    name: str
    words: str
    totals: Sequence[int]
    position: NotRequired[str]  # with --all-cards


class ReplayDocument(TypedDict):
    """A game as --json prints it."""

    record: dict[str, Any]
    moves: Sequence[Any]  # a MoveDocument each, with `round_end` as the game's own `end_document` if a round ended
    winners: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """How a game is printed, and which moves of it."""

    from_: Annotated[int, tyro.conf.arg(name="from", metavar="N")] = 1
    """First move to show. A move is one decision; each line starts with the number of its first move."""

    to: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="(default: the last)")] = None
    """Last move to show."""

    tables: bool = False
    """Show the table after every turn."""

    step: bool = False
    """Show the table after every turn, and wait for Enter."""

    all_cards: bool = False
    """Also show what not everyone could see: hidden cards, and a drawn card in hand."""

    json: bool = False
    """Print JSON: the record, every move with what everyone could see after it, and the scores of each round."""

    colour: Literal["auto", "always", "never"] = "auto"
    """Whether to colour the cards."""

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
        from skyjo.commands.chosen_game import the_game
        from skyjo.table.story import StoryTeller, result_words, turn_lines
        from skyjo.terminal.console import ask, folded, has_colour

        colour, shows_tables = has_colour(self.colour), self.tables or self.step
        teller = StoryTeller(the_game().begin(record))
        print(f"{_origin(record)}\n")
        for turn in self._turns(teller, record["actions"][:last]):
            end = turn[-1].end
            print(folded(f"{turn[0].number:>5}  {turn_lines(turn, names)[0]}", indent=7))
            if end is not None:
                print(f"\n{teller.terminal.format_end(teller.game.rules, end, names, colour)}\n")
            elif shows_tables:
                print(f"\n{self._table(teller, colour)}")
            if self.step and not teller.game.is_over and ask("Enter continues, q quits: ") == "q":
                return
        if not teller.game.is_over and not shows_tables:
            print(f"\n{self._table(teller, colour)}")
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

    def _table(self, teller: StoryTeller, colour: bool) -> str:
        return teller.terminal.format_table(teller.game, colour, self.all_cards)

    def _print_json(self, record: dict[str, Any], last: int) -> None:
        import json

        from skyjo.commands.chosen_game import the_game
        from skyjo.table.story import StoryTeller
        from skyjo.terminal.console import waiting

        teller = StoryTeller(the_game().begin(record))
        moves: list[dict[str, Any]] = []
        with waiting("playing the game again"):
            for action in record["actions"][:last]:
                told = teller.apply(action)
                if told.number >= self.from_:
                    move = _move(told, teller)
                    if self.all_cards:
                        move["position"] = teller.game.position()
                    moves.append(move)
        document: ReplayDocument = {"record": record, "moves": moves, "winners": teller.game.winners}
        print(json.dumps(document, indent=2))


@dataclass(frozen=True)
class Replay(ReplayOptions):
    """Print a recorded game: one line per turn, and the boards and scores after each round."""

    file: Annotated[str, tyro.conf.arg(metavar="FILE"), tyro.conf.Positional]
    """The record, as text or JSON (docs/notation.md); - reads standard input."""

    def run(self) -> None:
        """Read, check and print the game."""
        from cardtable.errors import TableError
        from skyjo.commands.chosen_game import the_game
        from skyjo.terminal.console import waiting
        from skyjo.terminal.prompt import seat_names
        from skyjo.terminal.text_files import read_text

        if self.step and (self.file == "-" or self.json):
            raise TableError("--step waits at the terminal, so it cannot be used with - or --json")
        text = read_text(self.file)
        with waiting("reading the game"):
            try:
                game = the_game().read_game(text)
            except TableError as error:
                raise TableError(f"{self.file}: {error}") from None
        self.tell(game.record(), seat_names(game.rules))


def _origin(record: dict[str, Any]) -> str:
    """Where the cards came from."""
    if record["start"] is not None:
        return f"from a written position, {len(record['actions'])} moves"
    rules = f"rules {record['rules']}" if record["rules"] else "official rules"
    return f"{rules}, seed {record['seed']}, deal {record['deal']}, {len(record['actions'])} moves"


def _move(told: Decision, teller: StoryTeller) -> dict[str, Any]:
    """A `MoveDocument`, with what everybody saw after the move."""
    from skyjo.commands.chosen_game import the_game

    game = teller.game
    move: dict[str, Any] = {
        "move": told.number,
        "round": told.round,
        "seat": told.seat,
        "action": told.action,
        "name": the_game().action_names(game.rules)[told.action],
        "words": told.words,
        **teller.terminal.table_document(game),
        "totals": game.totals,
    }
    if told.end is not None:
        move["round_end"] = teller.terminal.end_document(told.end)
    return move
