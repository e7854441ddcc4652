"""The agent `human`: the person at the terminal, in any game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import find_game
from skyjo.interfaces import find_interface
from skyjo.terminal.console import ask_decision, has_colour


class HumanAgent:
    """Shows each table in the terminal, as its seat sees it, and asks for an action."""

    is_human = True

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self._interface = find_interface(rules.game)

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], rng_states: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Return the player's action for every table, one after the other; AgentError if no answer comes."""
        del rng_states  # people bring their own
        actions = [self._ask(observation, mask) for observation, mask in zip(observations, masks, strict=True)]
        return np.array(actions, np.int64)

    def _ask(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> int:
        terminal = self._interface.terminal
        seat = int(find_game(self.rules.game).spec_of(self.rules).view(observation).seat)

        def show(_: str) -> bool:
            names = [f"seat {other}" for other in range(self.rules.players)]
            names[seat] = f"you (seat {seat})"
            print(f"\n{terminal.format_view(self.rules, observation, names, has_colour('auto'))}\n")
            return False

        def explain(_: str) -> bool:
            print(f"{self._interface.actions_help}\n  table            show the table again\n  q, quit          leave")
            return False

        def leave(_: str) -> bool:
            return True

        show("")
        try:
            action = ask_decision(self.rules, observation, mask, {"table": show, "help": explain, "quit": leave})
        except (EOFError, OSError):  # the latter where standard input may not be read at all
            raise AgentError("agent human: no answer, standard input is closed") from None
        if action is None:
            raise AgentError("agent human: the player has left")
        return action
