"""What strangers write: numbers that are none, messages for a terminal, and far too much of everything."""

from pathlib import Path
from typing import Any

import pytest

from cardtable.errors import MOST_LETTERS, AgentError, RecordError, RulesError, TableError
from skyjo.terminal import text_files
from skyjo_env import Game, GameBatch, Rules, make_agent, replay
from skyjo_env.envs import SkyjoVectorEnv


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "1_0", "\u0663", "", "x", "0x10"])
def test_only_finite_numbers_in_plain_digits_are_read(text: str) -> None:
    with pytest.raises(AgentError, match="must be a number"):
        make_agent(f"threshold:t={text}", Rules())
    with pytest.raises(RulesError, match="cannot be read"):
        Rules.from_text(f"players={text}")


@pytest.mark.parametrize("letter", ["\x1b", "\x07", "\u202e", "\u2066", "\x00", "\x9b"])
def test_no_message_holds_what_a_terminal_acts_on(letter: str) -> None:
    def read_rules() -> None:
        Rules.from_text(f"players={letter}[2J")

    def read_record() -> None:
        replay(f"skyjo-record 1\nrules {letter}[31m\nseed 1\n")

    def read_position() -> None:
        Game.from_position(f"skyjo-position 1; seat {letter}")

    for read in (read_rules, read_record, read_position):
        with pytest.raises(TableError) as raised:
            read()
        assert letter not in str(raised.value)
        assert str(raised.value).isprintable()


def test_a_message_is_never_as_long_as_its_input() -> None:
    reads: list[tuple[Any, str]] = [
        (Rules.from_text, "x" * 100_000),
        (Game.from_position, f"skyjo-position 1\n{'x' * 100_000}"),
        (replay, f"skyjo-record 1\n{'draw ' * 100_000}"),
        (Rules.from_text, "\udc80" * 990 + "=1"),  # six letters each once they are written out
        (lambda text: make_agent(text, Rules()), f"threshold:{'x' * 100_000}"),
    ]
    for read, text in reads:
        with pytest.raises(TableError) as raised:
            read(text)
        assert len(str(raised.value)) <= MOST_LETTERS


def test_a_million_commas_are_read_in_one_go() -> None:
    with pytest.raises(AgentError):  # for each to look at all that follow would take hours
        make_agent(f"threshold:t={',' * 1_000_000}", Rules())


def test_commas_in_brackets_belong_to_the_value() -> None:
    agent = make_agent("rollout:base=(threshold:t=2,columns=true),n=3", Rules())
    assert type(agent).__name__ == "RolloutAgent"


def test_deals_of_a_batch_can_be_looked_at_and_not_changed() -> None:
    batch = GameBatch(Rules(), n=3)
    with pytest.raises(ValueError, match="read-only"):
        batch.deals[:] = 7
    assert batch.deals.tolist() == [0, 1, 2]


def test_a_text_without_end_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(text_files, "MOST_LETTERS", 1000)
    (tmp_path / "long.txt").write_text("x" * 1001)
    with pytest.raises(TableError, match="longer than 1,000 characters"):
        text_files.read_text(str(tmp_path / "long.txt"))
    (tmp_path / "fits.txt").write_text("x" * 1000)
    assert len(text_files.read_text(str(tmp_path / "fits.txt"))) == 1000


def test_seeds_of_tables_do_not_begin_anew_behind_the_last() -> None:
    env = SkyjoVectorEnv(3)
    env.reset(seed=2**64 - 3)
    with pytest.raises(TableError, match="seed=18446744073709551614 must be"):
        env.reset(seed=2**64 - 2)


def test_a_damaged_record_is_said_in_a_line() -> None:
    with pytest.raises(RecordError) as raised:
        replay("skyjo-record 1\nmoves \r\x85draw")
    assert len(str(raised.value).splitlines()) == 1
