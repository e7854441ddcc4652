"""Nothing that a seat cannot see reaches its browser: with other hidden cards, it is sent the same bytes,
also as a hint and by the inspector."""

import random
import re
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from skyjo.web.tables import WebTable

import skyjo_action_env
from cardtable.table.game.table_game import game_class
from skipbo_env.card_game import GameBatch as SkipboBatch
from skyjo.table.played_game import PlayedGame
from skyjo_action_env.card_game import GameBatch as SkyjoActionBatch
from skyjo_action_env.people.documents import Documents
from skyjo_env.card_game import GameBatch as SkyjoBatch
from tests.helpers import first_quick
from tests.skyjo.web_client import House, Visitor

BATCHES: dict[str, Any] = {"skyjo": SkyjoBatch, "skipbo": SkipboBatch, "skyjo_action": SkyjoActionBatch}
RULES = {"skyjo": "", "skipbo": "stock=8", "skyjo_action": ""}
GAMES = 20  # per seat
MAX_DECISIONS = 40
CHANCE = re.compile("^chance .*$", re.MULTILINE)
ADVISERS = {"skyjo": "expected", "skipbo": "greedy", "skyjo_action": "greedy"}
TAKE = 1  # the action that takes the discard, in Skyjo and Skyjo Action
NO_HAND: tuple[Any, ...] = (None, [], ["?"], ["?"] * 3)  # of a seat whose cards are not seen


class Told:
    """A game at a table with a browser in either seat and one that looks on, and what was sent to them."""

    def __init__(self, house: House, visitors: list[Visitor], game: Any, stack: ExitStack) -> None:
        host, guest, _ = visitors
        self.number = host.open("you", "open", rules=RULES[game.rules.game])
        guest.join(self.number)
        self.table = house.room.find(self.number)
        self.table.played = PlayedGame(game, [None, None])
        self.seats = [stack.enter_context(visitor.at(self.number)) for visitor in visitors]
        for place, seat in enumerate(self.seats):
            for _ in range(len(self.seats) - place):  # everybody is told of everybody who comes
                seat.receive()

    @property
    def game(self) -> Any:
        return self.table.played.game

    def act(self, action: int) -> None:
        seat = self.seats[self.game.seat]
        seat.send(seq=self.table.seq, action=action)
        for each in self.seats:
            assert each.receive()["kind"] == "view"

    def ask(self, seat: int) -> bool:
        """Let this seat and who looks on ask all that they can; was that a hint, too?"""
        decides = self.game.seat == seat and not self.game.is_over
        for place, what, kind in ((seat, "inspect", "inspected"), (2, "inspect", "inspected"), (seat, "hint", "hint")):
            if what != "hint" or decides:
                assert self.seats[place].ask(seq=self.table.seq, ask=what)["kind"] == kind
        if (
            decides
            and self.game.rules.game != "skipbo"
            and self.game.phase == "turn"
            and TAKE in self.game.legal_actions()
        ):
            assert self.seats[seat].ask(seq=self.table.seq, ask="hint", after=TAKE)["kind"] == "hint"
        return decides

    def texts(self, place: int) -> list[str]:
        return self.seats[place].texts


@pytest.fixture(autouse=True)
def advisers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints that take no time, and that are given between people, too."""
    monkeypatch.setattr(PlayedGame, "adviser", lambda played: ADVISERS[played.rules.game])
    monkeypatch.setattr(WebTable, "check_alone", lambda *_: None)


def twins(game: Any, seat: int, seed: int) -> tuple[Any, Any]:
    """A game, and one with other cards where this seat cannot see them; agents have the same luck in both."""
    batch = BATCHES[game.rules.game]
    guess = batch.sample(game.rules, game.observation(seat)[None], seed, game.episode)
    real, other = game.position(), CHANCE.sub(CHANCE.findall(game.position())[0], guess.game(0).position())
    return type(game).from_position(real), type(game).from_position(other)


@pytest.mark.parametrize("seat", first_quick(1, [0, 1]))
@pytest.mark.parametrize("game", BATCHES)
def test_other_hidden_cards_are_the_same_bytes(game: str, seat: int, house: House) -> None:
    chance, visitors = random.Random(seat), [house.visitor() for _ in range(3)]
    compared = hidden_moves = hints = 0
    for number in range(GAMES):
        base = game_class(house.room.game)(house.room.game.rules(RULES[game]), number, 0, "round")
        for _ in range(chance.randrange(30)):
            if not base.is_over:
                base.apply(chance.choice(base.legal_actions()))
        if base.is_over:
            continue
        real, other = twins(base, seat, number)
        assert real.position() != other.position()
        with ExitStack() as stack:
            tables = [Told(house, visitors, twin, stack) for twin in (real, other)]
            for _ in range(MAX_DECISIONS):
                one, two = tables
                if not np.array_equal(one.game.observation(seat), two.game.observation(seat)):
                    break
                hints += sum(table.ask(seat) for table in tables)
                for place in (seat, 2):
                    assert one.texts(place) == two.texts(place)
                compared += 1
                hidden_moves += one.game.seat != seat
                legal = sorted({*one.game.legal_actions()} & {*two.game.legal_actions()})
                if not legal:
                    break
                action = chance.choice(legal)
                for table in tables:
                    table.act(action)
    assert compared > GAMES
    assert hidden_moves > 0
    assert hints > 6


@pytest.mark.parametrize("game", BATCHES)
def test_a_drawn_card_and_a_hand_are_for_their_seat_alone(game: str, house: House) -> None:
    chance, visitors = random.Random(4), [house.visitor() for _ in range(3)]
    dealt = game_class(house.room.game)(house.room.game.rules(RULES[game]), 3, 0, "round")
    has_seen = False
    with ExitStack() as stack:
        table = Told(house, visitors, dealt, stack)
        for _ in range(MAX_DECISIONS):
            views = [visitor.view(table.number) for visitor in visitors]
            decider = table.game.seat
            if table.game.phase in ("drawn", "turn") and views[decider]["table"]["hand"] not in NO_HAND:
                has_seen = True
                assert views[2]["table"]["hand"] in NO_HAND
                assert views[1 - decider]["table"]["hand"] != views[decider]["table"]["hand"]
            assert [view["actions"] != [] for view in views] == [decider == place for place in range(3)]
            table.act(chance.choice(table.game.legal_actions()))
    assert has_seen


def test_after_a_reshuffle_who_knows_all_cards_sees_a_position_and_others_none() -> None:
    """Clause 12.3: a position deals every ? from all unseen cards, though some are known to be in the draw pile."""
    game = skyjo_action_env.Game.from_position("""
        skyjo_action-position 1
        reshuffles 1
        layout 1 1 2 2 | 3 3 4 4 | 5 5 6 ?6@0
        layout 7 7 8 8 | 9 9 10 10 | 11 11 12 ?12@0,1
        discard 0
        strays 5 -1
        seat 0 turn
    """)
    seen = game.observation(0)
    text = Documents().seen_position(game.rules, seen, "game", True)
    assert "strays -1 5" in text
    assert np.array_equal(skyjo_action_env.Game.from_position(text).observation(0), seen)
    assert Documents().seen_position(game.rules, game.observation(1), "game", True) == ""
    assert Documents().seen_position(game.rules, seen, "game", False) == ""
