"""What tables of Skyjo and its variants share: piles, and a round that one of the seats ends."""

from cardtable.table.game.table_game import Rules, TableGame


class LayoutGame(TableGame[Rules]):
    """One table at which every seat has a layout of open and hidden cards."""

    @property
    def starter(self) -> int | None:
        """The seat that starts this round, or None while the opening decides."""
        return self._seat_or_none("starter")

    @property
    def ender(self) -> int | None:
        """The seat that ended this round, or None."""
        return self._seat_or_none("ender")

    @property
    def turns_left(self) -> int:
        """Turns left after the round was ended, the current one included; 0 before."""
        return int(self._games["turns_left"][0])

    @property
    def discard_pile_size(self) -> int:
        """Cards in the discard pile."""
        return int(self._games["discard_size"][0])

    @property
    def draw_pile_size(self) -> int:
        """Cards left in the draw pile."""
        return int(self._games["pile_left"][0])
