"""The command `skipbo`: the same verbs as `skyjo`, about the other game, and what its player types and sees."""

import json
import random
import re
from pathlib import Path

import pytest

from skipbo_env import Game, SkipboError, action_names
from skipbo_env.people.terminal import describe_legal
from skyjo.interfaces import find_interface
from tests.skyjo.cli import Skyjo, written

SMALL = ("--rules", "stock=5", "--seed", "3")


def test_rounds_that_end_blocked_are_told_as_a_share_of_all(skipbo: Skyjo) -> None:
    match = ("match", "random", "random", "--deals", "6")
    out = skipbo(*match).out
    assert out.endswith("\n100 % of all rounds were blocked\n")
    found = json.loads(skipbo(*match, "--json").out)
    assert (found["blocked"], found["stopped"]) == (1.0, 0.0)
    mixed = ("match", "greedy", "random", "--deals", "20", *SMALL)
    share = json.loads(skipbo(*mixed, "--json").out)["blocked"]
    assert 0 <= share < 1
    assert ("were blocked" in skipbo(*mixed).out) == (share > 0)


SKIPBO = find_interface("skipbo")
TERMINAL = SKIPBO.terminal
TABLE = """
building 7 0 11 0
stock ? ? 12
stock ? 8
hand 1 w 9 9
hand ? ? ?
piles 5 4 1 | 2 | 8 |
piles 3 | | 6 6 w |
draw 5 ...
seat 0 turn
"""


def table(text: str = TABLE, rules: str = "") -> Game:
    lines = [f"rules {rules}"] if rules else []
    return Game.from_position("\n".join(["skipbo-position 1", *lines, text]))


def read(game: Game, text: str) -> str:
    return action_names(game.rules)[TERMINAL.read_action(game.rules, game.observation(), game.mask(), text)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("s", "stock to 2"),  # the only place for a 12
        ("s 2", "stock to 2"),
        ("s2", "stock to 2"),
        ("stock to 2", "stock to 2"),
        ("p 2", "pile 2 to 0"),
        ("p2 0", "pile 2 to 0"),
        ("pile 2 to 0", "pile 2 to 0"),
        ("1", "hand 1 to 1"),  # two empty places are alike
        ("h 1", "hand 1 to 1"),
        ("1 3", "hand 1 to 3"),
        ("hand 01 to 3", "hand 1 to 3"),
        ("w 2", "hand w to 2"),
        ("WILD 2", "hand w to 2"),
        ("  d   9 3 ", "discard 9 on 3"),
        ("d9 0", "discard 9 on 0"),
        ("discard w on 1", "discard w on 1"),
    ],
)
def test_a_card_goes_where_it_fits(text: str, name: str) -> None:
    assert read(table(), text) == name


@pytest.mark.parametrize(
    "text", ["", "x", "s 4", "9 0 1", "14", "0", "d", "d 9 4", "p", "5 5", "stock on pile", "пять"]
)
def test_what_is_no_action_is_refused_with_what_is_possible(text: str) -> None:
    game = table()
    with pytest.raises(SkipboError, match=r"is not understood; you can play s, 1, w, p 0, p 2 or discard 1, 9, w \(d"):
        read(game, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9", "9 is not possible now; you can play s, 1, w, p 0, p 2 or discard 1, 9, w (d CARD PILE)"),
        ("d 5 1", "d 5 1 is not possible now; you can"),
        ("s 0", "s 0 is not possible now; you can"),
        ("pass", "pass is not possible now; you can"),
        ("w", "w fits 0 as 8, 1 as 1, 2 as 12, 3 as 1; say where, such as w 3"),
        ("d 9", "d 9 goes on any of your discard piles, 0 to 3; say where, such as d 9 3"),
    ],
)
def test_what_cannot_be_done_or_is_not_clear_is_told(text: str, words: str) -> None:
    with pytest.raises(SkipboError, match=re.escape(words)):
        read(table(), text)


def test_no_place_is_needed_where_all_places_are_alike() -> None:
    assert read(table(TABLE.replace("piles 5 4 1 | 2 | 8 |", "piles | | |")), "d 9") == "discard 9 on 0"
    assert read(table(TABLE.replace("building 7 0 11 0", "building 4 4 4 4")), "w") == "hand w to 0"


def test_the_question_says_what_can_be_played_and_how_the_turn_ends() -> None:
    def asked(game: Game) -> str:
        return TERMINAL.question(game.rules, game.observation(), game.mask())

    assert asked(table()) == "play s, 1, w, p 0, p 2 or d CARD PILE to discard? "
    stuck = TABLE.replace("building 7 0 11 0", "building 5 5 5 5").replace("hand 1 w 9 9", "hand 9")
    assert asked(table(stuck)) == "d CARD PILE to discard? "
    assert asked(table(rules="compulsory=true")) == "play s, 1, w, p 0, p 2? "
    empty = TABLE.replace("hand 1 w 9 9", "hand")
    assert asked(table(empty, "refill=never")) == "play s, p 0, p 2 or pass? "
    assert describe_legal(table(empty, "refill=never").mask()) == "play s, p 0, p 2 or pass"


def shown(game: Game, colour: bool = False) -> str:
    names = ["you" if seat == game.seat else f"hpvp (seat {seat})" for seat in range(game.rules.players)]
    return TERMINAL.format_view(game.rules, game.observation(), names, colour)


VIEW = """\
round 1, turn 1 | draw pile 100, completed 0

place     0                1                2                3
building  7, next 8        empty, next 1    11, next 12      empty, next 1

hpvp (seat 1): stock 8, 2 left, 3 in hand, total 0
          [3]              .                6 6 [w]          .

you: stock 12, 3 left, total 0
discards  5 4 [1]          [2]              [8]              .
hand      1 9 9 w"""


def test_the_view_shows_what_the_seat_sees() -> None:
    game = table()
    assert shown(game) == VIEW.replace("100", str(game.draw_pile_size))
    assert re.sub("\033\\[[0-9;]*m", "", shown(game, colour=True)) == shown(game)


@pytest.mark.parametrize(("view", "theirs", "stock"), [("tops", "(+2) [w]", "8"), ("own", "(+2) [?]", "?")])
def test_the_view_hides_what_the_rules_hide(view: str, theirs: str, stock: str) -> None:
    out = shown(table(rules=f"view={view}"))
    assert f"hpvp (seat 1): stock {stock}, 2 left" in out
    assert theirs in out
    assert "(+2) [1]" in out
    assert "completed" not in out


@pytest.mark.parametrize("players", [2, 6])
def test_a_view_fits_into_80_columns(players: int) -> None:
    piles = f"piles {'12 11 ' * 4} | 10 10 10 10 10 | w w w w w w w w | 12\n" + "piles | | |\n" * (players - 1)
    cards = "building 9 8 9 8\n" + "stock ? 12\n" * players + "hand ? ? ? ? ?\n" * players
    out = shown(table(f"{cards}{piles}seat 0 turn", f"players={players}"))
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"^discards  \(\+\d+\) 11 12 \[11\]", out, re.MULTILINE)


# A whole game at the terminal


# Games that are told


def told(skipbo: Skyjo, tmp_path: Path, game: Game, *names: str) -> str:
    for name in names:
        game.apply(action_names(game.rules).index(name))
    done = skipbo("replay", written(game, tmp_path))
    assert done.status == 0, done.err
    return done.out


def test_a_move_says_which_cards_went_where(skipbo: Skyjo, tmp_path: Path) -> None:
    names = ("stock to 2", "hand w to 0", "hand 9 to 0", "pile 0 to 1", "hand 1 to 2", "hand 9 to 0")
    text = TABLE.replace("stock ? ? 12", "stock ? 3 12").replace("building 7 0 11 0", "building 7 0 11 9")
    with pytest.raises(SkipboError, match="illegal"):
        told(skipbo, tmp_path, table(text), *names)
    out = told(skipbo, tmp_path, table(text), *names[:5], "discard 9 on 3")
    line = "12 from stock to 2, turned up 3, completed pile 2, w to 0 as 8, 9 to 0, 1 from pile 0 to 1, 1 to 2"
    assert f"    1  seat 0: {line}, discarded 9 on 3\n" in out


@pytest.mark.parametrize(
    ("was", "now", "better", "other", "words"),
    [
        ("", "", "stock to 2", "discard 9 on 3", "it plays the stock card, the 12"),
        ("11 0\nstock ? ? 12", "0 0\nstock ? ? 6", "hand w to 0", "discard 9 on 3", "it blocks the way"),
        ("hand 1 w 9 9", "hand 1", "hand 1 to 1", "discard 1 on 1", "it empties the hand for five new cards"),
        ("piles 5 4 1", "piles w", "discard 9 on 3", "discard 9 on 0", "the 9 would bury a wild card"),
    ],
)
def test_a_hint_says_why_a_choice_is_better(was: str, now: str, better: str, other: str, words: str) -> None:
    game = table(TABLE.replace(was, now))
    actions = [action_names(game.rules).index(name) for name in (better, other)]
    seen = game.rules, game.observation()
    said = [SKIPBO.phrases.reason(*seen, one, two, 1.0) for one, two in (actions, actions[::-1])]
    assert said[0].startswith(words)
    assert said[1] != said[0]


def test_the_last_card_of_a_hand_brings_new_ones(skipbo: Skyjo, tmp_path: Path) -> None:
    out = told(skipbo, tmp_path, table(TABLE.replace("hand 1 w 9 9", "hand 1")), "hand 1 to 1")
    assert "seat 0: 1 to 1, drew 5\n" in out


def test_a_blocked_round_says_so(skipbo: Skyjo, tmp_path: Path) -> None:
    """Who plays any legal action hoards cards until nobody can move any more."""
    game, chance = Game(seed=1, episode="round"), random.Random(1)
    while not game.is_over:
        game.apply(chance.choice(game.legal_actions()))
    assert game.ending == "blocked"
    out = told(skipbo, tmp_path, game)
    assert re.search(r"seat [01]: passed$", out, re.MULTILINE)
    assert "turns, blocked: nobody can move any more, won by nobody\n" in out
    assert f"seat 0  {game.stock_size(0)} left in the stock, round 0, total 0\n" in out
    assert out.endswith("The round is over, won by nobody.\n")


def test_hands_are_shown_only_if_they_are_asked_for(skipbo: Skyjo, tmp_path: Path) -> None:
    path = written(table(), tmp_path)
    assert ">seat 0   stock 12, 3 left     hand ? ? ? ?" in skipbo("replay", path).out
    assert ">seat 0   stock 12, 3 left     hand 1 w 9 9" in skipbo("replay", path, "--all-cards").out
