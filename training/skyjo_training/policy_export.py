"""A learned policy for others: weights and card for the agent `policy`, and ONNX for programs without torch."""

import json
import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from cardtable.table.agents.policies.model_card import SUFFIX, ModelCard, Strength, card_path
from cardtable.table.agents.policies.policy_file import PolicyNetwork, save_policy
from cardtable.table.envs.options import observation_space
from cardtable.table.errors import TableError
from cardtable.table.files import write_whole

OPSET = 20
INPUT, OUTPUTS = "observations", ("logits", "values")


def export(
    network: PolicyNetwork,
    model_card: ModelCard,
    stem: Path,
    with_onnx: bool = False,
    report: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Write STEM.safetensors and STEM.json and, if asked for, STEM-PLAYERS.onnx for every size of table.

    Returns the files; `report(1)` is called for each. OSError, which names the file, if one cannot be written.
    """
    weights = stem.with_name(f"{stem.name}{SUFFIX}")
    model_card = save_policy(weights, network, model_card)
    files = [weights, card_path(weights)]
    report(1)
    for players in model_card.players if with_onnx else ():
        files.append(stem.with_name(f"{stem.name}-{players}.onnx"))
        write_whole(files[-1], to_onnx(network, model_card, players))
        report(1)
    return files


def strength_of(comparison: str) -> list[Strength]:
    """Return the results of `compare --json` for a single policy, for its card; TableError for any other text."""
    try:
        document: dict[str, Any] = json.loads(comparison)
        policies = len(document["policies"])
        strength: list[Strength] = [
            {
                "against": row["opponent"],
                "deals": row["deals"],
                "players": document["players"],
                "seed": document["seed"],
                "luck": document["luck"],
                "margin": row["together"]["margin"],
                "rounds": row["together"]["rounds"],
                "games": row["together"]["games"],
            }
            for row in document["against"]
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise TableError("this is not the output of compare --json") from None
    if policies > 1:
        raise TableError("this compares several policies; a card is for one")
    return strength


def to_onnx(network: PolicyNetwork, model_card: ModelCard, players: int) -> bytes:
    """Return the network as ONNX, for any number of tables with this many players; its metadata hold the card.

    It takes observations, int16[N, D], and gives logits [N, A] of all actions, legal or not, and values [N].
    """
    import onnx  # only when it is asked for: training exports too

    (size,) = observation_space(model_card.rules.replace(players=players)).shape
    tables = torch.export.Dim("N")
    with _quiet():
        interface = torch.onnx.export(
            network.cpu().eval(),
            (torch.zeros(2, size, dtype=torch.int16),),
            input_names=[INPUT],
            output_names=list(OUTPUTS),
            dynamic_shapes=({0: tables},),
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
    assert interface is not None
    model = interface.model_proto
    _forget_origin(model)
    about = {"input": INPUT, "outputs": " ".join(OUTPUTS), "opset": str(OPSET), "players": str(players)}
    onnx.helper.set_model_props(model, about | {"card": model_card.to_json()})
    data: bytes = model.SerializeToString()
    return data


def _forget_origin(model: Any) -> None:
    """Remove torch's notes on which lines of which files on this machine made each part."""
    graph = model.graph
    for part in (graph, *graph.node, *graph.input, *graph.output, *graph.initializer, *graph.value_info):
        del part.metadata_props[:]


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence torch's warnings about its own internals: missing packages, deprecated functions."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
