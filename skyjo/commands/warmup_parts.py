"""The parts of the command `warmup`: each uses one part of the package, so that its code gets compiled.

They call what users call, so that nobody has to list compiled functions and the types of their arguments.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from cardtable.agents import choose, sees_hidden
from cardtable.card_game import Setup, find_playable
from cardtable.errors import AgentError
from cardtable.play.luck import OWN
from cardtable.play.pairing import play_paired
from skyjo.table.game_terminal import terminal_of
from skyjo.table.session import Session

ENVIRONMENTS = {"skyjo": "Skyjo", "skipbo": "SkipBo"}  # their names in Gymnasium
GUESTS = ("human", "policy", "look")  # people decide without compiled code; the others have parts of their own


def _package(game: str) -> ModuleType:
    return import_module(f"{game}_env")


def table(game: str) -> None:
    """A round at one table, with every method that needs compiled code."""
    here, chooser = _package(game), random.Random(1)
    now = here.Game(seed=1, episode="round")
    here.Game.from_position(now.position())
    while not now.is_over:
        action = chooser.choice(now.legal_actions())
        cards = list(now.outcomes(action))[:1]
        now.copy().apply(action, *cards)
        now.observation(0)
        now.play(action)
    here.replay(now.record())


def tables(game: str) -> None:
    """Many tables at once, and guesses at what a seat cannot see."""
    here = _package(game)
    for threads in (1, 2):
        batch = here.GameBatch(here.OFFICIAL, n=128, seed=1, episode="round", threads=threads)
        batch.step(batch.masks.argmax(axis=1))
        batch.reset(seed=2)
    here.GameBatch.sample(here.OFFICIAL, batch.observations)


def environments(game: str) -> None:
    """PettingZoo and Gymnasium, with one table and with many, in threads too, with plain and one-hot observations."""
    import gymnasium

    env, chooser = import_module(f"{game}_env.{game}_v0").env(episode="round"), random.Random(1)
    env.reset(seed=1)
    for _ in env.agent_iter():  # to the end, where rewards are computed
        _, _, is_ended, is_stopped, info = env.last()
        env.step(None if is_ended or is_stopped else chooser.choice(info["legal_actions"]))
    name = f"{game}_env:{game}/{ENVIRONMENTS[game]}-v0"
    choices: tuple[dict[str, Any], ...] = ({}, {"encoding": "onehot", "reward": "margin"})
    for threads, options in enumerate(choices, 1):
        one = gymnasium.make(name, **options)
        many = gymnasium.make_vec(name, num_envs=128, threads=threads, **options)
        _, info = one.reset(seed=1)
        one.step(int(info["action_mask"].argmax()))
        _, infos = many.reset(seed=1)
        many.step(infos["action_mask"].argmax(axis=1))


def scripts(game: str) -> None:
    """Decisions of all scripted agents, and matches between them."""
    for name in find_playable(game).agents.names:
        if name not in GUESTS:
            _decide(game, f"{name}:n=2" if name == "rollout" else name)
    _play(game, find_playable(game).yardstick)


def policies(game: str) -> None:
    """Matches between learned policies and scripts."""
    try:
        _decide(game, "policy")
    except AgentError:  # it lacks an extra, without which nobody needs what would be compiled for it
        return
    _play(game, "policy")


def looks(game: str) -> None:
    """Matches of the agent that looks ahead, games judged by it, and luck measured by its network."""
    if "look" not in find_playable(game).agents.names:
        return
    _decide(game, "look")
    _play(game, "look")
    from skyjo.analysis.skyjo_judge import SkyjoJudge

    measured = Setup(_package(game).OFFICIAL, 1, "round", with_luck=True, luck_by="network")
    play_paired([find_playable(game).yardstick] * 2, measured, range(1))
    judge = SkyjoJudge(_record(game))
    for _ in range(judge.total):
        judge.judge()
    for move in judge.doubtful[:1]:
        judge.check(move, lambda: False)


def hints(game: str) -> None:
    """What agents would do in a person's place, and what that is worth to them."""
    session = Session(_package(game).Game(seed=1, episode="round"), 0, [find_playable(game).yardstick])
    for name in terminal_of(session.game).advisers:
        with suppress(AgentError):  # it lacks an extra
            session.hint(name)


def replays(game: str) -> None:
    """A stored game played again, as `games check` does."""
    here, record = find_playable(game), _record(game)
    setup = Setup(_package(game).OFFICIAL, record["seed"], "round", keep=True)
    actions = np.array(record["actions"], here.action_type)
    here.replay(setup, range(record["deal"], record["deal"] + 1), np.array([len(actions)]), actions)


def _record(game: str) -> dict[str, Any]:
    now, chooser = _package(game).Game(seed=1, episode="round"), random.Random(1)
    while not now.is_over:
        now.apply(chooser.choice(now.legal_actions()))
    record: dict[str, Any] = now.record()
    return record


def _setups(game: str) -> Iterator[Setup]:
    """A match without luck terms, and one for each way to compute them."""
    plain = Setup(_package(game).OFFICIAL, 1, "round")
    yield plain
    yield replace(plain, with_luck=True, luck_by=OWN)


def _play(game: str, name: str) -> None:
    registry = find_playable(game).agents
    for setup in _setups(game):
        for other in (find_playable(game).yardstick, "random"):  # in compiled code, and by asking each agent
            play_paired([registry.make(each, setup.rules) for each in (name, other)], setup, range(2))


def _decide(game: str, name: str) -> None:
    """Ask an agent for decisions at a table, as people who play against it do."""
    setup = Setup(_package(game).OFFICIAL, 1, "round")
    agent, at_table = find_playable(game).agents.make(name, setup.rules), find_playable(game).deal(setup, range(1))
    for _ in range(8):
        observations, masks, _ = at_table.show()
        states = at_table.states() if sees_hidden(agent) else None
        at_table.step(choose(agent, name, observations, masks, states))


PARTS = {
    "one table": table,
    "many tables": tables,
    "environments": environments,
    "scripts": scripts,
    "policies": policies,
    "looking ahead": looks,
    "hints": hints,
    "stored games": replays,
}
