"""One room: its game, who decides, and what each browser may see of it. Nothing here waits, reads or writes."""

import secrets
import string
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from cardtable.table.checks import brief
from cardtable.table.errors import IllegalActionError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.events import seen_by
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import game_class
from skyjo.interfaces import find_interface
from skyjo.table.described_game import RESULTS
from skyjo.table.seating import PEOPLE, YOU, check_seats, seat_titles
from skyjo.web.person_names import read_name
from skyjo.web.requests import LIST, TEXT, RequestError, check_fields
from skyjo.web.room_store import RoomState

LETTERS = 12  # of a room's number
AGAIN, REMATCH = "again", "rematch"  # how players go on: with the same cards, or new ones


class Told(NamedTuple):
    """A decision, and its events with all that they hide."""

    seat: int
    action: int
    round: int
    ends_turn: bool
    events: Sequence[Any]


class Room:
    """A game that people in browsers and agents play."""

    def __init__(self, number: str, state: RoomState, actions: Sequence[int] = ()) -> None:
        """Deal, and play what has been decided."""
        self.number, self.state = number, state
        self.card_game, self.interface = find_game(state.game), find_interface(state.game)
        rules = self.card_game.rules(state.rules, len(state.seats))
        self.game = game_class(self.card_game)(rules, state.seed, 0, state.episode)
        self.told: list[Told] = []
        self.substituted: set[int] = set()  # seats for which an agent decides until their people are back
        for action in actions:
            self._play(action)
        self._note()

    @property
    def seq(self) -> int:
        """How many decisions have been made."""
        return len(self.told)

    @property
    def agent(self) -> str | None:
        """The agent that decides, perhaps for somebody who has left; None if it is a person's decision or over."""
        seat = self.state.decider
        if seat is None:
            return None
        if seat in self.substituted:
            return self.interface.opponents[0]
        return None if self.state.seats[seat] in PEOPLE else self.state.seats[seat]

    def act(self, action: int) -> None:
        """Apply a decision of the seat to move; an illegal one raises IllegalActionError and changes nothing."""
        if action not in self.game.legal_actions():
            raise IllegalActionError(f"action {action} is not legal now")
        self._play(action)
        self._note()

    def _play(self, action: int) -> None:
        game, before = self.game, (self.game.round, self.game.seat)
        events = game.play(action)
        begins = game.phase in self.interface.first_phases or (game.round, game.seat) != before
        self.told.append(Told(before[1], action, before[0], game.is_over or begins, events))

    def _note(self) -> None:
        """Note how the game stands."""
        game, state = self.game, self.state
        state.round, state.totals, state.decider = game.round, [*game.totals], None if game.is_over else game.seat
        state.winners, state.truncated = [*game.winners], game.is_truncated

    def record(self) -> str:
        """Return the game as text, seed included; RequestError unless it is over."""
        if self.state.decider is not None:
            raise RequestError("the game is not over")
        return RecordFormat(self.card_game).format_record(self.game.record())

    def following(self, how: str, owner: str) -> RoomState:
        """Return the room in which its players go on; RequestError unless the game is over."""
        if self.state.decider is not None:
            raise RequestError("the game is not over")
        seed = self.state.seed if how == AGAIN else secrets.randbits(64)
        changes = {"opener": owner, "next_rooms": {}, "forgotten": [], "practice": how == AGAIN, "seed": seed}
        return RoomState(**(asdict(self.state) | changes))

    # What browsers are sent

    def view(self, viewer: str, here: Collection[str | None], first: int) -> dict[str, Any]:
        """Return all that a browser sees, with the decisions from a number on; `here` are the browsers in the room."""
        game, state = self.game, self.state
        own = state.seats_of(viewer)
        seat = min(own, key=lambda seat: (seat - game.seat) % len(state.seats), default=None)
        return {
            "kind": "room",
            "id": self.number,
            "game": state.game,
            "rules": game.rules.to_text(),
            "episode": state.episode,
            "seq": self.seq,
            "round": game.round,
            "phase": game.phase,
            "totals": state.totals,
            "decider": state.decider,
            "names": _titles(state, viewer),
            "people": [text in PEOPLE for text in state.seats],
            "here": [owner in here for owner in state.owners],
            "own": own,
            "seat": seat,
            "observation": self._observation(seat).tolist(),
            "is_own": seat is not None,
            "legal": game.legal_actions() if state.decider in own else [],
            "winners": state.winners if state.decider is None else None,
            "truncated": state.truncated,
            "first": first,
            "decisions": [_seen(told, own) for told in self.told[first:]],
            "substituted": sorted(self.substituted),
            "pace": state.pace if viewer == state.opener else None,
            "practice": state.practice,
        }

    def _observation(self, seat: int | None) -> Any:
        """Return what a seat sees, or what anyone who watches does."""
        game = self.game
        if seat is not None:
            return game.observation(seat)
        other = game.observation((game.seat + 1) % game.rules.players)  # the seat to move may have drawn a card
        return self.interface.documents.public(game.rules, other)


def _seen(told: Told, own: Collection[int]) -> dict[str, Any]:
    """Return a decision as the holder of these seats sees it."""
    seats = [getattr(event, "seat", None) for event in told.events]
    events = [seen_by(event, seat if seat in own else None) for event, seat in zip(told.events, seats, strict=True)]
    return {
        "seat": told.seat,
        "action": told.action,
        "round": told.round,
        "turn_over": told.ends_turn,
        "events": [{"event": type(event).__name__, **vars(event)} for event in events],
    }


def listed(number: str, state: RoomState, changed: float, viewer: str) -> dict[str, Any]:
    """Return a room for a browser's list."""
    names, is_over = _titles(state, viewer), state.decider is None
    winners = RESULTS["and"].join(names[seat] for seat in state.winners) or RESULTS["nobody"]
    result = RESULTS["stopped" if state.truncated else "over"].format(winners=winners)
    return {
        "id": number,
        "words": f"{', '.join(names)}; {result if is_over else f'round {state.round}'}",
        "names": names,
        "when": datetime.fromtimestamp(changed).astimezone().isoformat(timespec="minutes"),
        "scores": state.totals if is_over or state.round > 1 else None,
        "round": state.round,
        "over": is_over,
        "yours": state.decider in state.seats_of(viewer),
        "daily": "",
    }


def _titles(state: RoomState, viewer: str) -> list[str]:
    """Return what a browser sees the seats called."""
    return seat_titles(state.seats, state.owners, viewer, state.names)


def new_number() -> str:
    """Return a number for a room, which nobody can guess."""
    return "room-" + "".join(secrets.choice(string.ascii_lowercase) for _ in range(LETTERS))


def opened(asked: Mapping[str, Any], owner: str) -> RoomState:
    """Return the room that a browser asks for, with a random seed; TableError if it cannot be."""
    check_fields(asked, {"game": TEXT, "seats": LIST}, {"names": LIST, "rules": TEXT, "episode": TEXT})
    seats, names = asked["seats"], asked.get("names", [])
    card_game = find_game(asked["game"])
    check_seats(seats, card_game.official.ranges["players"])
    for text in seats:
        check_fields({"seat": text}, {"seat": TEXT})
    if len(names) > len(seats) or not {*seats} & {*PEOPLE}:
        raise RequestError("a room has a seat for a person, and at most one name for each seat")
    rules, episode = card_game.rules(asked.get("rules", ""), len(seats)), asked.get("episode", "game")
    if episode not in card_game.episodes:
        raise RequestError(f"episode={brief(episode)} is not one of {', '.join(card_game.episodes)}")
    return RoomState(
        game=card_game.name,
        rules=rules.to_text(),
        seed=secrets.randbits(64),
        episode=episode,
        seats=seats,
        owners=[owner if text == YOU else None for text in seats],
        names=[*map(read_name, names), *[""] * (len(seats) - len(names))],
        opener=owner,
    )
