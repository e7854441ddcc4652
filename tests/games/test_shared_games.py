"""Games in addresses: the whole game comes back, and whatever else a stranger sends is refused in one short line."""

import base64
import json
import random
import tracemalloc
import zlib
from typing import Any

import pytest

from cardtable.table.errors import RecordError
from cardtable.table.game.records import (
    MAX_BYTES,
    MAX_LETTERS,
    packed,
    shared_names,
    shared_text,
    unpacked,
)
from tests.games.test_record import begun
from tests.games.under_test import GameUnderTest

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


def test_a_page_may_leave_out_what_it_does_not_know(game: GameUnderTest) -> None:
    record = begun(game).record()
    known = {name: value for name, value in record.items() if name not in ("start", "totals", "check")}
    assert game.api.replay(ANYWHERE + packed(json.dumps(known))).record() == record
    for name in known:
        less = {other: value for other, value in known.items() if other != name}
        assert refusal(game, ANYWHERE + packed(json.dumps(less))).startswith(f"{name}: missing")


def test_players_are_named_by_seat_and_agents_without_their_parameters(game: GameUnderTest) -> None:
    record = begun(game).record()
    assert shared_names(address_of(record, "Zoë", "tempo:risk=3", "")) == ["Zoë", "tempo", ""]
    assert shared_names(address_of(record, "", "", "")) == shared_names(address_of(record)) == []
    assert shared_names(address_of(record, "a" * 99)) == ["a" * 20]
    with pytest.raises(RecordError, match="names: 'Anna' is not of type list"):
        shared_names(address_of(record | {"names": "Anna"}))


# Strangers


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://example.org/games", "no game follows a #"),
        ("https://example.org/g/1f0c#42", "damaged; it may have been cut off"),
        ("https://example.org/games#<script>alert(1)</script>", "no game follows a #"),
        ("https://example.org/games#\x1b[2J\u202e", "no game follows a #"),
        (ANYWHERE + "A" * (MAX_LETTERS + 1), "at most 32,000 characters may follow the #, not 32,001"),
        (deflated(b" " * 20_000_000), "the game has more than 100,000 characters"),
        (deflated(b"\xff\xfe"), "damaged"),
        (deflated(b"[]"), "not list"),
        (deflated(b'{"a":' * 16_000), "line 1: "),
        (deflated(b"{}") + "AAAA", "damaged"),
    ],
    ids=range(10),
)
def test_what_is_no_shared_game_is_refused_in_words_and_little_memory(
    game: GameUnderTest, address: str, words: str
) -> None:
    tracemalloc.start()
    line = refusal(game, address)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert words in line
    assert len(line) < 200
    assert peak < 10 * MAX_BYTES


def test_a_game_that_is_too_long_for_an_address_is_not_shared(game: GameUnderTest) -> None:
    chance = random.Random(1)
    for actions in ([chance.randrange(10**6) for _ in range(12_000)], [1] * 60_000):
        with pytest.raises(RecordError, match="too long for an address; save its record instead"):
            packed(shared_text(begun(game).record() | {"actions": actions}))
    most = " " * MAX_BYTES
    assert unpacked(ANYWHERE + packed(most)) == most
