"""Skip-Bo, as the tests for every game see it."""

import random
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

import skipbo_env
from skipbo_env import (
    NONE,
    UNSEEN,
    WILD,
    Game,
    Rules,
    SkipboEnv,
    SkipboTextEnv,
    SkipboVectorEnv,
    card_game,
)
from skipbo_env.events import CardsDrawn, StockCardTurnedUp
from skipbo_env.kernel import DISCARD, PLAY_DISCARD, PLAY_HAND
from skipbo_env.position import CHECKS
from skipbo_env.render import format_table
from tests.games.under_test import GameUnderTest
from tests.skipbo_env import positions
from tests.skipbo_env.lockstep import assert_same, expected_view, oracle_fields
from tests.skipbo_env.oracle import DECK, MarkedTable, Table
from tests.skipbo_env.small_pools import small
from tests.skipbo_env.tables import random_rules, written_cards
from tests.skipbo_env.test_sample import permuted


def ahead(numbers: list[float], seat: int) -> float:
    """By how much a seat has more than the mean of the others."""
    others = [number for other, number in enumerate(numbers) if other != seat]
    return numbers[seat] - sum(others) / len(others)


def stock_margin(game: Game, seat: int) -> float:
    """The stock margin as it lies on the table."""
    sizes = [-float(game.stock_size(other)) for other in range(game.rules.players)]
    return ahead(sizes, seat) / game.rules.stock_size


def decision_rewards(before: Game, after: Game, reward: str) -> list[float]:
    """What the decision between the two brought every seat, without shaping: nothing but at the end of an episode."""
    del before
    return [reward_at_the_end(after, reward, seat) for seat in range(after.rules.players)]


def reward_at_the_end(game: Game, reward: str, seat: int) -> float:
    """What the last decision of an episode brings a seat; any other brings nothing."""
    if game.phase != "over":
        return 0.0
    players = game.rules.players
    share = (seat in game.winners) / len(game.winners) if game.winners else 0.0
    if reward == "point":
        return share
    if reward == "margin" and game.episode == "round":
        return stock_margin(game, seat)
    if reward == "margin":
        return ahead([float(total) for total in game.totals], seat) / game.rules.target_score
    return (share - 1 / players) * players / (players - 1) if game.winners else 0.0


def to_light(game: Game, action: int, events: Any) -> tuple[int, ...]:
    """The cards that these events brought to light for the seat that decided."""
    turned = [(event.card,) for event in events if isinstance(event, StockCardTurnedUp)]
    drawn = [event.cards for event in events if isinstance(event, CardsDrawn) and event.seat == game.seat]
    return tuple(card for cards in turned + (drawn if PLAY_HAND <= action < PLAY_DISCARD else []) for card in cards)


def check(game: Game) -> None:
    """Scenario 16; clauses 1.1, 4.4, 5.5: cards change only from wild to natural, and only where the rules say so."""
    CHECKS.check_states(game.rules, game.state)
    cards, deck = Counter(written_cards(game.position().splitlines())), Counter(DECK)
    assert cards.total() == 162
    if game.rules.recycled_wild == "wild":
        assert cards == deck
    else:
        assert all(cards[rank] >= deck[rank] for rank in range(1, WILD))
    assert game.is_truncated == (game.ending == "stopped")
    assert len(game.winners) == 0 or (not game.is_truncated and max(game.totals) > 0)


@lru_cache(1)
def marked_table(rules: Rules, seed: int, deal: int, episode: str, actions: tuple[int, ...]) -> MarkedTable:
    """The oracle's table after these actions; every seat of it is compared."""
    table = MarkedTable(rules, seed, deal, episode)
    for action in actions:
        table.apply(action)
    return table


def unseen_changed(game: Game, chance: random.Random, seat: int | None = None) -> Game:
    """Other cards wherever this seat cannot know them; for nobody, any face-down cards, other hands and draw pile."""
    if seat is not None:
        record = game.record()
        marked = marked_table(game.rules, record["seed"], record["deal"], game.episode, tuple(record["actions"]))
        return permuted(game, marked, seat, chance)
    state, numbers = game.state.copy(), np.random.default_rng(chance.randrange(2**32))
    record = state[0]
    record["piles"][len(record["piles"]) - int(record["draw_left"]) :] = numbers.integers(1, WILD + 1)
    for seat in range(game.rules.players):
        bottom = seat * game.rules.stock_size
        numbers.shuffle(record["stocks"][bottom : bottom + int(record["stock_left"][seat]) - 1])
        if seat != game.seat:
            numbers.shuffle(record["hands"][seat, : int(record["hand_size"][seat])])
            record["hands"][seat] = WILD + 1 - record["hands"][seat]
    return Game.standing(game.rules, state)


SKIPBO = GameUnderTest(
    api=skipbo_env,
    single=SkipboEnv,
    vector=SkipboVectorEnv,
    text=SkipboTextEnv,
    gymnasium_id="skipbo/SkipBo-v0",
    most_players=6,
    random_rules=random_rules,
    written_position=positions.WRITTEN,
    short_position=positions.SHORT,
    position_damages=positions.DAMAGES,
    damaged_states=positions.STATES,
    quick=Rules(players=3, stock=2, max_turns=9, max_rounds=2),
    quick_rules="stock=1",
    seeing={"view": "table"},
    check=check,
    plays=DISCARD,
    shaping="stock",
    brought=decision_rewards,
    potential=lambda game, seat: 0.0 if game.phase == "over" else stock_margin(game, seat),
    penalties={"win": -1.0, "point": -1.0, "margin": -1.65},
    oracle=Table,
    oracle_fields=oracle_fields,
    assert_same=assert_same,
    expected_view=expected_view,
    counted=[
        (Rules.from_text("stock=2"), "game", [1, 20, 240]),
        (Rules.from_text("players=3 stock=1 symmetric=lowest next_starter=winner"), "game", [1, 6, 26, 144, 1257]),
        (Rules.from_text("stock=3 refill=never compulsory=true recycle=on_completion"), "game", [1, 12, 48, 48]),
    ],
    scripts=("random:over=slots", "greedy:pile=random,hand_order=rank", "planner", "hpvp:gap=farthest,tie=wild"),
    scripted_table=("players=3 stock=5", ("planner", "greedy:pile=random", "random:plays_first=true")),
    bad_options=[({"rules": Rules(players=3, max_turns=2)}, "max_turns=2 is too small: with players=3")],
    to_light=to_light,
    impossible=[
        ("turns", 3000, "observation 1: turns 3000"),
        ("still_turns", 2, "observation 1: still_turns 2"),
        ("older_held", 10, "observation 1: older_held"),
        ("building_wilds", 2047, "building|deck"),
        ("stock_sizes", 0, "the unseen cards"),
        ("recycles", 0, "observation 1: there are newer cards"),
    ],
    observed=small,
    card_codes=lambda _: range(NONE, UNSEEN + 1),
    card_game=card_game.SKIPBO,
    text_width=80,
    drawn_rules=[Rules(players=players) for players in range(2, 7)],
    open_text=lambda game: format_table(game, hands=False),
    unseen_changed=unseen_changed,
    unwritten=frozenset({"piles", "stocks"}),
)
