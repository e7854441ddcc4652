"""Outcomes: what a decision may bring to light, counted from what its seat knows, and given to the table."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from skyjo_env import Game, GameBatch, SkyjoError, parse_action
from tests.games.skyjo import to_light
from tests.games.test_outcomes import cards_to_come
from tests.helpers import seen, table, zeros
from tests.skyjo_env.lockstep import assert_same, expected_counts, kernel_counts, kernel_fields, random_rules
from tests.skyjo_env.oracle import Table
from tests.skyjo_env.test_sample import draw_places, hidden_places

# Small boards on which three cells are hidden, and three cards in the draw pile: six unseen cards in all.
SMALL = "rules rows=2 columns=2 opening_flips=1 deck=0:2,1:3,2:2,3:1,4:1,5:1,6:1,7:2"
HALF_OPEN = "board 0 1 | ?1 ?2; board 4 5 | 6 ?7; discard 3 2"
TABLES = {
    "at the start of a turn": f"{SMALL}; {HALF_OPEN}; draw 0 1 7; seat 0 turn",
    "a card in hand": f"{SMALL}; {HALF_OPEN}; draw 1 7; seat 0 drawn 0",
    "own parts": f"{SMALL} draw_streams=true; {HALF_OPEN}; draw 0 | 1 7; seat 1 turn",
    "after a reshuffle": f"{SMALL}; {HALF_OPEN}; draw 0 1 7; reshuffles 1; seat 0 turn",
    "drawn after a reshuffle": f"{SMALL}; {HALF_OPEN}; draw 1 7; reshuffles 1; seat 0 drawn 0",
    "the last turn": f"{SMALL}; episode round; board 4 5 | 6 3; board 0 1 | ?1 ?2; discard 7; draw 0 1 7; ender 0;"
    "turns_left 1; seat 1 taken 2",
    "the opening": f"{SMALL}; board 0 ?1 | ?1 ?2; board ?4 ?5 | ?6 ?7; discard 7; draw 0 1 2 3; seat 1 opening",
}


def places(game: Game) -> list[list[tuple[str, Any]]]:
    """Where cards lie that the seat to decide has not seen, in groups within which it cannot tell them apart."""
    record = game.state[0]
    hidden, draws = hidden_places(record, game.rules), draw_places(record, game.rules, with_hand=False)
    return [hidden + draws] if record["reshuffles"] == 0 else [hidden, draws]


def rearranged(game: Game) -> Iterator[Game]:
    """The game with every different arrangement of the unseen cards; each is equally likely."""
    games = [game]
    for group in places(game):
        cards = [int(game.state[field][0][at]) for field, at in group]
        games = [laid(other, group, order) for other in games for order in sorted(set(permutations(cards)))]
    yield from games


def laid(game: Game, group: list[tuple[str, Any]], cards: tuple[int, ...]) -> Game:
    twin = game.copy()
    for (field, at), card in zip(group, cards, strict=True):
        twin.state[field][0][at] = card
    return twin


# What may come


@pytest.mark.parametrize("name", [name for name in TABLES if name != "the opening"])
def test_probabilities_are_the_shares_of_all_arrangements_to_the_last_card(name: str) -> None:
    game = table(TABLES[name])
    for action in game.legal_actions():
        came = Counter(to_light(game, action, twin.play(action)) for twin in rearranged(game))
        lengths = {len(cards) for cards in came}
        assert len(lengths) == 1
        for length in range(max(lengths) + 1):
            for cards in {cards[:length] for cards in came}:
                after = Counter[int]()
                for others, count in came.items():
                    if others[:length] == cards and len(others) > length:
                        after[others[length]] += count
                shares = {card: Fraction(count, after.total()) for card, count in after.items()}
                assert game.outcomes(action, *cards) == shares


def test_a_flip_in_the_opening_brings_any_unseen_card_2_2() -> None:
    game = table(TABLES["the opening"])
    unseen = Counter({0: 1, 1: 3, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1})
    expected = {card: Fraction(count, 11) for card, count in unseen.items()}
    assert game.outcomes(parse_action(game.rules, "flip 3")) == expected


def test_a_reshuffle_of_all_discards_turns_one_up_before_the_draw_6_2() -> None:
    game = zeros("1 1 2", rules="reshuffle=all_then_turn_up_new")
    assert game.outcomes(0) == {1: Fraction(2, 3), 2: Fraction(1, 3)}
    assert game.outcomes(0, 1) == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert game.outcomes(0, 2) == {1: Fraction(1)}
    for cards in ((1, 1), (1, 2), (2, 1)):
        for seed in range(20):
            twin = game.copy()
            twin.state["chance"] = seed
            twin.apply(0, *cards)
            assert (twin.discard_top, twin.hand) == cards
            assert Game.from_position(twin.position()).observation().tolist() == twin.observation().tolist()


# A given card


@pytest.mark.parametrize("name", [name for name in TABLES if name != "the opening"])
def test_a_given_card_leads_to_the_tables_in_which_it_lies_there(name: str) -> None:
    """Whatever lies there: each of those, and no other; and nothing is moved where it lies there already."""
    game = table(TABLES[name])
    for action in game.legal_actions():
        for card in game.outcomes(action):
            natural, given = set(), set()
            for twin in rearranged(game):
                drawn, other = twin.copy(), twin.copy()
                came = to_light(game, action, drawn.play(action))
                other.apply(action, card)
                given.add(cards_of(other))
                if came[0] == card:
                    natural.add(cards_of(drawn))
                    assert other.position() == drawn.position()
            assert given == natural


def cards_of(game: Game) -> str:
    """Everything of a position but the state of the generator."""
    return "\n".join(line for line in game.position().splitlines() if not line.startswith("chance"))


@pytest.mark.statistical
@pytest.mark.parametrize("name", ["a card in hand", "at the start of a turn", "own parts", "after a reshuffle"])
@pytest.mark.slow
def test_a_fair_guess_is_a_fair_guess_after_a_card_was_given(name: str) -> None:
    """A card that occurs twice: all arrangements of the others must stay equally likely."""
    game = table(TABLES[name])
    action = game.legal_actions()[0] if game.phase == "turn" else parse_action(game.rules, "place 2")
    card = 1
    batch = GameBatch.sample(game.rules, np.repeat(game.observation()[None], 1_000, axis=0))
    counts: Counter[str] = Counter()
    for state in batch.state()["games"]:
        guess = Game.from_state(game.rules, state[None])
        guess.apply(action, card)
        counts[cards_of(guess)] += 1
    natural = {cards_of(twin) for twin in (after(twin, action, card) for twin in rearranged(game)) if twin}
    assert set(counts) == natural
    assert chisquare(list(counts.values())).pvalue > 1e-4


def after(game: Game, action: int, card: int) -> Game | None:
    """The game after an action, if that brings this card to light."""
    return game if to_light(game, action, game.play(action))[0] == card else None


def oracle_of(game: Game) -> Table:
    """The oracle's table in the same state."""
    oracle = Table(game.rules, episode=game.episode)
    for name, value in kernel_fields(game).items():
        if name not in ("legal", "winners"):
            setattr(oracle, name, value)
    oracle.previous_ender = None if game.round == 1 else game.starter or 0
    return oracle


@pytest.mark.parametrize("seed", range(15))
def test_kernel_and_oracle_agree_after_given_cards(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    game = Game(rules, seed=seed, episode=chance.choice(("game", "round")))
    oracle = oracle_of(game)
    for decision in range(200):
        if game.is_over:
            break
        action = chance.choice(game.legal_actions())
        if chance.random() < 0.3:
            cards = list(islice(cards_to_come(game, action, chance), chance.randrange(1, 4)))
            game.apply(action, *cards)
            oracle = oracle_of(game)
            assert kernel_counts(game) == expected_counts(oracle)
            Game.from_position(game.position())  # refuses a deck that does not come out even
        else:
            game.apply(action)
            oracle.apply(action)
        assert_same(game, oracle, rules, decision)


# Refusals


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ((5,), "cards 5 cannot be revealed"),
        ((1, 2), "2 cards are given, but this action reveals only 1"),
        ((21,), "card=21"),
        ((True,), "card=True"),
        (("1",), "card='1'"),
    ],
)
def test_cards_that_cannot_come_are_refused_and_change_nothing(cards: tuple[Any, ...], words: str) -> None:
    game = table(TABLES["at the start of a turn"])
    before = seen(game), game.record()
    for decide in (game.apply, game.play, game.outcomes):
        with pytest.raises(SkyjoError, match=words):
            decide(0, *cards)
        assert (seen(game), game.record()) == before
