"""What a game declares of its policies, so that their files, cards and agent are the same code in every game.

A game that declares nothing can be learned all the same, with the network of `slice_network`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cardtable.table.game.card_game import CardGame, find_game, plugged_in
from cardtable.table.kernel.game_kernel import MOST_SEATS


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


@cache
def kind_of(game: str) -> PolicyKind:
    """What the game of this name declares, or else policies with a network that reads any observation."""
    found = find_game(game)
    kind: PolicyKind = plugged_in(found.policies) if found.policies else slice_policies(found)
    return kind


def slice_policies(game: CardGame) -> PolicyKind:
    """The policies of a game that declares none: every rule decides, and its own lie beside its kernel."""
    widths = {"seats": (2, MOST_SEATS), "table": (2, 1024)}
    return PolicyKind(game.official, (), 1, 1, widths, _slice_network, game.sources[0] / "policies")


def _slice_network(*arguments: Any, **widths: int) -> Any:
    from cardtable.table.agents.policies.slice_network import SliceNetwork

    return SliceNetwork(*arguments, **widths)
