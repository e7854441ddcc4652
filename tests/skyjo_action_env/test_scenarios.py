"""The rules as written positions: the scenarios of the rule facts, then the options that those leave out.

Docstrings cite the scenario and the clauses of docs/rules/skyjo_action.md.
"""

import pytest

from skyjo_action_env import ACTION, ACTION_CORE, EMPTY, HIDDEN, KINDS, STAR, Game
from skyjo_action_env.events import TurnPassed
from skyjo_action_env.kernel import ACTION_DECK, COUNTS, DECK, LOWEST
from tests.helpers import legal, play, refuse

CLOSED = "? ? ? ? | ? ? ? ? | ? ? ? ?"  # a layout as dealt
OTHER = f"layout {CLOSED}"
LOW = "1 2 3 4 | 5 6 7 8 | 9 10 11 12"  # an open layout without a line
WITHOUT_COLUMN = ". {} {} {} | . 1 2 3 | . ? ? ?"  # the first column has been cleared


def table(text: str) -> Game:
    """A table as a position says, without its first line."""
    return Game.from_position(f"skyjo_action-position 1; {text}")


def shown(game: Game, seat: int) -> str:
    """A layout as positions write it, by rows."""
    marks = {HIDDEN: "?", EMPTY: ".", STAR: "*"}
    rows = game.board(seat).tolist()
    return " | ".join(" ".join(marks.get(card, str(card)) for card in row) for row in rows)


def discards(game: Game, count: int) -> str:
    """The uppermost cards of the discard pile, top last."""
    (line,) = (line for line in game.position().splitlines() if line.startswith("discard"))
    return " ".join(line.split()[-count:])


def test_the_decks() -> None:
    """Scenario 1; clauses 1.1, 1.2, 1.4: 120 + 27 cards; the other 3 of 150 are blank."""
    deck = {LOWEST + k: count for k, count in enumerate(COUNTS)}
    assert deck == {-2: 3, -1: 7, 0: 11, **dict.fromkeys(range(1, 13), 7), STAR: 15}
    assert DECK + ACTION_DECK + 3 == 150
    open_and_pile = {rules: Game(rules).action_pile_size + 4 for rules in (ACTION, ACTION_CORE)}
    assert open_and_pile == {ACTION: 27, ACTION_CORE: 18}


def test_the_owner_decides_about_a_column_with_a_star_and_is_asked_again_when_it_changes() -> None:
    """Scenario 2; clauses 6.3, 6.5, 6.9, 6.10: the replaced card goes first, then stars, then numbers."""
    text = f"layout 5 ? ? ? | 5 ? ? ? | 9 ? ? ?; {OTHER}; discard 3 *; seat 0 turn"
    game = play(table(text), "take", "place 2")
    assert (game.phase, game.seat) == ("claim", 0)
    play(game, "pass")
    assert (game.phase, legal(game)) == ("line", ["clear", "keep"])
    cleared = play(game.copy(), "clear")
    assert (shown(cleared, 0)[:1], discards(cleared, 5)) == (".", "3 9 * 5 5")
    play(game, "keep")
    assert (game.seat, shown(game, 0)[:1]) == (1, "5")
    play(game, "draw", "place 0", "draw", "place 11")
    assert game.phase in ("claim", "turn")  # another line of seat 0 has changed, not this one
    again = play(table(f"layout 5 ? ? ? | 5 ? ? ? | * ? ? ?; {OTHER}; discard 3; seat 0 taken 5"), "place 0")
    assert again.phase == "line"


def test_a_column_of_stars_stays_and_counts_ten_less() -> None:
    """Scenario 3; clauses 6.4, 9.5."""
    rest = "| * 5 6 8 | * 9 10 11"
    game = table(
        f"episode round; layout * 1 2 3 {rest}; layout {LOW}; discard 3; ender 0; turns_left 1; seat 1 taken 7"
    )
    play(game, "place 0")
    assert game.phase == "over"
    assert game.round_scores == (55 - 10, 84)


def test_a_row_of_three_stars_beside_a_cleared_column_counts_ten_less() -> None:
    """Scenario 4; clauses 6.1, 9.5; not without short rows."""
    first = "layout . * * * | . 1 2 3 | . 4 5 6"
    text = f"episode round; {first}; layout {LOW}; discard 3; ender 0; turns_left 1; seat 1 taken 7"
    assert play(table(text), "place 0").round_scores[0] == 21 - 10
    assert play(table(f"rules short_rows=false; {text}"), "place 0").round_scores[0] == 21


def test_a_row_of_three_equal_cards_beside_a_cleared_column_is_cleared() -> None:
    """Scenario 5; clause 6.1; with short_rows=False it stays."""
    text = f"layout {WITHOUT_COLUMN.format(9, 7, 7)}; {OTHER}; discard 3 7; seat 0 turn"
    game = play(table(text), "take", "place 3")
    assert shown(game, 0) == ". . . . | . 1 2 3 | . ? ? ?"
    assert discards(game, 4) == "9 7 7 7"
    assert shown(play(table(f"rules short_rows=false; {text}"), "take", "place 3"), 0)[:7] == ". 7 7 7"


def test_a_column_of_two_is_never_cleared() -> None:
    """Scenario 6; clause 6.1."""
    game = table(f"layout . . . . | 5 1 2 3 | 9 ? ? ?; {OTHER}; discard 3 5; seat 0 turn")
    assert shown(play(game, "take", "place 2"), 0) == ". . . . | 5 1 2 3 | 5 ? ? ?"


def test_a_double_as_the_first_of_two_extra_turns_leaves_three() -> None:
    """Scenario 7; clause 7.1."""
    game = play(table(f"held double double |; {OTHER}; {OTHER}; discard 3; seat 0 turn"), "play double", "play double")
    assert (game.seat, game.extra_turns) == (0, 2)  # with the turn that begins now, three


def test_a_star_as_the_last_hidden_card_claims_first_and_the_card_costs_ten() -> None:
    """Scenario 8; clauses 5.2, 9.1, 9.5."""
    first = "layout ? 2 3 4 | 5 6 7 8 | 9 10 11 12"
    game = table(f"episode round; {first}; layout {CLOSED}; discard 3 *; open double look swap steal; seat 0 turn")
    play(game, "take", "place 0")
    assert (game.phase, game.ender) == ("claim", None)
    play(game, "open 1")
    assert (game.ender, game.turns_left, game.seat, game.held_actions(0)) == (0, 1, 1, {"look": 1})
    play(game, "take", "place 0")
    assert game.round_scores[0] in (2 * (77 + 10), 77 + 10)


def test_an_action_card_can_be_played_from_the_next_turn_on_and_an_extra_turn_is_one() -> None:
    """Scenario 9; clauses 4.3, 4.4."""
    text = f"held double |; {OTHER}; {OTHER}; discard 3; open look look swap steal; seat 0 turn"
    game = play(table(text), "play double", "open 0")
    assert (game.seat, legal(game, "play")) == (0, ["play look"])
    game = play(table(f"rules delay_counts_extra_moves=false; {text}"), "play double", "open 0")
    assert (game.seat, legal(game, "play"), legal(game, "discard")) == (0, [], [])
    play(game, "take", "place 0")
    for _ in range(2):  # to the next turn of seat 0
        while game.seat == 1 or game.phase != "turn":
            game.apply(game.legal_actions()[0])
    assert legal(game, "play") == ["play look"]


def test_a_remove_spares_who_holds_a_defence() -> None:
    """Scenario 10; clauses 7.4, 7.7: two cards are replaced, and the defence is used up."""
    text = f"rules players=4; held remove | | defence |; {OTHER}; {OTHER}; {OTHER}; {OTHER}; discard 3; draw 4 6 ...; "
    game = play(table(f"{text}seat 0 turn"), "play remove")
    assert (game.phase, game.attacked) == ("remove", 1)
    play(game, "cell 5 of 1")
    assert (game.attacked, game.held_actions(2), game.action_discards) == (3, {}, ("remove", "defence"))
    play(game, "cell 0 of 3")
    assert (game.board(1)[2, 1], game.board(3)[0, 0], game.seat) == (4, 6, 1)
    assert game.discard_pile_size == 3
    assert game.discard_top == 3


def test_a_steal_from_who_holds_a_defence_spends_both() -> None:
    """Scenario 11; clauses 7.4, 7.9."""
    game = table(f"held steal | double defence; {OTHER}; {OTHER}; discard 3; seat 0 turn")
    play(game, "play steal", "cell 0 of 1")
    assert (game.seat, game.held_actions(0), game.held_actions(1)) == (1, {}, {"double": 1})
    assert game.action_discards == ("steal", "defence")


def test_who_turns_anothers_last_hidden_card_open_ends_the_round() -> None:
    """Scenario 12; clauses 9.1, 9.2: the actor is the ender, and the other seat still has its turn."""
    last = "layout ? 2 3 4 | 5 6 7 8 | 9 10 11 12"
    text = f"held exchange |; layout 1 ? ? ? | ? ? ? ? | ? ? ? ?; {last}; discard 3; seat 0 turn"
    game = play(table(text), "play exchange", "cell 0 of 0", "cell 0 of 1")
    assert (game.ender, game.seat, game.turns_left) == (0, 1, 1)
    assert legal(game, "draw") == ["draw"]
    game = play(table(f"rules ender=owner_of_the_layout; {text}"), "play exchange", "cell 0 of 0", "cell 0 of 1")
    assert (game.ender, game.seat) == (None, 1)


def test_in_the_final_lap_action_cards_are_neither_played_nor_discarded() -> None:
    """Scenario 13; clause 4.6: they may be taken."""
    text = f"held | double look; layout {LOW}; layout {CLOSED}; discard 3; ender 0; turns_left 1; seat 1 turn"
    game = table(text)
    assert legal(game) == ["draw", "take", "open 0", "open 1", "open 2", "open 3", "pile"]
    assert legal(table(f"rules final_lap_take=false; {text}")) == ["draw", "take"]


def test_the_doubling_takes_in_the_action_cards() -> None:
    """Scenario 14; clauses 9.5, 9.6: 3 points and two action cards are 23, doubled 46."""
    own, other = "layout . . . . | . . . . | . 1 0 2", "layout . . . . | . . . . | . 9 8 2"
    game = table(f"episode round; held look look |; {own}; {other}; discard 3; ender 0; turns_left 1; seat 1 taken 3")
    assert play(game, "place 11").round_scores == (46, 20)


def test_a_seat_knows_a_card_that_it_has_looked_at_wherever_it_is_moved() -> None:
    """Scenario 15; clauses 7.5, 12.2: until it is turned up."""
    game = table(f"held look | swap; {OTHER}; layout ?7 ? ? ? | ? ? ? ? | ? ? ? ?; discard 3; seat 0 turn")
    play(game, "play look", "line 4 of 1")
    known = game.known(0)
    assert (known[1, 0], len(known), game.known(1)) == (7, 4, {})
    play(game, "play swap", "cell 0 of 0", "cell 11 of 0")
    assert game.known(0)[1, 11] == 7
    while not (game.seat == 1 and game.phase == "turn"):
        game.apply(game.legal_actions()[0])
    play(game, "take", "place 11")
    assert (1, 11) not in game.known(0)


@pytest.mark.parametrize(("rules", "top"), [("", "3"), ("three_order=as_drawn", "6")])
def test_of_three_cards_one_may_be_laid_and_the_others_follow_the_replaced_one(rules: str, top: str) -> None:
    """Clause 7.3."""
    text = f"held three |; layout 9 ? ? ? | ? ? ? ? | ? ? ? ?; {OTHER}; discard 1; draw 3 0 6 ...; seat 0 turn"
    game = play(table(f"rules {rules}; {text}" if rules else text), "play three", "card 1", "place 0")
    if not rules:
        assert (game.phase, legal(game)) == ("three top", ["card 0", "card 2"])
        play(game, "card 0")
    assert (game.seat, discards(game, 1), game.board(0)[0, 0]) == (1, top, 0)
    assert discards(game, 3).split()[0] == "9"


def test_of_three_cards_none_may_be_laid_and_then_a_card_is_turned_up() -> None:
    """Clause 7.3: not without a hidden card."""
    game = table(f"held three |; {OTHER}; {OTHER}; discard 1; draw 3 0 6 ...; seat 0 turn")
    play(game, "play three", "none", "card 2", "flip 4")
    assert (game.seat if game.phase == "turn" else 1, game.board(0)[1, 1] != HIDDEN) == (1, True)
    assert discards(game, 1) == "6"
    bare = table(f"rules ender=owner_of_the_layout; held three |; layout {LOW}; {OTHER}; discard 1; seat 0 turn")
    assert "none" not in legal(play(bare, "play three"))


def test_who_has_no_card_left_can_only_pass_or_use_action_cards() -> None:
    """Clause 3.5."""
    bare = "layout . . . . | . . . . | . . . ."
    game = table(f"rules ender=owner_of_the_layout; held look |; {bare}; {OTHER}; discard 3; seat 0 turn")
    refuse(game, "take")
    assert {"pass", "play look", "open 0"} <= set(legal(game))
    assert "draw" not in legal(game)
    pass_on = game.legal_actions()[legal(game).index("pass")]
    assert game.play(pass_on)[0] == TurnPassed(0)


def test_the_owner_may_use_a_defence_or_let_the_attack_pass() -> None:
    """Clauses 7.4, 7.6: with defence=owner_decides."""
    text = f"rules defence=owner_decides; held exchange | defence; layout 9 ? ? ? | ? ? ? ? | ? ? ? ?; {OTHER}; "
    game = table(f"{text}discard 3; seat 0 turn")
    play(game, "play exchange", "cell 0 of 0", "cell 3 of 1")
    assert (game.phase, game.seat, game.attacked) == ("defence", 1, 1)
    stopped = play(game.copy(), "defend")
    assert (stopped.board(0)[0, 0], stopped.held_actions(1)) == (9, {})
    play(game, "allow")
    assert (game.board(0)[0, 0], game.board(1)[0, 1], game.held_actions(1)) == (HIDDEN, 9, {"defence": 1})


@pytest.mark.parametrize(("removed_to", "pile"), [("bottom", "? 3 8"), ("below_top", "3 ? 8")])
def test_a_removed_card_goes_under_the_discard_pile(removed_to: str, pile: str) -> None:
    """Clause 7.7: hidden if it was hidden."""
    game = table(f"rules removed_to={removed_to}; held remove |; {OTHER}; {OTHER}; discard 3 8; seat 0 turn")
    play(game, "play remove", "cell 0 of 1")
    (line,) = (line for line in game.position().splitlines() if line.startswith("discard"))
    assert " ".join("?" if word.startswith("?") else word for word in line.split()[1:]) == pile


def test_a_remove_may_take_an_action_card() -> None:
    """Clause 7.7: with remove_action_cards."""
    text = f"held remove | double; {OTHER}; {OTHER}; discard 3; action_pile swap ...; seat 0 turn"
    game = play(table(f"rules remove_action_cards=true; {text}"), "play remove", "discard double")
    assert (game.held_actions(1), game.action_discards) == ({"swap": 1}, ("remove", "double"))
    assert "discard double" not in legal(play(table(text), "play remove"))


def test_a_replay_carries_out_the_top_card_or_any() -> None:
    """Clause 7.8: never another replay."""
    text = f"held replay |; {OTHER}; {OTHER}; discard 3; action_discard double look; seat 0 turn"
    game = play(table(text), "play replay")
    assert (game.phase, game.action_discards) == ("look", ("double", "replay", "look"))
    game = play(table(f"rules replay=any; {text}"), "play replay")
    assert legal(game) == ["play double", "play look"]
    assert play(game, "play double").extra_turns == 1
    assert "play replay" not in legal(table(text.replace("double look", "look replay")))


def test_a_stolen_card_is_carried_out_at_once() -> None:
    """Clauses 7.9, 7.10: but no steal and no replay."""
    game = table(f"held steal | double steal replay; {OTHER}; {OTHER}; discard 3; seat 0 turn")
    play(game, "play steal", "cell 0 of 1")
    assert legal(game) == ["play double"]
    play(game, "play double")
    assert (game.seat, game.extra_turns, game.action_discards) == (0, 1, ("steal", "double"))


def test_lines_of_others_are_cleared_at_once_or_at_the_end_of_their_turn() -> None:
    """Clause 6.6."""
    text = "held exchange |; layout 7 ? ? ? | ? ? ? ? | ? ? ? ?; layout 7 ? ? ? | 7 ? ? ? | 9 ? ? ?; discard 3; "
    names = ("play exchange", "cell 0 of 0", "cell 2 of 1")
    assert shown(play(table(f"{text}seat 0 turn"), *names), 1)[:1] == "."
    game = play(table(f"rules foreign_clear=end_of_own_turn; {text}seat 0 turn"), *names)
    assert shown(game, 1)[:1] == "7"
    assert shown(play(game, "take", "place 11"), 1)[:1] == "."


def test_a_card_in_two_complete_lines_clears_both_or_the_column_alone() -> None:
    """Clause 6.8."""
    text = f"layout 9 7 7 7 | 7 ? ? ? | 7 ? ? ?; {OTHER}; discard 3; seat 0 taken 7"
    assert shown(play(table(text), "place 0"), 0) == ". . . . | . ? ? ? | . ? ? ?"
    game = play(table(f"rules both_lines=column_first short_rows=false; {text}"), "place 0")
    assert shown(game, 0)[:7] == ". 7 7 7"


@pytest.mark.parametrize(("rules", "top"), [("", "5"), ("line_order=by_position", "*")])
def test_stars_go_below_numbers_or_where_they_lie(rules: str, top: str) -> None:
    """Clause 6.9."""
    text = f"rules star_clear=automatic {rules}; layout 5 ? ? ? | 9 ? ? ? | * ? ? ?; {OTHER}; discard 3; seat 0 taken 5"
    assert discards(play(table(text), "place 1"), 1) == top


def test_the_owner_may_discard_a_line_of_stars_for_its_bonus() -> None:
    """Clause 6.4: with star_lines=owner_may_discard."""
    text = f"layout * ? ? ? | * ? ? ? | 9 ? ? ?; {OTHER}; discard 3; seat 0 taken *"
    game = play(table(f"rules star_lines=owner_may_discard; {text}"), "place 2", "pass", "clear")
    assert (shown(game, 0)[:1], int(game.state["bonus"][0, 0])) == (".", -10)
    assert play(table(text), "place 2", "pass").seat == 1


@pytest.mark.parametrize(("rules", "score"), [("", 0), ("reveal_star_clear=owner_decides", None)])
def test_the_questions_of_the_reveal_are_answered_for_the_owner_or_asked(rules: str, score: int | None) -> None:
    """Clauses 9.3, 9.4."""
    own = "layout 12 . . . | * . . . | ?12 . . ."
    text = f"episode round; {own}; layout {LOW}; discard 3; ender 1; turns_left 1; seat 0 taken 12"
    game = play(table(f"rules {rules}; {text}" if rules else text), "place 0")
    if score is None:
        assert (game.phase, game.seat) == ("line", 0)
        play(game, "clear")
    assert (game.phase, game.round_scores[0]) == ("over", 0)


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ("", ["open 0", "open 1", "open 2", "open 3", "pass"]),
        ("star_claim=must", ["open 0", "open 1", "open 2", "open 3"]),
    ],
)
def test_a_star_may_or_must_be_claimed(rules: str, names: list[str]) -> None:
    """Clauses 5.1 to 5.4."""
    text = f"{OTHER}; {OTHER}; discard 3; seat 0 taken *"
    assert legal(play(table(f"rules {rules}; {text}" if rules else text), "place 0")) == names
    wider = play(table(f"rules star_source=open_or_pile; {text}"), "place 0")
    assert "pile" in legal(wider)


def test_a_star_of_the_opening_claims_in_order_of_seats() -> None:
    """Clauses 2.5, 2.7: with opening_star=False it earns nothing."""
    text = "layout * 1 ? ? | ? ? ? ? | ? ? ? ?; layout ?* 5 ? ? | ? ? ? ? | ? ? ? ?; discard 3; seat 1 opening"
    game = play(table(text), "flip 0")
    assert (game.phase, game.seat, game.mover) == ("claim", 0, None)
    play(game, "pass")
    assert (game.phase, game.seat) == ("claim", 1)
    assert play(game, "open 0").seat == 1  # it has the highest sum
    assert play(table(f"rules opening_star=false; {text}"), "flip 0").phase == "turn"


@pytest.mark.parametrize(("rules", "left"), [("", 1), ("action_reshuffle=all", 2)])
def test_an_empty_action_pile_is_made_of_the_discarded_cards(rules: str, left: int) -> None:
    """Clauses 4.5, 8.3."""
    kinds = [kind for kind in KINDS for _ in range(3)]
    pile, used, held = kinds[:4], kinds[4:7], kinds[7:]
    text = f"held {' '.join(held)} |; {OTHER}; {OTHER}; discard 3; open {' '.join(pile)}; "
    text += f"action_discard {' '.join(used)}; action_pile; seat 0 turn"
    game = play(table(f"rules {rules}; {text}" if rules else text), "open 0")
    assert (game.action_pile_size, None in game.open_actions) == (left, False)


def test_one_card_may_lie_on_the_action_discards_at_first() -> None:
    """Clause 2.3."""
    assert len(Game("action_discard_start=one_card").action_discards) == 1
    assert Game().action_discards == ()


def test_an_illegal_action_costs_more_than_the_dearest_round() -> None:
    """Clauses 9.5, 9.6: the ender holds all action cards."""
    held = " ".join(kind for kind in KINDS for _ in range(3))
    own = "layout 12 12 12 11 | 11 11 11 12 | 12 11 12 10"
    text = f"episode round; held {held} |; {own}; layout . . . . | . . . . | . -2 -2 0; discard 3; open . . . .; "
    game = play(table(f"{text}action_pile; ender 0; turns_left 1; seat 1 taken -1"), "place 11")
    assert game.round_scores == (2 * (137 + 270), -5)
    dearest = {"margin": -(814 + 5) / 100, "score": -814 / 100}
    assert all(game.card_game.penalty(game.rules, reward) < points for reward, points in dearest.items())
