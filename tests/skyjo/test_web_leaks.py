"""Nothing that a seat cannot see reaches its browser: with other hidden cards, a room sends it the same bytes."""

import asyncio
import json
import random
from typing import Any

import numpy as np
import pytest

import skipbo_env
import skyjo_action_env
from cardtable.table.game.table_game import TableGame
from skyjo.interfaces import find_interface
from skyjo.table.game_text import GameJson
from skyjo.web.rooms import Browser, Room, opened
from tests.games.skipbo import SKIPBO
from tests.games.skyjo import SKYJO
from tests.games.skyjo_action import SKYJO_ACTION
from tests.games.under_test import GameUnderTest
from tests.helpers import first_quick

RULES: list[tuple[GameUnderTest, str]] = [(SKYJO, ""), (SKYJO, "initial_flip=random reshuffle=all_then_turn_up_new")]
RULES += [(SKYJO_ACTION, ""), (SKYJO_ACTION, "star_claim=must three_order=as_drawn defence=owner_decides")]
RULES += [(SKIPBO, f"stock=8 view={view}") for view in ("table", "tops", "own")]
GAMES = 20  # of each, and for each seat
MAX_DECISIONS = 40
OWNERS = ["Ada", "Bea", "Cyd"]  # the last one has no seat


class NoRooms:
    """Rooms that keep nothing."""

    def commit(self, *_: Any) -> None:
        """Forget."""


class Told:
    """A room with a browser in either seat and one that looks on, and all that was sent to them."""

    def __init__(self, game: TableGame[Any]) -> None:
        asked = {"game": game.rules.game, "seats": ["you", "open"], "rules": game.rules.to_text(), "episode": "round"}
        self.room = Room("room-leaks", opened(asked, OWNERS[0]), NoRooms())  # type: ignore[arg-type]
        self.room.state.owners, self.room.described.game = [*OWNERS[:2]], game
        self.room._note()
        self.room.browsers += map(Browser, OWNERS)
        self.room.update()

    @property
    def game(self) -> Any:
        return self.room.game

    def ask(self, seat: int, **message: Any) -> None:
        asyncio.run(
            self.room.answer(self.room.browsers[seat], json.dumps({"seq": len(self.room.decisions), **message}))
        )

    def sent(self, place: int) -> list[Any]:
        """Return what has been sent since it was last asked."""
        waiting = self.room.browsers[place].waiting
        return [waiting.get_nowait() for _ in range(waiting.qsize())]


def rooms_alike(game: GameUnderTest, rules: str, seat: int, number: int) -> tuple[Told, Told]:
    """Return two rooms with a game on its way, and with other cards in one where this seat cannot see them."""
    chance = random.Random(number)
    table = game.api.Game(rules, number, 0, "round")
    game.play(table, chance, chance.randrange(60), prefers=False)
    return Told(table), Told(game.unseen_changed(table, chance, seat))


@pytest.mark.parametrize("seat", first_quick(1, [0, 1]))
@pytest.mark.parametrize(("game", "rules"), RULES)
def test_other_hidden_cards_are_the_same_bytes(game: GameUnderTest, rules: str, seat: int) -> None:
    chance, hidden_moves = random.Random(seat), 0
    for number in range(GAMES):
        one, two = rooms_alike(game, rules, seat, number)
        for _ in range(MAX_DECISIONS):
            legal = sorted({*one.game.legal_actions()} & {*two.game.legal_actions()})
            if not legal or not np.array_equal(one.game.observation(seat), two.game.observation(seat)):
                break
            for place in (seat, 2):
                assert one.sent(place) == two.sent(place)
            action, decider = chance.choice(legal), one.game.seat
            hidden_moves += decider != seat
            for told in (one, two):
                told.ask(seat, action=999)
                told.ask(2, ask="substitute")
                told.ask(decider, action=action)
    assert hidden_moves > GAMES // 2


@pytest.mark.parametrize(("game", "rules"), RULES)
def test_who_watches_sees_what_can_be_seen_and_no_private_card(game: GameUnderTest, rules: str) -> None:
    told, chance = Told(game.api.Game(rules, 3, 0, "round")), random.Random(3)
    spec = game.card_game.spec_of(told.game.rules)
    for _ in range(MAX_DECISIONS):
        told.ask(told.game.seat, action=chance.choice(told.game.legal_actions()))
        if told.game.is_over:
            break
        view = json.loads(told.sent(2)[-1])
        assert (view["seat"], view["is_own"], view["legal"]) == (None, False, [])
        seen = np.array(view["observation"], np.int16)
        assert ((spec.low <= seen) & (seen <= spec.high)).all()
        named: Any = spec.view(seen)
        if game is SKIPBO:
            assert not named.hand.any()
        if game is SKYJO_ACTION:
            assert (named.known == skyjo_action_env.EMPTY).all()
        find_interface(game.name).documents.seen_position(told.game.rules, seen, "round")


def test_under_any_view_of_skipbo_people_see_cards_when_they_are_laid() -> None:
    told = Told(skipbo_env.Game("view=own", 3, 0, "round"))
    seat, seen = told.game.seat, list[Any]()
    while told.game.seat == seat and not told.game.is_over:
        told.ask(seat, action=told.game.legal_actions()[-1])
    for view in map(json.loads, told.sent(1 - seat)):
        seen += [event for decision in view["decisions"] for event in decision["events"]]
    (discarded,) = [event for event in seen if event["event"] == "CardDiscarded"]
    assert discarded["card"] == told.game.discard_pile(seat, discarded["pile"])[-1]


def test_of_a_game_that_does_not_say_what_is_private_nothing_is_seen() -> None:
    assert not GameJson().public(skipbo_env.Rules(), np.ones(9, np.int16)).any()
