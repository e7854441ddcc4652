"""Skyjo, as the tests for every game see it."""

from collections import Counter

import numpy as np

import skyjo_env
from skyjo_env import (
    EMPTY,
    HIDDEN,
    Game,
    ObservationSpec,
    Rules,
    SkyjoEnv,
    SkyjoTextEnv,
    SkyjoVectorEnv,
    card_game,
)
from skyjo_env.events import CardDrawn, CardPlaced, CardRevealed, CardTurnedUp, Event, PileReshuffled, RoundScored
from tests.games.under_test import GameUnderTest
from tests.skyjo_env import positions
from tests.skyjo_env.lockstep import assert_same, expected_view, oracle_fields, random_rules
from tests.skyjo_env.oracle import Table
from tests.skyjo_env.test_sample import permuted


def margin(scores: tuple[float, ...], seat: int) -> float:
    """How many points a seat has less than the others have on average."""
    others = [score for other, score in enumerate(scores) if other != seat]
    return sum(others) / len(others) - scores[seat]


def win(game: Game, seat: int) -> float:
    if not game.winners:
        return 0.0
    share = (seat in game.winners) / len(game.winners)
    return (share - 1 / game.rules.players) * game.rules.players / (game.rules.players - 1)


def expected_margin(game: Game, seat: int) -> float:
    """From what a seat sees that does not decide: it knows no more than everybody."""
    if game.phase == "over":
        return 0.0
    players = game.rules.players
    observer = (game.seat + 1) % players
    view = ObservationSpec(game.rules).view(game.observation(observer))
    pool = view.hidden_pool.tolist()
    cards = [value for value, count in zip(game.rules.values, pool, strict=True) for _ in range(count)]
    mean = sum(cards) / len(cards) if cards else 0.0
    places = [(other - observer) % players for other in range(players)]
    scores = tuple(float(view.open_sums[place] + view.hidden_left[place] * mean) for place in places)
    return margin(scores, seat) / 100


def decision_rewards(before: Game, after: Game, reward: str) -> list[float]:
    """What the decision between the two brought every seat, without shaping."""
    seats = range(after.rules.players)
    if reward == "win":
        return [win(after, seat) if after.is_over else 0.0 for seat in seats]
    has_scored = not after.is_truncated and (after.round != before.round or after.is_over)
    if not has_scored:
        return [0.0 for _ in seats]
    if reward == "score":
        return [-score / 100 for score in after.round_scores]
    return [margin(after.round_scores, seat) / 100 for seat in seats]


def check(game: Game) -> None:
    """Scenario 22; clauses 1.1, 2.1: every card lies somewhere. And a game that was not stopped has winners."""
    record, rules = game.state[0], game.rules
    piles = [record["piles"][first:end] for first, end in zip(record["pile_next"], record["pile_end"], strict=True)]
    boards = record["cards"][: rules.players, : rules.cells].ravel()
    cards = np.concatenate([boards, record["piles"][: record["discard_size"]], *piles, [record["hand"]]])
    laid, deck = Counter(int(card) for card in cards if card != EMPTY), Counter(dict(rules.deck))
    assert laid <= deck if rules.cleared_cards == "out_of_play" else laid == deck
    assert not game.is_over or game.is_truncated != bool(game.winners)


def to_light(game: Game, action: int, events: tuple[Event, ...]) -> tuple[int, ...]:
    """The cards that came to light, in order."""
    del action
    cards: list[int] = []
    for event in events:
        match event:
            case PileReshuffled() if game.rules.reshuffle == "all_then_turn_up_new":
                cards.append(event.discard_top)
            case CardPlaced(was_hidden=True):
                cards.append(event.replaced)
            case CardDrawn() | CardTurnedUp() | CardRevealed():
                cards.append(event.card)
            case RoundScored():
                break  # the next deal is another matter
    return tuple(cards)


def after_a_draw() -> Game:
    """The first official deal, after the opening and a draw."""
    game = Game(Rules(initial_flip="random"))
    game.apply(0)
    return game


TINY = Rules(rows=2, columns=2, deck=((-1, 2), (0, 4), (3, 6)), opening_flips=1, max_turns=6)
CONFIRM = TINY.replace(clear="confirm", row_clear=True, flip_after_discard="none", opening_flips=3)
CROWD = TINY.replace(players=3, deck=((1, 7), (2, 8)), initial_flip="random", reshuffle="all_then_turn_up_new")

SKYJO = GameUnderTest(
    api=skyjo_env,
    single=SkyjoEnv,
    vector=SkyjoVectorEnv,
    text=SkyjoTextEnv,
    gymnasium_id="skyjo/Skyjo-v0",
    most_players=8,
    random_rules=random_rules,
    written_position=positions.WRITTEN,
    short_position=positions.SHORT,
    position_damages=positions.DAMAGES,
    damaged_states=positions.STATES,
    quick=Rules(
        players=3, rows=2, columns=2, opening_flips=1, deck=((-3, 6), (0, 4), (5, 10)), max_turns=9, max_rounds=2
    ),
    quick_rules="",
    seeing={},
    check=check,
    plays=0,
    shaping="expected_margin",
    brought=decision_rewards,
    potential=expected_margin,
    penalties={"margin": -3.12, "score": -2.88, "win": -1.0},
    oracle=Table,
    oracle_fields=oracle_fields,
    assert_same=assert_same,
    expected_view=expected_view,
    counted=[
        (TINY, "round", [1, 4, 16, 32, 117, 234, 900, 1800]),
        (CONFIRM, "round", [1, 4, 6, 4, 16, 24, 16, 32]),
        (CROWD, "round", [1, 2, 10, 20, 86, 172, 792, 1584]),
    ],
    scripts=("naive", "threshold:t=4,columns=true", "expected:pair=0.6", "tempo"),
    scripted_table=("players=4", ("tempo", "expected", "threshold:columns=true", "naive")),
    bad_options=[({"rules": Rules(max_turns=1, opening_flips=0)}, "max_turns=1 is too small")],
    to_light=to_light,
    impossible=[
        ("hand", 12, "the deck"),
        ("phase", 1, "hand"),
        ("phase", 9, "phase"),
        ("ender", 1, "observation 1: turns_left"),
        ("turns", 1000, "observation 1: turns 1000"),
        ("totals", 100, "observation 1: a total of 100"),
        ("cells", 20, "hidden_pool"),
        ("draw_pile_size", 150, "hidden_pool"),
        ("reshuffles", 1, "hidden_pool"),
    ],
    observed=after_a_draw,
    card_codes=lambda rules: [*rules.values, HIDDEN, EMPTY],
    card_game=card_game.SKYJO,
    text_width=200,
    drawn_rules=[
        Rules(players=players, rows=rows, columns=columns, opening_flips=1, deck=((1, 300),))
        for players in range(2, 9)
        for rows in range(2, 5)
        for columns in range(2, 7)
    ],
    open_text=str,
    unseen_changed=permuted,
    unwritten=frozenset({"piles", "last_seat", "last_action"}),
)
