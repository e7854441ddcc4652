"""The agents of Skyjo Action: legal in every phase, blind to what is hidden, and sensible; and its searches."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardtable.arena.play.pairing import play_paired
from cardtable.arena.statistics import estimate
from cardtable.table.game.card_game import Setup
from skyjo_action_agents import RolloutAgent
from skyjo_action_agents.judging import analyst_of
from skyjo_action_env import ACTION, Game, Rules, make_agent
from skyjo_action_env.kernel import (
    ACTION_DECK,
    CELLS,
    COPIES,
    COUNTS,
    DECK,
    EMPTY,
    HIDDEN,
    KINDS,
    LOWEST,
    OPTIONS,
    PHASES,
    STAR,
    SWITCHES,
    TURN,
)
from skyjo_action_env.rules import action_names
from tests.helpers import decide, legal, play
from tests.skyjo_action_env.unseen import permuted

MARKS = {"*": STAR, "?": HIDDEN, ".": EMPTY}


def random_rules(chance: random.Random, **fixed: Any) -> Rules:
    """Any rules with a short game."""
    chosen: dict[str, Any] = {name: chance.choice(values) for name, values in OPTIONS.items()}
    chosen |= {name: chance.random() < 0.5 for name in SWITCHES}
    chosen |= {"players": chance.randint(2, 8), "max_turns": 1000, "max_rounds": 2}
    return Rules(**chosen | fixed)


def cards(text: str) -> list[int]:
    """Twelve cells, column by column: numbers, * star, ? hidden, . none."""
    found = [MARKS.get(word) if word in MARKS else int(word) for word in text.replace("|", " ").split()]
    assert len(found) == CELLS
    return [int(card) for card in found if card is not None]


def table(
    *layouts: str,
    top: int = 5,
    held: tuple[str, ...] = ("",) * 8,
    open_actions: str = "look look look double",
    rules: str = "",
    **fields: int,
) -> Game:
    """Seat 0 is to begin its turn; `held` are action cards by seat. Other fields of the record are given by name."""
    checked = Rules.from_text(rules).replace(players=len(layouts))
    game = Game(checked, seed=1, episode="round")
    state, chance = game.state.copy(), random.Random(1)
    record = state[0]
    deck = [LOWEST + k for k, count in enumerate(COUNTS) for _ in range(count)]
    shown = [cards(layout) for layout in layouts]
    for card in [card for layout in shown for card in layout if card < HIDDEN] + [top]:
        deck.remove(card)
    chance.shuffle(deck)
    for k in range(len(COUNTS)):
        record["unseen"][k] = deck.count(k + LOWEST)
    for seat, layout in enumerate(shown):
        record["shown"][seat] = layout
        record["cards"][seat] = [deck.pop() if card == HIDDEN else card for card in layout]
        record["hidden_left"][seat] = layout.count(HIDDEN)
        record["open_sum"][seat] = sum(card for card in layout if card < STAR)
    record["discards"][:] = 0
    record["discards"][top - LOWEST] = 1
    record["piles"][0], record["discard_size"] = top, 1
    gone = sum(layout.count(EMPTY) for layout in shown)  # cells that were cleared: their cards stay in the draw pile
    record["pile_left"] = len(deck)
    record["piles"][DECK - len(deck) :] = deck
    assert len(deck) + 1 + CELLS * len(shown) - gone == DECK
    lay_actions(record, held, open_actions)
    record["mover"], record["seat"], record["starter"], record["phase"] = 0, 0, 0, TURN
    for name, value in fields.items():
        record[name] = value
    return Game.standing(checked, state)


def lay_actions(record: Any, held: tuple[str, ...], open_actions: str) -> None:
    """The action cards beside the layouts and in the open places; the rest is the pile."""
    pile = np.repeat(np.arange(len(KINDS)), COPIES).tolist()
    record["open_actions"] = [KINDS.index(name) for name in open_actions.split()]
    record["held"][:] = 0
    for seat, names in enumerate(held):
        for name in names.split():
            record["held"][seat][KINDS.index(name)] += 1
            pile.remove(KINDS.index(name))
    for kind in record["open_actions"].tolist():
        pile.remove(kind)
    record["action_pile_left"], record["action_discard_size"] = len(pile), 0
    record["action_piles"][ACTION_DECK - len(pile) :] = pile
    record["action_discards"][:] = 0


OWN, OTHER = "9 9 ? | 1 ? ? | ? ? 2 | ? ? ?", "5 ? 3 | ? 4 ? | 1 ? ? | ? 2 ?"


def test_equal_open_action_cards_are_tried_once() -> None:
    game = table(OWN, OTHER, top=9, open_actions="look swap look double")
    found = RolloutAgent(ACTION, "greedy").distinct_actions(game.observation(), game.mask(), 28)
    assert [action_names(ACTION)[action] for action in found] == ["open 2", "draw", "take", "open 1", "open 3", "pile"]


def test_it_takes_what_completes_a_line() -> None:
    assert decide("rollout:base=greedy,n=40", table(OWN, OTHER, top=9), 1) == "take"


@pytest.mark.parametrize(("name", "mark"), [("take", ""), ("open 0", "blunder")])
def test_an_action_card_in_place_of_the_third_twelve_before_the_end_is_a_blunder(name: str, mark: str) -> None:
    game = table("12 12 11 | 1 0 2 | 3 ? 2 | 1 4 5", "5 1 3 | 6 4 2 | 1 7 0 | 3 2 ?", top=12)
    judged = analyst_of(RolloutAgent(ACTION))._judged(game, 1, action_names(ACTION).index(name))
    assert (action_names(ACTION)[judged.best], judged.mark) == ("take", mark)


@pytest.mark.long
def test_peek_beats_those_whom_it_foresees() -> None:
    setup = Setup(Rules(), seed=2, reveal_hidden=True)
    paired = play_paired(["oracle:base=greedy,n=2", "greedy"], setup, range(3))
    assert np.isfinite(paired.margins).all()
    assert paired.margins[:, 0].mean() > 0


SCRIPTS = ["greedy", "planner"]
MIDDLE = "5 ? 3 | ? 4 ? | 1 ? ? | ? 2 ?"  # the layout of somebody else


def test_every_phase_is_answered_legally_under_any_rules() -> None:
    chance, met = random.Random(2), Counter[str]()
    for seed in range(70):
        rules = random_rules(chance, max_rounds=1)
        agents, game = [make_agent(name, rules) for name in SCRIPTS], Game(rules, seed=seed)
        while not game.is_over:
            met[game.phase] += 1
            names = [decide(agent, game) for agent in agents]
            assert set(names) <= set(legal(game)), (rules, game.phase, names)
            play(game, chance.choice(legal(game)) if chance.random() < 0.3 else chance.choice(names))
    assert set(met) == set(PHASES) - {"over", "truncated"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_a_seat_cannot_see_changes_nothing(name: str) -> None:
    chance, compared = random.Random(3), 0
    for seed in range(8):
        rules = random_rules(chance, max_rounds=1)
        agent, game = make_agent(name, rules), Game(rules, seed=seed)
        while not game.is_over:
            chosen = decide(agent, game, chance.getrandbits(64))
            assert decide(agent, permuted(game, chance, game.seat)) == chosen
            compared += 1
            play(game, chosen)
    assert compared > 300


STEAL = table(
    "12 1 0 | 2 ? 2 | 0 ? ? | ? ? 2", MIDDLE, MIDDLE, held=("steal", "exchange defence", "exchange")
)  # only seat 1 can defend itself
ATTACKED = table(
    "12 1 0 | 2 ? 2 | 0 ? ? | ? ? 2",
    "-2 ? 3 | ? 4 ? | 1 ? ? | 12 2 ?",
    held=("exchange", "defence"),
    rules="defence=owner_decides",
)
LAST_CELL = table("0 1 0 | 2 ? 2 | 0 1 1 | 1 0 2", MIDDLE, top=13)
EARLY = table("12 1 0 | 2 12 ? | ? ? ? | ? ? ?", MIDDLE, top=13, open_actions="look exchange look swap")


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize(
    ("game", "before", "expected"),
    [
        (table("9 9 ? | 1 ? ? | ? ? 2 | ? ? ?", MIDDLE, top=9), "", "take, place 2"),
        (table("9 1 0 | 9 ? ? | 9 ? 2 | ? ? ?", MIDDLE, top=9), "", "take"),  # rows count as well
        (table("9 9 1 | 9 ? ? | 9 ? 2 | ? ? ?", MIDDLE, top=9), "take", "place 9"),  # a row of four, not a column
        (table("9 * ? | 1 0 2 | ? 1 2 | 0 1 ?", MIDDLE, top=9), "", "take"),  # stars stand for any card
        (table("1 1 0 | 2 ? ? | ? ? 2 | ? ? ?", MIDDLE, top=12), "", "draw"),
        (
            table("8 8 1 | 8 9 9 | 0 2 ? | ? ? 1", MIDDLE, held=("swap", "")),
            "",
            "play swap, cell 2 of 0, cell 3 of 0",  # completes a line
        ),
        (
            table("12 1 0 | 2 ? 2 | 0 ? ? | ? ? 2", "5 ? 3 | ? -2 ? | 1 ? ? | ? 2 ?", held=("exchange", "")),
            "",
            "play exchange, cell 0 of 0, cell 4 of 1",  # the highest for the lowest
        ),
        (
            table("1 1 0 | 2 0 2 | 0 0 1 | 0 ? 2", "5 ? 3 | ? 4 ? | 1 5 5 | 5 2 5", held=("defence", "")),
            "",
            "play defence",
        ),
        (table(MIDDLE, "5 ? 3 | ? -2 ? | 1 ? ? | ? 2 ?", held=("remove", "")), "play remove", "cell 4 of 1"),
        (STEAL, "play steal", "cell 0 of 2, play exchange"),
        (ATTACKED, "play exchange, cell 0 of 0, cell 0 of 1", "defend"),
        (ATTACKED, "play exchange, cell 0 of 0, cell 9 of 1", "allow"),  # a 12 for a 12
        (LAST_CELL, "take, place 4", "pass"),  # an action card is of no use any more
        (EARLY, "take, place 0", "open 1"),
    ],
)
def test_decisions_in_a_made_situation(name: str, game: Game, before: str, expected: str) -> None:
    game = play(game.copy(), *before.split(", ") if before else ())
    for decision in expected.split(", "):
        assert decide(name, game) == decision
        play(game, decision)


@pytest.mark.parametrize(("number", "answer"), [("8", "clear"), ("-1", "keep")])
def test_a_line_with_a_star_is_cleared_if_it_costs_something(number: str, answer: str) -> None:
    game = table(f"{number} {number} ? | 1 ? ? | ? ? 2 | ? ? ?", MIDDLE, top=13, rules="star_claim=must")
    play(game, "take", "place 2", "open 0")
    assert game.phase == "line"
    assert decide("greedy", game) == answer
    assert decide("planner", game) == "keep"  # its cards may still be of use; it is asked again at the end (9.4)


@pytest.mark.parametrize(("number", "answer"), [("8", "clear"), ("-1", "keep")])
def test_the_planner_clears_a_line_with_a_star_when_the_round_is_over(number: str, answer: str) -> None:
    rules = "star_claim=must reveal_star_clear=owner_decides"
    game = table(f"{number} {number} ? | 1 2 0 | 0 1 2 | 2 0 1", MIDDLE, top=13, rules=rules)
    play(game, "take", "place 2", "open 0", "keep", "draw", "flip 1")
    assert (game.phase, game.seat) == ("line", 0)
    assert decide("planner", game) == answer


def test_the_planner_ends_the_round_only_if_that_pays() -> None:
    own = "0 1 0 | 2 ? 2 | 0 1 1 | 1 0 2"
    high, low = "9 ? 8 | ? 12 ? | 10 ? ? | ? 7 ?", "0 0 1 | 1 0 1 | . . . | -1 ? -1"
    assert decide("planner", play(table(own, high, top=0), "take")) == "place 4"
    assert decide("planner", play(table(own, low, top=0), "take")) != "place 4"


@pytest.mark.parametrize("players", [2, 4])
def test_planner_beats_greedy_and_greedy_beats_random(players: int) -> None:
    deals = range(300 if players == 2 else 100)
    setup = Setup(Rules(players=players), seed=5)
    for better, worse in [("planner", "greedy"), ("greedy", "random")]:
        paired = play_paired([better, *[worse] * (players - 1)], setup, deals)
        assert paired.is_stopped.sum() == 0
        margin = estimate(paired.margins[:, 0])
        assert margin.mean - margin.half > 1


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_for_which_every_action_card_is_stuck_uses_none(name: str) -> None:
    """With it one measures what action cards are worth."""
    agent = f"{name}:stuck=1,star=0"
    played = play_paired([agent, agent], Setup(Rules()), range(100))
    cleared, *used = played.round_stats.mean(axis=(0, 1))  # the others count action cards played, earned and kept
    assert cleared > 0
    assert used == [0, 0, 0]
