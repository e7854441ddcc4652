"""`skyjo play`: what a player types and sees; undo, hints, and going on with a saved game."""

import os
import random
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from cardtable.table.game.records import RecordFormat
from skyjo.interfaces import find_interface, interface_names
from skyjo.table.played_game import Choice, Session, lead
from skyjo_env import Game, Rules, SkyjoError, action_names, make_agent, parse_action, replay
from tests.documents import ROOT, blocks
from tests.helpers import REST, play, table
from tests.skyjo.cli import OPPONENTS, RULES, Skyjo, play_on, sit, typed

SKYJO = find_interface("skyjo")
TERMINAL = SKYJO.terminal
BOTH = "type p 5 to place the card on cell 5, or f 5 to discard it and flip cell 5"
THIRD = "a 9 on the discard pile would give seat 1 the third of a column"
ALL_BUT_ONE = "9 8 10 | 7 6 11 | 9 8 ? | 12 4 11"


def read(game: Game, text: str) -> int:
    """The action that a text means."""
    return TERMINAL.read_action(game.rules, game.observation(), game.mask(), text)


def go_on(session: Session, decisions: list[int]) -> None:
    """Repeat what the player did."""
    for action in decisions:
        until_asked(session)
        session.apply(action)


def until_asked(session: Session) -> None:
    while not session.is_asked:
        session.decide()


# What is typed


def test_boards_side_by_side_fit_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(Rules(players=8), seed=3)
    names = [f"policy (seat {seat})" for seat in range(8)]

    def widest() -> int:
        return max(map(len, TERMINAL.format_view(game.rules, game.observation(), names).splitlines()))

    assert 80 < widest() <= 100
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    assert widest() <= 80


def test_lines_are_broken_between_words_on_a_narrow_terminal(skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    typed = ["f 0", "f 1", "hint tempo", "d", "3", "quit"]
    out = skyjo("play", "naive", "--seed", "1", "--colour", "never", typed=typed).out
    command = "skyjo play naive --seat 0 --seed 1 --deal 0 --episode game"
    assert f"The same cards again:\n  {command}\n" in out  # which can be copied
    assert "tempo would: " in out
    assert "can mean two things" in out
    asked = r"\? (f|hint|d|3|quit|$)"  # what is asked and typed stays in its line
    assert max(len(line) for line in out.splitlines() if not re.search(asked, line)) <= 60


@pytest.mark.parametrize("game", interface_names())
def test_the_help_at_the_table_fits_on_a_terminal(game: str) -> None:
    assert max(map(len, find_interface(game).actions_help.splitlines())) <= 80


def asked(seat: str) -> Game:
    """A table at which seat 0 is asked."""
    cells = "? ? ?" if seat == "opening" else "9 ? ?"
    return table(f"board {cells} | {REST}; board {cells} | {REST}; discard 3; draw 5 ...; seat 0 {seat}")


@pytest.mark.parametrize(
    ("seat", "text", "name"),
    [
        ("drawn 5", "place 3", "place 3"),
        ("drawn 5", "p3", "place 3"),
        ("drawn 5", "  P   3 ", "place 3"),
        ("drawn 5", "p 03", "place 3"),
        ("drawn 5", "f 11", "flip 11"),
        ("turn", "d", "draw"),
        ("turn", "draw", "draw"),
        ("turn", "t", "take"),
        ("turn", "TAKE", "take"),
        ("opening", "5", "flip 5"),  # a number alone is a cell
        ("taken 4", "5", "place 5"),
        ("drawn 4", "0", "place 0"),  # open: it cannot be turned up
    ],
)
def test_an_action_has_a_name_and_a_short_form(seat: str, text: str, name: str) -> None:
    game = asked(seat)
    assert action_names(game.rules)[read(game, text)] == name


def test_words_of_other_rules_have_short_forms_too() -> None:
    rules = "rules clear=confirm flip_after_discard=none"
    board = f"board 9 9 9 | {REST}; board 2 ? ? | {REST}; discard 3"
    confirm = play(table(f"{rules}; {board}; seat 0 taken 9"), "place 0")
    names = action_names(confirm.rules)
    assert [names[read(confirm, text)] for text in ("c", "k")] == ["clear", "keep"]
    drawn = table(f"{rules}; {board}; seat 0 drawn 4")
    assert names[read(drawn, "discard")] == "discard"


@pytest.mark.parametrize(
    ("seat", "text", "words"),
    [
        ("drawn 4", "5", f"5 can mean two things: {BOTH}"),
        ("turn", "5", "cell 5 is not possible now; you can draw or take"),
        ("turn", "p 3", "place 3 is not possible now; you can draw or take"),
        ("taken 4", "12", "'12' is not understood; you can place 0-11; ? for help"),
    ],
)
def test_what_is_not_possible_or_says_too_little_is_answered_with_what_is_possible(
    seat: str, text: str, words: str
) -> None:
    with pytest.raises(SkyjoError, match=f"^{re.escape(words)}$"):
        read(asked(seat), text)


@pytest.mark.parametrize("text", ["", "x", "place", "place 12", "p -1", "26", "999999", "draw 3", "p 3 4", "пять", "٣"])
def test_what_is_no_action_is_refused_with_what_is_possible(text: str) -> None:
    game = table(f"board 9 ? ? | . . . | ? ? ? | ? ? ?; board 2 ? ? | {REST}; discard 3; draw 5 ...; seat 0 drawn 4")
    with pytest.raises(SkyjoError, match=re.escape("you can place 0-2, 6-11 or flip 1-2, 6-11")) as refused:
        read(game, text)
    assert "\n" not in str(refused.value)


def test_bad_lines_are_answered_and_change_nothing(skyjo: Skyjo, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    lines = ["p 3", "nonsense", "", "f 12", "hint nobody", "save", f"save {tmp_path}", f"save {tmp_path}/no/where"]
    done = skyjo("play", "naive", "--seed", "1", typed=[*lines, f"save {file}", "quit"])
    assert (done.status, done.err) == (0, "")
    for words in ("place 3 is not possible now; you can flip 0-11", "'nonsense' is not understood", "'f 12'"):
        assert words in done.out
    assert "unknown agent 'nobody'" in done.out
    assert "the name of a file is missing" in done.out
    assert "exists; choose another name" in done.out
    assert "No such file or directory" in done.out
    assert replay(file.read_text()).record()["actions"] == []


# What is shown


def shown(skyjo: Skyjo, file: Path, text: str, *typed: str) -> str:
    file.write_text(text)
    done = skyjo("play", "threshold", "--load", str(file), typed=typed)
    assert done.status == 0
    return done.out


def test_hidden_cards_change_nothing_that_is_shown_until_they_are_turned_up(skyjo: Skyjo, tmp_path: Path) -> None:
    """The games differ in every card that nobody has seen; the opponent's chance is the same."""
    boards = f"board 9 3 -1 | {REST}; board 2 8 ? | {REST}; discard 7 3; seat 0 turn"
    games = [table(f"chance 5 {state:x}; {boards}") for state in range(1, 9)]
    assert len({tuple(game.state["cards"].ravel()) for game in games}) == len(games)
    hints = ["hint", "hint random", "hint naive"]
    typed = ["table", "?", *hints, "t", *hints[:2], "table", "undo", "t", "q", "q"]
    told = {shown(skyjo, tmp_path / "game", game.position(), *typed) for game in games}
    assert len(told) == 1
    assert len({shown(skyjo, tmp_path / "game", game.position(), "d", "q", "q") for game in games}) > 1


def test_the_player_sees_its_cells_with_their_numbers_and_what_others_did(skyjo: Skyjo, tmp_path: Path) -> None:
    position = f"board 9 3 -1 | 4 . . | ? ? ? | 12 0 5; board 2 8 1 | {REST}; discard 7 3; draw 6 ...; seat 0 turn"
    out = shown(skyjo, tmp_path / "game", table(position).position(), "t", "p 0", "q", "q")
    before, after = out.split("you: ")
    assert "   0 [  9]   3 [  4]   6 [  ?]   9 [ 12]\n   1 [  3]   4 [  .]   7 [  ?]  10 [  0]\n" in before
    assert "draw (d) or take the 3 (t)? " in before
    assert "you took 3: place it (CELL)? " in before
    assert after.startswith("took 3, placed it on cell 0 for 9\nthreshold (seat 1): drew, placed 6 on cell 1 for 8\n")
    assert "discard 8" in after
    assert "   0 [  3]" in after


def test_the_end_shows_all_cards_scores_and_the_winner(skyjo: Skyjo) -> None:
    session = sit("skyjo", seed=4)
    done = skyjo("play", *OPPONENTS["skyjo"], "--seed", "4", "--episode", "round", typed=typed(session))
    assert done.status == 0
    end = done.out[done.out.index("round 1 is over") :]
    assert "?" not in end
    names, game = ["you", "expected (seat 1)", "random (seat 2)"], session.game
    for score, total in zip(game.round_scores, game.totals, strict=True):
        assert f"round {score}, total {total}" in end
    assert f"ended by {names[getattr(game, 'ender', 0)]}" in end
    assert end.endswith(f"The round is over, won by {' and '.join(names[seat] for seat in game.winners)}.\n")


@pytest.mark.slow
def test_after_a_round_the_players_own_mistakes_are_told(skyjo: Skyjo) -> None:
    lines = typed(Session(Game(seed=4, episode="round"), 0, ["expected"]), random.Random(1).choice)
    out = skyjo("play", "expected", "--seed", "4", "--episode", "round", typed=lines).out
    told = re.search(r"^Your decisions gave away (\d+\.\d) points in this round: (.*)\.$", out, re.MULTILINE)
    assert told is not None
    moves = re.findall(r"^  move (\d+): .*; .* was worth (\d+\.\d) points more$", out, re.MULTILINE)
    assert 0 < len(moves) <= 3
    assert [float(lost) for _, lost in moves] == sorted((float(lost) for _, lost in moves), reverse=True)
    assert sum(float(lost) for _, lost in moves) <= float(told[1]) + 0.2


def test_under_rules_that_no_policy_knows_rollouts_judge(skyjo: Skyjo, tmp_path: Path) -> None:
    position = Game(Rules(row_clear=True, rows=2, columns=3), seed=3, episode="round").position()
    out = shown(skyjo, tmp_path / "game", position, "hint")
    assert "tempo would: flip" in out
    lines = typed(Session(Game.from_position(position), 0, ["random"]), random.Random(1).choice)
    file = tmp_path / "all"
    file.write_text(position)
    done = skyjo("play", "random", "--load", str(file), typed=lines)
    assert done.status == 0
    assert "round 1 is over" in done.out
    assert "Your decisions gave away" in done.out


def test_a_hint_says_by_how_much_its_choice_is_better() -> None:
    best, close, worse = (
        Choice(action, f"flip {action}", worth, "") for action, worth in ((1, 2.0), (2, 1.98), (3, 0.5))
    )
    assert lead(best, [close, worse]) == "; as good as flip 2; 1.5 better than flip 3"
    assert lead(best, [worse]) == "; 1.5 better than flip 3"
    assert lead(best, []) == lead(Choice(4, "flip 4", None, ""), [best]) == ""


OPEN = "1 2 ? | ? ? ? | ? ? ?"


@pytest.mark.parametrize(
    ("own", "next_board", "turn", "better", "other", "words"),
    [
        (f"9 ? ? | {OPEN}", f"9 ? 9 | {OPEN}", "drawn 1", "place 1", "place 0", THIRD),
        (f"9 ? 9 | {OPEN}", f"4 ? 1 | {OPEN}", "drawn 9", "place 1", "flip 1", "completes a column of 9s: 23 points"),
        (f"8 8 ? | {OPEN}", f"4 ? 1 | {OPEN}", "drawn 3", "place 5", "place 0", "it keeps a pair of 8s together"),
        (f"8 ? ? | {OPEN}", f"4 ? 1 | {OPEN}", "drawn 8", "place 1", "flip 8", "it makes a pair of 8s"),
        (ALL_BUT_ONE, "1 0 1 | 1 -1 2 | ? ? 1 | 2 0 2", "drawn 4", "place 0", "flip 8", "may well double"),
        (f"4 ? ? | {OPEN}", "1 0 5 | 1 -1 4 | 3 7 5 | 2 0 1", "drawn 1", "place 0", "place 4", "a 1 replaces the 4"),
        (f"5 ? ? | {REST}", f"? ? ? | {REST}", "opening", "flip 3", "flip 1", "keeps more columns open"),
    ],
)
def test_a_hint_says_why_a_choice_is_better(
    own: str, next_board: str, turn: str, better: str, other: str, words: str
) -> None:
    game = table(f"board {own}; board {next_board}; discard 11; seat 0 {turn}")
    actions = [parse_action(game.rules, name) for name in (better, other)]
    seen = game.rules, game.observation()
    both = [SKYJO.phrases.reason(*seen, one, two, 1.0) for one, two in (actions, actions[::-1])]
    assert words in both[0]
    assert not both[1]


# Who plays what


@pytest.mark.parametrize(("game", "lines"), [("skyjo", ["0", "f 0", "f 1", "d"]), ("skipbo", ["quit"])])
def test_the_same_seed_gives_the_same_game_and_the_command_for_it_is_told(
    game: str, lines: list[str], command: Skyjo
) -> None:
    first = command("play", "random", "--seat", "random", typed=lines)
    again = re.search(f"The same cards again: {game} (.*)", first.out)
    assert again is not None
    assert command(*shlex.split(again[1]), typed=lines).out == first.out
    other = command(*shlex.split(again[1]), "--deal", "1", typed=lines)
    assert other.out.partition("again: ")[2] != first.out.partition("again: ")[2]


# Undo, hints, saving and going on


@pytest.mark.parametrize("steps", [1, 4, 30])
def test_after_an_undo_the_same_decisions_lead_to_the_same_game(steps: int) -> None:
    session = sit("skyjo", 3, 1, "game")
    made = play_on(session, random.Random(1).choice, 30)
    before = session.game.record()
    for _ in range(steps):
        assert session.undo()
        assert session.is_asked
    go_on(session, made[-steps:])
    assert session.game.record() == before


def test_after_an_undo_the_table_is_shown_as_it_was(skyjo: Skyjo, tmp_path: Path) -> None:
    game = table(f"board 9 ? ? | {REST}; board 2 ? ? | {REST}; discard 3; draw 6 7 ...; seat 0 turn")
    back = shown(skyjo, tmp_path / "game", game.position(), "d", "undo", "q", "q").partition("Back to")[2]
    assert "drew" not in back
    assert "draw (d) or take the 3 (t)? " in back
    back = shown(skyjo, tmp_path / "game", game.position(), "d", "p 0", "undo", "q", "q").partition("Back to")[2]
    assert "   0 [  9]" in back
    assert "you drew 6: " in back
    assert "threshold (seat 1): " not in back


def test_at_a_terminal_every_turn_begins_with_an_empty_screen() -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "skyjo", "play", "naive", "--seed", "1", "--colour", "never"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL) as playing:
        os.close(theirs)
        os.write(ours, b"f 0\nf 1\nd\np 3\nq\nq\n")
        said = b""
        with suppress(OSError):  # how a terminal says that the other end is closed
            while data := os.read(ours, 4096):
                said += data
    os.close(ours)
    assert playing.returncode == 0
    screens = said.decode().split("\033[H\033[J")
    assert len(screens) == 4  # after each of the two cards that were turned up, and after the turn
    assert all(screen.count("draw pile") == 1 for screen in screens)


@pytest.mark.parametrize("game", interface_names())
def test_saving_leaving_and_loading_on_the_command_line_give_the_uninterrupted_game(
    game: str, command: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = sit(game, seed=4)
    lines = typed(session)
    half = len(lines) // 2
    first = ("play", *OPPONENTS[game], "--seed", "4", "--episode", "round", "--rules", RULES[game])
    out = command(*first, typed=[*lines[:half], "undo", lines[half - 1], "save a b", "quit"]).out
    again = re.search(f"To continue: {find_interface(game).command} (.*)", out)
    assert again is not None
    assert again[1] == f"play {' '.join(OPPONENTS[game])} --seat 0 --load 'a b'"
    out = command(*shlex.split(again[1]), typed=[*lines[half:-1], "save", lines[-1]]).out
    assert "won by" in out
    kind, whole = session.card_game, session.game.record()
    last = RecordFormat(kind).replay(Path("a b").read_text())
    before = len(last.record()["actions"])
    assert kind.action_names(session.rules)[whole["actions"][before]] == lines[-1]
    for action in whole["actions"][before:]:
        last.apply(action)
    assert last.record() == whole


def test_a_hint_is_what_the_agent_would_do_and_changes_nothing(skyjo: Skyjo) -> None:
    session = sit("skyjo", 3, 1, "game")
    until_asked(session)
    before = session.game.record()
    hints = {session.hint("random") for _ in range(5)}
    assert len(hints) == 1  # asked again, it says the same
    game = session.game
    advice = make_agent("expected", game.rules).act(game.observation()[None], game.mask()[None], np.zeros(1, np.uint64))
    assert session.hint("expected").partition(" ")[0] == action_names(game.rules)[advice[0]].partition(" ")[0]
    assert session.game.record() == before
    lines = typed(sit("skyjo", seed=4))
    first = ("play", *OPPONENTS["skyjo"], "--seed", "4", "--episode", "round")
    plain = skyjo(*first, typed=lines).out
    advised = skyjo(*first, typed=[word for line in lines for word in ("hint random", line)]).out
    assert advised.partition("round 1 is over")[2] == plain.partition("round 1 is over")[2]
    assert re.search(r"^random would: (flip|draw|take|place)", advised.replace("? hint", "\n"), re.MULTILINE)


def test_the_transcript_of_the_page_on_playing_is_true(
    skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (transcript,) = blocks((ROOT / "docs" / "guides" / "playing.md").read_text(), "console")
    line, _, said = transcript.partition("\n")
    done = skyjo(*shlex.split(line)[2:], typed=re.findall(r"^[a-z].*\? (.*)$", said, re.MULTILINE))
    assert (done.status, done.out) == (0, said), "type the same lines again and put what is said into the page"
