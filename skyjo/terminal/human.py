"""The agent `human`: whoever sits at the terminal."""

import numpy as np
from numpy.typing import NDArray

from skyjo.terminal.prompt import ACTIONS_HELP, ask_decision
from skyjo.terminal.table_view import format_view, seat_names
from skyjo_env import OFFICIAL, AgentError, Rules
from skyjo_env.observation import spec_of
from skyjo_env.render.text import terminal_has_colour
from skyjo_env.rules import check_rules


class HumanAgent:
    """Shows each table on the terminal, as its seat sees it, and asks for an action."""

    def __init__(self, rules: Rules = OFFICIAL) -> None:
        self.rules = check_rules(rules)

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """The player's action for every table, one after the other; AgentError if nobody answers."""
        del chances  # people bring their own
        actions = [self._ask(observation, mask) for observation, mask in zip(observations, masks, strict=True)]
        return np.array(actions, np.int64)

    def _ask(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> int:
        seat = int(spec_of(self.rules).view(observation).seat)

        def show(_: str) -> bool:
            names = seat_names(self.rules)
            names[seat] = f"you (seat {seat})"
            print(f"\n{format_view(self.rules, observation, names, terminal_has_colour())}\n")
            return False

        def explain(_: str) -> bool:
            print(f"{ACTIONS_HELP}\n  table            show the table again\n  q, quit          leave")
            return False

        def leave(_: str) -> bool:
            return True

        show("")
        try:
            action = ask_decision(self.rules, observation, mask, {"table": show, "help": explain, "quit": leave})
        except (EOFError, OSError):  # the latter where standard input may not be read at all
            raise AgentError("agent human: nobody answers, standard input is closed") from None
        if action is None:
            raise AgentError("agent human: the player has left")
        return action
