"""A table of Skyjo Action as text: what it says, that it fits, and its colours."""

import re

import pytest

from skyjo_action_env import Game, Rules
from skyjo_action_env.kernel import EXCHANGE, KINDS
from skyjo_action_env.render import format_table, seat_text
from tests.skyjo_action_env.positions import MOMENTS
from tests.skyjo_action_env.tables import code, held, reached, shown, standing

LAYOUTS = "-2 ? 12 ? 0 1 * ? ? . . .", "? ? ? 5 5 9 ? ? ? ? ? ?", "? ? ? ? ? ? ? ? ? * * ?"
TEXT = """\
round 2, turn 8 of seat 1, 2 extra turns
seat 1 chooses the other card | carried out: exchange
last move: seat 1: cell 1 of 2

draw pile 60 | discard pile 1: 7
action pile 11 | used 0 | open double, swap, none, look

 seat 0                                   seat 1: turn, 1 claim
 -2   ?   *   .  double, look 3            ?   5   ?   ?  double 3, swap 3,
(?)   0   ?   .                            ?   5   ?   ?  three 3, defence 3,
 12   1   ?   .                            ?   9   ?   ?  look 3, exchange 3,
open 11, total 12                                         remove 3, replay 3,
                                                          steal 3
                                         open 19, total -3

 seat 2: attacked
  ?   ?   ?   *
  ?   ?   ?   *
  ?   ?   ?   ?
open 0, total 0
"""


def exchanging() -> Game:
    knowers = [[0, 4, *[0] * 10]] + [[0] * 12] * 7
    piles = [7, *[0] * 119]
    return standing(
        Rules(players=3),
        round_number=2,
        turns=7,
        mover=1,
        seat=1,
        phase=code("exchange with"),
        played=EXCHANGE,
        shown=shown(*LAYOUTS),
        knowers=knowers,
        held=held("double look look look", " ".join([*KINDS] * 3)),
        totals=[12, -3, 0, *[0] * 5],
        open_sum=[11, 19, 0, *[0] * 5],
        claims=[0, 1, *[0] * 6],
        extra_turns=2,
        attacked=2,
        pile_left=60,
        discard_size=1,
        piles=piles,
        action_pile_left=11,
        open_actions=[0, 1, -1, 4],
        last_seat=1,
        last_action=75,
        chosen=1,
    )


def test_a_table_as_text() -> None:
    assert str(exchanging()).replace(">seat 1", " seat 1") == TEXT
    assert ">seat 1: turn" in str(exchanging())


def test_a_drawn_card_can_be_left_out_and_a_taken_one_is_seen_by_all() -> None:
    """Clause 12.1."""
    for phase, is_secret in (("drawn", True), ("three", True), ("three top", True), ("taken", False)):
        game = reached(phase)
        in_hand = re.search(r"in hand (.*)", str(game))
        public = re.search(r"in hand (.*)", format_table(game, drawn_card=False))
        assert in_hand
        assert public
        assert len(in_hand[1].split()) == len(game.hand)
        assert (public[1] == " ".join("?" * len(game.hand))) == is_secret
        assert (public[1] == in_hand[1]) != is_secret


def test_hidden_cards_can_be_shown() -> None:
    game = Game("players=8", seed=2)
    cells = re.findall(r"\?(-?\d+|\*)", format_table(game, all_cards=True))
    below = game.state["cards"][0]
    assert sorted(cells) == sorted("*" if card == 13 else str(card) for card in below.ravel().tolist())
    assert not re.search(r"\?[-*\d]", str(game))


def test_at_the_end_the_text_tells_the_scores_and_who_has_won() -> None:
    scores = {"round_scores": [70, 3, 3, *[0] * 5], "totals": [101, 3, 3, *[0] * 5], "ender": 0, "turns": 5}
    won = str(standing(Rules(players=3), phase=code("over"), episode=0, mover=0, seat=2, **scores))
    assert won.startswith("round 1, turn 5, ended by seat 0\nover, won by seat 1, seat 2\n")
    assert re.findall(r"round -?\d+, total -?\d+", won) == [
        "round 70, total 101",
        "round 3, total 3",
        "round 3, total 3",
    ]
    assert (won.count("wins"), won.count("ended"), ">" in won) == (2, 2, False)
    everybody = Rules(players=8)
    assert len(str(standing(everybody, phase=code("over"), mover=0, seat=2)).splitlines()[1]) <= 80


def test_a_stopped_round_shows_no_scores() -> None:
    """Clause 9.7: nothing is turned up, and the score would tell the sum of what is hidden."""
    stopped = str(standing(phase=code("truncated"), round_scores=[70, 3, *[0] * 6], mover=0))
    assert "stopped after too many turns\n" in stopped
    assert "70" not in stopped


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (MOMENTS["turn"], "phase: turn"),
        (MOMENTS["taken"], "phase: taken | in hand card 0: *"),
        (MOMENTS["line"], "phase: line | about column 0"),
        (MOMENTS["swap with"], "phase: swap with | chosen: cell 3 of 0 | swap is played by you"),
        (
            MOMENTS["three place"],
            "phase: three place | in hand card 0: 5, card 1: -1, card 2: * | card 2 is laid | three is played by you",
        ),
        (MOMENTS["steal card"], "phase: steal card | steal is played by you against other"),
        (
            MOMENTS["defence"].replace("played steal", "played exchange; chosen 3 of 0; chosen_with 5 of 1"),
            "phase: defence | chosen: cell 3 of 1 and cell 5 of 0 | exchange is played by other against you",
        ),
    ],
)
def test_a_seat_is_told_what_is_being_carried_out(moment: str, told: str) -> None:
    game = Game.from_position(f"skyjo_action-position 1; {moment}")
    names = ["you" if seat == game.seat else "other" for seat in range(2)]
    assert seat_text(game.rules, game.observation(), names).splitlines()[-1] == told
