"""A game between one player and agents, as at a terminal."""

from collections.abc import Iterable
from typing import Any

from cardtable.card_game import find_playable
from cardtable.envs.opponents import seat_opponents
from cardtable.table_game import TableGame
from skyjo.table.played_game import PlayedGame, SeatedAgent, Thinking, in_silence


class Session(PlayedGame):
    """The game, the player's seat, and what everybody is called."""

    def __init__(
        self, game: TableGame[Any], seat: int, opponents: Iterable[str], thinking: Thinking = in_silence
    ) -> None:
        """Sit down at a game, which may have begun; opponents are seated clockwise, one alone takes all seats."""
        registry, players = find_playable(game.rules.game).agents, game.rules.players
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
        """What an agent would do in the player's place, by name; if it can tell what its choices are worth, the best
        of them follow, with points.
        """
        told = {choice.words: choice.worth for choice in self.question_to_adviser(text)()}  # alike ones have one worth
        return ", ".join(name if worth is None else f"{name} ({worth:+.1f})" for name, worth in told.items())

    def undo(self) -> bool:
        """Go back to the player's last decision before this one; False if there is none."""
        return self.go_back([self.seat])
