"""What the texts and pictures of all games say in the same words."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardtable.table_game import TableGame


def last_move_words(game: "TableGame[Any]") -> str:
    """The last move, such as "seat 1: place 3"; empty before the first."""
    if game.last_move is None:
        return ""
    seat, action = game.last_move
    return f"seat {seat}: {game.kind.action_names(game.rules)[action]}"


def end_words(game: "TableGame[Any]") -> str:
    """How a game that is over has ended, as a headline."""
    if game.is_truncated:
        return "Stopped after too many turns"
    if not game.winners:
        return f"Nobody wins the {game.episode}"
    winners = " and ".join(f"seat {seat}" for seat in game.winners)
    return f"{winners.capitalize()} {'wins' if len(game.winners) == 1 else 'win'} the {game.episode}"


def counted(number: int, thing: str) -> str:
    """A number of things, such as "1 turn" or "2 turns"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
