"""The command `replay`: prints a recorded game turn by turn, or writes it as an animated picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

import tyro

from cardtable.table.game.records import RecordFormat

if TYPE_CHECKING:
    from skyjo.table.described_game import Decision, DescribedGame

PAGE = "http://127.0.0.1:8765/games"  # where `skyjo web` shows the game in an address


class MoveDocument(TypedDict):
    """A move, and its public effects."""

    move: int
    round: int
    seat: int
    action: int
    name: str
    words: str
    totals: Sequence[int]
    events: Sequence[dict[str, Any]]  # their names as "event", and their fields (docs/reference/events.md)
    position: NotRequired[str]  # with --all-cards


class ReplayDocument(TypedDict):
    """A game as --json prints it."""

    record: dict[str, Any]
    moves: Sequence[MoveDocument]
    winners: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """The moves of a game to print, and their form."""

    from_: Annotated[int, tyro.conf.arg(name="from", metavar="N")] = 1
    """First move to show. A move is one decision; each line starts with the number of its first move."""

    to: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="(default: the last)")] = None
    """Last move to show."""

    tables: bool = False
    """Show the table after every turn."""

    all_cards: bool = False
    """Also show the cards that some players could not see: hidden cards, and a drawn card in hand."""

    json: bool = False
    """Print JSON: the record, and every move with its public effects, such as the scores of a round."""

    svg: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="(default: none)")] = None
    """Write the moves as an animated picture, of at most 200 kB, instead of printing them."""

    address: bool = False
    """Instead, print the address of a page that shows the game. The address contains the whole game."""

    colour: Literal["auto", "always", "never"] = "auto"
    """When to colour the cards."""

    def print_game(self, record: dict[str, Any], names: Sequence[str], agents: Sequence[str] | None = None) -> None:
        """Print the game of a record, or write it as a picture; `names` and `agents` are the players' by seat."""
        from cardtable.table.errors import TableError

        moves = len(record["actions"])
        last = moves if self.to is None else self.to
        if not (1 <= self.from_ <= last <= moves or (moves == 0 and self.from_ == 1 and last == 0)):
            raise TableError(f"--from {self.from_} --to {last}: the game has moves 1 to {moves}")
        if self.address:
            self._print_address(record, agents)
        elif self.svg is not None:
            self._write_svg(self.svg, record, last, agents)
        elif self.json:
            self._print_json(record, last)
        else:
            self._print_text(record, last, names)

    def _print_text(self, record: dict[str, Any], last: int, names: Sequence[str]) -> None:
        from skyjo.commands.shared import the_game
        from skyjo.table.described_game import DescribedGame, result_words, turn_lines
        from skyjo.terminal.console import folded, has_colour

        colour = has_colour(self.colour)
        described = DescribedGame(RecordFormat(the_game()).begin(record))
        print(f"{_origin(record)}\n")
        for turn in self._turns(described, record["actions"][:last]):
            end = turn[-1].end
            print(folded(f"{turn[0].number:>5}  {turn_lines(turn, names)[0]}", indent=7))
            if end is not None:
                print(f"\n{described.interface.terminal.format_end(described.game.rules, end, names, colour)}\n")
            elif self.tables:
                print(f"\n{self._table(described, colour)}")
        if not described.game.is_over and not self.tables:
            print(f"\n{self._table(described, colour)}")
        print(f"The {described.game.episode} is {result_words(described.game, names)}.")

    def _turns(self, described: DescribedGame, actions: list[int]) -> Iterator[list[Decision]]:
        """Yield the turns to print, each after it has been played."""
        turn: list[Decision] = []
        for action in actions:
            decision = described.apply(action)
            if decision.number < self.from_:
                continue
            turn.append(decision)
            if decision.ends_turn or decision.number == len(actions):
                yield turn
                turn = []

    def _table(self, described: DescribedGame, colour: bool) -> str:
        return described.interface.terminal.format_table(described.game, colour, self.all_cards)

    def _print_address(self, record: dict[str, Any], agents: Sequence[str] | None) -> None:
        from cardtable.table.errors import TableError
        from cardtable.table.game.records import packed, shared_text

        shown_here = self.json, self.tables, self.all_cards, self.svg is not None, self.to is not None
        if any(shown_here) or self.from_ != 1:
            raise TableError("--address prints the address of the whole game; only --colour can be given with it")
        print(f"{PAGE}#{packed(shared_text(record, agents or ()))}")

    def _write_svg(self, file: str, record: dict[str, Any], last: int, agents: Sequence[str] | None) -> None:
        from cardtable.table.errors import TableError
        from skyjo.commands.animated_replay import animated_replay
        from skyjo.terminal.console import waiting
        from skyjo.terminal.text_files import target, write_text

        if self.json or self.tables or self.all_cards:
            raise TableError("--svg cannot be used with --json, --tables or --all-cards")
        path = target(file, "replay.svg")
        with waiting("drawing the game"):
            svg = animated_replay(record, self.from_, last, agents)
        write_text(path, svg)
        print(f"Saved {path} ({len(svg.encode()) / 1000:.0f} kB).")

    def _print_json(self, record: dict[str, Any], last: int) -> None:
        import json

        from skyjo.commands.shared import the_game
        from skyjo.table.described_game import DescribedGame
        from skyjo.terminal.console import waiting

        described = DescribedGame(RecordFormat(the_game()).begin(record))
        moves: list[MoveDocument] = []
        with waiting("playing the game again"):
            for action in record["actions"][:last]:
                decision = described.apply(action)
                if decision.number >= self.from_:
                    move = _move(decision, described)
                    if self.all_cards:
                        move["position"] = described.game.position()
                    moves.append(move)
        document: ReplayDocument = {"record": record, "moves": moves, "winners": described.game.winners}
        print(json.dumps(document, indent=2))


@dataclass(frozen=True)
class Replay(ReplayOptions):
    """Print a recorded game: one line per turn, and the boards and scores after each round."""

    file: Annotated[str, tyro.conf.arg(metavar="FILE"), tyro.conf.Positional]
    """Record, as text or JSON (docs/reference/notation.md), or address of a shared game; - reads standard input."""

    def run(self) -> None:
        """Read, check and print the game."""
        from skyjo.commands.shared import written_game
        from skyjo.terminal.console import waiting

        with waiting("reading the game"):
            game = written_game(self.file)
        self.print_game(game.record(), [f"seat {seat}" for seat in range(game.rules.players)])


def _origin(record: dict[str, Any]) -> str:
    """Return the origin of the cards in words."""
    if record["start"] is not None:
        return f"from a written position, {len(record['actions'])} moves"
    rules = f"rules {record['rules']}" if record["rules"] else "official rules"
    return f"{rules}, seed {record['seed']}, deal {record['deal']}, {len(record['actions'])} moves"


def _move(decision: Decision, described: DescribedGame) -> MoveDocument:
    from cardtable.table.game.events import event_document, seen_by
    from skyjo.commands.shared import the_game

    return {
        "move": decision.number,
        "round": decision.round,
        "seat": decision.seat,
        "action": decision.action,
        "name": the_game().action_names(described.game.rules)[decision.action],
        "words": decision.words,
        "totals": described.game.totals,
        "events": [event_document(seen_by(event, None)) for event in decision.events],
    }
