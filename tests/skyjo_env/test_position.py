"""Written positions: they say everything, leave open what they may, and refuse what cannot be on a table."""

import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_env import HIDDEN, Game, PositionError, Rules
from tests.helpers import BOARD, REST, SEEDED, line, lines, many_rules, play, play_at_random, seeds, seen, table

# Few cards beside the boards: these rules reach every kind of line within a short game.
BUSY = Rules(
    players=3,
    rows=2,
    columns=2,
    opening_flips=1,
    deck=((-3, 4), (0, 4), (5, 10)),
    clear="confirm",
    draw_streams=True,
    max_turns=12,
    target_score=30,
)

WRITTEN = f"""\
skyjo-position 1
rules players=3
episode round
chance 00000000000000ff 0000000000000001
round 2
turns 7
starter 1
ender 2
turns_left 2
totals 12 -3 0
scores 12 -3 0
board 9 9 -1 | {REST}
board {BOARD}
board 1 2 3 | 4 5 6 | . . . | 7 8 9
discard 3 12
draw 9 ...
seat 0 drawn 11
"""


def dealt(text: str) -> dict[str, Counter[int]]:
    """Where the cards of a position lie: on boards, discard pile, draw pile, and in hand."""
    game = Game.from_position(text)
    places = {word: " ".join(lines(game, word)) for word in ("board", "discard", "draw")}
    cards = {word: Counter(map(int, re.findall(r"-?\d+", place))) for word, place in places.items()}
    return cards | {"hand": Counter([] if game.hand is None else [game.hand])}


@settings(SEEDED, max_examples=15)
@given(many_rules, seeds, st.integers(0, 120))
def test_a_position_is_read_back_as_the_same_game(rules: Rules, seed: int, skipped: int) -> None:
    chance = random.Random(seed)
    game = Game(rules, seed=seed, episode=chance.choice(("game", "round")))
    play_at_random(game, chance, skipped)
    for _ in range(20):
        assert seen(Game.from_position(game.position())) == seen(game)
        assert Game.from_position(game.position()).episode == game.episode
        play_at_random(game, chance, 1)


@settings(SEEDED, max_examples=15)
@given(many_rules, seeds, st.integers(0, 60))
def test_a_position_plays_on_like_the_original(rules: Rules, seed: int, before: int) -> None:
    chance = random.Random(seed)
    game = Game(rules, seed=seed)
    play_at_random(game, chance, before)
    twin = Game.from_position(game.position())
    for _ in range(60):
        for action in play_at_random(game, chance, 1):
            twin.apply(action)
        assert seen(twin) == seen(game)
        assert (twin.winners, twin.is_over) == (game.winners, game.is_over)


@pytest.mark.slow
def test_every_kind_of_moment_is_read_back() -> None:
    """Every phase, a reshuffle, a final lap, a later round and an end are reached, and each is written and read."""
    reached = set()
    for seed in range(15):
        game = Game(BUSY, seed=seed)
        chance = random.Random(seed)
        while not game.is_over:
            play_at_random(game, chance, 1)
            assert seen(Game.from_position(game.position())) == seen(game)
            reached |= {game.phase, *(line.split()[0] for line in game.position().splitlines())}
    numbers = {"round", "turns", "reshuffles", "starter", "ender", "turns_left"}
    assert reached >= numbers | {"opening", "turn", "drawn", "taken", "confirm", "over", "truncated"}


def test_a_position_is_written_line_by_line() -> None:
    rules = "players=2 rows=2 columns=2 deck=-1:1,0:8,7:3 opening_flips=1"
    boards = "board ?0 7 | ?0 ?0; board 0 . | ?0 ."
    game = table(
        f"rules {rules}; turns 4; totals 5 -5; {boards}; discard 0 7; draw 7 0 -1; seat 1 taken 0; chance a 0b"
    )
    assert game.position().splitlines() == [
        "skyjo-position 1",
        "rules rows=2 columns=2 deck=-1:1,0:8,7:3 opening_flips=1",
        "episode game",
        "chance 000000000000000a 000000000000000b",
        "turns 4",
        "starter 0",
        "totals 5 -5",
        "scores 0 0",
        "board ?0 7 | ?0 ?0",
        "board 0 . | ?0 .",
        "discard 0 7",
        "draw 7 0 -1",
        "seat 1 taken 0",
    ]


def test_every_line_of_a_position_is_read() -> None:
    game = Game.from_position(WRITTEN)
    assert (game.rules, game.episode, game.round, game.turns) == (Rules(players=3), "round", 2, 7)
    assert (game.starter, game.ender, game.turns_left) == (1, 2, 2)
    assert (game.totals, game.round_scores) == ((12, -3, 0), (12, -3, 0))
    assert (game.seat, game.phase, game.hand, game.discard_top) == (0, "drawn", 11, 12)
    assert game.board(0)[:, 0].tolist() == [9, 9, -1]
    assert (game.board(1) == HIDDEN).all()
    assert line(game, "chance") == "00000000000000ff 0000000000000001"


def test_semicolons_comments_blank_lines_and_order_do_not_matter() -> None:
    shuffled = [line for line in WRITTEN.splitlines() if not line.startswith("board")]
    random.Random(1).shuffle(shuffled)
    boards = [line for line in WRITTEN.splitlines() if line.startswith("board")]
    text = ";;  ".join(shuffled) + "\n\n# boards; 3 of them\n" + "  # one\n".join(boards) + "# end"
    assert Game.from_position(text).position() == Game.from_position(WRITTEN).position()


def test_what_a_position_leaves_out_has_its_default() -> None:
    game = table(f"board {BOARD}; board {BOARD}; discard 3; seat 1 turn")
    assert (game.rules, game.episode, game.round, game.turns, game.turns_left) == (Rules(), "game", 1, 0, 0)
    assert (game.totals, game.round_scores, game.starter, game.ender, game.draw_pile_size) == (
        (0, 0),
        (0, 0),
        0,
        None,
        125,
    )
    assert (game.seed, game.deal) == (0, 0)


def test_what_is_left_open_is_filled_with_the_missing_cards() -> None:
    cards = dealt(WRITTEN)
    assert sum(cards.values(), Counter()) == Counter(dict(Rules().deck))
    assert {place: count.total() for place, count in cards.items()} == {
        "board": 33,
        "discard": 2,
        "draw": 114,
        "hand": 1,
    }
    game = Game.from_position(WRITTEN)
    assert line(game, "draw").split()[0] == "9"
    assert Game.from_position(WRITTEN).position() == game.position()


def test_other_chance_fills_other_cards() -> None:
    game, other = (Game.from_position(WRITTEN.replace("00ff", key)) for key in ("00ff", "00fe"))
    assert lines(game, "board")[1] != lines(other, "board")[1]
    assert (game.observation(0) == other.observation(0)).all()


def test_an_open_draw_pile_gives_each_part_its_share() -> None:
    """Clause 6.5."""
    game = table(f"rules draw_streams=true; board {BOARD}; board {BOARD}; discard 3; draw 9 8 | 7 ...; seat 0 turn")
    first, second = (part.split() for part in line(game, "draw").split(" | "))
    assert (first[:2], second[0], len(first), len(second)) == (["9", "8"], "7", 63, 62)


def test_cards_out_of_play_are_written_nowhere() -> None:
    """Clause 5.6."""
    text = f"rules cleared_cards=out_of_play; board {BOARD}; board . . . | {REST}; discard 3; draw 1 2 3; seat 0 turn"
    game = table(text)
    assert (line(game, "draw"), lines(game, "board")[1][:5]) == ("1 2 3", ". . .")
    assert play(game, "draw").hand == 1


SHORT = f"skyjo-position 1\nboard {BOARD}\nboard {BOARD}\ndiscard 3\ndraw ...\nseat 0 turn\n"
LAST = "seat 0 turn"
LINE_DAMAGES = [
    (LAST, f"{LAST}\nhello world", "line 7: unknown word 'hello'"),
    ("skyjo-position 1", "skyjo-position 2", "line 1: skyjo-position '2': this version"),
    ("board ? ? ?", "board ? ?", "line 2: .*4 columns of 3"),
    (f"board {BOARD}\nd", f"board {BOARD} | ? ? ?\nd", "line 3: .*4 columns of 3"),
    ("board ? ? ?", "board ? 13 ?", "line 2: .*no card 13"),
    ("board ? ? ?", "board ? ?-3 ?", "line 2: .*no card -3"),
    ("board ? ? ?", "board ? ?? ?", "line 2: .*'?"),
    ("discard 3", "discard 3 x", "line 4: discard '3 x'"),
    ("discard 3", "discard 99", "line 4: .*no card 99"),
    ("draw ...", "draw 1 | 2 ...", "line 5: .*1 part"),
    ("draw ...", "draw ... 1", "line 5: draw"),
    ("draw ...", "draw 22 ...", "line 5: .*no card 22"),
    (LAST, "seat 0", "line 6: .*the phase"),
    (LAST, "seat x turn", "line 6: seat 'x turn'"),
    (LAST, "seat 0 thinking", "line 6: .*known are opening, turn"),
    (LAST, "seat 0 drawn", "line 6: .*in hand"),
    (LAST, "seat 0 taken", "line 6: .*in hand"),
    (LAST, "seat 0 turn 5", "line 6: .*in hand"),
    (LAST, "seat 0 drawn 13", "line 6: .*no card 13"),
    (LAST, "seat 99999999999999999999 turn", "line 6: seat"),
    (LAST, f"{LAST}\nepisode match", "line 7: .*known are round, game"),
    (LAST, f"{LAST}\nrules players=9", "line 7: .*players=9"),
    (LAST, f"{LAST}\nrules colour=red", "line 7: .*unknown colour"),
    (LAST, f"{LAST}\nrules draw_streams=true", "line 5: .*2 parts"),
    (LAST, f"{LAST}\nchance 1", "line 7: chance '1'"),
    (LAST, f"{LAST}\nchance 0 xyz", "line 7: chance"),
    (LAST, f"{LAST}\nchance -1 0", "line 7: chance"),
    (LAST, f"{LAST}\nchance 0 10000000000000000", "line 7: chance"),
    (LAST, f"{LAST}\ntotals 1 2 3", "line 7: .*2 numbers"),
    (LAST, f"{LAST}\ntotals 1 99999999999", "line 7: totals"),
    (LAST, f"{LAST}\nscores 1 40000", "line 7: scores"),
    (LAST, f"{LAST}\nturns many", "line 7: turns 'many'"),
    (LAST, f"{LAST}\nround 99999999999999999999", "line 7: round"),
    (LAST, f"{LAST}\nround 32768", "line 7: .*no number beyond 32767"),
    (LAST, f"{LAST}\nturns -40000", "line 7: .*no number beyond 32767"),
    (LAST, f"{LAST}\nreshuffles 99999", "line 7: .*no number beyond 32767"),
    (LAST, f"{LAST}\nturns_left 32768", "line 7: .*no number beyond 32767"),
]
TABLE_DAMAGES = [
    ("skyjo-position 1", "", "0 lines begin with 'skyjo-position'"),
    (LAST, "", "0 lines begin with 'seat'"),
    ("discard 3", "", "0 lines begin with 'discard'"),
    (LAST, f"{LAST}\n{LAST}", "2 lines begin with 'seat'"),
    (f"board {BOARD}\nd", "d", "1 boards .* 2 players"),
    (LAST, f"{LAST}\nrules players=3", "2 boards .* 3 players"),
    ("discard 3", "discard" + " 3" * 11, "-1 of card 3"),
    ("discard 3", "discard" + " 3" * 301, "discard: more cards than the deck's 150"),
    ("draw ...", "draw" + " 3" * 150, "discard and draw: more cards than the deck's 150"),
    ("draw ...", "draw 1 2", r"\+9 of card -1"),
    (LAST, "seat 2 turn", "seat 2: the seats are 0 to 1"),
    (LAST, "seat -1 turn", "seat -1: the seats are 0 to 1"),
    (LAST, f"{LAST}\nstarter 2", "starter 2: the seats are 0 to 1"),
    (LAST, f"{LAST}\nender -2", "ender -2: the seats are 0 to 1"),
    (LAST, f"{LAST}\nround 0", "round 0 is not from 1 to 1000"),
    (LAST, f"{LAST}\nturns 1002", "turns 1002 is not from 0 to 1001"),
    (LAST, f"{LAST}\nreshuffles -1", "reshuffles -1 is not from 0"),
    (LAST, f"{LAST}\nturns_left 1", "turns_left"),
    (LAST, f"{LAST}\nturns_left 2\nender 1", "turns_left 2 is not from 0 to 1"),
    (LAST, f"{LAST}\nturns_left 1\nender 1", "ender 1 still has a hidden card"),
    ("discard 3", "discard", "card must lie on the discard pile"),
    (LAST, "seat 0 confirm", 'clear="confirm"'),
    (LAST, "seat 0 over", "a card is hidden"),
    (f"1\nboard {BOARD}", "1\nboard . . . | . . . | . . . | . . .", "seat 0 has no cards left"),
    (f"board {BOARD}\nd", "board . . . | . . . | . . . | . . .\nd", "seat 1 has no cards left"),
]


def damaged(old: str, new: str) -> str:
    assert SHORT.count(old) >= 1
    return SHORT.replace(old, new, 1)


@pytest.mark.parametrize(("old", "new", "reason"), LINE_DAMAGES, ids=[repr(new) for _, new, _ in LINE_DAMAGES])
def test_a_line_that_cannot_be_read_is_named_with_the_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        Game.from_position(damaged(old, new))


@pytest.mark.parametrize(("old", "new", "reason"), TABLE_DAMAGES, ids=[reason for _, _, reason in TABLE_DAMAGES])
def test_what_cannot_be_on_a_table_is_refused(old: str, new: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        Game.from_position(damaged(old, new))


@pytest.mark.parametrize(("opened", "phase"), [("? ? ?", "opening"), ("1 ? ?", "opening"), ("1 2 ?", None)])
def test_in_the_opening_the_seat_has_a_card_left_to_open(opened: str, phase: str | None) -> None:
    """Clause 2.2."""
    text = damaged("board ? ? ?", f"board {opened}").replace(LAST, "seat 0 opening")
    if phase is not None:
        assert Game.from_position(text).phase == phase
    else:
        with pytest.raises(PositionError, match="seat 0 has opened 2 cards while seat 0"):
            Game.from_position(text)


@pytest.mark.parametrize("cleared", ["to_discard", "out_of_play"])
def test_there_must_be_a_card_for_every_hidden_cell(cleared: str) -> None:
    rules = f"rules rows=2 columns=2 opening_flips=1 deck=0:10 cleared_cards={cleared}"
    with pytest.raises(PositionError, match=r"8 cards are written as \?, but 7 are left"):
        table(f"{rules}; board ? ? | ? ?; board ? ? | ? ?; discard 0 0 0; seat 0 turn")


def test_a_drawn_card_that_is_not_known_is_any_card() -> None:
    rules = "rules rows=2 columns=2 opening_flips=1 deck=0:5,1:4,7:1"
    game = table(f"{rules}; board ?0 1 | 1 0; board ?0 1 | 1 0; discard 0; draw; seat 0 drawn ?")
    assert game.hand == 7
    with pytest.raises(PositionError, match=r"1 cards are written as \?, but 0 are left"):
        table(f"{rules}; board ?0 1 | 1 0; board ?0 1 | 1 0; discard 0 7; draw; seat 0 drawn ?")


@pytest.mark.parametrize("text", [None, b"skyjo-position 1", 5, ["skyjo-position 1"]])
def test_only_text_is_a_position(text: object) -> None:
    with pytest.raises(PositionError, match=f"not {type(text).__name__}"):
        Game.from_position(text)  # type: ignore[arg-type]


def test_no_damage_of_a_line_or_a_character_gives_another_error() -> None:
    """One line left out, or one character exchanged, anywhere in a position."""
    game = Game(BUSY, seed=2)
    play_at_random(game, random.Random(2), 40)
    text = game.position()
    changed = ["\n".join(line for line in text.splitlines() if line != left_out) for left_out in text.splitlines()]
    for at in range(len(text)):
        changed += [text[:at] + character + text[at + 1 :] for character in "-9 ?.|;#=x\n"]
    refused = 0
    for written in changed:
        try:
            assert Game.from_position(written).position().startswith("skyjo-position 1\n")
        except PositionError:
            refused += 1
    assert len(changed) > refused > len(changed) // 2
