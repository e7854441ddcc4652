"""What the texts and pictures of all games say in the same words."""

from typing import Any, NamedTuple


class Telling(NamedTuple):
    """What to call the seats, and what to say of the last move; None for what every picture says."""

    names: tuple[str, ...] | None = None
    happened: str | None = None

    def name(self, seat: int) -> str:
        """Return a seat's name at the beginning of a line."""
        return f"Seat {seat}" if self.names is None else self.names[seat]

    def seat(self, seat: int) -> str:
        """Return a seat's name within a line."""
        return f"seat {seat}" if self.names is None else self.names[seat]


UNTOLD = Telling()


def last_move_words(game: Any) -> str:
    """Return the last move, such as "seat 1: place 3"; empty before the first."""
    if game.last_move is None:
        return ""
    seat, action = game.last_move
    return f"seat {seat}: {game.kind.action_names(game.rules)[action]}"


def end_words(game: Any, telling: Telling = UNTOLD) -> str:
    """Return how a game that is over has ended, as a headline."""
    if game.is_truncated:
        return "Stopped after too many turns"
    if not game.winners:
        return f"Nobody wins the {game.episode}"
    first, *others = game.winners
    winners = " and ".join([telling.name(first), *map(telling.seat, others)])
    return f"{winners} {'win' if others else 'wins'} the {game.episode}"


def counted(number: int, thing: str) -> str:
    """Return a number of things, such as "1 turn" or "2 turns"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
