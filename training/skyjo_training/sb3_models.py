"""Models of stable-baselines3 as agents: opponents in environments, and players of matches."""

import hashlib
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.dqn.policies import DQNPolicy

from cardtable.table.agents.agents import Agent, agents_of
from cardtable.table.agents.policies.model_card import ModelCard
from cardtable.table.agents.policies.policy_file import PolicyNetwork, card_of, save_policy
from cardtable.table.checks import brief
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_rules import TableRules
from skyjo_training.table_policy import TablePolicy


class SB3Agent:
    """Plays the legal action that a policy of stable-baselines3 rates best."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        is_onehot = np.issubdtype(policy.observation_space.dtype, np.floating)
        self.encoding = "onehot" if is_onehot else "compact"
        weights = (weight.cpu().numpy().tobytes() for weight in policy.state_dict().values())
        self.digest = hashlib.sha256(b"".join(weights)).hexdigest()  # stored games tell which weights played

    def act(
        self,
        observations: NDArray[Any],
        masks: NDArray[np.int8],
        rng_states: NDArray[np.uint64],  # noqa: ARG002 (nothing is left to chance)
    ) -> NDArray[np.int64]:
        """Return the best legal action for every table."""
        inputs, _ = self.policy.obs_to_tensor(observations)
        with torch.no_grad():
            if isinstance(self.policy, DQNPolicy):
                ratings = self.policy.q_net(inputs)
            else:
                ratings = self.policy.get_distribution(inputs).distribution.logits
        best: NDArray[np.int64] = np.where(masks == 1, ratings.cpu().numpy(), -np.inf).argmax(1)
        return best


def network_agent(network: PolicyNetwork, rules: TableRules) -> Agent:
    """Return the agent `policy` with a copy of a network; the agent is compiled code in some games."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "policy.safetensors"
        save_policy(file, network, card_of(network, (rules.players,)))
        agent: Agent = agents_of(find_game(rules.game)).factory("policy")(rules, path=str(file))
        return agent


def sb3_agent(model: BaseAlgorithm) -> Agent:
    """Return an agent that plays as a model of PPO, A2C, MaskablePPO or DQN does now, for as many tables as you like.

    The agent plays the legal action that the model rates best and draws no samples. A model with `TablePolicy` plays
    as the agent `policy`, which in Skyjo ends long rounds. The agent keeps a copy of the policy, so the model can
    learn on against it. AgentError for a model of another kind, or one that learned from normalized observations,
    which agents are not shown.
    """
    policy, normalized = model.policy, model.get_vec_normalize_env()
    if not isinstance(model, PPO | A2C | MaskablePPO | DQN):
        raise AgentError(f"a model of {type(model).__name__} cannot be an agent, only PPO, A2C, MaskablePPO and DQN")
    if normalized is not None and normalized.norm_obs:
        raise AgentError("the model learned from normalized observations: use VecNormalize(..., norm_obs=False)")
    if isinstance(policy, TablePolicy):
        return network_agent(policy.network, policy.rules)
    without = policy.optimizer, getattr(getattr(policy, "action_dist", None), "distribution", None)  # of the last batch
    copied = deepcopy(policy, {id(part): None for part in without})
    copied.set_training_mode(False)
    return SB3Agent(copied)


def load_zip(path: Path) -> tuple[PolicyNetwork, ModelCard]:
    """Return the network of a MaskablePPO that was trained with TablePolicy, and its card; AgentError for anything
    else.

    Only for files that you trust: it runs their code.
    """
    try:
        with torch.random.fork_rng(devices=[]):
            model = MaskablePPO.load(path, device="cpu", custom_objects={"seed": None})  # it would seed all generators
    except Exception as error:  # a pickle can raise anything
        raise AgentError(f"{path} cannot be loaded: {type(error).__name__}: {brief(str(error))}") from error
    if not isinstance(model.policy, TablePolicy):
        raise AgentError(
            f"{path} was trained with {type(model.policy).__name__}, not with skyjo_training.table_policy.TablePolicy"
        )
    network = model.policy.network
    players = network.rules.players
    tables = (players,) if network.seats == players else tuple(range(2, network.seats + 1))
    return network.eval().requires_grad_(False), card_of(network, tables)
