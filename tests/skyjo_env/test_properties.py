"""What must hold in every game under any rules, found by Hypothesis."""

import copy
import pickle
import random
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_env import Game, GameBatch, IllegalActionError, Rules, replay
from skyjo_env.card_game import SKYJO
from skyjo_env.kernel.state import EMPTY
from tests.helpers import SEEDED, play_at_random, seen
from tests.skyjo_env.lockstep import random_rules

randoms = st.randoms(use_true_random=False)
few = settings(SEEDED, max_examples=25)


def cards_on_table(game: Game) -> Counter[int]:
    """Every card that lies somewhere, from the kernel's record."""
    record, rules = game._games[0], game.rules
    parts = range(rules.players if rules.draw_streams else 1)
    piles = [record["piles"][record["pile_next"][part] : record["pile_end"][part]] for part in parts]
    places = [
        record["cards"][: rules.players, : rules.cells].ravel(),
        record["piles"][: record["discard_size"]],
        *piles,
    ]
    return Counter(int(card) for card in np.concatenate([*places, [record["hand"]]]) if card != EMPTY)


@few
@given(randoms)
def test_no_card_is_ever_lost_or_made(chance: random.Random) -> None:
    game = Game(random_rules(chance), seed=chance.randrange(2**64))
    deck = Counter(dict(game.rules.deck))
    for _ in range(200):
        on_table = cards_on_table(game)
        assert on_table <= deck if game.rules.cleared_cards == "out_of_play" else on_table == deck
        if game.is_over:
            break
        game.apply(chance.choice(game.legal_actions()))


@few
@given(randoms)
def test_the_mask_says_exactly_what_apply_accepts(chance: random.Random) -> None:
    game = Game(random_rules(chance), seed=chance.randrange(2**64))
    for _ in range(60):
        legal = game.legal_actions()
        for action in range(-1, game.rules.actions + 2):
            assert apply_to_copy(game, action) == (action in legal), f"{action} in {game.position()}"
        if game.is_over:
            break
        assert legal
        game.apply(chance.choice(legal))


def apply_to_copy(game: Game, action: int) -> bool:
    """Does a copy of the game accept this action?"""
    twin = game.copy()
    try:
        twin.apply(action)
    except IllegalActionError:
        assert twin._games.tobytes() == game._games.tobytes()
        return False
    return True


@few
@given(randoms)
def test_every_game_ends_within_the_turns_and_rounds_that_the_rules_allow(chance: random.Random) -> None:
    rules = random_rules(chance)
    rules = rules.replace(max_turns=min(rules.max_turns, 60), max_rounds=min(rules.max_rounds, 4))
    game = Game(rules, seed=chance.randrange(2**64))
    a_round = rules.players * rules.opening_flips + 3 * (rules.max_turns + rules.players - 1)
    play_at_random(game, chance, a_round * rules.max_rounds)
    assert game.is_over
    assert game.is_truncated != bool(game.winners)


@few
@given(randoms, st.integers(0, 80))
def test_every_way_of_keeping_a_game_preserves_its_future(chance: random.Random, before: int) -> None:
    game = Game(random_rules(chance), seed=chance.randrange(2**64))
    play_at_random(game, chance, before)
    kept = [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), replay(game.record())]
    kept.append(Game.from_position(game.position()))
    actions = play_at_random(game, chance, 60)
    for other in kept:
        for action in actions:
            other.apply(action)
        assert seen(other) == seen(game)


@few
@given(randoms, st.integers(1, 9), st.integers(0, 2**64 - 10))
def test_a_deal_is_the_same_game_on_every_path(chance: random.Random, n: int, seed: int) -> None:
    rules: Rules = random_rules(chance)
    batch = GameBatch(rules, n, seed=seed)
    for table in range(n):
        assert batch.position(table) == Game(rules, seed=seed, deal=table).position()
    order = chance.sample(range(n), n)
    shuffled = batch.select(order)
    assert [shuffled.position(place) for place in range(n)] == [batch.position(table) for table in order]
    assert SKYJO.many.first_illegal(batch._games, rules.params, np.full(n, -1, np.int64)) == 0
