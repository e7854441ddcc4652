"""Skyjo Action, as the tests for every game see it."""

from collections import Counter

import numpy as np

import skyjo_action_env
from skyjo_action_env import (
    EMPTY,
    HIDDEN,
    KINDS,
    STAR,
    Game,
    Rules,
    SkyjoActionEnv,
    SkyjoActionTextEnv,
    SkyjoActionVectorEnv,
    card_game,
)
from skyjo_action_env.events import (
    ActionRemoved,
    ActionTaken,
    ActionTurnedUp,
    CardPlaced,
    CardRemoved,
    CardRevealed,
    CardsDrawn,
    CardsLookedAt,
    CardTurnedUp,
    Event,
    TurnPassed,
)
from skyjo_action_env.kernel import BURIED, CERTAIN_KINDS, COUNTS, FIRST_KIND, LOWEST
from skyjo_action_env.render import format_table
from tests.games.skyjo import decision_rewards, margin
from tests.games.under_test import GameUnderTest
from tests.skyjo_action_env import positions
from tests.skyjo_action_env.lockstep import assert_same, expected_view, oracle_fields, random_rules
from tests.skyjo_action_env.oracle import Table
from tests.skyjo_action_env.unseen import permuted

PLAYS = 26  # random play prefers playing cards: it would take and discard action cards for ever


def expected_margin(game: Game, seat: int) -> float:
    """From what a seat sees: hidden cards count the mean of the cards that nobody has seen."""
    if game.phase == "over":
        return 0.0
    unseen = game.state[0]["unseen"].tolist()
    cards = [0 if card == STAR else card for card, count in enumerate(unseen, LOWEST) for _ in range(count)]
    mean = sum(cards) / len(cards) if cards else 0.0
    seats = range(game.rules.players)
    bonus, open_cards = game.state[0]["bonus"].tolist(), [game.board(other).ravel() for other in seats]
    points = [int(cards[cards < STAR].sum()) for cards in open_cards]
    hidden = [int((cards == HIDDEN).sum()) for cards in open_cards]
    held = [sum(game.held_actions(other).values()) for other in seats]
    scores = tuple(points[other] + hidden[other] * mean + 10 * held[other] + bonus[other] for other in seats)
    return margin(scores, seat) / 100


def check(game: Game) -> None:
    """Scenario 16; clauses 1.1, 1.2: both decks are complete. A game that was not stopped has winners."""
    record, players = game.state[0], game.rules.players
    discards = record["piles"][: record["discard_size"]]
    draws = record["piles"][len(record["piles"]) - int(record["pile_left"]) :]
    lying = np.concatenate([record["cards"][:players].ravel(), record["hand"], discards, draws]).tolist()
    cards = Counter(card - BURIED if card > EMPTY else card for card in lying if card != EMPTY)
    assert [cards[card] for card in range(LOWEST, STAR + 1)] == list(COUNTS)
    actions = record["action_piles"].tolist()
    pile = actions[len(actions) - int(record["action_pile_left"]) :]
    kinds = Counter(actions[: record["action_discard_size"]] + pile + record["open_actions"].tolist())
    held = record["held"][:players].sum(0).tolist()
    sizes = [3] * (CERTAIN_KINDS if game.rules.action_deck == "certain" else len(KINDS))
    assert [kinds[kind] + held[kind] for kind in range(len(sizes))] == sizes
    assert not game.is_over or game.is_truncated != bool(game.winners)


def to_light(game: Game, action: int, events: tuple[Event, ...]) -> tuple[int, ...]:
    """The cards that the seat that decided saw for the first time; action cards are 16 more than their kind."""
    del action
    known = game.known(game.seat)
    cards: list[int] = []
    for event in events:
        match event:
            case CardPlaced(was_hidden=True) if (event.seat, event.cell) not in known:
                cards.append(event.replaced)
            case CardTurnedUp() | CardRevealed() if (event.seat, event.cell) not in known:
                cards.append(event.card)
            case CardRemoved():
                cards.append(event.card)
            case CardsDrawn():
                cards.extend(event.cards)
            case CardsLookedAt():
                seen = zip(event.cells, event.cards, strict=True)
                cards.extend(card for cell, card in seen if (event.owner, cell) not in known)
            case ActionTaken(from_pile=True) | ActionTurnedUp():
                cards.append(FIRST_KIND + KINDS.index(event.kind))
            case ActionRemoved() if event.received is not None:
                cards.append(FIRST_KIND + KINDS.index(event.received))
    return tuple(cards)


def after_a_draw() -> Game:
    """The first deal, after the opening and a draw."""
    game = Game()
    for number in (14, 15, 14, 15, 0):
        game.apply(number)
    return game


SKYJO_ACTION = GameUnderTest(
    api=skyjo_action_env,
    single=SkyjoActionEnv,
    vector=SkyjoActionVectorEnv,
    text=SkyjoActionTextEnv,
    gymnasium_id="skyjo-action/SkyjoAction-v0",
    most_players=8,
    random_rules=random_rules,
    written_position=positions.WRITTEN,
    short_position=positions.SHORT,
    position_damages=positions.DAMAGES,
    damaged_states=positions.STATES,
    quick=Rules(players=3, max_turns=60, target_score=1, max_rounds=2),
    quick_rules="max_turns=60",
    seeing={"reveal_star_clear": "best"},
    check=check,
    plays=PLAYS,
    shaping="expected_margin",
    brought=decision_rewards,
    potential=expected_margin,
    penalties={"margin": -9.27, "score": -8.28, "win": -1.0},
    oracle=Table,
    oracle_fields=oracle_fields,
    assert_same=assert_same,
    expected_view=expected_view,
    counted=[],
    scripts=("random",),
    scripted_table=("players=3", ("random", "random", "random")),
    bad_options=[({"rules": Rules(), "players": 9}, "players=9")],
    to_light=to_light,
    impossible=[],
    observed=after_a_draw,
    card_codes=lambda _: range(LOWEST, EMPTY + 1),
    card_game=card_game.SKYJO_ACTION,
    text_width=80,
    drawn_rules=[Rules(players=players) for players in range(2, 9)],
    open_text=lambda game: format_table(game, drawn_card=False),
    unseen_changed=permuted,
    unwritten=frozenset({"piles", "action_piles", "last_seat", "last_action"}),
    equal_plays=PLAYS,
    rare_events=frozenset({TurnPassed}),
)
