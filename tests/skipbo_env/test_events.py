"""Events of Skip-Bo: a table kept from them alone is the table, and each says what it should."""

import random
from collections import Counter

import pytest

from skipbo_env import Game, parse_action
from skipbo_env.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    Event,
    PileCompleted,
    PileRecycled,
    RoundDealt,
    RoundScored,
    RoundStopped,
    StockCardTurnedUp,
    TurnBegan,
    TurnPassed,
    seen_by,
)
from skipbo_env.kernel import DECK, DISCARD, UNSEEN, WILD
from skipbo_env.rules import card_name
from tests.games.players import random_legal
from tests.helpers import first_quick
from tests.skipbo_env.tables import random_rules

PLACES = range(4)


def tell(game: Game, *names: str) -> tuple[Event, ...]:
    """The events of these actions, one after the other."""
    return tuple(event for name in names for event in game.play(parse_action(game.rules, name)))


class Watcher:
    """Keeps the table from events alone, as a seat would that saw it when it was dealt; its own hand is known."""

    def __init__(self, game: Game, seat: int) -> None:
        self.rules, self.seat, self.players = game.rules, seat, range(game.rules.players)
        self.stocks = [[UNSEEN] * (game.stock_size(player) - 1) for player in self.players]
        for player in self.players:
            self.stocks[player].append(game.stock_top(player) or 0)
        self.hands = [[UNSEEN] * len(game.hand(player)) for player in self.players]
        self.hands[seat] = list(game.hand(seat))
        self.piles: list[list[list[int]]] = [[[] for _ in PLACES] for _ in self.players]
        self.building: list[list[int]] = [[] for _ in PLACES]
        self.completed, self.draw_pile = 0, game.draw_pile_size
        self.turn, self.totals = game.seat, game.totals

    def see(self, event: Event) -> None:
        """A card comes or goes, or many."""
        match event:
            case CardPlayed():
                self.see_play(event)
            case StockCardTurnedUp():
                assert self.stocks[event.seat][-1] == UNSEEN
                self.stocks[event.seat][-1] = event.card
            case PileCompleted():
                assert event.cards == tuple(self.building[event.place])
                self.building[event.place] = []
                self.completed += len(event.cards)
            case PileRecycled():
                self.see_recycling(event)
            case CardsDrawn():
                assert event.seat == self.turn
                self.hands[event.seat] += event.cards
                self.draw_pile -= len(event.cards)
            case CardDiscarded():
                self.take_from_hand(event.seat, event.card)
                self.piles[event.seat][event.pile].append(event.card)
            case TurnPassed():
                assert (event.seat, self.hands[event.seat]) == (self.turn, [])
            case TurnBegan():
                self.turn = event.seat
            case _:
                self.see_round(event)

    def see_play(self, event: CardPlayed) -> None:
        assert event.seat == self.turn
        assert event.rank == len(self.building[event.place]) + 1
        assert event.card in (event.rank, WILD)
        if event.source == "stock":
            assert self.stocks[event.seat].pop() == event.card
        elif event.source == "hand":
            self.take_from_hand(event.seat, event.card)
        else:
            assert self.piles[event.seat][event.pile or 0].pop() == event.card
        self.building[event.place].append(event.card)

    def take_from_hand(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card if seat == self.seat else UNSEEN)

    def see_recycling(self, event: PileRecycled) -> None:
        new = self.completed
        if event.from_discards:
            new = sum(max(len(pile) - 1, 0) for piles in self.piles for pile in piles)
            self.piles = [[pile[-1:] for pile in piles] for piles in self.piles]
        self.draw_pile += new
        self.completed = 0
        assert event.size == self.draw_pile

    def see_round(self, event: Event) -> None:
        match event:
            case RoundDealt():
                self.stocks = [[UNSEEN] * (self.rules.stock_size - 1) + [top] for top in event.stock_tops]
                self.hands = [[] for _ in self.players]
                self.piles = [[[] for _ in PLACES] for _ in self.players]
                self.building = [[] for _ in PLACES]
                self.completed, self.draw_pile = 0, DECK - self.rules.players * self.rules.stock_size
            case RoundScored():
                self.totals = tuple(a + b for a, b in zip(self.totals, event.scores, strict=True))
                assert event.totals == self.totals
                assert event.stock_left == tuple(map(len, self.stocks))
            case RoundStopped():
                assert (event.totals, event.stock_left) == (self.totals, tuple(map(len, self.stocks)))

    def assert_is(self, game: Game) -> None:
        assert [stock[-1] if stock else None for stock in self.stocks] == [game.stock_top(p) for p in self.players]
        assert [len(stock) for stock in self.stocks] == [game.stock_size(player) for player in self.players]
        assert [len(hand) for hand in self.hands] == [len(game.hand(player)) for player in self.players]
        assert self.hands[self.seat] == list(game.hand(self.seat))
        assert self.piles == [[list(game.discard_pile(player, pile)) for pile in PLACES] for player in self.players]
        assert tuple(map(len, self.building)) == game.building_piles()
        assert (self.completed, self.draw_pile) == (game.completed_size, game.draw_pile_size)
        assert (self.turn, self.totals) == (game.seat, game.totals)


@pytest.mark.parametrize("seed", first_quick(6, range(25)))
def test_a_table_kept_from_events_alone_is_the_table(seed: int) -> None:
    chance = random.Random(seed)
    game = Game(random_rules(chance), seed, episode=chance.choice(("game", "round")))
    watcher = Watcher(game, chance.randrange(game.rules.players))
    for _ in range(400):
        if game.is_over:
            break
        for event in game.play(random_legal(game.legal_actions(), chance, DISCARD)):
            watcher.see(seen_by(event, watcher.seat))
        watcher.assert_is(game)


# What each says


def table(text: str, rules: str = "") -> Game:
    return Game.from_position(f"skipbo-position 1; rules stock=3 {rules}; {text}")


STOCKS = "stock 5 3 1; stock 8 9 5"


def test_drawn_cards_are_known_to_their_holder_alone_3_1() -> None:
    game = table(f"{STOCKS}; hand 7 8; hand 4 4; draw 2 6 w ...; seat 0 turn")
    discarded, began, drawn = tell(game, "discard 8 on 3")
    assert (discarded, began, drawn) == (CardDiscarded(0, 8, 3), TurnBegan(1), CardsDrawn(1, (2, 6, WILD)))
    assert seen_by(drawn, 1) == drawn
    assert seen_by(drawn, 0) == seen_by(drawn, None) == CardsDrawn(1, (UNSEEN, UNSEEN, UNSEEN))


def others(*used: int) -> str:
    """All cards of the deck but these."""
    deck = Counter(dict.fromkeys(range(1, 13), 12) | {WILD: 18})
    deck.subtract(used)
    return " ".join(map(card_name, deck.elements()))


def drained(*draw: int, rules: str = "") -> Game:
    """Seat 0 holds a wild card; the draw pile has these cards, and all others are completed."""
    completed = others(5, 3, 1, 8, 9, 5, WILD, *draw)
    drawn = " ".join(map(str, draw))
    return table(f"{STOCKS}; hand w; hand; draw {drawn}; completed {completed}; seat 0 turn", rules)


def test_a_draw_pile_made_anew_in_between_parts_the_cards_drawn_4_1() -> None:
    game = drained(2, 6)
    _, first, recycled, rest = tell(game, "hand w to 0")
    assert first == CardsDrawn(0, (2, 6))
    assert recycled == PileRecycled(162 - 7 - 2, False)
    assert rest == CardsDrawn(0, game.hand(0)[2:])
    assert game.draw_pile_size == 162 - 7 - 2 - 3


def stuck(more: str, rules: str = "") -> Game:
    """Nobody can draw or play any more, and seat 0 is the last to pass."""
    piles = f"piles 3 {others(5, 5, 2, 3, 4)} 4 | | | 2; piles | | |"
    return table(f"stock 5; stock 5; {piles}; draw; still_turns 1; seat 0 turn; {more}", rules)


def test_discards_become_the_draw_pile_before_the_next_turn_begins_5_3() -> None:
    game = stuck("", "blocked=recycle_discards")
    passed, recycled, began, drawn = tell(game, "pass")
    assert (passed, began) == (TurnPassed(0), TurnBegan(1))
    assert recycled == PileRecycled(162 - 4, True)
    assert drawn == CardsDrawn(1, game.hand(1))


def test_the_next_round_is_told_in_the_same_step_2_3() -> None:
    game = table("stock 1; stock 2 3 4; hand; hand; seat 0 turn")
    dealt, began, drawn = tell(game, "stock to 3")[2:]
    assert dealt == RoundDealt(2, 1, (game.stock_top(0) or 0, game.stock_top(1) or 0))
    assert (began, drawn) == (TurnBegan(1), CardsDrawn(1, game.hand(1)))
