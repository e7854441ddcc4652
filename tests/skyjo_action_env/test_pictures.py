"""Pictures of a table of Skyjo Action: what is shown and where, what is not, and what is said."""

from itertools import product
from typing import Any

import pytest

from cardtable.table.render.svg import SIGNS
from skyjo_action_env import STAR, Game, Rules
from skyjo_action_env.kernel import DOUBLE, EXCHANGE, KINDS, LOOK, REMOVE, STEAL
from tests.pictures import bright_seats, marked_cards, scene_of, shown_cards, written_words
from tests.skyjo_action_env.tables import code, held, shown, standing

OPEN, HAND = [f"open {k}" for k in range(4)], [f"card {k}" for k in range(3)]
PILES = ("draw", "discard", "action", "used", *OPEN, *HAND, "played")
LAYOUTS = shown("-2 -1 0 1 4 5 8 9 12 ? * .", "? . 3 12 6 0 ? ? ? * * *")


def test_every_card_lies_in_its_place() -> None:
    piles = {"discard_size": 1, "piles": [7, *[0] * 119], "action_discard_size": 1, "action_piles": [LOOK] * 27}
    cards = {"hand": [0, STAR, 12], "open_actions": [DOUBLE, EXCHANGE, -1, STEAL], "played": REMOVE}
    owned = held("double double look", "")
    game = standing(phase=code("three"), mover=0, shown=LAYOUTS, held=owned, **piles, **cards)
    cells = ["-2 -1 0 1 4 5 8 9 12 ? * .", "? . 3 12 6 0 ? ? ? * * *"]
    expected = ["?", "7", "?", "look", "double", "exchange", ".", "steal", "0", "*", "12", "remove"]
    expected += [*cells[0].split(), "double 2", "look", *cells[1].split()]
    assert shown_cards(game) == [{"?": "back", ".": "empty", "*": "sign"}.get(card, card) for card in expected]


def test_every_action_card_has_its_own_picture() -> None:
    pictures = {standing(open_actions=[kind, -1, -1, -1]).svg() for kind in range(len(KINDS))}
    assert len(pictures) == len(KINDS)


def test_empty_piles_show_no_card() -> None:
    empty = {"pile_left": 0, "discard_size": 0, "action_pile_left": 0, "action_discard_size": 0}
    game = standing(phase=code("turn"), mover=0, open_actions=[-1] * 4, **empty)
    assert shown_cards(game)[:12] == ["empty"] * 12


def test_a_hidden_card_that_some_seat_knows_bears_a_mark() -> None:
    """Clause 12.2: all seats know who has looked, and no other seat what they have seen."""
    cells = [shown("? ? ? " + "1 " * 9)[0]] * 8
    plain, marked = (
        scene_of(standing(shown=cells, knowers=[[0, 2 * is_known, *[0] * 10], *[[0] * 12] * 7])).things
        for is_known in (False, True)
    )
    (sign,) = set(marked) - set(plain)
    assert sign.layer == SIGNS
    assert set(plain) < set(marked)


def test_a_known_card_looks_the_same_whatever_it_is() -> None:
    one, other = (
        standing(knowers=[[1] * 12] * 8, cards=[[card] * 12] * 8, chance=5, piles=[3] * 120) for card in (4, STAR)
    )
    assert one.svg() == other.svg()
    assert str(one) == str(other)


@pytest.mark.parametrize("scores", [(10, 70), (70, 10)])
def test_a_stopped_round_shows_no_scores(scores: tuple[int, int]) -> None:
    """Clause 9.7."""
    stopped = {"phase": code("truncated"), "mover": 0}
    one, other = standing(**stopped), standing(**stopped, round_scores=[*scores, *[0] * 6])
    assert one.svg() == other.svg()


# Who decides, what has moved, and what is said


def marks(game: Game) -> list[Any]:
    """All that bears a mark; no seat holds action cards."""
    return marked_cards(game, (*PILES, *product(range(game.rules.players), range(12))))


def after(name: str, **fields: Any) -> Game:
    """A table of three at which seat 1 has done this last."""
    rules = Rules(players=3)
    numbers = Game(rules).card_game.action_names(rules)
    more = {"phase": code("turn"), "mover": 2, "seat": 2, "turns": 5, "hidden_left": [9] * 8} | fields
    return standing(rules, last_seat=1, last_action=numbers.index(name), **more)


MARKED = [
    ("draw", {}, ["card 0"]),
    ("take", {}, ["card 0"]),
    ("place 5", {}, [(1, 5)]),
    ("flip 11", {}, [(1, 11)]),
    ("open 2", {}, ["open 2"]),
    ("pile", {}, []),
    ("pass", {}, []),
    ("play look", {"played": LOOK, "phase": code("look")}, ["played"]),
    ("play double", {}, ["used"]),
    ("discard steal", {}, ["used"]),
    ("cell 4 of 0", {}, [(1, 4)]),
    ("cell 4 of 2", {}, [(0, 4)]),
    ("line 2 of 1", {}, [(2, 6), (2, 7), (2, 8)]),
    ("line 5 of 2", {}, [(0, 1), (0, 4), (0, 7), (0, 10)]),
    ("card 1", {"phase": code("three place"), "hand": [3, 4, 5], "picked": 1}, ["card 1"]),
    ("allow", {}, []),
    ("flip 3", {"phase": code("line"), "line": 6}, [(1, 3), (2, 2), (2, 5), (2, 8), (2, 11)]),
    ("cell 1 of 1", {"phase": code("defence"), "chosen": 14, "chosen_with": 25}, [(1, 2), (2, 1)]),
]


@pytest.mark.parametrize(("name", "fields", "spots"), MARKED)
def test_what_the_last_move_touched_and_what_is_asked_about_is_marked(
    name: str, fields: dict[str, Any], spots: list[Any]
) -> None:
    found = marks(after(name, **fields))
    assert sorted(map(str, found)) == sorted(map(str, spots))


def test_who_decides_is_framed_and_whose_turn_it_is_is_said() -> None:
    game = after("flip 3", phase=code("claim"), seat=0, claims=[1, *[0] * 7])
    said = written_words(game)
    assert bright_seats(game) == [0]
    assert said[said.index("Seat 0") + 1] == "1 claim"
    assert said[said.index("Seat 2") + 1] == "turn"


SAID: list[tuple[dict[str, Any], list[str]]] = [
    ({"phase": code("opening"), "mover": -1}, ["Seat 2 turns a card up", "round 1, turn 6"]),
    ({}, ["Seat 2 draws, takes or plays", "round 1, turn 6 of seat 2", "total 0", "open 0", "card 0", "played"]),
    ({"totals": [95, -7, *[0] * 6], "extra_turns": 2},
     ["total 95", "total −7", "round 1, turn 6 of seat 2, 2 extra turns"]),
    ({"phase": code("line"), "line": 2}, ["Seat 2 clears or keeps column 2"]),
    ({"phase": code("remove"), "attacked": 0, "played": REMOVE}, ["Seat 2 removes a card of seat 0", "attacked"]),
    ({"phase": code("steal card"), "attacked": 1}, ["Seat 2 steals from seat 1", "attacked"]),
    ({"phase": code("defence"), "attacked": 2, "played": EXCHANGE}, ["Seat 2 may stop the exchange", "turn, attacked"]),
    ({"ender": 1, "turns_left": 2}, ["round 1, turn 6 of seat 2, ended by seat 1, 2 turns left", "ended"]),
    ({"claims": [3, *[0] * 7]}, ["3 claims"]),
    ({"open_sum": [-4, 12, *[0] * 6]}, ["open −4", "open 12"]),
    ({"pile_left": 33, "discard_size": 2, "action_pile_left": 7, "action_discard_size": 3},
     ["draw 33", "discard 2", "action 7", "used 3", *(f"open {place}" for place in range(4))]),
    ({"phase": code("over"), "episode": 1, "round_scores": [14, 2, 2, *[0] * 5], "totals": [14, 2, 2, *[0] * 5]},
     ["Seat 1 and seat 2 win the game", "round 1, turn 5", "round 14", "total 14", "round 2", "wins"]),
    ({"phase": code("truncated")}, ["Stopped after too many turns", "round 1, turn 5", "open 0"]),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "said"), SAID)
def test_the_picture_says_what_is_going_on(fields: dict[str, Any], said: list[str]) -> None:
    assert {*said, "Last move: seat 1: flip 3"} <= set(written_words(after("flip 3", **fields)))
