"""How positions of Skyjo Action are written and read, and what is a table; `tests/games` has what every game shares."""

from typing import Any

import pytest

from skyjo_action_env import PHASES, STAR, Game, Rules
from skyjo_action_env.kernel import BURIED, EMPTY, HIDDEN, KINDS, LOWEST, NO_KIND, NOBODY
from skyjo_action_env.position import CHECKS
from tests.games.skyjo_action import SKYJO_ACTION
from tests.helpers import lines
from tests.skyjo_action_env.positions import LAYOUT, MOMENTS, WRITTEN


def table(text: str) -> Game:
    """The game of a written position, given without its first line."""
    return Game.from_position(f"skyjo_action-position 1; {text}")


# What is written and read


def test_every_line_of_a_position_is_read() -> None:
    read = Game.from_position(WRITTEN)
    game = read.state[0]
    rules: dict[str, Any] = {
        "delay_counts_extra_moves": False,
        "star_lines": "owner_may_discard",
        "foreign_clear": "end_of_own_turn",
    }
    assert read.rules == Rules(players=3, **rules)
    assert (game.episode, game.key, game.chance) == (0, 255, 1)
    assert (game.round_number, game.turns, game.reshuffles, game.starter, game.extra_turns) == (2, 7, 1, 1, 2)
    assert (game.totals[:3].tolist(), game.round_scores[:3].tolist()) == ([12, -3, 0], [12, -3, 0])
    assert (game.bonus[:3].tolist(), game.plays[:3].tolist()) == ([0, 0, -10], [1, 0, 2])
    assert (game.earned[:3].tolist(), game.changed[:3].tolist()) == ([0, 1, 0], [16, 0, 65])
    assert [read.held_actions(seat) for seat in range(3)] == [{"double": 1}, {}, {"steal": 2}]
    assert game.fresh.tolist() == [1, *[0] * 8]
    assert read.board(0)[0].tolist() == [9, 9, STAR, -1]
    assert (game.knowers[0].tolist(), game.cards[0, 4], game.cards[0, 8]) == (
        [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 5, 0],
        5,
        STAR,
    )
    assert (game.shown[1] == HIDDEN).all()
    assert (game.cards[2] == EMPTY).tolist() == [False] * 6 + [True] * 3 + [False] * 3
    assert game.piles[[0, 2, 3, 4]].tolist() == [4 + BURIED, STAR + BURIED, 3, 12]
    assert (game.buried, game.discard_size, read.discard_top, read.hand[1:]) == (3, 5, 12, ())
    assert (read.open_actions[0], read.open_actions[1], read.action_discards) == (None, "look", ("three",))
    assert KINDS[game.action_piles[27 - game.action_pile_left]] == "remove"
    known = game.known_draws[9 - LOWEST]
    assert known == game.piles[120 - game.pile_left :].tolist().count(9) + read.hand.count(9) - 1
    assert (game.mover, game.seat, read.phase) == (0, 0, "drawn")


def test_what_a_position_leaves_out_has_its_default() -> None:
    read = table(f"layout {LAYOUT}; layout {LAYOUT}; discard 3; seat 1 turn")
    game = read.state[0]
    assert (read.rules, game.episode, game.round_number, game.turns, game.starter, game.ender) == (
        Rules(),
        1,
        1,
        0,
        0,
        -1,
    )
    assert (game.mover, game.played, game.attacked, game.line, game.chosen, game.picked) == (1, *[NOBODY] * 5)
    assert (game.pile_left, game.action_pile_left, game.action_discard_size) == (95, 23, 0)
    assert NO_KIND not in game.open_actions
    assert not game.held.any() | game.known_draws.any() | game.changed.any() | game.claims.any() | game.knowers.any()


@pytest.mark.parametrize("phase", PHASES)
def test_a_short_position_is_enough_in_every_phase(phase: str) -> None:
    game = table(MOMENTS[phase])
    assert game.phase == phase
    assert SKYJO_ACTION.is_as_written(game.rules, game.state)
    for action in [] if game.is_over else game.legal_actions():
        after = game.copy()
        after.apply(action)
        CHECKS.check_states(after.rules, after.state)


def test_stars_of_the_opening_are_claimed_unless_they_earn_nothing_2_7() -> None:
    text = "layout * 1 ? ? | ? ? ? ? | ? ? ? ?; layout * ? ? ? | ? ? ? ? | ? ? ? ?; discard 3; seat 1 opening"
    assert table(text).state[0].claims[:2].tolist() == [1, 1]
    assert table(f"{text}; rules opening_star=false").state[0].claims[:2].tolist() == [0, 0]
    claiming = text.replace("* ? ? ?", "* 1 ? ?").replace("opening", "claim")
    assert table(f"{claiming}; claims 0 1; mover -1").mover is None


def test_a_line_that_must_be_cleared_counts_as_changed_6_6() -> None:
    """Somebody else's line waits for the end of their own turn."""
    text = f"layout {LAYOUT}; layout 1 ? ? ? | 1 ? ? ? | 1 ? ? ?; discard 3; seat 0 turn"
    assert table(f"rules foreign_clear=end_of_own_turn; {text}").state[0].changed[:2].tolist() == [0, 1]


def test_a_line_that_its_owner_has_declined_may_lie_there_6_5() -> None:
    game = table(f"layout 5 ? ? ? | 5 ? ? ? | * ? ? ?; layout {LAYOUT}; discard 3; seat 0 turn")
    assert game.state[0].changed[0] == 0


@pytest.mark.parametrize(
    ("text", "seat", "place"),
    [("three_place 5 -1 *", 0, 0), ("three_top 5 -1 .", 0, 2), ("three_top 5 -1 *", 0, 3), ("three_flip", 0, 3)],
)
def test_which_card_of_three_is_laid_follows_from_the_hand_7_3(text: str, seat: int, place: int) -> None:
    game = table(f"layout {LAYOUT}; layout {LAYOUT}; discard 3; seat {seat} {text}")
    assert game.state[0].picked == place


def test_lines_that_are_to_be_cleared_wait_for_the_questions_about_others_6_7() -> None:
    layout = "layout * 7 ? ? | * 7 ? ? | * * ? ?"
    game = table(
        f"rules star_lines=owner_may_discard; {layout}; layout {LAYOUT}; discard 3; changed 0 1 |; seat 0 line 0"
    )
    clear = int(game.rules.params["clear_line"][0])
    game.apply(clear)
    assert (lines(game, "accepted"), lines(game, "seat")) == (["0"], ["0 line 1"])
    assert SKYJO_ACTION.is_as_written(game.rules, game.state)
    game.apply(clear + 1)
    assert (lines(game, "accepted"), lines(game, "bonus"), game.phase) == ([], ["-10 0"], "turn")
    assert SKYJO_ACTION.is_as_written(game.rules, game.state)


# What holds for tables
