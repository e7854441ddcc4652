"""The rules as written positions: the 22 scenarios of the rule facts, then every option that those leave out.

Docstrings cite the scenario and the clauses of docs/rules/skyjo.md.
"""

from itertools import permutations

import pytest

from skyjo_env import HIDDEN, Game, Rules
from tests.helpers import (
    BOARD,
    GONE,
    REST,
    board,
    cells,
    legal,
    line,
    lines,
    opening,
    play,
    refuse,
    score_lap,
    seats_until_the_end,
    table,
    zeros,
)

CLEARED = [
    ("", "9 9 -1", "4 3", "draw 9", "draw, place 2", "4 3 -1 9 9 9"),  # scenario 1
    ("", "9 9 -1", "4 9", "draw", "take, place 2", "4 -1 9 9 9"),  # scenario 2
    ("", "5 5 ?5", "1", "draw 7", "draw, flip 2", "1 7 5 5 5"),  # scenario 3
    ("cleared_cards=out_of_play", "9 9 -1", "4 3", "draw 9", "draw, place 2", "4 3 -1"),
    ("cleared_cards=out_of_play", "5 5 ?5", "1", "draw 7", "draw, flip 2", "1 7"),
]


@pytest.mark.parametrize(("rules", "column", "discard", "draw", "actions", "after"), CLEARED)
def test_cleared_cards_lie_on_top_of_the_discard_pile_or_leave_the_round(
    rules: str, column: str, discard: str, draw: str, actions: str, after: str
) -> None:
    """Scenarios 1 to 3; clauses 4.2 to 4.4, 4.6, 5.4, 5.6."""
    boards = f"board {column} | {REST}; board {BOARD}"
    game = table(f"rules {rules}; {boards}; discard {discard}; {draw} ...; seat 0 turn")
    play(game, *actions.split(", "))
    assert (game.seat, line(game, "discard")) == (1, after)
    assert lines(game, "board")[0].startswith(". . . | ?")


def test_a_hidden_card_completes_nothing() -> None:
    """Scenario 4; clause 5.1."""
    game = table(f"board 5 5 ?5 | {REST}; board {BOARD}; discard 1; seat 0 turn")
    play(game, "take", "place 3")
    assert lines(game, "board")[0].startswith("5 5 ?5 | 1 ?")


def test_three_equal_negative_cards_are_cleared_although_that_costs_six_points() -> None:
    """Scenario 5; clause 5.1."""
    lap = "discard 1; draw -2 ...; ender 1; turns_left 1; seat 0 turn"
    game = table(f"episode round; {board('-2 -2 5 8')}; {board('3')}; {lap}")
    play(game, "draw", "place 2")
    assert line(game, "discard") == "1 5 -2 -2 -2"
    assert game.round_scores == (8, 3)


@pytest.mark.parametrize(("rules", "name"), [("", "flip 2"), ("", "draw"), ("flip_after_discard=none", "discard")])
def test_a_taken_card_can_neither_be_put_back_nor_turn_a_card_up(rules: str, name: str) -> None:
    """Scenario 6; clause 4.2."""
    game = table(f"rules {rules}; board 1 ? ? | {REST}; board {BOARD}; discard 4 3; seat 0 taken 9")
    refuse(game, name)


@pytest.mark.parametrize("name", ["place 0", "flip 0", "flip 3"])
def test_cleared_cells_and_open_cards_are_out_of_reach(name: str) -> None:
    """Scenario 7; clause 4.7."""
    game = table(f"board . . . | 4 ? ? | ? ? ? | ? ? ?; board {BOARD}; discard 3; seat 0 drawn 9")
    refuse(game, name)


def test_who_clears_their_last_three_cards_ends_the_round_with_nothing() -> None:
    """Scenario 8; clauses 7.1, 7.5."""
    game = table(f"episode round; {board('6 6 ?6')}; board {BOARD}; discard 3; draw 1 ...; seat 0 turn")
    play(game, "draw", "flip 2")
    assert (lines(game, "board")[0], game.ender) == (f". . . | {GONE}", 0)
    play(game, "take", "place 0")
    assert game.round_scores[0] == 0


PENALTIES = [
    ("", ("10", "12 12", "10"), 20),  # scenario 9
    ("", ("-2 -2", "-2 -2 -1"), -4),  # scenario 10
    ("", ("0", "-1"), 0),  # scenario 11
    ("", ("5", "6", "9"), 5),  # scenario 12
    ("", ("10", "9", "12"), 20),
    ("ender_penalty_mode=ties_allowed", ("10", "12 12", "10"), 10),
    ("ender_penalty_mode=ties_allowed", ("10", "12", "9"), 20),
    ("ender_penalty_mode=off", ("10", "9"), 10),
    ("penalty_on_negative=true", ("-2 -2", "-2 -2 -1"), -8),
    ("penalty_on_negative=true", ("-2 -2", "-2 -1"), -4),
    ("penalty_factor=3", ("10", "10"), 30),
    ("penalty_factor=1", ("10", "10"), 10),
]


@pytest.mark.parametrize(("rules", "boards", "score"), PENALTIES)
def test_penalty_of_the_ender(rules: str, boards: tuple[str, ...], score: int) -> None:
    """Scenarios 9 to 12 and the options of clauses 7.6 and 7.7; nobody else is ever penalised."""
    game = score_lap(rules, *boards)
    others = tuple(sum(map(int, cards.split())) for cards in boards[1:])
    assert game.round_scores == game.totals == (score, *others)


@pytest.mark.parametrize(("rules", "scores"), [("", (20, 3)), ("reveal_clear=false", (10, 24))])
def test_columns_clear_at_the_reveal_before_the_penalty_is_decided(rules: str, scores: tuple[int, int]) -> None:
    """Scenario 13; clauses 7.4, 7.6."""
    assert score_lap(rules, "10", "7 ?7 ?7 3").round_scores == scores


def test_everybody_else_plays_once_after_the_ender() -> None:
    """Scenario 14; clause 7.2."""
    game = table(f"rules players=3; episode round; board {BOARD}; {board('?1')}; board {BOARD}; discard 5; seat 1 turn")
    assert (play(game, "take", "place 0").ender, game.turns_left) == (1, 2)
    assert seats_until_the_end(game) == [2, 0]


def test_opening_the_last_card_in_the_final_lap_changes_neither_lap_nor_ender() -> None:
    """Scenario 15; clauses 7.3, 7.6: only seat 1 can be doubled, although 2 and 0 open their last card too."""
    boards = "; ".join((board("?12"), board("?1"), board("?3")))
    game = table(f"rules players=3; episode round; {boards}; discard 5; seat 1 turn")
    assert seats_until_the_end(game) == [1, 2, 0]
    assert (game.ender, game.round_scores) == (1, (3, 10, 1))


def test_drawing_from_an_empty_pile_turns_the_discards_into_the_draw_pile() -> None:
    """Scenario 16; clause 6.1: the cards are shuffled, and the top card stays."""
    hands = set()
    for chance in range(20):
        game = zeros("10 11 12", more=f"chance 0 {chance:x}; seat 0 turn")
        play(game, "draw")
        hands.add(game.hand)
        assert sorted([game.hand or 0, int(line(game, "draw"))]) == [10, 11]
        assert (line(game, "discard"), line(game, "reshuffles")) == ("12", "1")
    assert hands == {10, 11}


def test_taking_never_reshuffles() -> None:
    """Scenario 16; clause 6.3."""
    game = play(zeros("10 11 12"), "take")
    assert (game.hand, line(game, "discard"), line(game, "draw"), lines(game, "reshuffles")) == (12, "10 11", "", [])


@pytest.mark.parametrize(("before", "over"), [(60, True), (59, False)])
def test_the_game_ends_at_exactly_one_hundred(before: int, over: bool) -> None:
    """Scenario 17; clauses 7.6, 8.1, 8.2."""
    game = score_lap("", "10 10", "1", more=f"totals {before} -5")
    assert (game.is_over, game.totals) == (over, (before + 40, -4))
    assert (game.phase, game.round) == (("over", 1) if over else ("opening", 2))


def test_seats_with_the_lowest_total_share_the_win() -> None:
    """Scenario 18; clause 8.4."""
    game = score_lap("", "10 10", "1", "2", more="totals 80 4 3")
    assert (game.totals, game.winners) == ((120, 5, 5), (1, 2))


STARTERS = [
    ("", ("12 -2 ?", "5 ?5 ?"), 0),  # scenario 19
    ("", ("5 5 ?", "12 ?-2 ?"), 1),  # scenario 19
    ("", ("5 5 ?", "12 ?-1 ?"), 1),
    ("", ("6 5 ?", "12 ?-2 ?"), 0),
    ("", ("5 5 ?", "12 -2 ?", "-2 ?12 ?"), 1),
    ("start_tie=lowest_seat", ("5 5 ?", "12 ?-2 ?"), 0),
    ("start_tie=lowest_seat", ("1 1 ?", "12 -2 ?", "5 ?5 ?"), 1),
    ("start_tie=random", ("1 1 ?", "12 12 ?", "1 ?1 ?"), 1),
    ("first_starter=seat_0", ("1 1 ?", "12 ?12 ?"), 0),
]


@pytest.mark.parametrize(("rules", "boards", "starter"), STARTERS)
def test_who_starts_the_first_round(rules: str, boards: tuple[str, ...], starter: int) -> None:
    """Scenario 19; clauses 3.1, 3.2."""
    game = opening(rules, *boards)
    assert (game.phase, game.starter, game.seat) == ("turn", starter, starter)


def test_a_random_tie_break_gives_every_tied_seat_a_chance() -> None:
    """Clause 3.2, start_tie = "random"."""
    boards = f"board 5 5 ? | {REST}; board 1 1 ? | {REST}; board 4 ?6 ? | {REST}"
    text = f"rules players=3 start_tie=random; {boards}; discard 3; seat 2 opening"
    games = [table(f"{text}; chance 0 {chance:x}") for chance in range(20)]
    assert {play(game, "flip 1").starter for game in games} == {0, 2}


def test_a_board_without_an_open_card_has_the_sum_zero_and_loses_the_tie() -> None:
    """Clause 3.2: the zeros of seat 1 are higher than no card at all."""
    boards = "board . . | ? ? | ? ? | ? ?; board 0 ? | ?0 ? | ? ? | ? ?"
    assert play(table(f"rules rows=2; {boards}; discard 3; seat 1 opening"), "flip 2").starter == 1


@pytest.mark.parametrize(("rules", "starter"), [("", 0), ("next_starter=highest_sum", 1)])
def test_who_starts_the_next_round(rules: str, starter: int) -> None:
    """Scenario 20; clause 3.3: seat 0 ended round 1, seat 1 has the higher sum in round 2."""
    game = score_lap(rules, "10 10", "5", more="chance 3 0")
    play(game, "flip 0", "flip 1", "flip 0", "flip 1")
    sums = [int(game.board(seat)[:2, 0].sum()) for seat in (0, 1)]
    assert sums[0] < sums[1]
    assert (game.round, game.phase, game.starter, game.seat) == (2, "turn", starter, starter)


def test_the_next_round_is_dealt_afresh() -> None:
    """Clauses 2.1, 2.2."""
    game = score_lap("", "1", "5", more="turns 9; reshuffles 2")
    assert (game.round, game.phase, game.seat, game.starter, game.ender) == (2, "opening", 0, 0, None)
    assert [lines(game, word) for word in ("turns", "turns_left", "reshuffles")] == [[], [], []]
    assert (len(line(game, "discard").split()), game.draw_pile_size) == (1, 125)
    assert [(game.board(seat) == HIDDEN).sum() for seat in (0, 1)] == [12, 12]


@pytest.mark.parametrize(("row_clear", "cleared"), [("true", 6), ("false", 3)])
def test_one_card_can_complete_a_row_and_a_column(row_clear: str, cleared: int) -> None:
    """Scenario 21; clauses 5.2, 5.4."""
    boards = f"board 4 4 9 | ?1 ?2 4 | ?1 ?2 4 | ?1 ?2 4; board {BOARD}"
    game = table(f"rules row_clear={row_clear}; {boards}; discard 3 4; seat 0 turn")
    play(game, "take", "place 2")
    assert line(game, "discard") == "3 9" + " 4" * cleared
    assert lines(game, "board")[0] == ". . ." + f" | ?1 ?2 {'.' if cleared == 6 else '4'}" * 3


@pytest.mark.parametrize("cell", [1, 4, 7, 10])
def test_a_row_alone_can_be_complete(cell: int) -> None:
    """Clause 5.2: a row of the board is every third cell."""
    columns = " | ".join("?1 9 ?2" if column == cell // 3 else "?1 4 ?2" for column in range(4))
    game = table(f"rules row_clear=true; board {columns}; board {BOARD}; discard 4; seat 0 turn")
    play(game, "take", f"place {cell}")
    assert (line(game, "discard"), lines(game, "board")[0]) == ("9 4 4 4 4", " | ".join(["?1 . ?2"] * 4))


@pytest.mark.parametrize(("flips", "seats"), [(0, []), (1, [0, 1, 2]), (2, [0, 0, 1, 1, 2, 2])])
def test_the_seats_open_their_cards_one_after_the_other(flips: int, seats: list[int]) -> None:
    """Clauses 2.2, 2.3."""
    game = Game(Rules(players=3, opening_flips=flips, first_starter="seat_0"))
    opened = []
    while game.phase == "opening":
        opened.append(game.seat)
        game.apply(game.legal_actions()[0])
    assert (opened, game.seat) == (seats, 0)


@pytest.mark.parametrize(("rules", "discard", "column"), [("", "3 5 5", ". ."), ("clear=confirm", "3", "5 5")])
def test_a_short_line_can_be_cleared_in_the_opening(rules: str, discard: str, column: str) -> None:
    """Clause 2.4: at once, but not where clearing has to be confirmed."""
    text = f"rules rows=2 columns=2 {rules}; board 5 ?5 | ? ?; board ? ? | ? ?; discard 3; seat 0 opening"
    game = play(table(text), "flip 1")
    assert (game.phase, game.seat, line(game, "discard")) == ("opening", 1, discard)
    assert lines(game, "board")[0].startswith(f"{column} | ?")


@pytest.mark.parametrize(("answer", "discard", "column"), [("clear", "3 -1 9 9 9", ". . ."), ("keep", "3 -1", "9 9 9")])
def test_clearing_waits_for_the_owners_word(answer: str, discard: str, column: str) -> None:
    """Clauses 5.5, 9.3, clear = "confirm"."""
    game = table(f"rules clear=confirm; board 9 9 -1 | {REST}; board {BOARD}; discard 3; draw 9 ...; seat 0 turn")
    play(game, "draw", "place 2")
    assert (game.seat, legal(game), line(game, "discard")) == (0, ["clear", "keep"], "3 -1")
    play(game, answer)
    assert (game.phase, game.seat, line(game, "discard")) == ("turn", 1, discard)
    assert lines(game, "board")[0].startswith(f"{column} | ?")


def test_who_keeps_a_line_is_asked_again_at_the_end_of_each_own_turn() -> None:
    """Clause 5.5; the turn between belongs to seat 1, who is asked nothing."""
    game = table(f"rules clear=confirm; board 9 9 9 | {REST}; board {BOARD}; discard 3; draw 1 ...; seat 0 confirm")
    play(game, "keep", "take", "place 0")
    assert (game.phase, game.seat) == ("turn", 0)
    play(game, "draw", "flip 4")
    assert (game.phase, game.seat) == ("confirm", 0)


def test_all_complete_lines_are_confirmed_together_and_discarded_in_the_order_of_their_cells() -> None:
    """Clauses 5.5, 5.6, 7.1: with the last hidden card turned up the round ends only after the answer."""
    game = table(f"rules clear=confirm; {board('9 9 9 4 4 ?4')}; board {BOARD}; discard 3; seat 0 drawn 1")
    enders = [play(game, name).ender for name in ("flip 5", "clear")]
    assert (line(game, "discard"), enders) == ("3 1 9 9 9 4 4 4", [None, 0])


@pytest.mark.parametrize(("rules", "left", "score"), [("", "", 0), ("clear=confirm", "-2 -2 -2 | 0 0 0 | . . .", -6)])
def test_the_reveal_confirms_only_lines_above_zero(rules: str, left: str, score: int) -> None:
    """Clause 7.4."""
    game = score_lap(rules, "1", "1 ?1 ?1 -2 ?-2 ?-2 0 ?0 ?0")
    assert lines(game, "board")[1] == f". . . | {left or GONE}"
    assert game.round_scores == (2, score)


@pytest.mark.parametrize("rules", ["", "flip_after_discard=none"])
def test_without_a_hidden_card_the_drawn_card_must_be_placed_unless_nothing_is_turned_up(rules: str) -> None:
    """Clause 4.5 with flip_after_discard = "mandatory", and clause 4.4 with "none"."""
    lap = "discard 3; ender 1; turns_left 1; seat 0 drawn 8"
    game = table(f"rules {rules}; {board('1 2')}; {board('5')}; {lap}")
    assert legal(game) == ["place 0", "place 1", *(["discard"] if rules else [])]


def test_a_reshuffle_can_turn_up_a_new_discard() -> None:
    """Clause 6.2: all three cards are shuffled, so that each may be turned up and each may be drawn."""
    new = set()
    for chance in range(40):
        game = zeros("10 11 12", rules="reshuffle=all_then_turn_up_new", more=f"chance 0 {chance:x}; seat 0 turn")
        play(game, "draw")
        new.add((line(game, "discard"), str(game.hand), line(game, "draw")))
    assert new == set(permutations(("10", "11", "12")))


PILES = [("discard 10; draw", "take"), ("discard 10 10; draw", "draw take"), ("discard 10; draw 5", "draw take")]


@pytest.mark.parametrize(("piles", "actions"), PILES)
def test_nobody_can_draw_from_nothing(piles: str, actions: str) -> None:
    """Clause 6.4: the draw pile is empty, and one card alone is never reshuffled."""
    game = table(f"rules cleared_cards=out_of_play; board {BOARD}; board {BOARD}; {piles}; seat 0 turn")
    assert legal(game) == actions.split()


def test_every_seat_has_its_own_part_of_the_draw_pile() -> None:
    """Clause 6.5: the 113 cards left by three players are divided in order, as are 3 cards after a reshuffle."""
    rules = Rules(players=3)
    parts = line(Game(rules.replace(draw_streams=True), seed=6), "draw").split(" | ")
    assert [len(part.split()) for part in parts] == [37, 38, 38]
    assert " ".join(parts) == line(Game(rules, seed=6), "draw")
    whole, divided = zeros("1 2 3 4"), zeros("1 2 3 4", "|", "draw_streams=true")
    assert play(divided, "draw").hand == play(whole, "draw").hand
    assert line(divided, "draw") == f" | {line(whole, 'draw')}"


PARTS = [
    (1, "1 | 2 3 | 4", 2, "1 | 3 | 4"),
    (1, "1 |  | 3 4", 3, "1 |  | 4"),
    (1, "1 2 |  | 3 4", 1, "2 |  | 3 4"),
    (3, "1 | 2 3 | 4 5 6 |", 4, "1 | 2 3 | 5 6 |"),
    (0, "| 1 2 | 3", 1, "| 2 | 3"),
]


@pytest.mark.parametrize(("seat", "parts", "drawn", "left"), PARTS)
def test_a_used_up_part_borrows_from_the_fullest(seat: int, parts: str, drawn: int, left: str) -> None:
    """Clause 6.5: from one's own part while it lasts, then from the fullest, the lowest seat's among equals."""
    game = zeros("9", parts, "draw_streams=true", f"seat {seat} turn", players=parts.count("|") + 1)
    assert (play(game, "draw").hand, line(game, "draw").strip()) == (drawn, left)


@pytest.mark.parametrize(("starter", "seats"), [(0, [2]), (1, [2, 0]), (2, [])])
def test_the_final_lap_can_complete_the_current_round(starter: int, seats: list[int]) -> None:
    """Clause 7.2, final_lap = "complete_current_round": no turn is left if the ender sits before the starter."""
    rules = f"rules players=3 final_lap=complete_current_round; episode round; starter {starter}"
    game = table(f"{rules}; board {BOARD}; {board('?1')}; board {BOARD}; discard 5; seat 1 turn")
    assert seats_until_the_end(play(game, "take", "place 0")) == seats
    assert game.ender == 1


def test_a_round_of_too_many_turns_is_stopped() -> None:
    """Clause 7.8: hidden cards count at face value, nothing is turned up, cleared, doubled or added to the totals."""
    boards = f"{board('1 ?5 2')}; {board('?7 ?7 ?7')}"
    game = table(f"rules max_turns=10; turns 9; totals 3 4; scores 7 7; {boards}; discard 8; seat 0 turn")
    play(game, "take", "place 0")
    assert (game.is_truncated, game.round_scores, game.totals, game.winners) == (True, (15, 21), (3, 4), ())
    assert lines(game, "board") == [cells("8 ?5 2"), cells("?7 ?7 ?7")]


def test_a_final_lap_is_played_to_its_end_however_many_turns_there_were() -> None:
    """Clause 7.8: seat 0 ends the round in the last turn allowed."""
    boards = f"{board('1 ?5 2')}; {board('?7 ?9')}"
    game = table(f"rules max_turns=10; episode round; turns 9; {boards}; discard 8; draw 0 ...; seat 0 turn")
    play(game, "draw", "place 1", "take", "place 0")
    assert (game.phase, game.turns, game.round_scores) == ("over", 11, (3, 14))


@pytest.mark.parametrize(("number", "phase"), [(2, "opening"), (3, "over")])
def test_the_game_is_over_after_the_last_round(number: int, phase: str) -> None:
    """Clause 8.3, max_rounds."""
    assert score_lap("max_rounds=3", "1", "5", more=f"round {number}").phase == phase


def test_a_single_round_is_won_by_its_lowest_score_whatever_the_totals() -> None:
    """Clause 8.5."""
    game = score_lap("", "1", "5", more="episode round; totals 50 0")
    assert (game.phase, game.totals, game.winners) == ("over", (51, 5), (0,))
