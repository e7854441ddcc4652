"""Games in addresses: the whole game comes back, and whatever else a stranger sends is refused in one short line."""

import base64
import json
import random
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardtable.table.errors import RecordError
from cardtable.table.game.records import (
    MOST_BYTES,
    MOST_LETTERS,
    is_address,
    packed,
    shared_names,
    shared_text,
    unpacked,
)
from tests.games.test_record import begun
from tests.games.under_test import GameUnderTest
from tests.helpers import SEEDED

ANYWHERE = "https://example.org/some/page.html?a=b#"


def address_of(record: dict[str, Any], *names: str) -> str:
    return ANYWHERE + packed(shared_text(record, names))


def deflated(data: bytes) -> str:
    """Any bytes in an address, however many."""
    deflating = zlib.compressobj(9, wbits=-15)
    return ANYWHERE + base64.urlsafe_b64encode(deflating.compress(data) + deflating.flush()).decode().rstrip("=")


def refusal(game: GameUnderTest, address: str) -> str:
    """The line that refuses an address."""
    with pytest.raises(RecordError) as caught:
        game.api.replay(address)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_where_the_page_lies_does_not_matter(game: GameUnderTest) -> None:
    record = begun(game).record()
    for page in ("http://127.0.0.1:8765/games", "https://example.org", "file:///home/anna/table/index.html"):
        address = f"{page}#{packed(shared_text(record))}"
        assert is_address(address)
        assert game.api.replay(address).record() == record


def test_records_positions_and_files_are_no_addresses(game: GameUnderTest) -> None:
    table = begun(game)
    record = table.record()
    for text in (game.api.format_record(record), json.dumps(record), table.position(), "games/a#b.txt", "-", ""):
        assert not is_address(text)


def test_a_page_may_leave_out_what_it_does_not_know(game: GameUnderTest) -> None:
    record = begun(game).record()
    known = {name: value for name, value in record.items() if name not in ("start", "totals", "check")}
    assert game.api.replay(ANYWHERE + packed(json.dumps(known))).record() == record
    for name in known:
        less = {other: value for other, value in known.items() if other != name}
        assert refusal(game, ANYWHERE + packed(json.dumps(less))).startswith(f"{name}: missing")


def test_what_is_there_must_be_so(game: GameUnderTest) -> None:
    record = begun(game).record()
    for name, wrong in (("check", "00000000"), ("totals", [1, 2, 3]), ("seed", record["seed"] + 1), ("actions", [999])):
        assert refusal(game, address_of(record | {name: wrong}))


def test_players_are_named_by_seat_and_agents_without_their_parameters(game: GameUnderTest) -> None:
    record = begun(game).record()
    assert shared_names(address_of(record, "Zoë", "tempo:risk=3", "")) == ["Zoë", "tempo", ""]
    assert shared_names(address_of(record, "", "", "")) == shared_names(address_of(record)) == []
    assert shared_names(address_of(record, "a" * 99)) == ["a" * 20]
    with pytest.raises(RecordError, match="names: 'Anna' is not of type list"):
        shared_names(address_of(record | {"names": "Anna"}))


def test_an_address_of_another_game_says_of_which(game: GameUnderTest) -> None:
    record = begun(game).record()
    record["chess_record"] = record.pop(f"{game.name}_record")
    record = dict(reversed(record.items()))
    assert refusal(game, address_of(record)) == f"{game.name}_record: missing from the record, which has 'chess_record'"


# Strangers


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://example.org/games", "no game follows a #"),
        ("https://example.org/games#", "no game follows a #"),
        ("https://example.org/g/1f0c#42", "damaged; perhaps it was cut off"),
        ("https://example.org/games#<script>alert(1)</script>", "no game follows a #"),
        ("https://example.org/games#\x1b[2J\u202e", "no game follows a #"),
        (ANYWHERE + "A" * 5, "damaged"),
        (ANYWHERE + "A" * (MOST_LETTERS + 1), "at most 32,000 characters may follow the #, not 32,001"),
        (ANYWHERE + "A" * 10**7, "at most 32,000 characters may follow the #, not 10,000,000"),
        (deflated(b" " * 20_000_000), "the game has more than 100,000 characters"),
        (deflated(b"\xff\xfe"), "damaged"),
        (deflated(b""), "line 1: "),
        (deflated(b"[]"), "not list"),
        (deflated(b'{"a":' * 16_000), "line 1: "),
        (deflated(b'{"seed":' + b"9" * 90_000 + b"}"), "line 1: "),
        (deflated(b"{}") + "AAAA", "damaged"),
    ],
    ids=range(15),
)
def test_what_is_no_shared_game_is_refused_in_words(game: GameUnderTest, address: str, words: str) -> None:
    assert len(address) < MOST_LETTERS or words.startswith("at most")
    line = refusal(game, address)
    assert words in line
    assert len(line) < 200


def test_no_damaged_address_gives_another_game_or_another_error(game: GameUnderTest) -> None:
    table, chance = game.played(game.quick, 4, 60), random.Random(1)
    address = address_of(table.record(), "Anna")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    refused = 0
    for _ in range(1500):
        damaged = [*address]
        for at in chance.sample(range(len(ANYWHERE), len(address)), chance.choice((1, 1, 2, 9))):
            damaged[at] = chance.choice(letters)
        try:
            assert game.api.replay("".join(damaged)).position() == table.position()
        except RecordError:
            refused += 1
    assert refused > 1200


@settings(SEEDED, max_examples=60)
@given(st.binary(max_size=300), st.text(max_size=80))
def test_random_bytes_and_letters_are_refused(game: GameUnderTest, data: bytes, text: str) -> None:
    for address in (ANYWHERE + base64.urlsafe_b64encode(data).decode().rstrip("="), deflated(data), ANYWHERE + text):
        refusal(game, address)


def test_reading_an_address_never_holds_more_than_a_game(game: GameUnderTest) -> None:
    bomb = deflated(b" " * 20_000_000)
    tracemalloc.start()
    refusal(game, bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * MOST_BYTES


def test_a_game_that_is_too_long_for_an_address_is_not_shared(game: GameUnderTest) -> None:
    chance = random.Random(1)
    for actions in ([chance.randrange(10**6) for _ in range(12_000)], [1] * 60_000):
        with pytest.raises(RecordError, match="too long for an address; save its record instead"):
            packed(shared_text(begun(game).record() | {"actions": actions}))
    most = " " * MOST_BYTES
    assert unpacked(ANYWHERE + packed(most)) == most
