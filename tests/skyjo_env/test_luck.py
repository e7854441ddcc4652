"""The luck terms: against a plain computation from the same rounds, and without bias whoever plays and by any rules."""

from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import chances_of
from skyjo_env import EMPTY, HIDDEN, OFFICIAL, REICHEL, Game, ObservationSpec, Rules, make_agent
from tests.skyjo_play import play_rounds


def with_luck(names: list[str], rules: Rules, seed: int, deals: int) -> Any:
    """(scores [deals, players], luck [deals, players, 3])."""
    played = play_rounds([make_agent(name, rules) for name in names], rules, seed, range(deals), with_luck=True)
    return played.scores, played.luck


class Luck:
    """The luck of one round, computed from observations and the cards as they lie."""

    def __init__(self, names: list[str], rules: Rules, seed: int, deal: int) -> None:
        self.rules, self.spec, self.game = rules, ObservationSpec(rules), Game(rules, seed, deal, "round")
        self.terms = np.zeros((rules.players, 3))
        agents = [make_agent(name, rules) for name in names]
        while not self.game.is_over:
            seat = self.game.seat
            seen, mask = self.game.observation()[None], self.game.mask()[None]
            self.move(int(agents[seat].act(seen, mask, chances_of(seen))[0]))

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


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        (["threshold:t=3,columns=true", "naive"], OFFICIAL),
        (["tempo", "expected"], OFFICIAL),
        pytest.param(["threshold:t=1", "threshold:t=4"], REICHEL, marks=pytest.mark.long),
        (["naive", "tempo", "threshold"], Rules(players=3, final_lap="complete_current_round")),
    ],
)
@pytest.mark.slow
def test_every_term_is_what_a_plain_computation_finds(names: list[str], rules: Rules) -> None:
    _, luck = with_luck(names, rules, seed=3, deals=4)
    for deal in range(4):
        assert luck[deal] == pytest.approx(Luck(names, rules, 3, deal).terms, abs=1e-6)


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        (["tempo", "threshold:t=5"], OFFICIAL),
        (["expected", "naive", "tempo"], Rules(players=3, row_clear=True, reshuffle="all_then_turn_up_new")),
        (["naive", "threshold:t=1", *["threshold"] * 6], Rules(players=8)),  # reshuffles in most rounds
    ],
)
@pytest.mark.slow
def test_luck_is_without_bias(names: list[str], rules: Rules) -> None:
    _, luck = with_luck(names, rules, seed=11, deals=20_000)
    errors = luck.std(axis=0) / len(luck) ** 0.5
    assert np.abs(luck.mean(axis=0) / errors).max() < 4
    assert errors.max() < 0.2


def test_it_explains_a_good_part_of_the_margin() -> None:
    """By the luck of both, with weights fitted on other deals: about 0.37 of the variance."""
    names = ["threshold:t=2", "threshold:t=2,columns=true"]
    scores, luck = with_luck(names, OFFICIAL, 1, 20_000)
    margins, terms = scores[:, 1] - scores[:, 0], luck[:, 0] - luck[:, 1]
    weights = np.linalg.lstsq(terms[:10_000], margins[:10_000], rcond=None)[0]
    left = margins[10_000:] - terms[10_000:] @ weights
    assert left.var() / margins[10_000:].var() < 0.68
    assert abs(left.mean() - margins[10_000:].mean()) < 4 * (terms[10_000:] @ weights).std() / 100
