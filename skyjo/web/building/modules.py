"""Contents of the module of a game: its table, its agents, and the values of actions."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from cardtable.table.compiling.compiler import Decorator, compiler_of, source_of
from cardtable.table.game.card_game import CardGame
from cardtable.table.kernel.game_kernel import Compiled
from skyjo.interfaces import find_interface
from skyjo.table.phrases import REASON
from skyjo.web.building.entries import Entries, Network, Records, agent_entries, reason_entries, table_entries


class Module(NamedTuple):
    """A game as one module: `MODULE` in its `people.browser`."""

    card_game: CardGame
    decision: Compiled  # (view, rules, player): what a scripted agent does
    player: np.dtype[Any]  # its record
    learned: Mapping[str, Compiled] = {}  # what learned players do, by what they call
    more: Callable[[Records, Decorator], Entries] = lambda *_: {}  # what else the game's pages ask
    networks: Callable[[], Iterator[Network]] = lambda: iter(())  # that they read
    agents: Mapping[str, Mapping[str, Any]] = {}  # that look ahead: what they call, and how far they look

    @property
    def records(self) -> Records:
        """The records that JavaScript reads and writes, by the names that arguments have."""
        game, card_game = self.card_game.dtype, self.card_game
        tables = {
            "game": game,
            "before": game,
            "rules": card_game.official.params.dtype,
            "scratch": card_game.luck.scratch,
        }
        return {**tables, "player": self.player, "reason": REASON}

    @property
    def entries(self) -> Entries:
        """Functions that the module exports."""
        compiled = compiler_of(__file__, source_of(self.card_game.kernel.act), source_of(self.decision), whole=True)
        at_table = table_entries(self.card_game, self.records, compiled)
        agents = agent_entries(self.card_game, {"choose": self.decision, **self.learned}, self.records, compiled)
        finder = find_interface(self.card_game.name).phrases.finder
        reasons = reason_entries(finder.write_reasons, self.records, compiled) if finder else {}
        return {**at_table, **agents, **reasons, **self.more(self.records, compiled)}
