"""A game between one player and agents, as in a terminal."""

from collections.abc import Iterable, Sequence
from typing import Any

from cardtable.table.agents.agents import agents_of
from cardtable.table.envs.opponents import seat_opponents
from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_game import TableGame
from skyjo.table.played_game import Choice, PlayedGame, SeatedAgent, Thinking, in_silence

NOTICEABLE = 0.05  # points by which two choices must differ to be told apart


class Session(PlayedGame):
    """The game, the player's seat, and what everybody is called."""

    def __init__(
        self, game: TableGame[Any], seat: int, opponents: Iterable[str], thinking: Thinking = in_silence
    ) -> None:
        """Sit down at a game, which may have begun; opponents are seated clockwise, one alone takes all seats."""
        registry, players = agents_of(find_game(game.rules.game)), game.rules.players
        agents, names, places = seat_opponents(registry, game.rules, opponents)
        who = [places[(other - seat) % players] for other in range(players)]
        super().__init__(game, [None if one < 0 else SeatedAgent(names[one], agents[one]) for one in who], thinking)
        self.seat = seat
        self.names = ["you" if one < 0 else f"{names[one]} (seat {other})" for other, one in enumerate(who)]

    @property
    def is_asked(self) -> bool:
        """Is it the player's decision?"""
        return not self.game.is_over and self.game.seat == self.seat

    def hint(self, text: str) -> str:
        """What an agent would do in the player's place, why, and by how much that beats the next best choices, if the
        agent can tell what they are worth.
        """
        best, *others = self.question_to_adviser(text)()
        reason = f": {best.reason}" if best.reason else ""
        return f"{best.words}{_points(best.worth)}{reason}{lead(best, others)}"

    def undo(self) -> bool:
        """Go back to the player's last decision before this one; False if there is none."""
        return self.go_back([self.seat])


def _points(worth: float | None) -> str:
    return "" if worth is None else f" ({worth:+.1f})"


def lead(best: Choice, others: Sequence[Choice]) -> str:
    """By how much the best choice is ahead of the others."""
    known = {other.words: other.worth for other in others if other.worth is not None and other.words != best.words}
    less = {} if best.worth is None else {words: best.worth - worth for words, worth in known.items()}
    better = ", ".join(f"{points:.1f} better than {words}" for words, points in less.items() if points >= NOTICEABLE)
    alike = " or ".join(words for words, points in less.items() if points < NOTICEABLE)
    return "".join([f"; as good as {alike}" if alike else "", f"; {better}" if better else ""])
