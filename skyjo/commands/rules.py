"""The rules that the user names, for tables of some size."""

from cardtable.errors import TableError
from skyjo_env import Rules


def rules_of(text: str, players: int) -> Rules:
    """The rules of a text; TableError if it says how many play, which others say."""
    rules = Rules.from_text(text)
    if "players" in rules.changes():
        raise TableError(f"--rules {text!r}: how many play is said by --players")
    return rules.replace(players=players)
