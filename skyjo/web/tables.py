"""One table: what is played, who holds which seat, and the decisions. Every change is written to disk first."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import AgentError, IllegalActionError, TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import TableGame, game_class
from skyjo.table.played_game import PlayedGame
from skyjo.table.seating import OPEN, seat_titles, seated_agents
from skyjo.web.requests import FASTEST, SLOWEST
from skyjo.web.table_files import Line, TableFile

VERSION = 1  # of a table's file
DAMAGED = "the file of this table is damaged"
USUAL = 2.0  # decisions of agents a second
ROOMY = 300_000  # bytes of a file beyond which nothing is taken back and no pace is set, as neither ever ends


@dataclass(frozen=True)
class TableSetup:
    """How a table began; only the server may know the seed."""

    game: str
    rules: str
    seed: int
    episode: str
    seats: list[str]  # you, open, or an agent's text
    owners: list[str | None]  # by seat, the browser of the person who holds it
    is_practice: bool = False
    opener: str | None = None  # the browser that opened the table
    start: str = ""  # the written game that goes on here; rules, seed and episode then come from there
    daily: str = ""  # the day, if its cards are the same for everybody on that day
    names: Sequence[str] = ()  # by seat, what people and agents are called; fewer or empty where they have no name

    def line(self) -> dict[str, Any]:
        """The first line of a table's file."""
        return {"table": VERSION, **asdict(self)}

    def dealt(self) -> TableGame[Any]:
        """The game before its first decision at this table."""
        game = find_game(self.game)
        if self.start:
            return RecordFormat(game).read_game(self.start)
        return game_class(game)(game.rules(self.rules, len(self.seats)), self.seed, 0, self.episode)

    @property
    def all_names(self) -> list[str]:
        """A name for each seat, empty where it has none."""
        return [*self.names, *[""] * (len(self.seats) - len(self.names))]

    @property
    def browsers(self) -> set[str]:
        """The browsers that held a seat from the beginning, and the one that opened the table."""
        return {owner for owner in [*self.owners, self.opener] if owner is not None}

    @classmethod
    def read(cls, line: Line) -> "TableSetup":
        """The setup that the first line of a file describes; TableError if it describes none."""
        try:
            fields = dict(line)
            if fields.pop("table") != VERSION:
                raise TableError("the file of this table is of another version")
            setup = cls(**fields)
        except (KeyError, TypeError):
            raise TableError(DAMAGED) from None
        setup._check()
        return setup

    def _check(self) -> None:
        """TableError unless every field is of its type."""
        lists = isinstance(self.seats, list) and isinstance(self.owners, list) and len(self.seats) == len(self.owners)
        if not lists or not isinstance(self.names, list | tuple) or len(self.names) > len(self.seats):
            raise TableError(DAMAGED)
        texts = [self.game, self.rules, self.episode, self.start, self.daily, *self.names]
        if not all(isinstance(text, str) for text in [*texts, *self.seats]):
            raise TableError(DAMAGED)
        if not all(owner is None or isinstance(owner, str) for owner in [*self.owners, self.opener]):
            raise TableError(DAMAGED)
        if type(self.seed) is not int or type(self.is_practice) is not bool:
            raise TableError(DAMAGED)


@dataclass(frozen=True)
class Pacing:
    """How fast agents decide at a table of agents only, as set by whoever opened it."""

    pace: float = USUAL  # decisions a second
    is_paused: bool = False
    is_stepping: bool = False  # one decision, although the table is paused

    @property
    def goes_on(self) -> bool:
        """May an agent decide?"""
        return self.is_stepping or not self.is_paused


class WebTable:
    """A table that people in browsers and agents play at."""

    def __init__(self, number: str, setup: TableSetup, file: TableFile) -> None:
        """Deal; `number` is what the table is called in addresses."""
        self.number, self.setup, self._file = number, setup, file
        dealt = setup.dealt()
        agents = agents_of(find_game(setup.game))
        self.played = PlayedGame(dealt, seated_agents(agents, dealt.rules, setup.seats))
        self.owners = list(setup.owners)
        self.names = setup.all_names
        self.is_practice = setup.is_practice
        self.rematch: str | None = None  # the table where the same cards are played again
        self.next_table: str | None = None  # the table where the same seats play with new cards
        self.conceded: int | None = None  # the seat that gave up, which ended the table
        self.browsers = 0  # connected
        self.substituted: set[int] = set()  # seats for which an agent decides until their people are back
        self.pacing = Pacing()
        self.uncovered: dict[str, int] = {}  # by browser, the seat whose private cards it has asked for
        self.changes = 0  # counts all that has happened, undos too

    @classmethod
    def restored(cls, number: str, file: TableFile) -> "WebTable":
        """A table restored from its file; TableError if the file is damaged."""
        first, *rest = file.read() or [{}]
        setup = TableSetup.read(first)
        try:
            table = cls(number, setup, file)
            for line in rest:
                table._carry_out(line)
        except AgentError:
            raise
        except (TableError, KeyError, TypeError, IndexError, ValueError, OverflowError):
            raise TableError(DAMAGED) from None
        return table

    # State

    @property
    def seq(self) -> int:
        """How many decisions have been made."""
        return len(self.played.decisions)

    @property
    def decider(self) -> int | None:
        """The seat to move; None once the game is over, or a seat has given up."""
        return None if self.played.game.is_over or self.conceded is not None else self.played.game.seat

    @property
    def agent_decides(self) -> bool:
        """Is it an agent's decision?"""
        return self.decider is not None and self.played.agents[self.decider] is not None

    @property
    def is_watched(self) -> bool:
        """Do only agents sit here?"""
        return None not in self.played.agents

    def may_pace(self, owner: str) -> bool:
        """May this browser set the pace of the agents?"""
        return self.setup.opener == owner and any(agent is not None for agent in self.played.agents)

    @property
    def free_seats(self) -> list[int]:
        """The seats that wait for somebody."""
        return [seat for seat, text in enumerate(self.setup.seats) if text == OPEN and self.owners[seat] is None]

    def seats_of(self, owner: str) -> list[int]:
        """The seats that a browser holds."""
        return [seat for seat, other in enumerate(self.owners) if other == owner]

    def may_decide(self, owner: str) -> bool:
        """Is it this browser's decision?"""
        return self.decider is not None and self.owners[self.decider] == owner

    def seat_at(self, owner: str) -> int | None:
        """The seat that a browser plays now: the one that decides, else its next one to decide."""
        game = self.played.game
        return min(self.seats_of(owner), key=lambda seat: (seat - game.seat) % game.rules.players, default=None)

    def is_covered(self, owner: str) -> bool:
        """Must the private cards of this browser's seat stay hidden for now, from another person at the same screen?"""
        is_shared = self.played.interface.has_private_hands and len(self.seats_of(owner)) > 1
        return is_shared and self.decider is not None and self.uncovered.get(owner) != self.seat_at(owner)

    def uncover(self, owner: str) -> None:
        """Show a browser the cards of the seat that it plays now, until it plays another one."""
        if not self.is_covered(owner):
            raise TableError("no cards are covered")
        self.uncovered[owner] = self.seat_at(owner) or 0

    # Changes: each is written to disk before it is carried out

    def act(self, action: int) -> None:
        """Apply a decision of the seat to move; an illegal one raises IllegalActionError and changes nothing."""
        game = self.played.game
        if action not in game.legal_actions():
            raise IllegalActionError(f"action {action} is not legal now")
        self._write({"action": action})

    def undo(self, owner: str) -> None:
        """Go back to this browser's last decision; TableError where that is not allowed."""
        self.check_alone(owner, "undo works")
        if self.decider is None:
            raise TableError("the game is over: the same cards can be played again")
        if not any(decision.seat in self.seats_of(owner) for decision in self.played.decisions):
            raise TableError("you have not decided anything yet")
        self._check_room()
        self._write({"undo": self.seats_of(owner)})

    def act_for(self, owner: str, action: int) -> None:
        """Carry out what an agent has chosen in a person's place; TableError where that is not allowed."""
        self.check_alone(owner, "an agent can act for you")
        self._write({"lent": action})

    def act_for_absent(self, action: int) -> None:
        """Carry out what an agent has chosen for somebody who has left."""
        self._write({"lent": action})

    def concede(self, owner: str) -> None:
        """Give up, which ends the table; TableError where that is not allowed."""
        self.check_alone(owner, "you can give up")
        if self.decider is None:
            raise TableError("the game is over")
        self._write({"concede": self.seat_at(owner)})

    def check_alone(self, owner: str, what: str) -> None:
        """TableError unless this browser plays, and all seats that it does not hold are agents'."""
        others = {*range(len(self.owners))} - {*self.seats_of(owner)}
        if not self.seats_of(owner) or any(self.played.agents[seat] is None for seat in others):
            raise TableError(f"{what} only if all other seats are agents")

    def set_pace(self, pacing: Pacing) -> None:
        """Set the agents' pace; a single step is not kept."""
        kept = {"pace": pacing.pace, "paused": pacing.is_paused}
        if kept != {"pace": self.pacing.pace, "paused": self.pacing.is_paused}:
            self._check_room()
            self._file.append(kept)
        self.pacing = pacing

    def _check_room(self) -> None:
        if self._file.path.stat().st_size > ROOMY:
            raise TableError("this table's file is full: undo and changes of pace no longer work; open a new table")

    def titles(self, viewer: str) -> list[str]:
        """What this viewer sees the seats called."""
        return seat_titles(self.setup.seats, self.owners, viewer, self.names)

    def join(self, owner: str, name: str = "") -> int:
        """Take a free seat for a browser, whose player may have a name; TableError if there is none."""
        free = self.free_seats
        if not free:
            raise TableError("no seat is free at this table")
        self._write({"join": free[0], "owner": owner} | ({"name": name} if name else {}))
        return free[0]

    def note_forgotten(self, owner: str) -> None:
        """Note that a browser has removed the table from its list."""
        self._write({"forget": owner})

    def delete(self) -> None:
        """Delete the file."""
        self._file.path.unlink(missing_ok=True)

    @property
    def written(self) -> datetime:
        """When the file was last written to."""
        return self._file.written

    def note_rematch(self, number: str) -> None:
        """Note the table where the same cards are played again."""
        self._write({"again": number})

    def note_next_table(self, number: str) -> None:
        """Note the table where the same seats play with new cards."""
        self._write({"next": number})

    def _write(self, line: Line) -> None:
        self._file.append(line)
        self._carry_out(line)

    def _carry_out(self, line: Line) -> None:
        """Carry out a line of the file."""
        match line:
            case {"action": int(action)}:
                self.played.apply(action)
            case {"undo": list(seats)}:
                self.is_practice = True
                self.played.go_back(seats)
            case {"lent": int(action)}:
                self.is_practice = True
                self.played.apply(action)
            case {"concede": int(seat)} if seat in range(len(self.owners)):
                self.conceded = seat
            case {"pace": float(pace), "paused": bool(is_paused)} if SLOWEST <= pace <= FASTEST:
                self.pacing = Pacing(pace, is_paused)
            case {"join": int(seat), "owner": str(owner)} if seat in range(len(self.owners)):
                self.owners[seat] = owner
                self.names[seat] = str(line.get("name", ""))
            case {"forget": str()}:
                pass  # a browser has removed the table from its list
            case {"again": str(number)}:
                self.rematch = number
            case {"next": str(number)}:
                self.next_table = number
            case _:
                raise KeyError("line")
        self.uncovered = {owner: seat for owner, seat in self.uncovered.items() if self.seat_at(owner) == seat}
        self.changes += 1


def owners_in(lines: Iterable[Line]) -> set[str]:
    """The browsers whose lists have a table, from the lines of its file, without playing it."""
    first, *rest = lines
    found = TableSetup.read(first).browsers
    for line in rest:
        if "join" in line:
            found.add(str(line["owner"]))
        elif "forget" in line:
            found.discard(str(line["forget"]))
    return found
