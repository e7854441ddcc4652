"""`skyjo replay`, a written game told turn by turn; and how `skyjo play` saves games, and ends."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from cardtable.table.render.svg import HOLD
from skyjo.commands.replay import ReplayDocument
from skyjo_env import HIDDEN, Game, Rules, action_names, format_record, replay
from tests.games.skyjo import SKYJO
from tests.helpers import REST, play, play_at_random, table
from tests.outputs import mismatch, read_picture
from tests.skyjo.cli import Skyjo, written


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game of a few rounds."""
    game = Game(Rules(players=3, target_score=300), seed=2)
    play_at_random(game, random.Random(2), 10_000)
    assert game.is_over
    assert game.round > 1
    return game


@pytest.fixture
def file(game: Game, tmp_path: Path) -> str:
    return written(game, tmp_path)


def turns(out: str) -> list[tuple[int, str]]:
    """The lines that tell turns: number of the first move, and words."""
    return [(int(number), words) for number, words in re.findall(r"^ +(\d+)  (seat .*)$", out, re.MULTILINE)]


def test_every_turn_has_a_line_and_every_round_its_scores(game: Game, file: str, skyjo: Skyjo) -> None:
    done = skyjo("replay", file)
    assert (done.status, done.err) == (0, "")
    recorded = [line for line in format_record(game.record()).splitlines() if line.startswith("seat ")]
    told = turns(done.out)
    assert [words[:6] for _, words in told if "turned up" not in words[:20]] == [
        line[:6] for line in recorded if ": flip" not in line[:13]
    ]
    assert [int(number) for number in re.findall(r"^round (\d+) is over", done.out, re.MULTILINE)] == [
        *range(1, game.round + 1)
    ]
    assert [int(total) for total in re.findall(r"total (-?\d+)", done.out)[-3:]] == list(game.totals)
    assert done.out.endswith(f"The game is over, won by seat {game.winners[0]}.\n")


def test_json_has_the_record_and_what_was_seen_after_every_move(game: Game, file: str, skyjo: Skyjo) -> None:
    told = json.loads(skyjo("replay", file, "--json").out)
    assert mismatch(told, ReplayDocument) is None
    assert replay(told["record"]).position() == game.position()
    names, again = action_names(game.rules), Game(game.rules, seed=2)
    assert [move["action"] for move in told["moves"]] == game.record()["actions"]
    for number, move in enumerate(told["moves"], 1):
        assert (move["move"], move["round"], move["seat"]) == (number, again.round, again.seat)
        again.apply(move["action"])
        assert move["name"] == names[move["action"]]
        assert tuple(move["totals"]) == again.totals
        scored = [event for event in move["events"] if event["event"] == "RoundScored"]
        assert [tuple(event["scores"]) for event in scored] == [again.round_scores] * again.has_scored
        assert all(event["card"] == HIDDEN for event in move["events"] if event["event"] == "CardDrawn")
    assert tuple(told["winners"]) == game.winners


def test_json_has_hidden_cards_only_if_they_are_asked_for(file: str, skyjo: Skyjo) -> None:
    plain = json.loads(skyjo("replay", file, "--json", "--from", "5", "--to", "9").out)
    full = json.loads(skyjo("replay", file, "--json", "--from", "5", "--to", "9", "--all-cards").out)
    assert mismatch(full, ReplayDocument) is None
    assert [move["move"] for move in plain["moves"]] == [5, 6, 7, 8, 9]
    for seen, known in zip(plain["moves"], full["moves"], strict=True):
        position = known.pop("position")
        assert seen == known
        assert Game.from_position(position).turns <= 3


def test_a_json_record_and_standard_input_are_read(game: Game, file: str, skyjo: Skyjo, tmp_path: Path) -> None:
    expected = skyjo("replay", file).out
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game.record()))
    assert skyjo("replay", str(path)).out == expected
    assert skyjo("replay", "-", typed=format_record(game.record()).splitlines()).out == expected


def test_from_and_to_cut_a_part_out(game: Game, file: str, skyjo: Skyjo) -> None:
    whole = turns(skyjo("replay", file).out)
    firsts = [number for number, _ in whole]
    start, stop = firsts[20], firsts[30]
    part = skyjo("replay", file, "--from", str(start), "--to", str(stop - 1)).out
    assert turns(part) == whole[20:30]
    middle = Game(game.rules, seed=2)
    for action in game.record()["actions"][: stop - 1]:
        middle.apply(action)
    assert str(middle) in part
    assert "The game is not over" in part


def test_hidden_cards_and_the_drawn_card_are_shown_only_if_they_are_asked_for(skyjo: Skyjo, tmp_path: Path) -> None:
    """Only cards that nobody has seen are two-figure numbers."""
    board = "?10 ?10 1 | ?11 ?11 2 | ?12 ?12 3 | 4 5 6"
    game = table(f"board {board}; board 1 2 3 | 4 5 6 | 7 8 9 | ? ? ?; discard 3; draw 12 ...; seat 0 turn")
    path = written(play(game, "draw"), tmp_path)
    hidden = skyjo("replay", path).out
    boards = hidden[hidden.index(">seat 0") :]
    assert not re.search(r"\b1[0-2]\b", boards)
    assert "seat 0: drawn |" in hidden
    assert "1  seat 0: drew\n" in hidden
    told = skyjo("replay", path, "--all-cards").out
    assert "?10 ?11 ?12   4" in told
    assert "seat 0: drawn 12 |" in told


# Addresses


def test_an_address_holds_the_game_and_is_read_wherever_a_record_is(game: Game, file: str, skyjo: Skyjo) -> None:
    printed = skyjo("replay", file, "--address")
    assert (printed.status, printed.err) == (0, "")
    address = printed.out.strip()
    assert address.startswith("http://127.0.0.1:8765/games#")
    assert skyjo("replay", address).out == skyjo("replay", file).out
    assert skyjo("replay", "-", typed=[address]).out == skyjo("replay", file).out
    assert skyjo("replay", address, "--address").out == printed.out
    assert format_record(replay(address).record()) == format_record(game.record())
    assert "Continuing http://" in skyjo("play", "random", "random", "--load", address, typed=["quit"]).out


# What is said of moves


def told(skyjo: Skyjo, tmp_path: Path, game: Game, *names: str) -> str:
    done = skyjo("replay", written(play(game, *names), tmp_path))
    assert done.status == 0
    return done.out


def test_a_move_says_which_cards_came_and_went(skyjo: Skyjo, tmp_path: Path) -> None:
    boards = f"board 9 9 ?3 | ?5 ? ? | ? ? ? | ? ? ?; board 2 ?8 ? | {REST}; discard 1 9"
    game = table(f"{boards}; draw 6 7 ...; seat 0 turn")
    out = told(skyjo, tmp_path, game, "take", "place 2", "draw", "flip 1", "draw", "place 3")
    assert [words for _, words in turns(out)] == [
        "seat 0: took 9, placed it on cell 2 for a hidden 3, cleared 3 cards",
        "seat 1: drew, discarded 6, turned up 8 on cell 1",
        "seat 0: drew, placed 7 on cell 3 for a hidden 5",
    ]


def test_the_end_of_a_round_says_who_ended_it_and_what_it_cost(skyjo: Skyjo, tmp_path: Path) -> None:
    boards = "board 9 9 8 | 4 4 3 | 1 2 1 | 5 4 ?0; board 0 1 2 | ? . . | . . . | . . ."
    game = table(f"episode round; {boards}; discard 4; seat 0 turn; draw 12 ...")
    hidden = int(game.state["cards"][0, 1, 3])
    out = told(skyjo, tmp_path, game, "take", "place 11", "take", "place 0")
    assert "took 4, placed it on cell 11 for a hidden 0, ended the round\n" in out
    assert out.count("ended the round") == 1
    assert "round 1 is over, ended by seat 0, whose 54 points count twice\n" in out
    assert re.search(rf"^round 108, total 108 +round {3 + hidden}, total {3 + hidden}$", out, re.MULTILINE)
    assert out.endswith("The round is over, won by seat 1.\n")


def test_a_stopped_game_has_no_winner(skyjo: Skyjo, tmp_path: Path) -> None:
    game = Game(Rules(max_turns=2, opening_flips=0, first_starter="seat_0"), seed=1)
    out = told(skyjo, tmp_path, game, "take", "place 0", "take", "place 0")
    assert "round 1 was stopped after 2 turns and is not scored" in out
    assert out.endswith("The game is stopped after too many turns, won by nobody.\n")


@pytest.mark.parametrize("seed", range(3))
def test_games_under_any_rules_can_be_told(seed: int, skyjo: Skyjo, tmp_path: Path) -> None:
    game = SKYJO.played(SKYJO.rules(seed), seed, 300)
    path = written(game, tmp_path)
    done = skyjo("replay", path, "--tables", "--all-cards")
    assert (done.status, done.err) == (0, "")
    assert len(json.loads(skyjo("replay", path, "--json").out)["moves"]) == len(game.record()["actions"])


# Animated


def test_svg_writes_the_moves_as_an_animation(file: str, skyjo: Skyjo, tmp_path: Path) -> None:
    done = skyjo("replay", file, "--svg", str(tmp_path / "out.svg"), "--from", "5", "--to", "24")
    assert re.fullmatch(rf"Saved {tmp_path}/out.svg \(\d+ kB\)\.\n", done.out)
    picture = read_picture((tmp_path / "out.svg").read_text())
    assert picture.seconds == pytest.approx(0.8 * (21 + HOLD))
    said = turns(skyjo("replay", file, "--from", "5", "--to", "24").out)
    assert {words for _, words in said} <= set(picture.words)
    assert skyjo("replay", file, "--svg", str(tmp_path), "--to", "9").status == 0
    assert (tmp_path / "replay.svg").exists()


def test_a_game_is_written_whole_or_not_at_all_and_over_no_other_file(
    skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter, file = tmp_path / "letter.txt", tmp_path / "game.txt"
    letter.write_text("Dear Ann")
    typed = [f"save {letter}", "f 0", f"save {file}", "f 1", f"save {file}", "q"]
    out = skyjo("play", "naive", "--seed", "1", typed=typed).out
    assert f"{letter} exists; choose another name" in out
    assert letter.read_text() == "Dear Ann"
    assert out.count("Saved as") == 2
    before = file.read_text()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    out = skyjo("play", "naive", "--load", str(file), typed=["d", f"save {file}", "quit", "quit"]).out
    assert "No space left on device" in out
    assert "Saved" not in out
    assert file.read_text() == before
    assert sorted(tmp_path.iterdir()) == [file, letter]


def test_leaving_without_saving_is_asked_about_once(skyjo: Skyjo, tmp_path: Path) -> None:
    done = skyjo("play", "naive", typed=["f 0", "quit", "f 1", "quit", "quit", "f 2"])
    assert done.out.count("Your last decisions are not saved") == 2
    assert done.out.endswith("Not saved.\n")
    assert "not saved" not in skyjo("play", "naive", typed=["quit"]).out
    file = tmp_path / "game.txt"
    out = skyjo("play", "naive", typed=[f"save {file}", "f 0", "quit", "quit"]).out
    assert f"To continue (without your last decisions): skyjo play naive --seat 0 --load {file}\n" in out


def test_the_end_of_input_and_an_interruption_leave_cleanly(skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    done = skyjo("play", "naive", typed=["f 0"])
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("\nNot saved.\n")

    def interrupt(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    done = skyjo("play", "naive")
    assert (done.status, done.err.strip()) == (130, "")
    assert done.out.endswith("\nNot saved.\n")
