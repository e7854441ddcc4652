"""The agents of a plan under a referee: those that come with the game play as always, all others are guests.

No code of a guest runs in this process: not even its module is imported here. A confined process reports what the
guest's class declares.
"""

import re
from collections.abc import Callable
from functools import cached_property
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from cardtable.agents import AgentRegistry
from cardtable.card_game import CardGame, distribution_of
from cardtable.errors import AgentError
from cardtable.referee.confinement import Granted
from cardtable.referee.guest_process import GuestProcess, Invitation, Referee
from cardtable.table_rules import TableRules


class Guest:
    """Stands for an agent of another package, and starts the processes in which it plays."""

    def __init__(self, invitation: Invitation, module: str) -> None:
        self.invitation, self.module = invitation, module

    @cached_property
    def _declared(self) -> tuple[dict[str, Any], Granted]:
        """What a process of it reports: the declarations of its class, and what the system grants."""
        with GuestProcess(self.invitation) as process:
            try:
                process.start()
            except AgentError as error:
                words = str(error).removeprefix(f"agent {self.invitation.agent} ")
                raise AgentError(f"agent {self.invitation.agent}: {words}") from None
            assert process.granted is not None
            return process.declared, process.granted

    @property
    def is_slow(self) -> bool:
        """Whether it declares that it is slow."""
        return self._declared[0].get("is_slow") is True

    @property
    def sees_hidden(self) -> bool:
        """Always False; AgentError if it declares that it must be shown the hidden cards."""
        if self._declared[0].get("sees_hidden") is True:
            name = self.invitation.agent
            raise AgentError(f"agent {name} needs to see the hidden cards, which a referee never shows to a guest")
        return False

    @property
    def digest(self) -> str:
        """The digest of its learned weights, as it reports it; "" if it reports none."""
        learned = str(self._declared[0].get("learned", ""))
        return learned if re.fullmatch(r"[0-9a-f]{8,64}", learned) else ""

    @property
    def granted(self) -> Granted:
        """Which means of confinement the system grants."""
        return self._declared[1]

    @property
    def source(self) -> Path | None:
        """The file of its module, if it can be found without running anything."""
        places, found = None, None
        parts = self.module.split(".")
        for end in range(1, len(parts) + 1):
            try:
                found = PathFinder.find_spec(".".join(parts[:end]), places)
            except (KeyError, ValueError):
                found = None
            if found is None:
                return None
            places = found.submodule_search_locations and list(found.submodule_search_locations)
        return Path(found.origin) if found is not None and found.origin else None


class RefereedAgents:
    """The agents of a game by name, as `AgentRegistry` has them; others than the game's own are guests."""

    def __init__(self, game: CardGame, rules: TableRules, referee: Referee) -> None:
        self.game, self.rules, self.referee = game, rules, referee
        self.registry: AgentRegistry = game.agents
        self.home = distribution_of(game)
        self.origin: Callable[[str], str] = self.registry.origin
        self.guests: dict[str, Guest] = {}

    def make(self, text: str, rules: TableRules) -> Any:
        """The agent that a text describes, or the guest that stands for it."""
        return self._guest(text) if self.is_guest(text) else self.registry.make(text, rules)

    def factory(self, text: str) -> Any:
        """What carries the declarations of the agent that a text describes: its class, or the guest."""
        return self._guest(text) if self.is_guest(text) else self.registry.factory(text)

    def is_guest(self, text: str) -> bool:
        """Whether an agent of another package is named anywhere in the text, as in `rollout:base=theirs`."""
        self.registry.point(text)
        named = set(re.split(r"[:=,()]", text)) & set(self.registry.points)
        packages = [self.registry.points[name].dist for name in named]
        return any(package is None or package.name != self.home for package in packages)

    def _guest(self, text: str) -> Guest:
        if text not in self.guests:
            module = self.registry.point(text).value.partition(":")[0]
            invitation = Invitation(self.game.name, self.rules.to_text(), text, self.referee)
            self.guests[text] = Guest(invitation, module)
        return self.guests[text]
