"""An independent reference implementation of Skyjo Action, written from docs/rules/skyjo_action.md alone.

Clause numbers in the docstrings refer to docs/rules/skyjo_action.md. Everything here is meant to be obviously correct
rather than fast. A game is one generator, which tells the rules from beginning to end and stops wherever somebody
decides: `number = yield from self.decide(...)` is the place where `apply` goes on.
"""

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.games.oracle_chance import Shuffler

STAR = 13
# 1.1, in the order of 11.3
DECK = [-2] * 3 + [-1] * 7 + [0] * 11 + [card for card in range(1, 13) for _ in range(7)] + [STAR] * 15

DOUBLE, SWAP, THREE, DEFENCE, LOOK, EXCHANGE, REMOVE, REPLAY, STEAL = KINDS = range(9)  # 1.2
CERTAIN_KINDS = range(6)  # 1.4
COPIES = 3  # of every kind
PLACES = range(4)  # for open action cards (1.6)

CELLS = range(12)
COLUMNS = range(4)  # numbers of lines (1.5)
LINES = [tuple(3 * column + row for row in range(3)) for column in range(4)]
LINES += [tuple(3 * column + row for column in range(4)) for row in range(3)]

# The first number of each group of decisions (10.3)
DRAW, TAKE, PLACE, FLIP, OPEN, PILE, PASS, PLAY, DISCARD, CELL = 0, 1, 2, 14, 26, 30, 31, 32, 41, 50

PHASES = (  # 10.5
    *("opening", "turn", "drawn", "taken", "claim", "line", "swap", "swap with"),
    *("three", "three place", "three top", "three flip", "look", "exchange", "exchange with"),
    *("remove", "replay", "steal", "steal card", "defence", "over", "truncated"),
)

Steps = Generator[None, int, None]
Choice = Generator[None, int, int]


@dataclass(eq=False)
class Card:
    """A playing card in a layout or on the discard pile."""

    value: int
    is_open: bool = False
    known_by: set[int] = field(default_factory=set)  # the seats that know it while it is hidden in a layout (12.2)

    @property
    def points(self) -> int:
        """What it counts: a star nothing (1.1)."""
        return 0 if self.value == STAR else self.value


Layout = list[Card | None]


def cards_in(layout: Layout) -> list[Card]:
    """Return the cards that have not been cleared."""
    return [card for card in layout if card is not None]


def filled_cells(layout: Layout) -> list[int]:
    """Return the cells that have a card."""
    return [cell for cell in CELLS if layout[cell] is not None]


def hidden_cells(layout: Layout) -> list[int]:
    """Return the cells that have a hidden card."""
    return [cell for cell in CELLS if (card := layout[cell]) is not None and not card.is_open]


def cards_of_line(layout: Layout, line: int) -> list[Card]:
    """Return the cards that lie in a line."""
    return cards_in([layout[cell] for cell in LINES[line]])


class Table(Shuffler):
    """One game, or one round, of Skyjo Action: the whole table with every hidden card."""

    def __init__(self, rules: Any, seed: int = 0, deal: int = 0, episode: str = "game") -> None:
        """Start a game with its key (11.1) and deal its first round."""
        super().__init__(seed, deal)
        self.rules = rules
        self.start = (seed, deal, episode)
        self.episode = episode
        self.players: int = rules.players
        self.seats = range(self.players)
        self.line_of = CELL + 12 * self.players  # 10.3: the first number of a line, and so on
        self.card_of_three = self.line_of + 7 * self.players
        self.none_of_three = self.card_of_three + 3
        self.clear_it, self.keep_it, self.defend, self.allow = range(self.none_of_three + 1, self.none_of_three + 5)
        self.round_number = 0
        self.totals = [0] * self.players
        self.round_scores = [0] * self.players
        self.ender: int | None = None
        self.decided: list[int] = []
        self.story = self.whole_game()
        next(self.story)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Table":
        """Play the same decisions once more: a generator cannot be copied."""
        twin = Table(self.rules, *self.start)
        for number in self.decided:
            twin.apply(number)
        return twin

    # Decisions (10)

    def decide(self, phase: str, seat: int, numbers: Iterable[int]) -> Choice:
        """Let a seat decide among these numbers (10.4)."""
        self.phase, self.seat = phase, seat
        self.legal = sorted(numbers)
        return (yield)

    def legal_actions(self) -> list[int]:
        """Return the legal decisions in increasing order; none once nobody decides (10.4)."""
        return list(self.legal)

    def apply(self, number: int) -> None:
        """Carry out a decision; an illegal one raises ValueError and changes nothing (10.4)."""
        if number not in self.legal:
            raise ValueError(f"{number} is illegal for seat {self.seat} in phase {self.phase!r}")
        self.decided.append(number)
        self.story.send(number)

    def number_of_cell(self, seat: int, cell: int) -> int:
        """Return the number that names a cell, seen from the player whose turn it is (10.3)."""
        return CELL + 12 * self.clockwise(self.mover).index(seat) + cell

    def named_cell(self, number: int) -> tuple[int, int]:
        """Return the seat and the cell that such a number names."""
        place, cell = divmod(number - CELL, 12)
        return self.clockwise(self.mover)[place], cell

    def clockwise(self, first: int | None) -> list[int]:
        """Return all seats, clockwise from this one (1.3)."""
        assert first is not None
        return [(first + place) % self.players for place in self.seats]

    # A game (2, 9, 10)

    def whole_game(self) -> Steps:
        """Play rounds until the game is over or a round is stopped (9.7, 10.1, 10.2)."""
        self.phase = "opening"
        while self.phase not in ("over", "truncated"):
            self.deal_round()
            yield from self.open_layouts()
            yield from self.play_turns()
            if self.ender is None:
                self.stop()
            else:
                yield from self.end_round(self.ender)
                target_reached = max(self.totals) >= self.rules.target_score
                if self.episode == "round" or target_reached or self.round_number >= self.rules.max_rounds:
                    self.phase = "over"
        self.legal = []
        yield

    def winners(self) -> list[int]:
        """Return the seats that share the win, none unless the game is over (10.1, 10.2)."""
        if self.phase != "over":
            return []
        scores = self.round_scores if self.episode == "round" else self.totals
        return [seat for seat in self.seats if scores[seat] == min(scores)]

    # Deal and opening (2)

    def deal_round(self) -> None:
        """Collect, shuffle and deal all cards for the next round (2.1 to 2.3, 11.3)."""
        self.previous_ender = self.ender
        self.forget_round()
        self.round_number += 1
        self.begin_chance(self.round_number)
        deck = list(DECK)
        self.shuffle(deck)
        self.layouts: list[Layout] = [[Card(deck[12 * seat + cell]) for cell in CELLS] for seat in self.seats]
        dealt = 12 * self.players
        # The last card of a discard pile lies on top; the first of the other piles is used next (11.2).
        self.discard = [Card(deck[dealt], is_open=True)]
        self.draw_pile = deck[dealt + 1 :]
        kinds = KINDS if self.rules.action_deck == "all" else CERTAIN_KINDS
        action_deck = [kind for kind in kinds for _ in range(COPIES)]
        self.shuffle(action_deck)
        self.open_actions: list[int | None] = [*action_deck[: len(PLACES)]]
        self.action_pile = action_deck[len(PLACES) :]
        self.action_discard: list[int] = []
        if self.rules.action_discard_start == "one_card":
            self.action_discard.append(self.action_pile.pop(0))
        self.unseen = Counter(DECK)
        self.unseen[deck[dealt]] -= 1
        self.known_draws: Counter[int] = Counter()

    def forget_round(self) -> None:
        """Leave nothing of the round before, but the totals and its scores."""
        self.mover: int | None = None
        self.ender = None
        self.starter: int | None = None
        self.turns = 0
        self.turns_left = 0
        self.extra_turns = 0
        self.reshuffles = 0
        self.hand: list[int | None] = [None] * 3
        self.held = [[0] * len(KINDS) for _ in self.seats]
        self.fresh = [0] * len(KINDS)
        self.claims = [0] * self.players
        self.bonus = [0] * self.players
        self.declined: list[set[int]] = [set() for _ in self.seats]
        self.played: int | None = None
        self.attacked: int | None = None
        self.chosen: tuple[int, int] | None = None
        self.chosen_with: tuple[int, int] | None = None
        self.line: int | None = None
        self.accepted: set[int] = set()
        self.is_reveal = False
        self.plays = [0] * self.players
        self.earned = [0] * self.players

    def open_layouts(self) -> Steps:
        """Let everybody turn up two cards, then make the claims for their stars (2.4, 2.7)."""
        for seat in self.seats:
            for _ in range(2):
                number = yield from self.decide("opening", seat, self.flips(seat))
                self.turn_up(seat, number - FLIP, earns=self.rules.opening_star)
        for seat in self.seats:
            yield from self.make_claims(seat)

    def first_mover(self) -> int:
        """Return who starts the round (2.5, 2.6)."""
        if self.previous_ender is not None:
            return self.previous_ender
        return max(self.seats, key=lambda seat: (*self.opened(seat), -seat))

    def opened(self, seat: int) -> tuple[int, int]:
        """Return the sum of a seat's open cards and the highest of them (2.5)."""
        points = [card.points for card in cards_in(self.layouts[seat]) if card.is_open]
        return sum(points), max(points)

    # A turn (3, 4)

    def play_turns(self) -> Steps:
        """Play turn after turn until the round's last one or one too many (4.4, 7.1, 9.1, 9.2, 9.7)."""
        self.starter = self.mover = self.first_mover()
        while True:
            yield from self.play_turn(self.mover)
            self.turns += 1
            if self.ender is not None:
                self.turns_left -= 1
            elif self.nothing_is_hidden(self.mover):
                self.ender = self.mover
                self.turns_left = self.players - 1
                self.extra_turns = 0
            elif self.turns >= self.rules.max_turns:
                return
            if self.ender is not None and self.turns_left == 0:
                return
            if self.extra_turns > 0:
                self.extra_turns -= 1
            else:
                self.mover = (self.mover + 1) % self.players
                self.fresh = [0] * len(KINDS)

    def nothing_is_hidden(self, mover: int) -> bool:
        """Tell whether a layout that ends the round has no hidden card (9.1)."""
        looked_at = self.seats if self.rules.ender == "who_caused" else [mover]
        return any(len(hidden_cells(self.layouts[seat])) == 0 for seat in looked_at)

    def play_turn(self, mover: int) -> Steps:
        """Let the player do one thing, then what follows from it (3.1)."""
        number = yield from self.decide("turn", mover, self.moves(mover))
        if number == DRAW:
            yield from self.draw(mover)
        elif number == TAKE:
            yield from self.take(mover)
        elif number in range(PLAY, PLAY + len(KINDS)):
            self.lay_off(mover, number - PLAY)
            self.plays[mover] += 1
            yield from self.carry_out(number - PLAY, mover)
        elif number in range(DISCARD, DISCARD + len(KINDS)):
            self.lay_off(mover, number - DISCARD)
        elif number != PASS:
            self.take_action_card(mover, number)
        for seat in self.clockwise(mover):
            yield from self.make_claims(seat)
        for seat in self.clockwise(mover) if self.rules.foreign_clear == "at_once" else [mover]:
            yield from self.see_to_lines(seat)
        self.fill_places()

    def moves(self, mover: int) -> list[int]:
        """Return what can be done with a turn (3.2 to 3.5, 4.1 to 4.6)."""
        numbers = []
        if len(cards_in(self.layouts[mover])) == 0:
            numbers.append(PASS)
        else:
            numbers.append(TAKE)
            if self.cards_to_draw() >= 1:
                numbers.append(DRAW)
        if self.ender is None or self.rules.final_lap_take:
            numbers += self.ways_to_take(with_pile=True)
        if self.ender is None:
            ready = [kind for kind in KINDS if self.held[mover][kind] > self.fresh[kind]]
            numbers += [DISCARD + kind for kind in ready]
            numbers += [PLAY + kind for kind in ready if self.can_be_carried_out(kind)]
        return numbers

    def flips(self, seat: int) -> list[int]:
        """Return the decisions that turn up a hidden card."""
        return [FLIP + cell for cell in hidden_cells(self.layouts[seat])]

    def layings(self, seat: int) -> list[int]:
        """Return the decisions that lay a card on a cell that has one."""
        return [PLACE + cell for cell in filled_cells(self.layouts[seat])]

    def take(self, mover: int) -> Steps:
        """Take the discard and lay it (3.2)."""
        card = self.discard.pop()
        self.hand[0] = card.value
        number = yield from self.decide("taken", mover, self.layings(mover))
        self.hand[0] = None
        self.lay(mover, number - PLACE, card.value)

    def draw(self, mover: int) -> Steps:
        """Draw a card and lay it, or discard it and turn up another one (3.3)."""
        card = self.hand[0] = self.draw_card()
        number = yield from self.decide("drawn", mover, self.layings(mover) + self.flips(mover))
        self.hand[0] = None
        self.bring_to_light(card)
        if number < FLIP:
            self.lay(mover, number - PLACE, card)
        else:
            self.put_on_discard(Card(card))
            self.turn_up(mover, number - FLIP)

    # Cards of a layout

    def lay(self, seat: int, cell: int, value: int) -> None:
        """Lay a card, open, on a cell; the one that lay there goes on the discard pile (3.2, 5.1)."""
        replaced = self.layouts[seat][cell]
        assert replaced is not None
        self.see_hidden(replaced)
        self.put_on_discard(replaced)
        self.put_in_layout(seat, cell, value)

    def put_in_layout(self, seat: int, cell: int, value: int) -> None:
        """Put an open card in a cell; a star earns an action card (5.1)."""
        self.layouts[seat][cell] = Card(value, is_open=True)
        self.line_has_changed(seat, cell)
        self.earn(seat, value)

    def turn_up(self, seat: int, cell: int, earns: bool = True) -> None:
        """Turn up a hidden card; a star earns an action card (5.1)."""
        card = self.layouts[seat][cell]
        assert card is not None
        self.see_hidden(card)
        self.line_has_changed(seat, cell)
        if earns:
            self.earn(seat, card.value)

    def earn(self, seat: int, value: int) -> None:
        """Add a claim for a star (5.1)."""
        if value == STAR:
            self.claims[seat] += 1

    def see_hidden(self, card: Card) -> None:
        """Let everybody see a card, which may have been a hidden one in a layout (12.2, 12.3)."""
        if not card.is_open:
            self.unseen[card.value] -= 1
        card.is_open = True
        card.known_by.clear()

    def line_has_changed(self, seat: int, cell: int) -> None:
        """Forget that lines with this cell have been declined (6.5)."""
        self.declined[seat] = {line for line in self.declined[seat] if cell not in LINES[line]}

    def change_places(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        """Let two cards change places, as they are (7.2, 7.6, 12.2)."""
        (seat, cell), (other_seat, other_cell) = one, other
        here, there = self.layouts[seat][cell], self.layouts[other_seat][other_cell]
        self.layouts[seat][cell], self.layouts[other_seat][other_cell] = there, here
        self.line_has_changed(seat, cell)
        self.line_has_changed(other_seat, other_cell)

    # The piles of playing cards (8, 12)

    def put_on_discard(self, card: Card) -> None:
        """Put a card on top of the discard pile, open."""
        card.is_open = True
        self.discard.append(card)

    def cards_to_draw(self) -> int:
        """Return how many cards can be drawn (3.4, 7.3)."""
        return len(self.draw_pile) + max(0, len(self.discard) - 1)

    def draw_card(self) -> int:
        """Take the next card of the draw pile, after a reshuffle if there is none (8.1)."""
        if len(self.draw_pile) == 0:
            self.reshuffle()
        return self.draw_pile.pop(0)

    def reshuffle(self) -> None:
        """Make the discard pile without its top card the draw pile (8.1, 11.4, 12.3)."""
        *below, top = self.discard
        self.discard = [top]
        self.draw_pile = [card.value for card in below]
        self.shuffle(self.draw_pile)
        self.known_draws += Counter(card.value for card in below if card.is_open)
        self.reshuffles += 1

    def bring_to_light(self, card: int) -> None:
        """Let everybody see a card that comes from the draw pile (12.3, 12.4)."""
        if self.known_draws[card] > 0:
            self.known_draws[card] -= 1
        else:
            self.unseen[card] -= 1

    # Action cards beside layouts and in the middle (4, 8.3)

    def ways_to_take(self, with_pile: bool) -> list[int]:
        """Return the decisions that take an action card (4.1, 5.4)."""
        numbers = [OPEN + place for place in PLACES if self.open_actions[place] is not None]
        return [*numbers, PILE] if with_pile and self.has_action_card() else numbers

    def take_action_card(self, seat: int, number: int) -> None:
        """Take an open action card, whose place is filled at once, or the top one of the pile (4.1, 4.4, 4.5)."""
        if number == PILE:
            kind = self.next_action_card()
        else:
            place = number - OPEN
            taken = self.open_actions[place]
            assert taken is not None
            kind = taken
            self.open_actions[place] = None
            self.fill_place(place)
        self.held[seat][kind] += 1
        if seat == self.mover and not self.rules.delay_counts_extra_moves:
            self.fresh[kind] += 1

    def lay_off(self, seat: int, kind: int) -> None:
        """Put a held action card on the discard pile of action cards (4.2)."""
        self.held[seat][kind] -= 1
        self.action_discard.append(kind)

    def fill_place(self, place: int) -> None:
        """Fill an empty place if there is a card for it (4.5)."""
        if self.has_action_card():
            self.open_actions[place] = self.next_action_card()

    def fill_places(self) -> None:
        """Fill the empty places at the end of a turn, lowest first (4.5)."""
        for place in PLACES:
            if self.open_actions[place] is None:
                self.fill_place(place)

    def has_action_card(self) -> bool:
        """Tell whether the action pile has a card, or receives one when it is needed (8.3)."""
        left_lying = 1 if self.rules.action_reshuffle == "keep_top" else 0
        return len(self.action_pile) > 0 or len(self.action_discard) > left_lying

    def next_action_card(self) -> int:
        """Take the top card of the action pile, after a reshuffle if there is none (8.3, 11.4)."""
        if len(self.action_pile) == 0:
            kept = self.action_discard[-1:] if self.rules.action_reshuffle == "keep_top" else []
            self.action_pile = self.action_discard[: len(self.action_discard) - len(kept)]
            self.action_discard = kept
            self.shuffle(self.action_pile)
        return self.action_pile.pop(0)

    # Claims (5)

    def make_claims(self, seat: int) -> Steps:
        """Make the claims of a seat, one after the other (5.2 to 5.4)."""
        while self.claims[seat] > 0:
            ways = self.ways_to_take(with_pile=self.rules.star_source == "open_or_pile")
            if len(ways) > 0:
                refusal = [PASS] if self.rules.star_claim == "may" else []
                number = yield from self.decide("claim", seat, ways + refusal)
                if number != PASS:
                    self.take_action_card(seat, number)
                    self.earned[seat] += 1
            self.claims[seat] -= 1

    # Complete lines (6)

    def is_complete(self, layout: Layout, line: int) -> bool:
        """Tell whether a line is complete (6.1)."""
        cards = cards_of_line(layout, line)
        fewest = 3 if line in COLUMNS or self.rules.short_rows else 4
        numbers = {card.value for card in cards if card.value != STAR}
        return len(cards) >= fewest and all(card.is_open for card in cards) and len(numbers) <= 1

    def has_stars(self, layout: Layout, line: int) -> bool:
        """Tell whether a line has a star."""
        return any(card.value == STAR for card in cards_of_line(layout, line))

    def is_star_line(self, layout: Layout, line: int) -> bool:
        """Tell whether a line is a complete one of stars alone (6.4)."""
        stars = all(card.value == STAR for card in cards_of_line(layout, line))
        return stars and self.is_complete(layout, line)

    def must_be_cleared(self, layout: Layout, line: int) -> bool:
        """Tell whether a complete line is cleared without a question (6.2, 6.3)."""
        if not self.has_stars(layout, line):
            return True
        return self.rules.star_clear == "automatic" and not self.is_star_line(layout, line)

    def may_be_cleared(self, layout: Layout, line: int) -> bool:
        """Tell whether it is left to the owner whether a complete line is cleared (6.3, 6.4)."""
        if self.is_star_line(layout, line):
            return bool(self.rules.star_lines == "owner_may_discard")
        return not self.must_be_cleared(layout, line)

    def of_one_pass(self, lines: list[int]) -> list[int]:
        """Return those of the lines to see to that this pass looks at (6.8)."""
        columns = [line for line in lines if line in COLUMNS]
        return columns if self.rules.both_lines == "column_first" and len(columns) > 0 else lines

    def lines_of_pass(self, seat: int) -> list[int]:
        """Return the lines that are to be cleared or to be asked about in the next pass (6.5, 6.7)."""
        layout = self.layouts[seat]
        complete = [line for line in range(len(LINES)) if self.is_complete(layout, line)]
        must = [line for line in complete if self.must_be_cleared(layout, line)]
        may = [line for line in complete if self.may_be_cleared(layout, line) and line not in self.declined[seat]]
        return self.of_one_pass(sorted(must + may))

    def see_to_lines(self, seat: int) -> Steps:
        """Look at a layout in passes until nothing is left to clear or to ask about (6.7)."""
        while len(lines := self.lines_of_pass(seat)) > 0:
            must = [line for line in lines if self.must_be_cleared(self.layouts[seat], line)]
            for line in lines:
                if line not in must:
                    yield from self.ask_about_line(seat, line)
            self.clear([*must, *self.accepted], seat)
            self.accepted = set()

    def ask_about_line(self, seat: int, line: int) -> Steps:
        """Ask the owner whether a line is to be cleared (6.3, 6.4)."""
        self.line = line
        number = yield from self.decide("line", seat, [self.clear_it, self.keep_it])
        self.line = None
        if number == self.clear_it:
            self.accepted.add(line)
        else:
            self.declined[seat].add(line)

    def clear(self, lines: list[int], seat: int) -> None:
        """Put the cards of these lines on the discard pile together (6.2, 6.4, 6.9)."""
        layout = self.layouts[seat]
        self.bonus[seat] += sum(self.points_of_star_line(layout, line) for line in lines)
        cells = [cell for cell in filled_cells(layout) if any(cell in LINES[line] for line in lines)]
        cards = cards_in([layout[cell] for cell in cells])
        if self.rules.line_order == "stars_first":
            cards.sort(key=lambda card: card.value != STAR)
        for card in cards:
            self.put_on_discard(card)
        for cell in cells:
            layout[cell] = None
            self.line_has_changed(seat, cell)

    def points_of_star_line(self, layout: Layout, line: int) -> int:
        """Return what a line counts by itself: -10 or -15 if it is a complete one of stars alone (6.4, 9.5)."""
        if not self.is_star_line(layout, line):
            return 0
        return {3: -10, 4: -15}[len(cards_of_line(layout, line))]

    # What action cards do (7)

    def can_be_carried_out(self, kind: int) -> bool:
        """Tell whether an action card can be carried out by the player whose turn it is (4.2, 7)."""
        assert self.mover is not None
        own = self.layouts[self.mover]
        with_cards = [layout for layout in self.layouts if len(cards_in(layout)) > 0]
        if kind == SWAP:
            return len(cards_in(own)) >= 2
        if kind == THREE:
            return len(cards_in(own)) >= 1 and self.cards_to_draw() >= 3
        if kind == LOOK:
            return any(len(hidden_cells(layout)) > 0 for layout in self.layouts)
        if kind == EXCHANGE:
            return len(with_cards) >= 2
        if kind == REMOVE:
            return any(self.can_lose_a_card(seat) for seat in self.others())
        if kind == REPLAY:
            lying = self.action_discard if self.rules.replay == "any" else self.action_discard[-1:]
            return any(self.can_be_replayed(lain) for lain in lying)
        if kind == STEAL:
            return any(self.can_be_stolen_from(seat) for seat in self.others())
        return True

    def carry_out(self, kind: int, mover: int) -> Steps:
        """Carry out an action card (7.1 to 7.9)."""
        self.played = kind
        if kind == DOUBLE:
            self.extra_turns += 2
        elif kind == DEFENCE:
            self.extra_turns += 1
        elif kind == SWAP:
            yield from self.swap(mover)
        elif kind == THREE:
            yield from self.three(mover)
        elif kind == LOOK:
            yield from self.look(mover)
        elif kind == EXCHANGE:
            yield from self.exchange(mover)
        elif kind == REMOVE:
            yield from self.remove(mover)
        elif kind == REPLAY:
            yield from self.replay(mover)
        else:
            yield from self.steal(mover)
        self.played = None

    def others(self) -> list[int]:
        """Return the seats of the other players, clockwise from the player whose turn it is."""
        return self.clockwise(self.mover)[1:]

    def swap(self, mover: int) -> Steps:
        """Let two cards of the own layout change places (7.2, 7.11)."""
        cells = filled_cells(self.layouts[mover])
        number = yield from self.decide("swap", mover, [CELL + cell for cell in cells[:-1]])
        self.chosen = (mover, number - CELL)
        later = [cell for cell in cells if cell > number - CELL]
        number = yield from self.decide("swap with", mover, [CELL + cell for cell in later])
        self.change_places(self.chosen, (mover, number - CELL))
        self.chosen = None

    def three(self, mover: int) -> Steps:
        """Draw three cards and lay one of them, or discard them all and turn up another one (7.3)."""
        drawn = [self.draw_card() for _ in range(3)]
        self.hand = [*drawn]
        choices = [self.card_of_three + which for which in range(3)]
        if len(hidden_cells(self.layouts[mover])) > 0:
            choices.append(self.none_of_three)
        choice = yield from self.decide("three", mover, choices)
        if choice != self.none_of_three:
            number = yield from self.decide("three place", mover, self.layings(mover))
            which = choice - self.card_of_three
            self.hand[which] = None
            self.bring_to_light(drawn[which])
            self.lay(mover, number - PLACE, drawn[which])
        yield from self.discard_rest_of_three(mover)
        if choice == self.none_of_three:
            number = yield from self.decide("three flip", mover, self.flips(mover))
            self.turn_up(mover, number - FLIP)

    def discard_rest_of_three(self, mover: int) -> Steps:
        """Put what is left of three drawn cards on the discard pile, the chosen one on top (7.3)."""
        order = [which for which in range(3) if self.hand[which] is not None]
        if self.rules.three_order == "owner_chooses":
            number = yield from self.decide("three top", mover, [self.card_of_three + which for which in order])
            top = number - self.card_of_three
            order = [which for which in order if which != top] + [top]
        for which in order:
            card = self.hand[which]
            assert card is not None
            self.hand[which] = None
            self.bring_to_light(card)
            self.put_on_discard(Card(card))

    def look(self, mover: int) -> Steps:
        """Look at the hidden cards of a line of any layout (7.5, 12.2)."""
        numbers = {}
        for place, seat in enumerate(self.clockwise(mover)):
            for line in range(len(LINES)):
                hidden = [card for card in cards_of_line(self.layouts[seat], line) if not card.is_open]
                if len(hidden) > 0:
                    numbers[self.line_of + 7 * place + line] = hidden
        number = yield from self.decide("look", mover, numbers)
        for card in numbers[number]:
            card.known_by.add(mover)

    def is_defended(self, seat: int) -> Generator[None, int, bool]:
        """Stop an attack with a defence of the attacked, if they have one and want it (7.4)."""
        if self.held[seat][DEFENCE] == 0:
            return False
        if self.rules.defence == "owner_decides":
            number = yield from self.decide("defence", seat, [self.defend, self.allow])
            if number == self.allow:
                return False
        self.lay_off(seat, DEFENCE)
        return True

    def exchange(self, mover: int) -> Steps:
        """Let cards of two layouts change places, unless one of their owners is defended (7.6, 7.11)."""
        with_cards = [seat for seat in self.clockwise(mover) if len(cards_in(self.layouts[seat])) > 0]
        number = yield from self.decide("exchange", mover, self.numbers_of_cells(with_cards[:-1]))
        self.chosen = self.named_cell(number)
        later = with_cards[with_cards.index(self.chosen[0]) + 1 :]
        number = yield from self.decide("exchange with", mover, self.numbers_of_cells(later))
        self.chosen_with = self.named_cell(number)
        is_stopped = False
        for seat in (self.chosen[0], self.chosen_with[0]):
            if seat != mover and not is_stopped:
                self.attacked = seat
                is_stopped = yield from self.is_defended(seat)
        if not is_stopped:
            self.change_places(self.chosen, self.chosen_with)
        self.attacked = self.chosen = self.chosen_with = None

    def numbers_of_cells(self, seats: list[int]) -> list[int]:
        """Return the decisions that name a card of these layouts."""
        return [self.number_of_cell(seat, cell) for seat in seats for cell in filled_cells(self.layouts[seat])]

    def can_lose_a_card(self, seat: int) -> bool:
        """Tell whether remove attacks this seat (7.7)."""
        has_actions = self.rules.remove_action_cards and sum(self.held[seat]) > 0
        return len(cards_in(self.layouts[seat])) > 0 or has_actions

    def remove(self, mover: int) -> Steps:
        """Remove a card of everybody else, one after the other (7.7)."""
        for seat in self.others():
            if self.can_lose_a_card(seat):
                self.attacked = seat
                is_defended = yield from self.is_defended(seat)
                if not is_defended:
                    yield from self.remove_from(seat, mover)
        self.attacked = None

    def remove_from(self, seat: int, mover: int) -> Steps:
        """Choose a card of the attacked, which is replaced by the next one of its pile (7.7)."""
        numbers = self.numbers_of_cells([seat])
        if self.rules.remove_action_cards:
            numbers += [DISCARD + kind for kind in KINDS if self.held[seat][kind] > 0]
        number = yield from self.decide("remove", mover, numbers)
        if number < CELL:
            self.lay_off(seat, number - DISCARD)
            if self.has_action_card():
                self.held[seat][self.next_action_card()] += 1
        else:
            self.remove_playing_card(seat, self.named_cell(number)[1])

    def remove_playing_card(self, seat: int, cell: int) -> None:
        """Remove a card of a layout as it is; the next card of the draw pile takes its place (7.7, 8.2, 12.2)."""
        card = self.layouts[seat][cell]
        assert card is not None
        card.known_by.clear()
        self.discard.insert(0 if self.rules.removed_to == "bottom" else len(self.discard) - 1, card)
        drawn = self.draw_card()
        self.bring_to_light(drawn)
        self.put_in_layout(seat, cell, drawn)

    def can_be_replayed(self, kind: int) -> bool:
        """Tell whether a card of the discard pile of action cards can be carried out by a replay (7.8, 7.10)."""
        return kind != REPLAY and self.can_be_carried_out(kind)

    def replay(self, mover: int) -> Steps:
        """Carry out a card of the discard pile of action cards; it goes on top of the replay (7.8)."""
        kind = self.action_discard[-2]  # under the replay itself
        if self.rules.replay == "any":
            kinds = {kind for kind in self.action_discard if self.can_be_replayed(kind)}
            number = yield from self.decide("replay", mover, [PLAY + kind for kind in kinds])
            kind = number - PLAY
        at = max(at for at, lying in enumerate(self.action_discard) if lying == kind)  # the highest of equal ones
        self.action_discard.append(self.action_discard.pop(at))
        yield from self.carry_out(kind, mover)

    def can_be_stolen(self, seat: int, kind: int) -> bool:
        """Tell whether a card of this seat can be carried out when it has been stolen (7.9)."""
        if kind in (REPLAY, STEAL) or self.held[seat][kind] == 0:
            return False
        self.held[seat][kind] -= 1
        can_be = self.can_be_carried_out(kind)
        self.held[seat][kind] += 1
        return can_be

    def can_be_stolen_from(self, seat: int) -> bool:
        """Tell whether a steal may attack this seat (7.9)."""
        return self.held[seat][DEFENCE] > 0 or any(self.can_be_stolen(seat, kind) for kind in KINDS)

    def steal(self, mover: int) -> Steps:
        """Carry out an action card of another player (7.9)."""
        victims = [seat for seat in self.others() if self.can_be_stolen_from(seat)]
        number = yield from self.decide("steal", mover, [self.number_of_cell(seat, 0) for seat in victims])
        victim = self.attacked = self.named_cell(number)[0]
        is_defended = yield from self.is_defended(victim)
        if is_defended:
            self.attacked = None
            return
        kinds = [kind for kind in KINDS if self.can_be_stolen(victim, kind)]
        number = yield from self.decide("steal card", mover, [PLAY + kind for kind in kinds])
        self.attacked = None
        self.lay_off(victim, number - PLAY)
        yield from self.carry_out(number - PLAY, mover)

    # End of a round (9)

    def end_round(self, ender: int) -> Steps:
        """Turn up all cards, clear what is complete then, and score the round (9.3 to 9.6, 10.1)."""
        self.is_reveal = True
        self.declined = [set() for _ in self.seats]
        for seat in self.seats:
            for cell in hidden_cells(self.layouts[seat]):
                self.turn_up(seat, cell, earns=False)
        for seat in self.seats:
            if self.rules.reveal_star_clear == "best":
                self.clear_as_wanted(self.layouts[seat], self.best_answers(seat), seat)
            else:
                yield from self.see_to_lines(seat)
        scores = [
            self.score_of(self.layouts[seat]) + 10 * sum(self.held[seat]) + self.bonus[seat] for seat in self.seats
        ]
        if scores[ender] > 0 and scores[ender] >= min(scores[seat] for seat in self.seats if seat != ender):
            scores[ender] *= 2
        self.round_scores = scores
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]

    def score_of(self, layout: Layout) -> int:
        """Return what a layout counts at the end, lines of stars included (9.5)."""
        star_lines = sum(self.points_of_star_line(layout, line) for line in range(len(LINES)))
        return sum(card.points for card in cards_in(layout)) + star_lines

    def best_answers(self, seat: int) -> set[int]:
        """Return the lines that are to be cleared for the lowest score; those of high number rather not (9.4)."""
        best, lowest = set[int](), None
        # The sets come in an order in which those without line 6 are first, and among equal ones those without line 5.
        for bits in range(2 ** len(LINES)):
            wanted = {line for line in range(len(LINES)) if bits & 2**line}
            layout = list(self.layouts[seat])
            self.clear_as_wanted(layout, wanted)
            score = self.score_of(layout)
            if lowest is None or score < lowest:
                best, lowest = wanted, score
        return best

    def clear_as_wanted(self, layout: Layout, wanted: set[int], seat: int | None = None) -> None:
        """Look at a layout in passes, the questions of 6.3 answered; without a seat only in thought (6.7, 9.4)."""
        while len(lines := self.lines_to_clear(layout, wanted)) > 0:
            if seat is not None:
                self.clear(lines, seat)
            for line in lines:
                for cell in LINES[line]:
                    layout[cell] = None

    def lines_to_clear(self, layout: Layout, wanted: set[int]) -> list[int]:
        """Return the lines that the next pass clears when the questions of 6.3 are answered (6.8, 9.4)."""
        complete = [line for line in range(len(LINES)) if self.is_complete(layout, line)]
        must = [line for line in complete if self.must_be_cleared(layout, line)]
        mixed = [line for line in complete if line not in must and not self.is_star_line(layout, line)]
        return self.of_one_pass(sorted(must + [line for line in mixed if line in wanted]))

    def stop(self) -> None:
        """Stop the round and the whole game (9.7)."""
        self.round_scores = [sum(card.points for card in cards_in(layout)) for layout in self.layouts]
        self.phase = "truncated"
