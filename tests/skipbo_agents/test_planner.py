"""What the planner does on written tables, and that it wins."""

import pytest

from cardtable.arena.play.pairing import play_paired
from cardtable.arena.statistics import estimate
from cardtable.table.game.card_game import Setup
from skipbo_env import OFFICIAL, Rules
from tests.helpers import decide, play
from tests.skipbo_env.tables import closed, table


def decision(position: str, text: str = "planner") -> str:
    """What seat 0 decides at a table of two, all cards that are not written in the draw pile."""
    return decide(text, table(f"{position}; seat 0 turn"))


def at(stock: str, other: str, hand: str, building: str = "0 0 0 0", piles: str = "| | |", rules: str = "") -> str:
    """A table of two with these cards on top of the stock piles."""
    rules = f"rules {rules}; " if rules else ""
    stocks = f"stock ? ? {stock}; stock ? ? {other}"
    return f"{rules}building {building}; {stocks}; hand {hand}; hand; piles {piles}; piles | | |; draw ..."


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (at("5", "12", "w w 9 9 9", "4 0 0 0"), "stock to 0"),
        (at("w", "12", "1 9 9 9 9", "4 0 0 0"), "stock to"),
        (at("6", "12", "w 4 5 9 9", "3 4 0 0"), "hand 5 to 1"),  # one card instead of two
        (at("5", "12", "w 9 9 9 9", "3 0 0 0"), "hand w to 0"),
        (
            at("5", "12", "w 9 9 9 9", "3 7 0 0", "4 8 | | |"),
            "pile 0 to 1",
        ),  # the 8 covers the 4 that saves the wild card
        (at("5", "12", "w 4 9 9 9", "2 0 0 0", "3 | | |"), "pile 0 to 0"),
        (
            at("3", "12", "w 9 9 8 8", "11 0 0 0", "| 2 | |"),
            "hand w to",
        ),  # as a 1 in an empty place, for the 2 on the pile
        (at("2", "12", "w 12 9 8 8", "11 5 7 9"), "hand 12 to 0"),  # makes room for a pile that the wild card begins
    ],
)
def test_it_plays_its_stock_card_with_as_few_wild_cards_as_it_can(position: str, expected: str) -> None:
    assert decision(position).startswith(expected)


def test_it_keeps_wild_cards_that_bring_nothing() -> None:
    assert decision(at("12", "5", "w w 9 8 8")).startswith("discard")
    assert not decision(at("12", "5", "w w 9 8 8")).startswith("discard w")


def test_it_opens_no_rank_for_the_other_seats_stock_card() -> None:
    """Unless it passes over it in the same turn, or does not look at the other seat."""
    assert decision(at("11", "2", "1 7 7 8 8")).startswith("discard")
    assert decision(at("11", "2", "1 2 3 8 8")).startswith("hand 1 to")
    assert decision(at("11", "7", "1 4 4 8 8")).startswith("hand 1 to")
    assert decision(at("11", "2", "1 7 7 8 8"), "planner:threat=0").startswith("hand 1 to")
    assert decision(at("11", "2", "1 7 7 8 8", rules="view=own")).startswith("hand 1 to")


def test_it_empties_its_hand_also_with_a_wild_card() -> None:
    assert decision(at("11", "9", "1 2 3")).startswith("hand 1 to")
    assert decision(at("11", "9", "w")).startswith("hand w to")


@pytest.mark.parametrize(
    ("hand", "piles", "expected"),
    [
        ("9 8 8 7 7", "9 | 12 | 3 | 5", "discard 9 on 0"),  # equal on equal
        ("10 10 11 11 11", "1 | 12 | 2 | 3", "discard 11 on 1"),  # one lower
    ],
)
def test_it_keeps_its_discard_piles_in_order(hand: str, piles: str, expected: str) -> None:
    assert decision(at("6", "12", hand, "0 0 0 0", piles)) == expected


def test_it_does_not_bury_what_its_stock_card_waits_for() -> None:
    """The 6 is one of the two cards that its 7 lacks; the 10s are of no use soon."""
    position = at("7", "12", "11 11 11 11 11", "4 0 0 0", "6 | 10 | 10 | 10")
    assert decision(position) == "discard 11 on 1"
    assert decision(position, "planner:reach=0") == "discard 11 on 0"


def test_it_moves_rather_than_pass_for_ever() -> None:
    """Seat 1 waits for a 2 and cannot move before there is one (5.2, 5.5)."""
    game = closed("stock 9 12; stock 9 2; hand; hand; piles 5 1 | | |; piles | | | 12; draw; seat 0 turn")
    assert decide("planner", game).startswith("pile 0 to")
    assert decide("planner", play(game, "pile 0 to 0")) == "pass"


def test_a_whole_turn_ends_with_the_stock_card() -> None:
    game = table(at("6", "12", "w 3 4 9 9", "2 0 0 0", "5 10 | | |") + "; seat 0 turn")
    seen: list[str] = []
    while game.seat == 0 and game.stock_size(0) == 3:
        seen.append(decide("planner", game))
        play(game, seen[-1])
    assert seen == ["hand 3 to 0", "hand 4 to 0", "hand w to 0", "stock to 0"]


@pytest.mark.statistical
@pytest.mark.parametrize(
    "other", ["greedy:pile=smallest", "hpvp:empty=first", "hpvp:gap=farthest,empty=as_zero", "hpvp"]
)
@pytest.mark.slow
def test_it_wins_nine_of_ten_rounds(other: str) -> None:
    wins = play_paired(["planner", other], Setup(OFFICIAL, 4), range(300)).wins[:, 0]
    found = estimate(wins)
    assert found.mean - found.half > 0.9


@pytest.mark.statistical
@pytest.mark.parametrize("rules", [Rules(view="own"), Rules(players=4), Rules(compulsory=True, symmetric="lowest")])
def test_it_wins_under_other_rules(rules: Rules) -> None:
    others = ["greedy:pile=smallest"] * (rules.players - 1)
    wins = play_paired(["planner", *others], Setup(rules, 4), range(100)).wins[:, 0]
    found = estimate(wins)
    assert found.mean - found.half > 1 / rules.players + 0.1
