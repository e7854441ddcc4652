"""What the module of each game holds: its table, its agents, and what values actions. A new game is added here."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from anywhere.entries import Entries, Network, Records, agent_entries, table_entries
from cardtable.table.compiling.compiler import Decorator, compiler_of, source_of
from cardtable.table.game.card_game import CardGame
from cardtable.table.kernel.game_kernel import Compiled


class Module(NamedTuple):
    """A game as one module."""

    kind: CardGame
    decision: Compiled  # (view, rules, player): what a scripted agent does
    player: np.dtype[Any]  # its record
    learned: Mapping[str, Compiled] = {}  # what learned players do, by what they call
    more: Callable[[Records, Decorator], Entries] = lambda *_: {}  # what else the game's pages ask
    networks: Callable[[], Iterator[Network]] = lambda: iter(())  # that they read
    agents: Mapping[str, Mapping[str, Any]] = {}  # that look ahead: what they call, and how far they look

    @property
    def records(self) -> Records:
        """The records that JavaScript reads and writes, by the names that arguments have."""
        game, kind = self.kind.dtype, self.kind
        tables = {"game": game, "before": game, "rules": kind.official.params.dtype, "room": kind.luck.room}
        return {**tables, "player": self.player}

    @property
    def entries(self) -> Entries:
        """What it exports."""
        compiled = compiler_of(__file__, source_of(self.kind.kernel.act), source_of(self.decision), whole=True)
        at_table = table_entries(self.kind, self.records, compiled)
        agents = agent_entries(self.kind, {"choose": self.decision, **self.learned}, self.records, compiled)
        return {**at_table, **agents, **self.more(self.records, compiled)}


def skyjo() -> Module:
    """Skyjo."""
    from anywhere.networks import AGENTS, DECISIONS, network_entries, networks
    from skyjo_agents.all_scripts import decision
    from skyjo_agents.player import PLAYER_DTYPE
    from skyjo_env.card_game import SKYJO

    return Module(SKYJO, decision, PLAYER_DTYPE, DECISIONS, network_entries, networks, AGENTS)


def skipbo() -> Module:
    """Skip-Bo."""
    from anywhere.skipbo_search import AGENTS, search_entries
    from skipbo_agents.player import PLAYER_DTYPE
    from skipbo_agents.scripted import decision
    from skipbo_env.card_game import SKIPBO

    return Module(SKIPBO, decision, PLAYER_DTYPE, more=search_entries, agents=AGENTS)


def skyjo_action() -> Module:
    """Skyjo Action."""
    from anywhere.scores import score_entries
    from skyjo_action_agents.all_scripts import decision
    from skyjo_action_agents.player import PLAYER_DTYPE
    from skyjo_action_env.card_game import SKYJO_ACTION

    return Module(SKYJO_ACTION, decision, PLAYER_DTYPE, more=score_entries)


MODULES: tuple[Callable[[], Module], ...] = (skyjo, skipbo, skyjo_action)
