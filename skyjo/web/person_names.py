"""The names that people type: plain text of a few letters, which pages show as text."""

import unicodedata
from typing import Any

from cardtable.table.errors import TableError

MAX_LETTERS = 20
SIGNS = " .'’_-"
KINDS = "LMN"  # of characters: letters, the marks on them, and numbers
RESERVED = ("you", "open", "seat", "nobody")  # what pages call seats
REFUSALS = {
    "plain": f"a name may have at most {MAX_LETTERS} characters: letters, digits, spaces and {SIGNS.strip()}",
    "reserved": "'{name}' is reserved here; please choose another name",
}
MEASURES = {  # for skyjo/web/worker
    "letters": MAX_LETTERS,
    "signs": SIGNS,
    "kinds": [*KINDS],
    "reserved": RESERVED,
    "refusals": REFUSALS,
}


def read_name(name: Any) -> str:
    """Return the name as it is shown, empty if nothing was typed; TableError for anything that is not a plain name."""
    if not isinstance(name, str) or len(name) > 4 * MAX_LETTERS:
        raise TableError(REFUSALS["plain"])
    plain = " ".join(filter(None, unicodedata.normalize("NFC", name).split(" ")))
    if len(plain) > MAX_LETTERS or not all(each in SIGNS or unicodedata.category(each)[0] in KINDS for each in plain):
        raise TableError(REFUSALS["plain"])
    if plain.casefold().strip(SIGNS).split(" ")[0] in RESERVED:
        raise TableError(REFUSALS["reserved"].format(name=plain))
    return plain
