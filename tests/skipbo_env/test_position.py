"""Written positions of Skip-Bo: they say everything, leave open what they may, and refuse what cannot be on a table."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardtable.errors import PositionError
from skipbo_env.kernel.state import CERTAIN, NOBODY, WILD
from skipbo_env.position import format_position, parse_position
from skipbo_env.rules import Rules
from skipbo_env.valid_tables import check_states
from tests.helpers import SEEDED
from tests.skipbo_env.tables import deal, many_rules, play_at_random, random_rules, seeds, tidy

WRITTEN = """\
skipbo-position 1
rules players=3 stock=4
episode round
chance 00000000000000ff 0000000000000001
round 2
turns 7
recycles 1
starter 1
ending blocked
totals 12 3 0
scores 12 3 0
wilds_discarded 0 1 0
completed_piles 2 0 0
building 3 0 5:2,4 0
completed 1 1 w
stock ? 5
stock ? ? w
stock 2
hand 4 4 w
hand
hand 7 ?
piles 1 2 | | 5 | w
piles | | |
piles | 9 | |
draw 8 ...
last 2 discard 9 on 1
seat 0 turn
"""
SHORT = "skipbo-position 1\nrules stock=3\nstock ? 5\nstock 1 2 w\nhand 4 w\nhand\ndraw 7 ...\nseat 0 turn\n"


def line(text: str, word: str, nth: int = 0) -> str:
    """What follows this word in a written position, in the nth line that begins with it."""
    return [line.removeprefix(word).strip() for line in text.splitlines() if line.split()[0] == word][nth]


def written(text: str) -> str:
    """The position as it is written after it was read."""
    rules, games = parse_position(text)
    return format_position(rules, games[0])


def assert_read_back(rules: Rules, games: NDArray[Any]) -> None:
    read_rules, read = parse_position(format_position(rules, games[0]))
    assert read_rules == rules
    assert read.tobytes() == tidy(rules, games).tobytes()
    check_states(rules, games)


@settings(SEEDED, max_examples=20)
@given(many_rules, seeds, st.integers(0, 400))
def test_a_position_is_read_back_as_the_same_record_byte_by_byte(rules: Rules, seed: int, skipped: int) -> None:
    chance = random.Random(seed)
    games = deal(rules, seed, chance.choice(("game", "round")))
    play_at_random(rules, games, chance, skipped)
    for _ in range(10):
        assert_read_back(rules, games)
        play_at_random(rules, games, chance, 1)


@settings(SEEDED, max_examples=15)
@given(many_rules, seeds, st.integers(0, 400))
def test_a_position_plays_on_like_the_original(rules: Rules, seed: int, before: int) -> None:
    games = deal(rules, seed)
    play_at_random(rules, games, random.Random(seed), before)
    _, twin = parse_position(format_position(rules, games[0]))
    assert play_at_random(rules, games, random.Random(1), 60) == play_at_random(rules, twin, random.Random(1), 60)
    assert tidy(rules, games).tobytes() == tidy(rules, twin).tobytes()


WORDS = {
    *("over", "truncated", "won", "blocked", "no_cards", "stopped", "round", "turns", "recycles", "starter", "ending"),
    *("still", "still_turns", "wilds_discarded", "completed_piles", "completed", "newer", "doubtful", "odds", "last"),
}  # every ending, and every word of the notation


@pytest.mark.slow
def test_every_kind_of_moment_is_read_back() -> None:
    """Every phase and ending, and every word of the notation, is reached, written and read."""
    reached: set[str] = set()
    for seed in range(40):
        if reached >= WORDS:
            break
        chance = random.Random(seed)
        rules = random_rules(chance)
        games = deal(rules, seed)
        while games["phase"][0] == 0 and games["round_number"][0] < 4:
            play_at_random(rules, games, chance, 9)
            assert_read_back(rules, games)
            reached |= {word for line in format_position(rules, games[0]).splitlines() for word in line.split()[:3]}
    assert WORDS - reached == set()


def test_every_line_of_a_position_is_read() -> None:
    rules, games = parse_position(WRITTEN)
    game = games[0]
    assert rules == Rules(players=3, stock=4)
    assert (game.episode, game.round_number, game.turns, game.recycles, game.starter, game.ending) == (0, 2, 7, 1, 1, 2)
    assert (game.totals[:3].tolist(), game.round_scores[:3].tolist()) == ([12, 3, 0], [12, 3, 0])
    assert (game.wilds_discarded[:3].tolist(), game.completed_piles[:3].tolist()) == ([0, 1, 0], [2, 0, 0])
    assert (game.heights.tolist(), game.wild_ranks.tolist()) == ([3, 0, 5, 0], [0, 0, 0b1010, 0])
    assert game.completed.tolist() == [2, *[0] * 11, 1]
    assert (game.stock_left[:3].tolist(), game.hand_size[:3].tolist()) == ([2, 3, 1], [3, 0, 2])
    assert (game.stocks[1], game.stocks[6], game.stocks[8]) == (5, WILD, 2)
    assert (game.hands[0, :3].tolist(), game.hands[2, 0]) == ([4, 4, WILD], 7)
    assert game.sizes[:3].tolist() == [[2, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 0]]
    assert game.piles[:5].tolist() == [1, 2, 5, WILD, 9]
    assert (game.last_seat, game.last_action) == (2, 72 + 4 * 8 + 1)
    assert (game.seat, game.phase, game.key, game.chance) == (0, 0, 255, 1)


def test_semicolons_comments_blank_lines_and_order_do_not_matter() -> None:
    one_a_seat = ("stock", "hand", "piles")
    free = [line for line in WRITTEN.splitlines() if not line.startswith(one_a_seat)]
    random.Random(1).shuffle(free)
    seats = [line for line in WRITTEN.splitlines() if line.startswith(one_a_seat)]
    text = ";;  ".join(free) + "\n\n# seats; 3 of them\n" + "  # one\n".join(seats) + "# end"
    assert written(text) == written(WRITTEN)


def test_what_a_position_leaves_out_has_its_default() -> None:
    rules, games = parse_position("skipbo-position 1; stock ? 5; stock 5; seat 1 turn")
    game = games[0]
    assert (rules, game.episode, game.round_number, game.starter, game.ending) == (Rules(), 1, 1, 0, 0)
    assert (game.last_seat, game.last_action, game.draw_left, game.laid) == (NOBODY, NOBODY, 159, 0)
    assert (game.key, game.chance, game.turns, game.recycles, game.still_turns) == (0, 0, 0, 0, 0)
    assert not game.totals.any() | game.round_scores.any() | game.heights.any() | game.hand_size.any()


def test_what_is_left_open_is_filled_with_the_missing_cards() -> None:
    text = written(WRITTEN)
    places = [
        part.split()[1:] for part in text.splitlines() if part.startswith(("stock", "hand", "draw", "completed "))
    ]
    cards = Counter(card for place in places for card in place)
    cards.update([*"125w9", *"123", *"1w3w5"])  # discard piles and building piles
    assert cards == {str(rank): 12 for rank in range(1, 13)} | {"w": 18}
    assert line(text, "draw").split()[0] == "8"
    assert "?" not in text


def test_other_chance_fills_other_cards() -> None:
    draws = [line(written(WRITTEN.replace("00ff", key)), "draw") for key in ("00ff", "00fe", "00ff")]
    assert draws[0] == draws[2] != draws[1]


@pytest.mark.parametrize(("recycled", "is_even"), [("as_played", True), ("wild", False)])
def test_a_wild_card_may_have_become_the_rank_it_was_played_as_4_4(recycled: str, is_even: bool) -> None:
    text = f"skipbo-position 1; rules recycled_wild={recycled}; stock {'3 ' * 14}; stock 5; draw ...; seat 0 turn"
    if not is_even:
        with pytest.raises(PositionError, match="-2 of card 3"):
            parse_position(text)
        return
    _, games = parse_position(text)
    assert np.count_nonzero(games["piles"] == WILD) == 16


# Knowledge (8.4 to 8.7)


def test_before_a_recycling_all_unseen_cards_are_older_8_4() -> None:
    game = parse_position(SHORT)[1][0]
    assert game.older.sum() == 162 - 2  # two stock cards lie open
    assert (game.newer.any(), game.doubtful.any(), game.older_odds.any(), game.older_held) == (False, False, False, 0)


def test_after_a_recycling_the_draw_pile_is_newer_and_hands_are_older_8_5() -> None:
    game = parse_position(SHORT + "recycles 1")[1][0]
    assert game.newer.tolist() == np.bincount(game.piles[162 - game.draw_left :], minlength=14)[1:].tolist()
    assert (game.older.sum(), game.older_held) == (1 + 2 + 2, 2)
    assert (game.older_odds[0].tolist(), game.older_odds[1].tolist()) == ([0, CERTAIN, 0, 0, 0], [0] * 5)


def test_on_completion_all_unseen_cards_are_older_8_7() -> None:
    game = parse_position(SHORT.replace("stock=3", "stock=3 recycle=on_completion") + "recycles 1")[1][0]
    assert (game.older.sum(), game.newer.any(), game.older_odds.any(), game.older_held) == (160, False, False, 0)


def test_knowledge_is_read_and_what_is_older_follows_from_it_8_4_8_6() -> None:
    text = "\n".join(
        [
            "skipbo-position 1; rules stock=3; recycles 1",
            "stock 1 5; stock 1 2 w; hand 4 w; hand; piles 6 | | |; piles | | |",
            "draw 7; completed " + " ".join(f"{card} " * 12 for card in (8, 9, 10, 11, 12)),
            "newer 0 0 0 0 0 1 1 0 0 0 0 0 1; doubtful 0 0 0 0 0 1 0 0 0 0 0 0 0",
            "odds 20000 10000 0 0 0; odds 0 0 0 0 0; seat 0 turn",
        ]
    )
    rest = "1 " * 10 + "2 " * 11 + "3 " * 12 + "4 " * 11 + "5 " * 11 + "6 " * 11 + "7 " * 11 + "w " * 16
    game = parse_position(text.replace("; completed", f"; completed {rest}"))[1][0]
    assert game.older.tolist() == [2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert (game.older_held, game.older_odds[0].tolist()) == (1, [20000, 10000, 0, 0, 0])


# Damage

LAST = "seat 0 turn"
LINE_DAMAGES = [
    (LAST, f"{LAST}\nhello world", "line 9: unknown word 'hello'"),
    ("skipbo-position 1", "skipbo-position 2", "line 1: skipbo-position '2': this version"),
    ("stock ? 5", "stock ? 13", "line 3: .*'13' is not a card"),
    ("stock ? 5", "stock ? ?? 5", r"line 3: .*'\?\?' is not a card"),
    ("stock ? 5", "stock 1 2 3 4", "line 3: .*room for 3 cards"),
    ("hand 4 w", "hand 4 w 1 1 1 1", "line 5: .*room for 5 cards"),
    ("hand 4 w", "hand 0", "line 5: .*'0' is not a card"),
    ("draw 7 ...", "draw 7 x ...", "line 7: .*'x' is not a card"),
    ("draw 7 ...", "draw ... 7", "line 7: .*'...' is not a card"),
    (LAST, "seat 0", "line 8: .*the seat and the phase"),
    (LAST, "seat x turn", "line 8: .*'x' is not a whole number"),
    (LAST, "seat 0 thinking", "line 8: .*known are turn, over, truncated"),
    (LAST, f"{LAST}\nbuilding 1 2 3", "line 9: .*4 places"),
    (LAST, f"{LAST}\nbuilding 1 2 3 12", "line 9: .*0 to 11"),
    (LAST, f"{LAST}\nbuilding 1 2 3:4 0", "line 9: .*which ranks are wild"),
    (LAST, f"{LAST}\nbuilding 1 2 3: 0", "line 9: .*not a whole number"),
    (LAST, f"{LAST}\ncompleted 1 ?", r"line 9: .*'\?' is not a card"),
    (LAST, f"{LAST}\npiles 1 | |\npiles | | |", "line 9: .*4 piles"),
    (LAST, f"{LAST}\nepisode match", "line 9: .*known are round, game"),
    (LAST, f"{LAST}\nending lost", "line 9: .*known are won, blocked, no_cards, stopped"),
    (LAST, f"{LAST}\nchance 1", "line 9: chance '1'"),
    (LAST, f"{LAST}\nchance 0 xyz", "line 9: chance"),
    (LAST, f"{LAST}\ntotals 1 2 3", "line 9: .*2 numbers"),
    (LAST, f"{LAST}\nscores 1 40000", "line 9: .*no number beyond 32767"),
    (LAST, f"{LAST}\nturns many", "line 9: turns 'many'"),
    (LAST, f"{LAST}\nround 99999999999999999999", "line 9: round"),
    (LAST, f"{LAST}\nlast 0 sleep", "line 9: .*unknown action 'sleep'"),
    (LAST, f"{LAST}\nnewer 1 2", "line 9: .*13 numbers from 0 to 30"),
    (LAST, f"{LAST}\ndoubtful {'31 ' * 13}", "line 9: .*13 numbers from 0 to 30"),
    (LAST, f"{LAST}\nodds 1 2 3 4 -5\nodds 0 0 0 0 0", "line 9: .*5 numbers from 0 to 32767"),
    ("rules stock=3", "rules stock=99", "line 2: .*stock=99"),
]
TABLE_DAMAGES = [
    ("skipbo-position 1", "", "0 lines begin with 'skipbo-position'"),
    (LAST, "", "0 lines begin with 'seat'"),
    (LAST, f"{LAST}\n{LAST}", "2 lines begin with 'seat'"),
    ("stock ? 5\n", "", "1 lines begin with 'stock', the rules have 2 players"),
    ("hand\n", "", "1 lines begin with 'hand', the rules have 2 players"),
    (LAST, f"{LAST}\nodds 0 0 0 0 0", "1 lines begin with 'odds'"),
    ("draw 7", "draw" + " 7" * 13, "-1 of card 7"),
    ("draw 7", "draw" + " 7" * 158, "more cards than the deck's 162"),
    ("draw 7 ...", "draw 1 2", r"\+10 of card 1, .*a draw line that ends in"),
    (LAST, "seat 2 turn", "seat 2: the seats are 0 to 1"),
    (LAST, "seat -1 turn", "seat -1: the seats are 0 to 1"),
    (LAST, f"{LAST}\nstarter 2", "starter 2: the seats are 0 to 1"),
    (LAST, f"{LAST}\nlast 2 pass", "last_seat 2: the seats are 0 to 1"),
    (LAST, f"{LAST}\nround 0", "round 0 is not from 1 to 1000"),
    (LAST, f"{LAST}\nturns 3001", "turns 3001 is not from 0 to 3000"),
    (LAST, f"{LAST}\nturns 3000", "turns 3000: the round is stopped"),
    (LAST, f"{LAST}\nrecycles -1", "recycles -1 is not from 0"),
    (LAST, f"{LAST}\nstill -1", "still -1 is not from 0 to 1"),
    (LAST, f"{LAST}\nstill_turns 2", "still_turns 2: the round is blocked"),
    (LAST, f"{LAST}\nwilds_discarded -1 0", "wilds_discarded -1 is below 0"),
    (LAST, f"{LAST}\nending stopped", "truncated when its last round was stopped"),
    (LAST, "seat 0 truncated", "truncated when its last round was stopped"),
    (LAST, "seat 0 truncated\nending stopped", "stopped after max_turns=3000 turns"),
    (LAST, "seat 0 over", "does not say how the last round ended"),
    (LAST, "seat 0 over\nending won", "won when a stock pile is empty"),
    ("stock 1 2 w", "stock", "seat 1 has no stock pile left"),
    (LAST, f"{LAST}\ntotals 0 500", "a total of 500 has reached target_score=500"),
    (LAST, f"{LAST}\nnewer 1{' 0' * 12}", "only after a recycling"),
    (LAST, f"{LAST}\nrecycles 1\nnewer 0{' 0' * 12}", "cards of the draw pile are newer ones"),
    (LAST, f"{LAST}\nrecycles 1\nodds 0 0 9 0 0\nodds 0 0 0 0 0", "seat 0 cannot hold more older cards"),
    ("rules stock=3", "rules stock=3 recycle=on_completion\ncompleted 1", "never any completed cards"),
]


def damaged(old: str, new: str) -> str:
    assert SHORT.count(old) == 1
    return SHORT.replace(old, new)


@pytest.mark.parametrize(("old", "new", "reason"), LINE_DAMAGES, ids=[repr(new) for _, new, _ in LINE_DAMAGES])
def test_a_line_that_cannot_be_read_is_named_with_the_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        parse_position(damaged(old, new))


@pytest.mark.parametrize(("old", "new", "reason"), TABLE_DAMAGES, ids=[repr(new) for _, new, _ in TABLE_DAMAGES])
def test_what_cannot_be_on_a_table_is_refused(old: str, new: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        parse_position(damaged(old, new))


def test_there_must_be_a_card_for_every_question_mark() -> None:
    known = " ".join(f"{card} " * 12 for card in range(1, 12))
    text = f"skipbo-position 1; stock {'w ' * 18}; stock ? ?; completed {known}; building 11 0 0 0; seat 0 turn"
    with pytest.raises(PositionError, match="more cards than the deck's 162"):
        parse_position(text)


@pytest.mark.parametrize("text", [None, b"skipbo-position 1", 5, ["skipbo-position 1"]])
def test_only_text_is_a_position(text: object) -> None:
    with pytest.raises(PositionError, match=f"not {type(text).__name__}"):
        parse_position(text)  # type: ignore[arg-type]


def test_no_damage_of_a_line_or_a_character_gives_another_error() -> None:
    """One line left out, or one character exchanged, anywhere in a position."""
    chance = random.Random(5)
    rules = Rules(stock=2, players=2)
    games = deal(rules, 5)
    play_at_random(rules, games, chance, 150)
    text = format_position(rules, games[0])
    changed = ["\n".join(line for line in text.splitlines() if line != left_out) for left_out in text.splitlines()]
    for at in range(len(text)):
        changed += [text[:at] + character + text[at + 1 :] for character in chance.sample("-9 ?.|;#=x:,w\n", 3)]
    refused = 0
    for damage in changed:
        try:
            assert written(damage).startswith("skipbo-position 1\n")
        except PositionError:
            refused += 1
    assert len(changed) > refused > len(changed) // 2


# Saved records


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("seat", 2, "seat 2: the seats are 0 to 1"),
        ("hand_size", 6, "hand_size: not all saved numbers"),
        ("sizes", 1, "hand_size, sizes: a seat that does not exist"),
        ("laid", 5, "laid: not the number of all cards"),
        ("wild_ranks", 1, "wild_ranks: a building pile"),
        ("stock_left", 0, "seat 0 has no stock pile left"),  # an observation has room for all cards but one a seat
        ("hands", 3, "hands: a card beyond the end of a hand"),
        ("draw_left", 60, "the cards do not add up to the deck"),
        ("completed", 1, "the cards do not add up to the deck"),
        ("newer", 1, "older: not the number of all cards"),
    ],
)
def test_a_saved_record_that_compiled_code_could_not_bear_is_refused(field: str, value: int, reason: str) -> None:
    games = np.concatenate([deal(Rules(), seed) for seed in range(3)])
    check_states(Rules(), games)
    games[field][1] = value
    with pytest.raises(PositionError, match=reason):
        check_states(Rules(), games)
