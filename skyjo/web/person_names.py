"""The names that people type: plain text of a few letters, which no page or list can take for anything else."""

import re
import unicodedata
from typing import Any

from cardtable.table.errors import TableError

MAX_LETTERS = 20
SIGNS = " .'’_-"
KINDS = "LMN"  # of characters: letters, the marks on them, and numbers
MAX_MARKS = 2  # one after the other
ALPHABETS = {"LATIN", "GREEK", "CYRILLIC"}  # some of whose letters look the same
RESERVED = ("you", "open", "seat", "nobody")  # what pages call seats
UNSEEN = re.compile(  # letters and marks without a shape of their own
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
REFUSALS = {
    "plain": f"a name may have at most {MAX_LETTERS} characters: letters, digits, spaces and {SIGNS.strip()}",
    "marks": f"a name needs a letter or a digit, and at most {MAX_MARKS} accents on each",
    "alphabets": "a name is written in one alphabet, not with letters of several",
    "reserved": "'{name}' is reserved here; please choose another name",
}
MEASURES = {  # for anywhere/worker/views.js
    "letters": MAX_LETTERS,
    "signs": SIGNS,
    "kinds": [*KINDS],
    "marks": MAX_MARKS,
    "alphabets": [name.title() for name in sorted(ALPHABETS)],
    "reserved": RESERVED,
    "unseen": UNSEEN.pattern,
    "refusals": REFUSALS,
}


def read_name(name: Any) -> str:
    """The name as it is shown, empty if nothing was typed; TableError for anything that is not a plain name."""
    if not isinstance(name, str) or len(name) > 4 * MAX_LETTERS:
        raise TableError(REFUSALS["plain"])
    name = unicodedata.normalize("NFC", name).strip(" ")
    if UNSEEN.search(name):
        raise TableError(REFUSALS["plain"])
    kinds = "".join(unicodedata.category(letter)[0] for letter in name)
    if len(name) > MAX_LETTERS or not all(
        kind in KINDS or letter in SIGNS for kind, letter in zip(kinds, name, strict=True)
    ):
        raise TableError(REFUSALS["plain"])
    if "M" * (MAX_MARKS + 1) in kinds or kinds.startswith("M") or (name and "L" not in kinds and "N" not in kinds):
        raise TableError(REFUSALS["marks"])
    if len({unicodedata.name(letter, "").split(" ")[0] for letter in _plain(name)} & ALPHABETS) > 1:
        raise TableError(REFUSALS["alphabets"])
    if _plain(name).split(" ")[0].strip(SIGNS) in RESERVED:
        raise TableError(REFUSALS["reserved"].format(name=name))
    return " ".join(name.split())


def _plain(name: str) -> str:
    """The name without what a reader may overlook: marks, wide letters, capitals, and signs around it."""
    letters = unicodedata.normalize("NFKD", name)
    return "".join(one for one in letters if unicodedata.category(one)[0] != "M").casefold().strip(SIGNS)
