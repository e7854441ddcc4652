"""What must hold in every game under any rules, found by Hypothesis."""

import copy
import pickle
import random
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skipbo_env import WILD, Game, GameBatch, IllegalActionError, action_names, replay
from tests.helpers import SEEDED
from tests.skipbo_env.lockstep import choose
from tests.skipbo_env.oracle import DECK
from tests.skipbo_env.tables import random_game, random_rules
from tests.skipbo_env.written import written_cards

randoms = st.randoms(use_true_random=False)
few = settings(SEEDED, max_examples=25)


def play_on(game: Game, chance: random.Random, decisions: int) -> list[int]:
    """Make up to this many random legal decisions; return them."""
    made: list[int] = []
    while len(made) < decisions and not game.is_over:
        made.append(choose(game.legal_actions(), chance, eagerness=0.9))
        game.apply(made[-1])
    return made


@few
@given(randoms)
def test_no_card_is_ever_lost_or_made(chance: random.Random) -> None:
    """Scenario 16; clauses 1.1, 4.4: cards change only from wild to natural, and only where the rules say so."""
    game = Game(random_rules(chance), seed=chance.randrange(2**64))
    deck = Counter(DECK)
    for _ in range(150):
        cards = Counter(written_cards(game.position().splitlines()))
        assert cards.total() == 162
        if game.rules.recycled_wild == "wild":
            assert cards == deck
        else:
            assert all(cards[rank] >= deck[rank] for rank in range(1, WILD))
        if game.is_over:
            break
        play_on(game, chance, 1)


@few
@given(randoms, st.integers(0, 300))
def test_the_mask_says_exactly_what_apply_accepts(chance: random.Random, before: int) -> None:
    """Clause 7.3: whatever else is tried is refused with what is legal, and changes nothing."""
    game = random_game(random_rules(chance), chance.randrange(2**64), before)
    legal = game.legal_actions()
    for action in (-1, *range(125), 125, 2**40):
        assert refusal(game, action) == (None if action in legal else expected_refusal(game, action))
    assert (len(legal) == 0) == game.is_over


def refusal(game: Game, action: int) -> str | None:
    """The message with which a copy of the game refuses this decision; None if it carries it out."""
    twin = game.copy()
    before = (twin.state.tobytes(), twin.mask().tobytes(), twin.observation().tobytes())
    try:
        twin.apply(action)
    except IllegalActionError as error:
        message = str(error)
    else:
        return None
    assert (twin.state.tobytes(), twin.mask().tobytes(), twin.observation().tobytes()) == before
    return message


def expected_refusal(game: Game, action: int) -> str:
    """The message that names the action, the seat, and all that is legal instead."""
    names = action_names(game.rules)
    name = f" ({names[action]})" if 0 <= action < len(names) else ""
    if game.is_over:
        return f"action {action}{name}: the game is {game.phase}; nothing to decide"
    legal = ", ".join(f"{number} ({names[number]})" for number in game.legal_actions())
    return f"action {action}{name} of seat {game.seat} is illegal; legal: {legal}"


@few
@given(randoms)
def test_every_game_ends_within_the_turns_and_rounds_that_the_rules_allow(chance: random.Random) -> None:
    """Clauses 5.5, 6.3, 6.4."""
    rules = random_rules(chance)
    rules = rules.replace(max_turns=min(rules.max_turns, 60), max_rounds=min(rules.max_rounds, 4))
    game = Game(rules, seed=chance.randrange(2**64))
    while not game.is_over:
        play_on(game, chance, 1)
        assert game.turns <= rules.max_turns
        assert game.round <= rules.max_rounds
    assert game.is_truncated == (game.ending == "stopped")
    assert len(game.winners) == 0 or (not game.is_truncated and max(game.totals) > 0)


@few
@given(randoms, st.integers(0, 200))
def test_every_way_of_keeping_a_game_preserves_its_future(chance: random.Random, before: int) -> None:
    game = random_game(random_rules(chance), chance.randrange(2**64), before)
    kept = [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), replay(game.record())]
    kept.append(Game.from_position(game.position()))
    actions = play_on(game, chance, 100)
    for other in kept:
        for action in actions:
            other.apply(action)
        assert other.position() == game.position()
        for seat in range(game.rules.players):
            np.testing.assert_array_equal(other.observation(seat), game.observation(seat))


@few
@given(randoms, st.integers(1, 9), st.integers(0, 2**64 - 10))
def test_a_deal_is_the_same_game_on_every_path(chance: random.Random, n: int, seed: int) -> None:
    rules = random_rules(chance)
    batch = GameBatch(rules, n, seed=seed)
    for table in range(n):
        assert batch.position(table) == Game(rules, seed=seed, deal=table).position()
    order = chance.sample(range(n), n)
    chosen = batch.select(order)
    assert [chosen.position(place) for place in range(n)] == [batch.position(table) for table in order]
