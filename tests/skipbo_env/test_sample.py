"""What a seat cannot know (8.1 to 8.4): no observation depends on it, and sampled tables are as likely as it says."""

import os
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from skipbo_env import Game, GameBatch, ObservationSpec
from tests.skipbo_env.oracle import DECK, MarkedTable, Older
from tests.skipbo_env.small_pools import EXPECTED, SMALL, Arrangement, small

Place = tuple[str, Any]  # a field of the kernel's record, and where in it


def older_and_newer(table: MarkedTable, observer: int) -> tuple[list[Place], list[Place]]:
    """Where the older and the newer cards lie that a seat cannot see, other hands included."""
    size, newer_exist = table.stock_size(), table.has_newer_cards()
    older: list[Place] = []
    for seat, stock in enumerate(table.stocks):
        older += [("stocks", size * seat + height) for height in range(len(stock) - 1)]
    newer: list[Place] = [("piles", len(DECK) - 1 - at) for at in range(len(table.draw_pile))]
    for seat, hand in enumerate(table.hands):
        if seat != observer:
            for at, card in enumerate(hand):
                (older if isinstance(card, Older) else newer).append(("hands", (seat, at)))
    return (older, newer) if newer_exist else (older + newer, [])


def not_in_view(table: MarkedTable, observer: int) -> list[Place]:
    """Where cards lie face up that a seat does not see in the views that show less (8.2)."""
    others_too = table.rules.view == "own"
    places: list[Place] = []
    first = 0
    for seat, piles in enumerate(table.discards):
        for pile in piles:
            top_is_seen = seat == observer or not others_too
            places += [("piles", first + at) for at in range(len(pile) - top_is_seen)]
            first += len(pile)
        stock = len(table.stocks[seat])
        if others_too and seat != observer and stock > 0:
            places.append(("stocks", table.stock_size() * seat + stock - 1))
    return places


def permute(record: Any, places: list[Place], chance: random.Random) -> None:
    """Exchange the cards in these places at random."""
    cards = [int(record[field][at]) for field, at in places]
    chance.shuffle(cards)
    for (field, at), card in zip(places, cards, strict=True):
        record[field][at] = card


def permuted(game: Game, table: MarkedTable, observer: int, chance: random.Random) -> Game:
    """A game that differs in everything that a seat cannot know: hidden cards, draw pile, and the chance to come."""
    state = game.state.copy()
    older, newer = older_and_newer(table, observer)
    if game.rules.view == "table":
        permute(state[0], older, chance)
        permute(state[0], newer, chance)
    else:
        permute(state[0], older + newer + not_in_view(table, observer), chance)
    state["key"], state["chance"] = chance.randrange(2**64), chance.randrange(2**64)
    return Game.standing(game.rules, state)


SAMPLES = 500 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 30_000


def shown(game: Game, seat: int, times: int = 3) -> Any:
    return np.repeat(game.observation(seat)[None], times, axis=0)


def games_of(batch: GameBatch) -> Any:
    """The records of a batch, hidden cards included."""
    return batch.state()["games"]


# How likely


def hidden_cards(games: Any) -> Counter[Arrangement]:
    """How often each arrangement of the small table occurs."""
    stocks = games["stocks"][:, [0, 2]].tolist()
    hands = np.sort(games["hands"][:, 1, :2]).tolist()
    draws = games["piles"][:, -2:].tolist()
    return Counter(
        Arrangement(tuple(stock), (tuple(hand),), tuple(drawn))
        for stock, hand, drawn in zip(stocks, hands, draws, strict=True)
    )


def assert_as_likely(counts: Counter[Any], expected: dict[Any, Any]) -> None:
    """Every outcome occurs as often as it should; rare ones are counted together."""
    assert set(counts) <= set(expected)
    total = counts.total()
    common = [outcome for outcome, chance in expected.items() if chance * total >= 10]
    observed = [counts[outcome] for outcome in common]
    wanted = [float(expected[outcome]) * total for outcome in common]
    rest = total - sum(wanted)
    if rest > 1:
        observed, wanted = [*observed, total - sum(observed)], [*wanted, rest]
    wanted[-1] += sum(observed) - sum(wanted)  # rounding
    assert chisquare(observed, wanted).pvalue > 1e-4


def test_after_a_recycling_samples_are_as_likely_as_the_definition_says_8_4_8_6() -> None:
    games = games_of(GameBatch.sample(small().rules, shown(small(), 0, SAMPLES), seed=1))
    assert_as_likely(hidden_cards(games), EXPECTED)


def test_rounding_the_chances_away_leaves_a_table_to_guess_8_5() -> None:
    """The own 9 must be an older card, so that the other hand cannot hold two; its chances say that it does."""
    text = (
        SMALL.replace("hand 7", "hand 9").replace("stock 9 5", "stock 7 5").replace("odds 12000 6000", "odds 0 32767")
    )
    game = Game.from_position(text)
    games = games_of(GameBatch.sample(game.rules, shown(game, 0, 100), seed=1))
    assert {tuple(sorted(hand)) for hand in games["hands"][:, 1, :2].tolist()} > {(3, 8)}
    assert sum(game.outcomes(0).values()) == 1


ON_COMPLETION = "rules recycle=on_completion; recycles 3; stock ? ? 5; stock ? 4; hand ? 5; hand ? ?; seat 0 turn"


@pytest.mark.parametrize(
    ("game", "stocks"), [(Game(seed=3), (0, 58)), (Game.from_position(f"skipbo-position 1; {ON_COMPLETION}"), (0,))]
)
def test_cards_among_which_a_seat_can_tell_no_difference_are_alike_8_4_8_7(game: Game, stocks: tuple[int, ...]) -> None:
    """Before a recycling, and always where completed piles join the draw pile at once."""
    games = games_of(GameBatch.sample(game.rules, shown(game, 0, SAMPLES), seed=2))
    counts = ObservationSpec(game.rules).view(game.observation(0))
    unseen = counts.older - counts.doubtful
    expected = {card: unseen[card - 1] / unseen.sum() for card in range(1, 14) if unseen[card - 1] > 0}
    places = [games["stocks"][:, at] for at in stocks] + [games["piles"][:, at] for at in (-97, -1)]
    for cards in places + ([games["hands"][:, 1, 0]] if len(game.hand(1)) > 0 else []):
        assert_as_likely(Counter(cards.tolist()), expected)


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("stock; stock ? 5; ending won; seat 0 over", "won"),
        ("stock ? 6; stock ? 5; ending blocked; seat 0 over", "blocked"),
        ("rules max_turns=5; turns 5; stock ? 6; stock ? 5; ending stopped; seat 0 truncated", "stopped"),
    ],
)
def test_a_guess_at_a_round_that_is_over_has_ended_as_the_round_did(text: str, ending: str) -> None:
    game = Game.from_position(f"skipbo-position 1; {text}")
    games = games_of(GameBatch.sample(game.rules, shown(game, 1)))
    assert [Game.standing(game.rules, games[[number]]).ending for number in range(3)] == [ending] * 3
