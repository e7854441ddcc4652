"""An independent reference implementation of Skip-Bo, written from docs/rules/skipbo.md alone.

Clause numbers in the docstrings refer to docs/rules/skipbo.md. Everything here is meant to be obviously correct rather
than fast: the state is a handful of plain lists and numbers, and whatever can be derived from them is.
"""

from collections import Counter
from typing import Any, TypeVar

from tests.games.oracle_chance import GAMMA, Shuffler, mix

WILD = 13
LAST_RANK = 12
DECK = [rank for rank in range(1, 13) for _ in range(12)] + [WILD] * 18  # 1.1, in the order of 9.3
HAND = 5
CERTAIN = 32767  # 8.5
PLACES = range(4)  # building places, and also the discard piles of a player (1.3)

T = TypeVar("T")
Decision = tuple[str, int, int]  # what is done, with which card or discard pile, and on which place or pile


def all_decisions() -> list[Decision]:
    """Return what each of the numbers from 0 to 124 means (7.1)."""
    decisions = [("play stock", 0, b) for b in PLACES]
    decisions += [("play hand", r, b) for r in range(1, 14) for b in PLACES]
    decisions += [("play discard", d, b) for d in PLACES for b in PLACES]
    decisions += [("discard", r, d) for r in range(1, 14) for d in PLACES]
    return [*decisions, ("pass", 0, 0)]


DECISIONS = all_decisions()
NUMBERS = {decision: number for number, decision in enumerate(DECISIONS)}


class Table(Shuffler):
    """One game, or one round, of Skip-Bo: the whole table with every hidden card."""

    def __init__(self, rules: Any, seed: int = 0, deal: int = 0, episode: str = "game") -> None:
        """Start a game with its key (9.3) and deal its first round."""
        super().__init__(seed, deal)
        self.rules = rules
        self.episode = episode
        self.players: int = rules.players
        self.seats = range(self.players)
        self.round = 0
        self.totals = [0] * self.players
        self.round_scores = [0] * self.players
        self.starter = 0
        self.winner: int | None = None  # of the last round that has ended
        self.ending: str | None = None  # how that round ended
        self.stocks: list[list[int]] = []
        self.deal_round()

    # Deal and first player (2)

    def stock_size(self) -> int:
        """Return how many cards are dealt to each stock pile (1.5)."""
        if self.rules.stock is not None:
            return int(self.rules.stock)
        return 30 if self.players <= 4 else 20

    def deal_round(self) -> None:
        """Collect, shuffle and deal all cards for the next round and begin its first turn (2.1, 9.3, 9.5)."""
        most_left = self.seats_with_most_stock()
        self.round += 1
        self.begin_chance(self.round)
        deck = list(DECK)
        self.shuffle(deck)
        self.starter = self.pick_starter(most_left)
        size = self.stock_size()
        # The last card of a stock or discard pile lies on top; the first of the draw pile is drawn next.
        self.stocks = [deck[seat * size : (seat + 1) * size] for seat in self.seats]
        self.draw_pile = deck[self.players * size :]
        self.hands: list[list[int]] = [[] for _ in self.seats]
        self.discards: list[list[list[int]]] = [[[] for _ in PLACES] for _ in self.seats]
        self.building: list[list[int]] = [[] for _ in PLACES]
        self.completed: list[int] = []
        self.turns = 0
        self.still_turns = 0
        self.recycles = 0
        self.begin_counting()
        self.seat = self.starter
        self.phase = "turn"
        self.begin_turn()

    def seats_with_most_stock(self) -> list[int]:
        """Return who has the most cards left in the stock pile; nobody before the first deal (2.3)."""
        most = max((len(stock) for stock in self.stocks), default=0)
        return [seat for seat, stock in enumerate(self.stocks) if len(stock) == most]

    def pick_starter(self, most_left: list[int]) -> int:
        """Return who starts the round that is being dealt (2.2, 2.3)."""
        if self.round == 1:
            return 0 if self.rules.first_starter == "seat_0" else self.number_below(self.players)
        following = [(self.starter + step) % self.players for step in range(1, self.players + 1)]
        if self.rules.next_starter == "winner" and self.winner is not None:
            return self.winner
        if self.rules.next_starter == "loser":
            return next(seat for seat in following if seat in most_left)
        return following[0]

    # A turn (3)

    def begin_turn(self) -> None:
        """Let the seat to move draw up to five cards (3.1)."""
        self.drew = False
        self.played = False
        self.draw_up_to_five()

    def draw_up_to_five(self) -> None:
        """Draw cards, one after the other, until the hand is full or there are no more (3.1, 3.7, 4.5)."""
        while len(self.hands[self.seat]) < HAND:
            if not self.draw_one():
                if self.rules.no_cards == "nobody_wins":
                    self.end_round("no_cards", None)
                return

    def draw_one(self) -> bool:
        """Draw one card if there is one (4.1, 4.2)."""
        if len(self.draw_pile) == 0:
            self.recycle_completed()
        if len(self.draw_pile) == 0:
            return False
        self.hands[self.seat].append(self.draw_pile.pop(0))
        self.drew = True
        if len(self.draw_pile) == 0 and self.rules.recycle == "when_empty":
            self.recycle_completed()
        return True

    def rank_taken(self, place: int) -> int:
        """Return the rank that a building place takes (3.3)."""
        return len(self.building[place]) + 1

    def play(self, card: int, place: int, from_hand: bool) -> None:
        """Lay a card on a building place and do what follows from it, in this order (3.13)."""
        self.played = True
        self.building[place].append(card)
        if len(self.building[place]) == LAST_RANK:
            self.complete(place)
        if len(self.stocks[self.seat]) == 0:
            self.end_round("won", self.seat)
        elif from_hand and len(self.hands[self.seat]) == 0 and self.rules.refill == "at_once":
            self.draw_up_to_five()

    def complete(self, place: int) -> None:
        """Take a pile that has reached 12 off the table (3.5, 4.3, 4.4)."""
        cards, self.building[place] = self.building[place], []
        if self.rules.recycled_wild == "as_played":
            cards = list(range(1, LAST_RANK + 1))
        self.completed += cards
        if self.rules.recycle == "on_completion":
            self.completed += self.draw_pile
            self.draw_pile = []
            self.recycle_completed()

    def could_only_pass(self) -> bool:
        """Tell whether passing is all that the seat to move could do in its turn (5.2)."""
        return not self.drew and not self.played and self.legal_actions() == [NUMBERS["pass", 0, 0]]

    def end_turn(self, still: bool) -> None:
        """Find out whether another turn follows (3.8, 5.2, 5.3, 5.5)."""
        self.turns += 1
        self.still_turns = self.still_turns + 1 if still else 0
        if self.still_turns == self.players and not self.goes_on_after_block():
            self.end_round("blocked", self.winner_of_blocked_round())
        elif self.turns >= self.rules.max_turns:
            self.stop()
        else:
            self.seat = (self.seat + 1) % self.players
            self.begin_turn()

    # The draw pile (4)

    def recycle_completed(self) -> None:
        """Turn the completed cards, if there are any, into the draw pile (4.1)."""
        cards, self.completed = self.completed, []
        if len(cards) > 0:
            self.recycle(cards)

    def recycle(self, cards: list[int]) -> None:
        """Turn these cards into the draw pile (9.4)."""
        self.recycles += 1
        self.chance = mix(mix(self.key + self.round * GAMMA) + self.recycles * GAMMA)
        cards.sort()
        self.shuffle(cards)
        self.draw_pile = cards
        self.count_recycling()

    # End of a round (5)

    def goes_on_after_block(self) -> bool:
        """Recycle what lies below the tops of the discard piles, if the rules say so and there is anything (5.3)."""
        if self.rules.blocked != "recycle_discards":
            return False
        covered = [card for piles in self.discards for pile in piles for card in pile[:-1]]
        if len(covered) == 0:
            return False
        self.discards = [[pile[-1:] for pile in piles] for piles in self.discards]
        self.still_turns = 0
        self.recycle(covered)
        return True

    def winner_of_blocked_round(self) -> int | None:
        """Return the only seat with the fewest cards in its stock pile, where that counts (5.3)."""
        if self.rules.blocked != "fewest_stock":
            return None
        sizes = [len(stock) for stock in self.stocks]
        return sizes.index(min(sizes)) if sizes.count(min(sizes)) == 1 else None

    def end_round(self, ending: str, winner: int | None) -> None:
        """Score the round, then deal the next one unless the game is over (5.4, 6.1 to 6.3, 6.5)."""
        if ending != "blocked":
            self.turns += 1  # the turn in which it ended
        self.ending, self.winner = ending, winner
        self.round_scores = [self.score(seat) for seat in self.seats]
        self.totals = [total + score for total, score in zip(self.totals, self.round_scores, strict=True)]
        target_reached = max(self.totals) >= self.rules.target_score
        if self.episode == "round" or target_reached or self.round >= self.rules.max_rounds:
            self.phase = "over"
        else:
            self.deal_round()

    def score(self, seat: int) -> int:
        """Return what a seat scores in the round that has just ended (5.4)."""
        if seat != self.winner:
            return 0
        return 25 + 5 * sum(len(self.stocks[other]) for other in self.seats if other != seat)

    def stop(self) -> None:
        """Stop the round and the whole game (5.5)."""
        self.ending, self.winner = "stopped", None
        self.round_scores = [0] * self.players
        self.phase = "truncated"

    # End of the game (6)

    def winners(self) -> list[int]:
        """Return the seats that share the win, none before the game is over (6.4, 6.5)."""
        if self.phase != "over":
            return []
        scores = self.round_scores if self.episode == "round" else self.totals
        return [seat for seat, score in enumerate(scores) if score == max(scores) > 0]

    # Decisions (7)

    def legal_actions(self) -> list[int]:
        """Return the legal decisions in increasing order; none once nobody decides (7.1, 7.3)."""
        if self.phase != "turn":
            return []
        plays = self.plays()
        legal = list(plays)
        if len(plays) == 0 or not self.rules.compulsory:  # 3.9
            legal += self.discardings()
        if len(self.hands[self.seat]) == 0:  # 3.11
            legal += [("pass", 0, 0)]
        return sorted(NUMBERS[decision] for decision in legal)

    def plays(self) -> list[Decision]:
        """Return all ways to play a card (3.2 to 3.4, 7.4)."""
        hand, stock, discards = self.hands[self.seat], self.stocks[self.seat], self.discards[self.seat]
        sources = [("play stock", 0, stock[-1])]
        sources += [("play hand", card, card) for card in set(hand)]
        sources += [("play discard", d, pile[-1]) for d, pile in enumerate(discards) if len(pile) > 0]
        ranks = [self.rank_taken(place) for place in PLACES]
        places = self.without_equals(ranks)
        return [(what, which, b) for what, which, card in sources for b in places if card in (WILD, ranks[b])]

    def discardings(self) -> list[Decision]:
        """Return all ways to lay a hand card on a discard pile (3.8, 3.10, 7.4)."""
        cards = {card for card in self.hands[self.seat] if card != WILD or self.rules.discard_wild}
        piles = self.discards[self.seat]
        # Piles that are not empty differ from each other, whatever lies on top.
        places = self.without_equals([-1 if len(piles[d]) == 0 else d for d in PLACES])
        return [("discard", card, d) for card in cards for d in places]

    def without_equals(self, places: list[int]) -> list[int]:
        """Return the places, with `symmetric = "lowest"` only the lowest of those described by equal numbers (7.4)."""
        return [p for p in PLACES if self.rules.symmetric == "all" or places.index(places[p]) == p]

    def apply(self, number: int) -> None:
        """Carry out a decision of the seat to move."""
        if number not in self.legal_actions():
            raise ValueError(f"{number} is illegal for seat {self.seat}")
        what, which, to = DECISIONS[number]
        if what == "play stock":
            self.play_from_stock(to)
        elif what == "play hand":
            self.take_from_hand(which)
            self.play(which, to, from_hand=True)
        elif what == "play discard":
            self.play(self.discards[self.seat][which].pop(), to, from_hand=False)
        elif what == "discard":
            self.take_from_hand(which)
            self.discards[self.seat][to].append(which)
            self.end_turn(still=False)
        else:
            self.end_turn(still=self.could_only_pass())

    def play_from_stock(self, place: int) -> None:
        """Play the top of the stock pile; the next card is turned up at once (3.6)."""
        stock = self.stocks[self.seat]
        card = stock.pop()
        if len(stock) > 0:
            self.older[stock[-1]] -= 1  # 8.4: a stock pile holds older cards only
        self.play(card, place, from_hand=False)

    def take_from_hand(self, card: int) -> None:
        """Take that one of equal cards out of the hand that was drawn first (7.2)."""
        self.count_leaving(card)
        self.hands[self.seat].remove(card)

    # What everybody can count (8.4 to 8.7)

    def begin_counting(self) -> None:
        """Count everything but the tops of the stock piles as older cards (8.4)."""
        tops = Counter(stock[-1] for stock in self.stocks)
        self.older = Counter(DECK) - tops
        self.newer: Counter[int] = Counter()
        self.doubtful: Counter[int] = Counter()
        self.older_in_hands = 0
        # For each hand the chance of k older cards; the entry for k = 0 is not kept and always 0 (8.5).
        self.chances = [[0] * (HAND + 1) for _ in self.seats]

    def has_newer_cards(self) -> bool:
        """Tell whether there are newer cards beside the older ones (8.4, 8.7)."""
        return self.recycles > 0 and self.rules.recycle != "on_completion"

    def kind_of_leaving_card(self) -> str:
        """Tell what is known of any card that leaves the hand of the seat to move (8.5)."""
        chances = self.chances[self.seat]
        if not self.has_newer_cards() or chances[len(self.hands[self.seat])] == CERTAIN:
            return "older"
        return "newer" if chances == [0] * (HAND + 1) else "doubtful"

    def count_leaving(self, card: int) -> None:
        """Take note of a card that is about to leave the hand of the seat to move (8.4 to 8.6)."""
        kind = self.kind_of_leaving_card()
        if kind == "doubtful":
            self.doubtful[card] += 1
        elif kind == "newer":
            self.newer[card] -= 1
        else:
            self.older[card] -= 1
            self.older_in_hands -= self.has_newer_cards()
        self.chances[self.seat] = chances_after_leaving(self.chances[self.seat], len(self.hands[self.seat]))

    def count_recycling(self) -> None:
        """Call the cards not shown until now older ones, and those of the new draw pile newer ones (8.4 to 8.7)."""
        hidden = Counter(self.hidden_cards())
        if not self.has_newer_cards():
            self.older = hidden + Counter(self.draw_pile)
            return
        self.older, self.newer, self.doubtful = hidden, Counter(self.draw_pile), Counter()
        sizes = [len(hand) for hand in self.hands]
        self.older_in_hands = sum(sizes)
        self.chances = [[CERTAIN if k == size > 0 else 0 for k in range(HAND + 1)] for size in sizes]

    def hidden_cards(self) -> list[int]:
        """Return the cards in hands and those that lie face down in stock piles."""
        return [card for pile in (*self.hands, *(stock[:-1] for stock in self.stocks)) for card in pile]

    def cards(self) -> list[int]:
        """Return all cards, wherever they lie, from 1 to 12 with the wild cards last."""
        discards = [pile for piles in self.discards for pile in piles]
        return sorted(together(*self.stocks, self.draw_pile, *self.hands, *discards, *self.building, self.completed))


def chances_after_leaving(chances: list[int], size: int) -> list[int]:
    """Return the chances of older cards once any card has left a hand of this size (8.5)."""
    after = [0] * (HAND + 1)
    for k in range(1, size):
        times_size = chances[k] * (size - k) + chances[k + 1] * (k + 1)
        after[k] = (2 * times_size + size) // (2 * size)  # divided, and rounded to the nearest, halves up
    return after


def together(*piles: list[T]) -> list[T]:
    """Return all that these lists hold."""
    return [each for pile in piles for each in pile]


class Older(int):
    """A card that carries a mark, seen by nobody: it is one of the older cards."""


class MarkedTable(Table):
    """A table whose older cards are marked at every recycling (8.4, 8.7)."""

    def count_recycling(self) -> None:
        super().count_recycling()
        self.hands = [[Older(card) for card in hand] for hand in self.hands]
        self.stocks = [[Older(card) for card in stock] for stock in self.stocks]
        self.draw_pile = [int(card) for card in self.draw_pile]

    def unseen(self, is_older: bool) -> Counter[int]:
        """The unseen cards that are older, or those that are newer."""
        cards = [*self.hidden_cards(), *self.draw_pile]
        return Counter(
            int(card) for card in cards if (isinstance(card, Older) or not self.has_newer_cards()) == is_older
        )
