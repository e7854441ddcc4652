"""Perfect play at tables of two, by trying everything: its values, and `lookahead` in last turns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest

from cardtable.table.agents.agents import rng_states_of
from skyjo_agents import LookaheadAgent
from skyjo_env import Game
from skyjo_env.card_game import spec_of
from tests.helpers import table
from tests.skyjo_env.expectimax import Expectimax, arrangements


def final_margin(game: Game) -> float:
    """Return the margin of the seat that decided last. In a stopped round a hidden card counts as the mean of all."""
    scores = np.array(game.round_scores, float)
    if game.is_truncated:
        view = spec_of(game.rules).view(game.observation(0))
        mean = view.hidden_pool @ np.array(game.rules.values) / max(view.hidden_pool.sum(), 1)
        scores = view.open_sums + mean * view.hidden_left
    return float(scores[1 - game.seat] - scores[game.seat])


@dataclass
class PerfectPlay:
    """The values of tables where both seats play perfectly to the end of the round.

    Values are remembered, so an object serves one choice of rules.
    """

    margin: Callable[[Game], float] = final_margin
    known: dict[bytes, float] = field(default_factory=dict)

    def value(self, game: Game) -> float:
        """Return the margin that the seat to decide can expect, in points."""
        if game.is_over:
            return self.margin(game)
        seen = game.observation().tobytes()
        if seen not in self.known:
            self.known[seen] = max(self.worth(game, action) for action in game.legal_actions())
        return self.known[seen]

    def worth(self, game: Game, action: int, *cards: int) -> float:
        """Return the expected margin of an action; `cards` are the first that it reveals."""
        options = game.outcomes(action, *cards)
        if options:
            return sum(float(chance) * self.worth(game, action, *cards, card) for card, chance in options.items())
        after = game.copy()
        after.apply(action, *cards)
        value = self.value(after)
        return value if after.seat == game.seat else -value


BOARDS = "board 3 0 | 3 ?{0}; board 5 0 | ?{1} 5"
LAST_TURN = "board 3 0 | . .; board 5 0 | ?{0} ?{1}; ender 0; turns_left 1"
OFFICIAL_LAST_TURN = (
    "episode round; ender 1; turns_left 1; discard 3; "
    "board -1 0 1 | 2 2 ? | 7 7 . | . . .; board 1 2 3 | 4 5 . | . . . | . . ."
)
UNSEEN = (-1, -1, 0, 3, 5)

POSITIONS = {
    "usual": (BOARDS, "", "seat 0 turn"),
    "asked to clear": (BOARDS, "clear=confirm flip_after_discard=none", "seat 0 turn"),
    "rows clear": (BOARDS.replace("| 3", "| 0"), "row_clear=true final_lap=complete_current_round", "seat 0 turn"),
    "a card in hand": (BOARDS, "", "seat 1 drawn 0"),
    "last turn": (LAST_TURN, "", "seat 1 turn"),
}


def games(name: str) -> Iterator[Game]:
    """A position with every order of the unseen cards; the round is stopped after two turns."""
    boards, rules, seat = POSITIONS[name]
    for order in arrangements(UNSEEN):
        hidden, pile = order[:2], order[2:]
        seen = "1" if name == "last turn" else "3"
        yield table(
            f"rules rows=2 columns=2 opening_flips=3 deck={deck_of(boards, seen, seat)} max_turns=2 {rules}; "
            f"episode round; {boards.format(*hidden)}; discard {seen}; draw {' '.join(map(str, pile))}; {seat}"
        )


def deck_of(boards: str, discard: str, seat: str) -> str:
    """All cards of a position."""
    words = f"{boards.partition('; ender')[0]} {discard} {seat.partition('drawn')[2]}".split()
    cards = [int(word.strip(";")) for word in words if word.strip(";").lstrip("-").isdigit()] + list(UNSEEN)
    return ",".join(f"{card}:{cards.count(card)}" for card in sorted(set(cards)))


def margin(game: Game) -> int:
    """Seat 0's margin; a stopped round counts as the cards lie."""
    return int(game.round_scores[1] - game.round_scores[0])


def by_every_order(tables: list[Game]) -> Fraction:
    """What tables that look the same are worth to the seat that decides."""
    tried = Expectimax(Game.copy, Game.legal_actions, lambda game: game.observation().tobytes(), margin)
    return tried.value(tables) * (1 if tables[0].seat == 0 else -1)


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.slow
def test_a_position_is_worth_what_every_order_of_the_unseen_cards_says(name: str) -> None:
    tables = list(games(name))
    assert PerfectPlay().value(tables[0]) == pytest.approx(float(by_every_order(tables)))


def test_look_is_perfect_with_a_card_in_hand_in_the_last_turn() -> None:
    """It counts the end of a round with up to two hidden cards."""
    look = LookaheadAgent()
    for hand in (-2, 2, 8):
        game = table(f"{OFFICIAL_LAST_TURN}; seat 0 drawn {hand}")
        perfect, seen, mask = PerfectPlay(), game.observation(), game.mask()
        action_values = {action: perfect.worth(game, action) for action in game.legal_actions()}
        assert look.values(seen, mask, 0) == pytest.approx(action_values, abs=1e-6)
        (action,) = look.act(seen[None], mask[None], rng_states_of(seen[None]))
        assert action_values[action] == pytest.approx(max(action_values.values()))
