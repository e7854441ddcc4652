"""One room: its game, the browsers in it, what each of them may see, and the agents that decide."""

import asyncio
import json
import secrets
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cardtable.table.checks import brief
from cardtable.table.errors import IllegalActionError, TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.events import event_document, seen_by
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import game_class
from skyjo.table.described_game import RESULTS, Decision, DescribedGame
from skyjo.table.seating import PEOPLE, YOU, check_seats, seat_titles
from skyjo.web.requests import RequestError, read_name, read_object
from skyjo.web.room_store import RoomState

if TYPE_CHECKING:
    from skyjo.web.live_rooms import LiveRooms

PAUSE = 0.5  # seconds before an agent decides
GONE, FULL = 4404, 4503  # close codes of sockets: there is no such room; there is no place now


class Browser:
    """One connection of a browser to a room."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.seen = 0  # how many decisions it has been sent
        self.own: list[int] = []  # its seats when it was sent them
        self.waiting: asyncio.Queue[str | tuple[int, str]] = asyncio.Queue()  # messages, and why it is sent away

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message: a browser that reads slowly does not delay the others."""
        self.waiting.put_nowait(json.dumps(message, separators=(",", ":"), ensure_ascii=False))

    def dismiss(self, code: int, reason: str) -> None:
        """Let its connection be closed, once it has been sent what waits."""
        self.waiting.put_nowait((code, reason))


class Room:
    """A game that people in browsers and agents play. Every change is written before it is sent."""

    def __init__(self, number: str, state: RoomState, rooms: "LiveRooms") -> None:
        """Deal, and play what has been decided."""
        self.number, self.state, self._rooms = number, state, rooms
        self.browsers: list[Browser] = []
        self.substituted: set[int] = set()  # seats for which an agent decides until their people are back
        self._deciding: asyncio.Task[None] | None = None
        card_game = find_game(state.game)
        rules = card_game.rules(state.rules, len(state.seats))
        self.described = DescribedGame(game_class(card_game)(rules, state.seed, 0, state.episode))
        self.decisions = [self.described.apply(action) for action in state.actions]
        self._note()

    @property
    def game(self) -> Any:
        """The game."""
        return self.described.game

    @property
    def here(self) -> set[str | None]:
        """The browsers that are connected."""
        return {browser.owner for browser in self.browsers}

    @property
    def agent(self) -> str | None:
        """The agent that decides, perhaps for a player who left; None if it is a person's decision or over."""
        seat = self.state.decider
        if seat is None:
            return None
        if seat in self.substituted:
            return self.described.interface.opponents[0]
        return None if self.state.seats[seat] in PEOPLE else self.state.seats[seat]

    def _note(self) -> None:
        """Note how the game stands."""
        game, state = self.game, self.state
        state.round, state.totals, state.decider = game.round, [*game.totals], None if game.is_over else game.seat
        state.winners, state.truncated = [*game.winners], game.is_truncated

    # What browsers and agents do

    async def answer(self, browser: Browser, text: str) -> None:
        """Carry out a browser's request, or refuse it in one line; ignore it once the browser has been sent away."""
        if browser not in self.browsers:
            return
        try:
            asked, state = read_object(text, {"seq": int}, {"action": int, "ask": str}), self.state
            own = state.seats_of(browser.owner)
            if ("action" in asked) == ("ask" in asked):
                raise RequestError("a message has an action, or something to ask")
            if not own or ("action" in asked and state.decider not in own):
                raise RequestError("it is not your turn" if own else "only players in this room can do that")
            if asked["seq"] != len(self.decisions):
                raise RequestError("the game has moved on")
            if "action" in asked:
                self._act(asked["action"])
            elif asked["ask"] == "substitute":
                self._substitute()
            elif asked["ask"] == "rematch":
                await self._rematch()
            else:
                raise RequestError(f"{brief(asked['ask'])} is not substitute or rematch")
        except TableError as error:
            self._refuse(browser, error)

    def _refuse(self, browser: Browser, error: TableError) -> None:
        browser.send({"kind": "refused", "seq": len(self.decisions), "words": str(error)})

    def _act(self, action: int) -> None:
        """Apply a decision of the seat to move, and commit it; an illegal one changes nothing."""
        if action not in self.game.legal_actions():
            raise IllegalActionError(f"action {brief(action)} is not legal now")
        self.decisions.append(self.described.apply(action))
        self.state.actions.append(action)
        self._note()
        self._rooms.commit(self)
        self.update()

    def _substitute(self) -> None:
        """Let an agent decide for the person to move, who is not here, until that person is back."""
        seat = self.state.decider
        if seat is None or self.agent is not None or self.state.owners[seat] in self.here:
            raise RequestError("the player to move has not left")
        self.substituted.add(seat)
        self.update()

    async def _rematch(self) -> None:
        """Send all browsers to the room in which the players go on: the one begun before, or a new one."""
        if self.state.decider is not None:
            raise RequestError("the game is not over")
        number = await self._rooms.following(self)
        for browser in self.browsers:
            browser.send({"kind": "moved", "id": number})

    def update(self) -> None:
        """Send every browser its view, and let agents decide."""
        self.substituted = {seat for seat in self.substituted if self.state.owners[seat] not in self.here}
        for browser in self.browsers:
            own = self.state.seats_of(browser.owner)
            if own != browser.own:  # it may see more of what has been decided
                browser.own, browser.seen = own, 0
            browser.send(self.view(browser.owner, browser.seen))
            browser.seen = len(self.decisions)
        if self.agent is not None and (self._deciding is None or self._deciding.done()):
            self._deciding = asyncio.create_task(self._let_agents_decide())

    async def _let_agents_decide(self) -> None:
        """Let agents decide, outside the event loop, until it is a person's turn or no browser is left."""
        try:
            while self.browsers and (agent := self.agent) is not None:
                await asyncio.sleep(PAUSE)
                seq, points = len(self.decisions), (self.game.observation()[None], self.game.mask()[None])
                if agent == self.agent:
                    (action,) = await self._rooms.agents.decide(self.game.rules, agent, *points)
                    if self.browsers and (self.agent, len(self.decisions)) == (agent, seq):
                        self._act(action)
        except TableError as error:
            for browser in self.browsers:
                self._refuse(browser, error)

    # What browsers are sent

    def view(self, viewer: str, first: int) -> dict[str, Any]:
        """Return all that a browser sees, with the decisions from a number on."""
        game, state, own = self.game, self.state, self.state.seats_of(viewer)
        seat = min(own, key=lambda seat: (seat - game.seat) % len(state.seats), default=None)
        return {
            "kind": "room",
            "id": self.number,
            "game": state.game,
            "rules": game.rules.to_text(),
            "episode": state.episode,
            "seq": len(self.decisions),
            "round": game.round,
            "phase": game.phase,
            "totals": state.totals,
            "decider": state.decider,
            "names": seat_titles(state.seats, state.owners, viewer, state.names),
            "people": [text in PEOPLE for text in state.seats],
            "here": [owner in self.here for owner in state.owners],
            "own": own,
            "seat": seat,
            "observation": self._observation(seat).tolist(),
            "is_own": seat is not None,
            "legal": game.legal_actions() if state.decider in own else [],
            "winners": state.winners if state.decider is None else None,
            "truncated": state.truncated,
            "first": first,
            "decisions": [_seen(decision, own) for decision in self.decisions[first:]],
            "substituted": sorted(self.substituted),
        }

    def _observation(self, seat: int | None) -> Any:
        """Return what a seat sees, or what anyone who watches does."""
        game = self.game
        if seat is not None:
            return game.observation(seat)
        other = game.observation((game.seat + 1) % game.rules.players)  # the seat to move may have drawn a card
        return self.described.interface.documents.public(game.rules, other)

    def record(self) -> str:
        """Return the game as text, seed included; RequestError unless it is over."""
        if self.state.decider is not None:
            raise RequestError("the game is not over")
        return RecordFormat(self.game.card_game).format_record(self.game.record())


def _seen(decision: Decision, own: Collection[int]) -> dict[str, Any]:
    """Return a decision as the holder of these seats sees it."""
    seats = [getattr(event, "seat", None) for event in decision.events]
    events = [seen_by(event, seat if seat in own else None) for event, seat in zip(decision.events, seats, strict=True)]
    return {
        "seat": decision.seat,
        "action": decision.action,
        "round": decision.round,
        "turn_over": decision.ends_turn,
        "events": [*map(event_document, events)],
    }


def listed(number: str, state: RoomState, changed: float, viewer: str) -> dict[str, Any]:
    """Return a room for a browser's list."""
    names, is_over = seat_titles(state.seats, state.owners, viewer, state.names), state.decider is None
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
    }


def opened(asked: Mapping[str, Any], owner: str) -> RoomState:
    """Return the room that a browser asks for, with a random seed; TableError if it cannot be."""
    seats, names = asked["seats"], asked.get("names", [])
    card_game = find_game(asked["game"])
    check_seats(seats, card_game.official.ranges["players"])
    if not all(isinstance(text, str) for text in seats) or YOU not in seats or len(names) > len(seats):
        raise RequestError("a room has a seat for you, others for people or agents, and at most one name for each")
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
    )
