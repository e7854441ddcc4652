"""A whole game in an address: its record as JSON, deflated, in base64url, after the # (docs/notation.md).

What follows the # is sent to no server. Addresses come from strangers, so reading one costs at most `MOST_BYTES`.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Sequence
from typing import Any

from cardtable.table.checks import brief
from cardtable.table.errors import RecordError

MOST_LETTERS = 32_000  # after the #
MOST_BYTES = 100_000  # of the JSON
MOST_NAME = 20  # letters
RAW = -zlib.MAX_WBITS  # without the header and checksum of zlib, as browsers' "deflate-raw"


def is_address(text: str) -> bool:
    """Is this an address, rather than a record or the name of a file?"""
    return re.match(r"\s*[a-z]+://", text) is not None


def shared_text(record: dict[str, Any], names: Sequence[str] = ()) -> str:
    """What an address holds: a record as JSON, and what the players are called by seat, agents without parameters."""
    called = {"names": [name.partition(":")[0][:MOST_NAME] for name in names]} if any(names) else {}
    said = {name: value for name, value in record.items() if value is not None}
    return json.dumps(said | called, separators=(",", ":"))


def packed(text: str) -> str:
    """What follows the # in the address of a game; RecordError if that would be too long."""
    deflating = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=RAW)
    code = base64.urlsafe_b64encode(deflating.compress(text.encode()) + deflating.flush()).decode().rstrip("=")
    if len(code) > MOST_LETTERS or len(text) > MOST_BYTES:
        raise RecordError("the game is too long for an address; save its record instead")
    return code


def unpacked(address: str) -> str:
    """The JSON in an address; RecordError if there is none, or if it is damaged or too long."""
    code = address.strip().partition("#")[2]
    if len(code) > MOST_LETTERS:
        raise RecordError(f"at most {MOST_LETTERS:,} characters may follow the #, not {len(code):,}")
    if not re.fullmatch("[A-Za-z0-9_-]+", code):
        raise RecordError("no game follows a #: a shared game is letters, digits, - and _")
    inflating = zlib.decompressobj(RAW)
    try:
        text = inflating.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise RecordError(f"the game has more than {MOST_BYTES:,} characters")
        if inflating.eof and not inflating.unused_data:
            return text.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        pass
    raise RecordError("what follows the # is damaged; perhaps it was cut off when it was copied")


def shared_names(address: str) -> list[Any]:
    """What an address calls the players, by seat and unchecked; empty if nothing. Its game has been read before."""
    names = json.loads(unpacked(address)).get("names", [])
    if not isinstance(names, list):
        raise RecordError(f"names: {brief(names)} is not of type list")
    return names
