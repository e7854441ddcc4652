"""What the texts and pictures of all games say in the same words."""

from typing import Any

from cardtable.table.render.scene import UNTOLD, Telling


def last_move_words(game: Any) -> str:
    """The last move, such as "seat 1: place 3"; empty before the first."""
    if game.last_move is None:
        return ""
    seat, action = game.last_move
    return f"seat {seat}: {game.kind.action_names(game.rules)[action]}"


def happened_words(game: Any, telling: Telling) -> str:
    """What a picture says of the last move; empty before the first."""
    if telling.happened is not None:
        return telling.happened
    return f"Last move: {last_move_words(game)}" if game.last_move else ""


def end_words(game: Any, telling: Telling = UNTOLD) -> str:
    """How a game that is over has ended, as a headline."""
    if game.is_truncated:
        return "Stopped after too many turns"
    if not game.winners:
        return f"Nobody wins the {game.episode}"
    first, *others = game.winners
    winners = " and ".join([telling.name(first), *map(telling.seat, others)])
    return f"{winners} {'win' if others else 'wins'} the {game.episode}"


def counted(number: int, thing: str) -> str:
    """A number of things, such as "1 turn" or "2 turns"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
