"""Events say all that came of a decision: a table kept from them alone is the table, and each says what it should."""

import random

import pytest

from skyjo_env import Game, Rules, parse_action
from skyjo_env.events import (
    CardDiscarded,
    CardDrawn,
    CardPlaced,
    CardRevealed,
    CardTurnedUp,
    DiscardTaken,
    EnderPenalised,
    Event,
    GameOver,
    LinesCleared,
    LinesKept,
    PileReshuffled,
    RoundDealt,
    RoundEnded,
    RoundScored,
    RoundStopped,
    seen_by,
)
from skyjo_env.kernel.state import EMPTY, HIDDEN
from tests.helpers import BOARD, table
from tests.skyjo_env.lockstep import random_rules


def tell(game: Game, *names: str) -> tuple[Event, ...]:
    """The events of these actions, one after the other."""
    return tuple(event for name in names for event in game.play(parse_action(game.rules, name)))


class Onlooker:
    """Keeps the table from events alone, as somebody would who saw it when it was dealt."""

    def __init__(self, game: Game) -> None:
        self.rules = game.rules
        self.boards = shown(game)
        self.discard = discards(game)
        self.draw_pile = game.draw_pile_size
        self.totals, self.ender = game.totals, game.ender

    def see(self, event: Event) -> None:
        """A card comes or goes, or many."""
        match event:
            case CardTurnedUp() | CardRevealed():
                assert self.boards[event.seat][event.cell] == HIDDEN
                self.boards[event.seat][event.cell] = event.card
            case CardDrawn():
                assert event.card == HIDDEN
                self.draw_pile -= 1
            case DiscardTaken():
                assert self.discard.pop() == event.card
            case CardDiscarded():
                self.discard.append(event.card)
            case CardPlaced():
                assert self.boards[event.seat][event.cell] == (HIDDEN if event.was_hidden else event.replaced)
                self.boards[event.seat][event.cell] = event.card
                self.discard.append(event.replaced)
            case LinesCleared():
                self.see_clearing(event)
            case PileReshuffled():
                self.discard, self.draw_pile = [event.discard_top], event.size
            case _:
                self.see_round(event)

    def see_clearing(self, event: LinesCleared) -> None:
        assert tuple(self.boards[event.seat][cell] for cell in event.cells) == event.cards
        for cell in event.cells:
            self.boards[event.seat][cell] = EMPTY
        self.discard += event.cards if self.rules.cleared_cards == "to_discard" else ()

    def see_round(self, event: Event) -> None:
        match event:
            case RoundDealt():
                self.boards = [[HIDDEN] * self.rules.cells for _ in range(self.rules.players)]
                self.discard, self.ender = [event.discard_top], None
                self.draw_pile = self.rules.deck_size - self.rules.players * self.rules.cells - 1
            case RoundEnded():
                self.ender = event.seat
            case RoundScored():
                assert (list(map(list, event.boards)), event.ender) == (self.boards, self.ender)
                self.totals = tuple(a + b for a, b in zip(self.totals, event.scores, strict=True))
                assert event.totals == self.totals
            case RoundStopped():
                assert (list(map(list, event.boards)), event.totals) == (self.boards, self.totals)


def shown(game: Game) -> list[list[int]]:
    return [game.board(seat).T.ravel().tolist() for seat in range(game.rules.players)]


def discards(game: Game) -> list[int]:
    cards: list[int] = game.state["piles"][0, : game.discard_pile_size].tolist()
    return cards


@pytest.mark.parametrize("seed", range(20))
def test_a_table_kept_from_events_alone_is_the_table(seed: int) -> None:
    chance = random.Random(seed)
    game = Game(random_rules(chance), seed, episode=chance.choice(("game", "round")))
    onlooker = Onlooker(game)
    for _ in range(200):
        if game.is_over:
            break
        for event in game.play(chance.choice(game.legal_actions())):
            onlooker.see(seen_by(event, None))
        assert (onlooker.boards, onlooker.discard, onlooker.draw_pile) == (
            shown(game),
            discards(game),
            game.draw_pile_size,
        )
        assert (onlooker.totals, onlooker.ender) == (game.totals, game.ender)


# What each says


def test_a_drawn_card_is_known_to_its_holder_alone_4_1() -> None:
    game = table(f"board {BOARD}; board {BOARD}; discard 3; draw 9 ...; seat 1 turn")
    (drawn,) = tell(game, "draw")
    assert drawn == CardDrawn(1, 9)
    assert seen_by(drawn, 1) == drawn
    assert seen_by(drawn, 0) == seen_by(drawn, None) == CardDrawn(1, HIDDEN)


def test_clearing_and_keeping_are_told_5_5() -> None:
    game = table(f"rules clear=confirm; board 9 9 9 | 4 4 4 | ? ? ? | ? ? ?; board {BOARD}; discard 3; seat 0 confirm")
    assert tell(game.copy(), "keep") == (LinesKept(0),)
    assert tell(game, "clear") == (LinesCleared(0, (0, 1, 2, 3, 4, 5), (9, 9, 9, 4, 4, 4)),)


def test_the_end_of_a_round_is_told_in_order_7() -> None:
    """Seat 0 ends the round and pays for it; the cards that lay hidden on board 1 complete a column."""
    rules = "rules rows=2 columns=2 opening_flips=1 deck=2:12,5:4,9:1"
    game = table(f"{rules}; episode round; board 2 5 | 9 ?5; board 2 ?2 | ?2 5; discard 5 2; seat 0 turn")
    assert tell(game, "take", "place 2", "take", "place 3") == (
        DiscardTaken(0, 2),
        CardPlaced(0, 2, 2, False, 9, False),
        DiscardTaken(1, 9),
        CardPlaced(1, 3, 9, False, 5, False),
    )
    assert tell(game, "take", "place 3") == (
        DiscardTaken(0, 5),
        CardPlaced(0, 3, 5, False, 5, True),
        RoundEnded(0, 1),
    )
    assert tell(game, "take", "place 3") == (
        DiscardTaken(1, 5),
        CardPlaced(1, 3, 5, False, 9, False),
        CardRevealed(1, 1, 2),
        CardRevealed(1, 2, 2),
        LinesCleared(1, (0, 1), (2, 2), is_reveal=True),
        EnderPenalised(0, 14, 28),
        RoundScored(1, 4, ((2, 5, 2, 5), (EMPTY, EMPTY, 2, 5)), 0, (28, 7), (28, 7)),
        GameOver((1,)),
    )


def test_a_stopped_round_shows_only_what_lay_open_7_8() -> None:
    game = Game(Rules(max_turns=1, opening_flips=0, first_starter="seat_0"), seed=1)
    taken, _, stopped = tell(game, "take", "place 4")
    assert isinstance(taken, DiscardTaken)
    hidden = [HIDDEN] * 12
    boards = ((*hidden[:4], taken.card, *hidden[5:]), tuple(hidden))
    assert stopped == RoundStopped(1, 1, boards, (0, 0))
