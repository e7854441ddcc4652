"""The game that the commands are about, and the rules that the user names, for tables of some size."""

from typing import Any

from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.shared_games import is_address
from cardtable.table.game.table_game import TableGame
from skyjo.programs import program


def the_game() -> CardGame:
    """The game that is played, stored and measured: that of the program that was called."""
    return find_game(program().game)


def rules_of(text: str, players: int) -> Any:
    """The rules of a text; TableError if it sets the number of players, which has its own option."""
    if any(word.startswith("players=") for word in text.split()):
        raise TableError(f"--rules {text!r}: set the number of players with --players")
    return the_game().rules(text, players)


def written_game(file: str) -> TableGame[Any]:
    """The game of a record or a position in a file, on standard input (`-`), or in an address; TableError says what is
    wrong with it.
    """
    from skyjo.terminal.text_files import read_text

    text = file if is_address(file) else read_text(file)
    try:
        return the_game().read_game(text)
    except TableError as error:
        raise TableError(f"{'the address' if is_address(file) else file}: {error}") from None


def luck_measure(name: str | None) -> str:
    """The measure of luck that --luck-by names, by default the game's own terms; TableError if it names a version."""
    from cardtable.arena.play.luck import OWN

    if name is not None and ":" in name:
        raise TableError(f"--luck-by {name}: name the measure of luck, without a version")
    return name or OWN
