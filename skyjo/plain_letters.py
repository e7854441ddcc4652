"""Output to a terminal or a file that cannot show all letters, such as one in Windows' cp1252: what it lacks is written
in plain letters.
"""

import codecs
import sys
import unicodedata
from io import TextIOWrapper

PLAINLY = "plainly"  # the name of this way of handling letters that cannot be encoded
PLAIN = {"−": "-", "–": "-", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "±": "+-", "×": "x", "·": "*", "★": "*"}
PLAIN |= {"γ": "gamma", "⌊": "[", "⌋": "]", "’": "'"}
RAISED = {"<super>": "^", "<sub>": "_"}  # by how Unicode describes such digits


def write_plainly() -> None:
    """From now on write what standard output and standard error cannot encode in plain letters."""
    codecs.register_error(PLAINLY, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors=PLAINLY)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(letter: str) -> str:
    """One letter in ASCII: without its accent, or a question mark."""
    sign = RAISED.get(unicodedata.decomposition(letter).partition(" ")[0], "")
    without_accent = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return PLAIN.get(letter) or (f"{sign}{without_accent}" if without_accent else "?")
