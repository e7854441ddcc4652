"""What a game declares of its policies, so that their files, cards and agent are the same code in every game.

It is found by the game's name, among the entry points of the group `cardtable.table.agents.policies`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import find_game, plugged_in


@dataclass(frozen=True)
class PolicyKind:
    """The policies of one game."""

    official: Any  # the rules from which the texts on cards differ
    free: tuple[str, ...]  # rules on which no decision of a policy depends
    observation: int  # version of the observations
    version: int  # of the network: counted up whenever the same weights would play differently
    widths: dict[str, tuple[int, int]]  # the network's arguments beside the rules, with bounds; `seats` is the first
    network: Callable[..., Any]  # makes a `PolicyNetwork` of rules and widths; nobody imports torch before
    shipped: Path  # the folder of those that come with the package

    def decisive(self, rules: Any) -> Any:
        """The rules as far as a decision can depend on them; the number of players is stated separately."""
        return rules.replace(**{name: getattr(self.official, name) for name in ("players", *self.free)})


def kind_of(game: str) -> PolicyKind:
    """What the game of this name declares; AgentError if it has no policies."""
    found = find_game(game)
    if found.policies is None:
        raise AgentError(f"{found.title} has no policies")
    kind: PolicyKind = plugged_in(found.policies)
    return kind
