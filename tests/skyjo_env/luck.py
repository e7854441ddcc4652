"""The luck terms of Skyjo, computed plainly."""

import numpy as np

from skyjo_env import EMPTY, HIDDEN, Game, ObservationSpec


class Luck:
    """The luck of one round, computed from observations and the cards as they lie."""

    def __init__(self, game: Game) -> None:
        self.game, self.rules, self.spec = game, game.rules, ObservationSpec(game.rules)
        self.terms = np.zeros((game.rules.players, 3))

    def board(self, seat: int) -> list[int]:
        cards: list[int] = self.game.board(seat).T.ravel().tolist()
        return cards

    def cards(self, seat: int) -> list[int]:
        cards: list[int] = self.game.state["cards"][0, seat, : self.rules.cells].tolist()
        return cards

    def pool(self, name: str) -> list[int]:
        counts = getattr(self.spec.view(self.game.observation()), name).tolist()
        return [card for card, count in zip(self.rules.values, counts, strict=True) for _ in range(count)]

    def gains(self, board: list[int], mean: float, card: int) -> float:
        """The most that a card takes off a board's expected sum."""

        def total(cards: list[int]) -> float:
            points, rows = 0.0, self.rules.rows
            for first in range(0, len(cards), rows):
                column = cards[first : first + rows]
                if len(set(column)) > 1 or column[0] >= HIDDEN:
                    points += sum(mean if one == HIDDEN else 0 if one == EMPTY else one for one in column)
            return points

        placed = [[*board[:cell], card, *board[cell + 1 :]] for cell in range(len(board)) if board[cell] != EMPTY]
        return max(0.0, *(total(board) - total(cards) for cards in placed))

    def move(self, action: int) -> None:
        game, rules, seat = self.game, self.rules, self.game.seat
        following, pool = (seat + 1) % rules.players, self.pool("hidden_pool")
        mean = float(np.mean(pool)) if pool else 0.0
        boards, cards = (
            [self.board(each) for each in range(rules.players)],
            [self.cards(each) for each in range(rules.players)],
        )
        cell = (action - 2) % rules.cells if 2 <= action < 2 + 2 * rules.cells else None
        game.apply(action)
        if action == 0:
            drawn = [*self.pool("draw_pool"), game.hand]
            gains = [self.gains(boards[seat], mean, card) for card in (game.hand, *drawn)]  # type: ignore[arg-type]
            self.terms[seat, 1] += gains[0] - np.mean(gains[1:])
        seen = cell is not None and boards[seat][cell] == HIDDEN
        if seen and action >= 2 + rules.cells:
            self.terms[seat, 0] += cards[seat][cell] - mean  # type: ignore[index]
        elif seen and not game.is_over and game.board(seat).T.ravel()[cell] != EMPTY:
            gains = [self.gains(boards[following], mean, card) for card in (cards[seat][cell], *pool)]  # type: ignore[index]
            self.terms[following, 2] += gains[0] - np.mean(gains[1:])
        if game.is_over:
            if seen:
                pool.remove(cards[seat][cell])  # type: ignore[index]
            for each in range(rules.players):
                for at in range(rules.cells):
                    if boards[each][at] == HIDDEN and not (each == seat and at == cell):
                        self.terms[each, 0] += cards[each][at] - np.mean(pool)
