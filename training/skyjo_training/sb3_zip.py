"""Policies that stable-baselines3 has saved: a zip with a pickle inside, which runs code when it is loaded."""

from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

from cardtable.table.agents.policies.policy_card import Card
from cardtable.table.agents.policies.policy_file import PolicyNetwork, card_of
from cardtable.table.checks import brief
from cardtable.table.errors import AgentError
from skyjo_training.table_policy import TablePolicy


def load_zip(path: Path) -> tuple[PolicyNetwork, Card]:
    """The network of a MaskablePPO that was trained with TablePolicy, and its card; AgentError for anything else.

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
