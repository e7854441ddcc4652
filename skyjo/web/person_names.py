"""The names that people type: plain text of a few letters, which no page or list can take for anything else."""

import unicodedata
from typing import Any

from cardtable.errors import TableError

MOST_LETTERS = 20
SIGNS = " .'’-_"
KINDS = "LMN"  # of characters: letters, the marks on them, and numbers
MOST_MARKS = 2  # one after the other
RESERVED = ("you", "open", "seat", "nobody")  # what pages call seats
WORDS = f"a name may have at most {MOST_LETTERS} characters: letters, digits, spaces and {SIGNS.strip()}"


def read_name(name: Any) -> str:
    """The name as it is shown, empty if nothing was typed; TableError for anything that is not a plain name."""
    if not isinstance(name, str) or len(name) > 4 * MOST_LETTERS:
        raise TableError(WORDS)
    name = unicodedata.normalize("NFC", name).strip(" ")
    kinds = "".join(unicodedata.category(letter)[0] for letter in name)
    if len(name) > MOST_LETTERS or not all(
        kind in KINDS or letter in SIGNS for kind, letter in zip(kinds, name, strict=True)
    ):
        raise TableError(WORDS)
    if "M" * (MOST_MARKS + 1) in kinds or kinds.startswith("M") or (name and "L" not in kinds and "N" not in kinds):
        raise TableError("a name needs a letter or a digit, and at most two accents on each")
    if name.casefold().split(" ")[0] in RESERVED:
        raise TableError(f"{name!r} is reserved here; please choose another name")
    return " ".join(name.split())
