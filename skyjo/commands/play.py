"""The command `play`: play against agents in the terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from cardtable.table.game.table_game import game_class
from skyjo.interfaces import interface

if TYPE_CHECKING:
    from cardtable.table.game.table_game import TableGame

Number = Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")]  # None is explained in words


@dataclass(frozen=True)
class Play:
    """Play against agents in the terminal. The command `agents` lists them."""

    agents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="[AGENT ...]"), tyro.conf.Positional] = field(
        default_factory=lambda: interface().opponents
    )
    """Your opponents, clockwise from your seat. A single agent takes all the other seats."""

    seat: Annotated[str, tyro.conf.arg(metavar="N")] = "0"
    """Your seat, from 0, or random."""

    seed: Number = None
    """Seed of the cards; with the same decisions it gives the same game again (default: random, and shown)."""

    deal: Number = None
    """Number of the game among those of the seed (default: 0)."""

    episode: Annotated[
        Literal["round", "game"] | None, tyro.conf.arg(metavar="{round,game}", help_behavior_hint="")
    ] = None
    """Length of play: a round or a game (default: a game)."""

    rules: Annotated[str | None, tyro.conf.arg(metavar="TEXT", help_behavior_hint="")] = None
    """Changes to the official rules, as "name=value ..."; players counts you and the agents unless set here."""

    load: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Continue a saved game, or start from a written position."""

    colour: Literal["auto", "always", "never"] = "auto"
    """When to colour the cards."""

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        from skyjo.table.played_game import Session
        from skyjo.terminal.console import has_colour, thinking, with_command
        from skyjo.terminal.dialogue import Dialogue

        game = self._deal() if self.load is None else self._loaded(self.load)
        session = Session(game, self._seat(game), self.agents, thinking)
        again = [interface().command, "play", *self.agents, "--seat", str(session.seat)]
        if self.load is None:
            options = ["--seed", str(game.seed), "--deal", str(game.deal), "--episode", game.episode]
            options += ["--rules", self.rules] if self.rules else []
            origin = with_command("The same cards again:", _command([*again, *options]))
        else:
            origin = f"Continuing {self.load} after {len(session.actions)} decisions."
        Dialogue(session, has_colour(self.colour), _command(again), self.load).run(origin)

    def _deal(self) -> TableGame[Any]:
        import secrets

        from skyjo.commands.shared import the_game

        words = (self.rules or "").split()
        players = None if any(word.startswith("players=") for word in words) else len(self.agents) + 1
        rules = the_game().rules(self.rules or "", players)
        seed = secrets.randbelow(1_000_000) if self.seed is None else self.seed
        return game_class(the_game())(rules, seed, self.deal or 0, self.episode or "game")

    def _loaded(self, file: str) -> TableGame[Any]:
        from cardtable.table.errors import TableError
        from skyjo.commands.shared import written_game

        for name in ("seed", "deal", "episode", "rules"):
            if getattr(self, name) is not None:
                raise TableError(f"--{name} cannot be given with --load: it is part of the saved game {file}")
        if file == "-":
            raise TableError("--load needs a file: standard input is for your answers")
        return written_game(file)

    def _seat(self, game: TableGame[Any]) -> int:
        from random import Random

        from cardtable.table.errors import TableError

        players = game.rules.players
        if self.seat == "random":
            return Random(f"{game.seed} {game.deal}").randrange(players)
        if not (self.seat.isascii() and self.seat.isdigit() and int(self.seat[:9]) < players):
            raise TableError(f"--seat {self.seat}: seats are 0 to {players - 1}, or random")
        return int(self.seat)


def _command(words: list[str]) -> str:
    import shlex

    return shlex.join(words)
