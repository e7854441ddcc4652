"""An independent reference implementation of Skyjo, written from docs/rules/skyjo.md alone.

Clause numbers in the docstrings refer to docs/rules/skyjo.md. Everything here is meant to be obviously correct rather
than fast: the state is a handful of plain lists and numbers, and whatever can be derived from them is.
"""

from typing import Any

from tests.games.oracle_chance import Shuffler

DRAW = 0
TAKE = 1

Line = tuple[int, ...]


def lines_of_board(rows: int, columns: int, row_clear: bool) -> list[Line]:
    """Return the cells of every line: the columns, and with `row_clear` also the rows (1.3, 5.1, 5.2)."""
    lines = [tuple(column * rows + row for row in range(rows)) for column in range(columns)]
    if row_clear:
        lines += [tuple(column * rows + row for column in range(columns)) for row in range(rows)]
    return lines


class Table(Shuffler):
    """One game, or one round, of Skyjo: the whole table with every hidden card."""

    def __init__(self, rules: Any, seed: int = 0, deal: int = 0, episode: str = "game") -> None:
        """Start a game with its key (10.3) and deal its first round."""
        super().__init__(seed, deal)
        self.rules = rules
        self.episode = episode
        self.players: int = rules.players
        self.cells: int = rules.rows * rules.columns
        self.lines = lines_of_board(rules.rows, rules.columns, rules.row_clear)
        self.lay_down = 2 + 2 * self.cells  # 9.2, only with `flip_after_discard = "none"`
        self.clear = self.lay_down + (1 if rules.flip_after_discard == "none" else 0)  # 9.3
        self.keep = self.clear + 1
        self.round = 0
        self.totals = [0] * self.players
        self.round_scores = [0] * self.players
        self.ender: int | None = None
        self.deal_round()

    # Deal and opening (2)

    def deal_round(self) -> None:
        """Collect, shuffle and deal all cards for the next round, then open it (2.1, 10.3)."""
        self.round += 1
        self.begin_chance(self.round)
        deck = sorted(value for value, count in self.rules.deck for _ in range(count))
        self.shuffle(deck)
        dealt = self.players * self.cells
        self.cards: list[list[int | None]] = [list(deck[i : i + self.cells]) for i in range(0, dealt, self.cells)]
        self.is_open = [[False] * self.cells for _ in range(self.players)]
        self.discard = [deck[dealt]]
        self.lay_out_draw_pile(deck[dealt + 1 :])
        self.out_of_play: list[int] = []
        self.hand: int | None = None
        self.starter: int | None = None
        # 3.3 asks for it when the first turn begins, and by then `ender` already speaks of the new round.
        self.previous_ender = self.ender
        self.ender = None
        self.turns_left = 0
        self.turns = 0
        self.reshuffles = 0
        self.begin_opening()

    def begin_opening(self) -> None:
        """Let seat 0 open its cards first, unless nobody has anything to decide (2.2, 2.3)."""
        self.phase = "opening"
        self.seat = 0
        if self.rules.initial_flip == "random":
            for seat in range(self.players):
                self.open_at_random(seat)
            self.begin_first_turn()
        elif self.rules.opening_flips == 0:
            self.begin_first_turn()

    def open_at_random(self, seat: int) -> None:
        """Open cells of a board picked by chance (10.4)."""
        for _ in range(self.rules.opening_flips):
            cards, is_open = self.cards[seat], self.is_open[seat]
            hidden = [cell for cell in range(self.cells) if cards[cell] is not None and not is_open[cell]]
            self.open_in_opening(seat, hidden[self.number_below(len(hidden))])

    def open_in_opening(self, seat: int, cell: int) -> None:
        """Turn up one card in the opening and clear the line it may complete (2.4)."""
        self.is_open[seat][cell] = True
        if self.rules.clear == "automatic":
            self.clear_lines(seat, self.complete_lines(seat))

    def choose_opening_card(self, cell: int) -> None:
        """Turn up the chosen card and pass the opening on once the seat has opened all of its cards (2.3)."""
        self.open_in_opening(self.seat, cell)
        # Cards cleared in the opening were opened in it too, so the cells no longer hidden count the flips.
        if self.cells - len(self.hidden_cells(self.seat)) < self.rules.opening_flips:
            return
        if self.seat + 1 < self.players:
            self.seat += 1
        else:
            self.begin_first_turn()

    # Who starts (3)

    def begin_first_turn(self) -> None:
        """Let the starter of the round have the first turn (3.1, 3.3)."""
        if self.previous_ender is None:
            self.starter = 0 if self.rules.first_starter == "seat_0" else self.seat_with_highest_sum()
        elif self.rules.next_starter == "previous_ender":
            self.starter = self.previous_ender
        else:
            self.starter = self.seat_with_highest_sum()
        self.seat = self.starter
        self.phase = "turn"

    def seat_with_highest_sum(self) -> int:
        """Return the seat with the highest sum of open cards and break a tie (3.1, 3.2)."""
        boards = [self.open_cards(seat) for seat in range(self.players)]
        highest_sum = max(sum(board) for board in boards)
        tied = [seat for seat in range(self.players) if sum(boards[seat]) == highest_sum]
        if len(tied) == 1 or self.rules.start_tie == "lowest_seat":
            return tied[0]
        if self.rules.start_tie == "random":
            return tied[self.number_below(len(tied))]
        # `max` returns the first of equals: the lowest seat.
        return max(tied, key=lambda seat: max(boards[seat], default=float("-inf")))

    # Boards (1, 5)

    def hidden_cells(self, seat: int) -> list[int]:
        """Return the cells that hold a hidden card (1.4)."""
        is_open = self.is_open[seat]
        return [cell for cell, card in enumerate(self.cards[seat]) if card is not None and not is_open[cell]]

    def open_cards(self, seat: int) -> list[int]:
        """Return the open cards of a board (1.4)."""
        is_open = self.is_open[seat]
        return [card for cell, card in enumerate(self.cards[seat]) if card is not None and is_open[cell]]

    def is_complete(self, seat: int, line: Line) -> bool:
        """Tell whether every cell of a line holds an open card and all of them are equal (5.1, 5.3)."""
        cards, is_open = self.cards[seat], self.is_open[seat]
        first = cards[line[0]]
        return first is not None and all(is_open[cell] and cards[cell] == first for cell in line)

    def complete_lines(self, seat: int) -> list[Line]:
        """Return all complete lines of a board (5.1, 5.2)."""
        return [line for line in self.lines if self.is_complete(seat, line)]

    def clear_lines(self, seat: int, lines: list[Line]) -> None:
        """Clear lines of a board together, their cards in increasing order of their cells (5.4, 5.6)."""
        pile = self.discard if self.rules.cleared_cards == "to_discard" else self.out_of_play
        for cell in sorted({cell for line in lines for cell in line}):
            card = self.cards[seat][cell]
            assert card is not None  # complete lines hold cards
            pile.append(card)
            self.cards[seat][cell] = None
            self.is_open[seat][cell] = False

    # Piles (6)

    def lay_out_draw_pile(self, pile: list[int]) -> None:
        """Lay out a new draw pile, with `draw_streams` one part per seat (6.5)."""
        parts = self.players if self.rules.draw_streams else 1
        size = len(pile)
        self.draw_parts = [pile[part * size // parts : (part + 1) * size // parts] for part in range(parts)]

    def reshuffle(self) -> None:
        """Turn the discard pile into a draw pile (6.1, 6.2, 10.5)."""
        if self.rules.reshuffle == "keep_top":
            pile, self.discard = self.discard[:-1], self.discard[-1:]
            self.shuffle(pile)
        else:
            pile = self.discard
            self.shuffle(pile)
            self.discard = [pile.pop(0)]
        self.reshuffles += 1
        self.lay_out_draw_pile(pile)

    # Decisions (9)

    def legal_actions(self) -> list[int]:
        """Return the legal decisions in increasing order; none once nobody decides (9.4)."""
        if self.phase == "opening":
            return self.flip_actions()
        if self.phase == "turn":
            return [DRAW, TAKE] if any(self.draw_parts) or len(self.discard) >= 2 else [TAKE]  # 6.4
        if self.phase == "drawn":
            return self.place_actions() + self.discard_actions()
        if self.phase == "taken":
            return self.place_actions()
        if self.phase == "confirm":
            return [self.clear, self.keep]
        return []

    def place_actions(self) -> list[int]:
        """Return the decisions that place the card in hand (4.2, 4.3, 4.7)."""
        return [2 + cell for cell, card in enumerate(self.cards[self.seat]) if card is not None]

    def flip_actions(self) -> list[int]:
        """Return the decisions that turn up a hidden card (2.2, 4.4, 4.7)."""
        return [2 + self.cells + cell for cell in self.hidden_cells(self.seat)]

    def discard_actions(self) -> list[int]:
        """Return the decisions that lay the drawn card on the discard pile (4.4, 4.5, 9.2)."""
        return [self.lay_down] if self.rules.flip_after_discard == "none" else self.flip_actions()

    def apply(self, action: int) -> None:
        """Carry out a decision; an illegal one raises ValueError and changes nothing (9.4)."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is illegal in phase {self.phase!r}")
        if self.phase == "opening":
            self.choose_opening_card(action - 2 - self.cells)
        elif action == DRAW:
            self.draw()
        elif action == TAKE:
            self.take()
        elif self.phase == "confirm":
            if action == self.clear:
                self.clear_lines(self.seat, self.complete_lines(self.seat))
            self.end_turn()
        else:
            self.use_hand(action)

    # A turn (4)

    def draw(self) -> None:
        """Draw a card, from the longest part if the seat's own is used up, after a reshuffle if all are (6.1, 6.5)."""
        if not any(self.draw_parts):
            self.reshuffle()
        part = self.draw_parts[self.seat if self.rules.draw_streams else 0]
        if len(part) == 0:
            part = max(self.draw_parts, key=len)  # the first of equals: the lowest seat's
        self.hand = part.pop(0)
        self.phase = "drawn"

    def take(self) -> None:
        """Take the top card of the discard pile (4.1, 6.3)."""
        self.hand = self.discard.pop()
        self.phase = "taken"

    def use_hand(self, action: int) -> None:
        """Place the card in hand, or discard it and turn a card up, and see to complete lines (4.2 to 4.6)."""
        assert self.hand is not None  # the phases drawn and taken have a card in hand
        card, self.hand = self.hand, None
        if action < 2 + self.cells:
            self.place(card, action - 2)
        else:
            self.discard.append(card)
            if action != self.lay_down:
                self.is_open[self.seat][action - 2 - self.cells] = True
        self.see_to_complete_lines()

    def place(self, card: int, cell: int) -> None:
        """Put a card face up on a cell and the card it replaces on the discard pile (4.6)."""
        replaced = self.cards[self.seat][cell]
        assert replaced is not None  # 4.7
        self.discard.append(replaced)
        self.cards[self.seat][cell] = card
        self.is_open[self.seat][cell] = True

    def see_to_complete_lines(self) -> None:
        """Clear complete lines at once, or ask their owner, before the turn ends (5.4, 5.5)."""
        lines = self.complete_lines(self.seat)
        if len(lines) > 0 and self.rules.clear == "confirm":
            self.phase = "confirm"
            return
        self.clear_lines(self.seat, lines)
        self.end_turn()

    # End of a round (7)

    def end_turn(self) -> None:
        """Count the turn and find out whether another one follows (7.1, 7.2, 7.3, 7.8)."""
        self.turns += 1
        if self.ender is not None:
            self.turns_left -= 1
        elif len(self.hidden_cells(self.seat)) == 0:
            self.ender = self.seat
            self.turns_left = self.length_of_final_lap(self.seat)
        elif self.turns >= self.rules.max_turns:
            self.round_scores = self.raw_scores()
            self.phase = "truncated"
            return
        if self.ender is not None and self.turns_left == 0:
            self.end_round(self.ender)
        else:
            self.seat = (self.seat + 1) % self.players
            self.phase = "turn"

    def length_of_final_lap(self, ender: int) -> int:
        """Return how many turns follow that of the ender (7.2)."""
        if self.rules.final_lap == "each_other_once":
            return self.players - 1
        assert self.starter is not None  # set when the first turn began
        return (self.starter - 1 - ender) % self.players

    def end_round(self, ender: int) -> None:
        """Reveal and score the boards, then deal the next round unless the game is over (7.4, 8.1 to 8.3, 8.5)."""
        for seat in range(self.players):
            self.reveal(seat)
        self.score_round(ender)
        self.totals = [total + score for total, score in zip(self.totals, self.round_scores, strict=True)]
        target_reached = max(self.totals) >= self.rules.target_score
        if self.episode == "round" or target_reached or self.round >= self.rules.max_rounds:
            self.phase = "over"
        else:
            self.deal_round()

    def reveal(self, seat: int) -> None:
        """Turn up all hidden cards of a board and clear the lines that are complete then (7.4)."""
        for cell in self.hidden_cells(seat):
            self.is_open[seat][cell] = True
        if self.rules.reveal_clear:
            lines = self.complete_lines(seat)
            if self.rules.clear == "confirm":
                lines = [line for line in lines if (card := self.cards[seat][line[0]]) is not None and card > 0]
            self.clear_lines(seat, lines)

    def raw_scores(self) -> list[int]:
        """Return the sums of the cards left on the boards, hidden ones included (7.5, 7.8)."""
        return [sum(card for card in board if card is not None) for board in self.cards]

    def score_round(self, ender: int) -> None:
        """Set the round scores: the raw scores, the ender's with its penalty (7.5 to 7.7)."""
        self.round_scores = self.raw_scores()
        raw = self.round_scores[ender]
        lowest_other = min(score for seat, score in enumerate(self.round_scores) if seat != ender)
        penalised = {
            "strict_lowest_required": raw >= lowest_other,
            "ties_allowed": raw > lowest_other,
            "off": False,
        }[self.rules.ender_penalty_mode]
        if penalised and (raw > 0 or self.rules.penalty_on_negative):
            self.round_scores[ender] = raw * self.rules.penalty_factor

    # End of the game (8)

    def winners(self) -> list[int]:
        """Return the seats that share the win, none before the game is over (8.4, 8.5)."""
        if self.phase != "over":
            return []
        scores = self.round_scores if self.episode == "round" else self.totals
        return [seat for seat, score in enumerate(scores) if score == min(scores)]
