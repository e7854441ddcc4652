"""What strangers write: numbers that are none, messages for a terminal, and far too much of everything."""

import pytest

from cardtable.table.errors import AgentError, RecordError, RulesError, TableError
from skyjo_env import Game, GameBatch, Rules, SkyjoVectorEnv, make_agent, replay


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


def test_deals_of_a_batch_can_be_looked_at_and_not_changed() -> None:
    batch = GameBatch(Rules(), n=3)
    with pytest.raises(ValueError, match="read-only"):
        batch.deals[:] = 7
    assert batch.deals.tolist() == [0, 1, 2]


def test_seeds_of_tables_do_not_begin_anew_behind_the_last() -> None:
    env = SkyjoVectorEnv(3)
    env.reset(seed=2**64 - 3)
    with pytest.raises(TableError, match="seed=18446744073709551614 must be"):
        env.reset(seed=2**64 - 2)


def test_a_damaged_record_is_said_in_a_line() -> None:
    with pytest.raises(RecordError) as raised:
        replay("skyjo-record 1\nmoves \r\x85draw")
    assert len(str(raised.value).splitlines()) == 1
