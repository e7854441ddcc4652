"""The scripted agents of Skyjo Action: legal in every phase, blind to what is hidden, and sensible."""

import random
from collections import Counter

import pytest

from cardtable.arena.play.pairing import play_paired
from cardtable.arena.statistics import estimate
from cardtable.table.game.card_game import Setup
from skyjo_action_env import Game, Rules, make_agent
from skyjo_action_env.kernel.state import PHASES
from tests.helpers import decide, legal, play
from tests.skyjo_action_agents.tables import random_rules, table
from tests.skyjo_action_env.test_leak import permuted

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


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (table("9 9 ? | 1 ? ? | ? ? 2 | ? ? ?", MIDDLE, top=9), "take"),
        (table("9 1 0 | 9 ? ? | 9 ? 2 | ? ? ?", MIDDLE, top=9), "take"),  # rows count as well
        (table("9 * ? | 1 0 2 | ? 1 2 | 0 1 ?", MIDDLE, top=9), "take"),  # and stars stand for any card
        (table("1 1 0 | 2 ? ? | ? ? 2 | ? ? ?", MIDDLE, top=12), "draw"),
        (table("8 8 1 | 8 9 9 | 0 2 ? | ? ? 1", MIDDLE, held=("swap", "")), "play swap"),
        (
            table("12 1 0 | 2 ? 2 | 0 ? ? | ? ? 2", "-2 ? 3 | ? 4 ? | 1 ? ? | ? 2 ?", held=("exchange", "")),
            "play exchange",
        ),
        (table("1 1 0 | 2 0 2 | 0 0 1 | 0 ? 2", "5 ? 3 | ? 4 ? | 1 5 5 | 5 2 5", held=("defence", "")), "play defence"),
    ],
)
def test_a_turn_in_a_made_situation(name: str, game: Game, expected: str) -> None:
    assert decide(name, game) == expected


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_line_is_completed_where_it_clears_the_most(name: str) -> None:
    game = play(table("9 9 ? | 1 ? ? | ? ? 2 | ? ? ?", MIDDLE, top=9), "take")
    assert decide(name, game) == "place 2"
    game = play(table("9 9 1 | 9 ? ? | 9 ? 2 | ? ? ?", MIDDLE, top=9), "take")
    assert decide(name, game) == "place 9"  # a row of four


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_swap_completes_a_line(name: str) -> None:
    game = play(table("8 8 1 | 8 9 9 | 0 2 ? | ? ? 1", MIDDLE, held=("swap", "")), "play swap")
    first = decide(name, game)
    second = decide(name, play(game, first))
    assert (first, second) == ("cell 2 of 0", "cell 3 of 0")


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_exchange_gives_a_high_card_for_a_low_one(name: str) -> None:
    game = play(
        table("12 1 0 | 2 ? 2 | 0 ? ? | ? ? 2", "5 ? 3 | ? -2 ? | 1 ? ? | ? 2 ?", held=("exchange", "")),
        "play exchange",
    )
    first = decide(name, game)
    assert (first, decide(name, play(game, first))) == ("cell 0 of 0", "cell 4 of 1")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_remove_takes_a_low_card(name: str) -> None:
    game = play(table(MIDDLE, "5 ? 3 | ? -2 ? | 1 ? ? | ? 2 ?", held=("remove", "")), "play remove")
    assert decide(name, game) == "cell 4 of 1"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_steal_attacks_whoever_has_no_defence(name: str) -> None:
    held = ("steal", "exchange defence", "exchange")
    game = play(table("12 1 0 | 2 ? 2 | 0 ? ? | ? ? 2", MIDDLE, MIDDLE, held=held), "play steal")
    assert decide(name, game) == "cell 0 of 2"
    assert decide(name, play(game, "cell 0 of 2")) == "play exchange"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_defence_is_used_only_against_harm(name: str) -> None:
    layouts, held = ("12 1 0 | 2 ? 2 | 0 ? ? | ? ? 2", "-2 ? 3 | ? 4 ? | 1 ? ? | 12 2 ?"), ("exchange", "defence")
    game = table(*layouts, held=held, rules="defence=owner_decides")
    play(game, "play exchange", "cell 0 of 0")
    assert decide(name, play(game.copy(), "cell 0 of 1")) == "defend"
    assert decide(name, play(game.copy(), "cell 9 of 1")) == "allow"


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


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_claim_is_refused_when_the_round_is_ending(name: str) -> None:
    layouts = "0 1 0 | 2 ? 2 | 0 1 1 | 1 0 2", MIDDLE
    assert decide(name, play(table(*layouts, top=13), "take", "place 4")) == "pass"
    early = table("12 1 0 | 2 12 ? | ? ? ? | ? ? ?", MIDDLE, top=13, open_actions="look exchange look swap")
    assert decide(name, play(early, "take", "place 0")) == "open 1"


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
    """docs/skyjo_action.md measures with it what action cards are worth."""
    agent = f"{name}:stuck=1,star=0"
    played = play_paired([agent, agent], Setup(Rules()), range(100))
    cleared, *used = played.facts.mean(axis=0)  # the others count action cards played, earned and kept
    assert cleared > 0
    assert used == [0, 0, 0]
