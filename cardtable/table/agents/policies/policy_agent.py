"""Agents that play a learned network: always the legal action that it rates best.

torch is imported only when such an agent is made.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.policies.model_card import chosen
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import distribution_of, find_game
from cardtable.table.game.table_rules import TableRules

if TYPE_CHECKING:
    from cardtable.table.agents.policies.policy_file import PolicyNetwork


class NetworkAgent:
    """Plays the legal action that a network in memory rates best."""

    def __init__(self, network: "PolicyNetwork") -> None:
        self.network = network

    def act(
        self,
        observations: NDArray[np.int16],
        masks: NDArray[np.int8],
        rng_states: NDArray[np.uint64],  # noqa: ARG002 (nothing is left to chance)
    ) -> NDArray[np.int64]:
        """Return the best action for every table."""
        from cardtable.table.agents.policies.policy_file import best_actions

        return best_actions(self.network, observations, masks)


class PolicyAgent(NetworkAgent):
    """Plays the legal action that the network of a policy rates best. `path` names a policy's .safetensors file, `name`
    a policy of the package; without either it plays the package's policy for this table.

    These files hold numbers only, so a stranger's policy runs no code. A .zip of stable-baselines3 is never opened:
    the command `export` turns it into a policy.
    """

    def __init__(self, rules: TableRules, path: str = "", name: str = "") -> None:
        self.rules = rules
        self.file = chosen(rules, path, name)
        try:
            from cardtable.table.agents.policies.policy_file import load_policy

            network, model_card = load_policy(self.file, self.rules)
        except ModuleNotFoundError as error:
            extra = f"{distribution_of(find_game(rules.game))}[train]"
            raise AgentError(f'agent policy needs {error.name}: pip install "{extra}"') from None
        super().__init__(network)
        self.digest = model_card.sha256  # stored games tell which weights played

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], rng_states: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Return the best action for every table, on one thread of torch's: small networks are slower on several."""
        import torch

        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            return super().act(observations, masks, rng_states)
        finally:
            torch.set_num_threads(threads)
