"""Stored games as a Minari dataset: every seat of a game is an episode of the game's Gymnasium environment."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import gymnasium
import h5py  # noqa: F401 (an installation without it shall say so before anything is written)
import minari
import numpy as np
from gymnasium.envs.registration import EnvSpec
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_dataset import parse_dataset_id
from minari.dataset.minari_storage import MinariStorage
from minari.namespace import create_namespace, list_local_namespaces
from minari.storage import get_dataset_path

from cardtable.arena.stored.decisions import decisions_of
from cardtable.arena.stored.game_search import Chosen, Wanted
from cardtable.arena.stored.pieces import ids_of, numbers
from cardtable.table.agents.agents import agents_of
from cardtable.table.checks import brief
from cardtable.table.envs.options import check_programs, encoded, seat_opponents
from cardtable.table.errors import AgentError, TableError


def write_dataset(name: str, facts: dict[str, Any], wanted: Wanted, games: Iterable[Chosen], encoding: str) -> Path:
    """Write a new dataset from all these games, as a whole or not at all, and return its folder; with `wanted.agent`
    only the seats of that agent. TableError if the name cannot be used.
    """
    spec = environment_spec(wanted, encoding)
    with _drafted(name) as (draft, folder):
        storage = MinariStorage.new(draft, env_spec=spec, data_format="hdf5")
        for chosen in games:
            episodes, first = list(_episodes(chosen, wanted.agent, encoding)), storage.total_episodes
            storage.update_episodes([buffer for buffer, _ in episodes])
            storage.update_episode_metadata([metadata for _, metadata in episodes], range(first, first + len(episodes)))
        if storage.total_episodes == 0:
            raise TableError("no games match")
        agents = facts["agents"] if wanted.agent is None else [wanted.agent]
        storage.update_metadata(
            {
                "dataset_id": name,
                "minari_version": minari.__version__,
                "algorithm_name": ", ".join(agents),
                "description": f"Seats of stored games of {wanted.plan.game.title}: {facts['command']}",
                "requirements": [facts["requires"]],
                wanted.plan.game.name: facts,
            }
        )
    return folder


def environment_spec(wanted: Wanted, encoding: str) -> EnvSpec:
    """Return the environment that the episodes are from. Its opponents are those of the games, if there is only one
    that an environment can seat; otherwise the environment's own.
    """
    plan = wanted.plan
    namespace = plan.game.name.replace("_", "-")
    specs = [spec for spec in gymnasium.registry.values() if spec.namespace == namespace]
    if not specs:
        raise TableError(f"{plan.game.name} has no Gymnasium environment")
    spec, rules, others = deepcopy(specs[0]), plan.setup.rules, _opponents(wanted)
    spec.kwargs = {"rules": rules.to_text(), "episode": plan.setup.episode, "encoding": encoding}
    if len(others) == 1:
        try:
            agents, names, _ = seat_opponents(agents_of(plan.game), rules, others)
            check_programs(agents, names)
        except AgentError:
            return spec
        spec.kwargs["opponents"] = others
    return spec


def _opponents(wanted: Wanted) -> list[str]:
    """Return all agents that play against a seat that becomes an episode."""
    tables = (table for number, table in enumerate(wanted.plan.tables) if wanted.is_possible(number))
    seats = ((table, seat) for table in tables for seat, name in enumerate(table) if wanted.agent in (None, name))
    return sorted({name for table, seat in seats for name in table[:seat] + table[seat + 1 :]})


def _episodes(chosen: Chosen, agent: str | None, encoding: str) -> Iterator[tuple[EpisodeBuffer, dict[str, Any]]]:
    """Yield the episodes of all seats, or of an agent's, and what is noted of each."""
    card_game, setup, decisions = chosen.plan.game, chosen.plan.setup, decisions_of(chosen)
    views, size = encoded(card_game, setup.rules, encoding, decisions.observations), decisions.observations.shape[1]
    ends = encoded(card_game, setup.rules, encoding, decisions.finals.reshape(-1, size)).reshape(
        *decisions.finals.shape[:2], -1
    )
    bounds = np.searchsorted(decisions.games, np.arange(len(ends) + 1))
    is_stopped = numbers(chosen.rows, "stopped")
    for number, game in enumerate(ids_of(chosen.rows)):
        for seat, name in enumerate(chosen.names[number].tolist()):
            rows = bounds[number] + np.flatnonzero(decisions.seats[bounds[number] : bounds[number + 1]] == seat)
            if len(rows) == 0 or agent not in (None, name):
                continue
            is_last = np.arange(len(rows)) == len(rows) - 1
            buffer = EpisodeBuffer(
                seed=setup.seed,
                options={"deal": game.deal},
                observations=np.concatenate([views[rows], ends[number, seat][None]]),
                actions=decisions.actions[rows],
                rewards=decisions.rewards[rows],
                terminations=is_last & ~is_stopped[number],
                truncations=is_last & is_stopped[number],
                infos={
                    "action_mask": np.concatenate([decisions.masks[rows], np.zeros_like(decisions.masks[:1])]),
                    "seat": np.full(len(rows) + 1, seat),
                    "round": np.append(decisions.rounds[rows], decisions.final_rounds[number]),
                },
            )
            yield buffer, {"game": str(game), "agent": name, "seat": seat}


@contextmanager
def _drafted(name: str) -> Iterator[tuple[Path, Path]]:
    """A folder to write the data of a dataset to, and the dataset's own, to which it is moved at the end, or not at all
    if anything is raised. Minari overlooks the draft. TableError unless the name is a good one and nothing is there.
    """
    try:
        namespace = parse_dataset_id(name)[0]
    except (ValueError, TypeError):  # the second if there is no version
        raise TableError(f"{brief(name)} does not name a Minari dataset: write one such as skyjo/tempo-v0") from None
    folder = Path(get_dataset_path(name))
    if folder.exists():
        raise TableError(f"{folder}: a dataset of this name exists already; choose another name")
    draft = get_dataset_path() / f".{os.getpid()}.draft"
    try:
        draft.mkdir()
        yield draft / "data", folder
        if namespace is not None and namespace not in list_local_namespaces():
            create_namespace(namespace)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
