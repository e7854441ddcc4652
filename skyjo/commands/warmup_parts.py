"""The parts of the command `warmup`: each uses one part of the package, so that its code gets compiled.

They call the functions that users call, so that no list of compiled functions and argument types is needed.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from cardtable.arena.play.luck import OWN
from cardtable.arena.play.pairing import play_paired
from cardtable.table.agents.agents import RandomAgent, agents_of, choose, sees_hidden
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import Setup, find_game
from cardtable.table.game.measured_deals import MeasuredDeals, replayed
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_batch import batch_class
from cardtable.table.game.table_game import game_class
from skyjo.analysis.judge import analyst_for
from skyjo.interfaces import find_interface
from skyjo.table.played_game import Session

GUESTS = ("human", "policy", "lookahead")  # people decide without compiled code; the others have separate parts


def table(game: str) -> None:
    """Play a round at one table, with every method that needs compiled code."""
    card_game, chooser = find_game(game), random.Random(1)
    now = game_class(card_game)(seed=1, episode="round")
    with suppress(TableError):  # not every game has written positions
        game_class(card_game).from_position(now.position())
    while not now.is_over:
        action = chooser.choice(now.legal_actions())
        with suppress(TableError):  # nor cards that can be chosen
            now.copy().apply(action, *list(now.outcomes(action))[:1])
        now.observation(0)
        now.play(action)
    RecordFormat(card_game).replay(now.record())


def tables(game: str) -> None:
    """Compile many tables at once, and samples of hidden cards."""
    make = batch_class(find_game(game))
    batch = make(n=128, seed=1, episode="round")
    batch.step(batch.masks.argmax(axis=1))
    with suppress(TableError):  # not every game can guess
        make.sample(batch.rules, batch.observations)


def environments(game: str) -> None:
    """Compile PettingZoo, Gymnasium and batches, with one table and with many, with plain and one-hot observations."""
    from cardtable.table.envs.aec import TableAECEnv
    from cardtable.table.envs.gymnasium_envs import SeatEnv

    class Seats(TableAECEnv):
        card_game = find_game(game)

    class One(SeatEnv):
        card_game = find_game(game)

    env, chooser = Seats(episode="round"), random.Random(1)
    env.reset(seed=1)
    for _ in env.agent_iter():  # to the end, where rewards are computed
        seen, _, is_ended, is_stopped, _ = env.last()
        env.step(None if is_ended or is_stopped else chooser.choice(seen["action_mask"].nonzero()[0]))
    choices: tuple[dict[str, Any], ...] = ({}, {"encoding": "onehot", "reward": "margin"})
    other = RandomAgent(None)  # no script, which the part `scripts` compiles
    for options in choices:
        one, many = One(opponents=other, **options), _vector(game)(128, opponents=other, **options)
        _, info = one.reset(seed=1)
        one.step(int(info["action_mask"].argmax()))
        _, infos = many.reset(seed=1)
        many.step(infos["action_mask"].argmax(axis=1))
        every = batch_class(find_game(game))(n=128, **options)
        every.step(every.masks.argmax(axis=1))


def scripts(game: str) -> None:
    """Run decisions of all scripted agents, matches between them, and their play against a learner."""
    for name in agents_of(find_game(game)).names():
        if name not in GUESTS:
            _decide(game, f"{name}:n=2" if name == "rollout" else name)
    _play(game, find_game(game).reference_agent)
    _vector(game)(2, opponents=find_game(game).reference_agent).reset(seed=1)


def policies(game: str) -> None:
    """Compile matches between learned policies and scripts."""
    try:
        _decide(game, "policy")
    except AgentError:  # it lacks an extra, without which its compiled code is not needed
        return
    _play(game, "policy")


def looks(game: str) -> None:
    """Run matches of the agent that looks ahead, let it judge games, and measure luck by its network."""
    if "lookahead" not in agents_of(find_game(game)).names():
        return
    _decide(game, "lookahead")
    _play(game, "lookahead")
    measured = Setup(find_game(game).official, 1, "round", with_luck=True, luck_by="network")
    play_paired([find_game(game).reference_agent] * 2, measured, range(1))
    _, analyst = analyst_for(find_interface(game), find_game(game).official)
    for judged in [one for one in analyst.decisions(_record(game)) if analyst.is_doubtful(one)][:1]:
        analyst.check(judged)


def hints(game: str) -> None:
    """Compute hints of all advisers once: their actions in a person's place, and the values of these."""
    session = Session(game_class(find_game(game))(seed=1, episode="round"), 0, [find_game(game).reference_agent])
    for name in session.interface.advisers:
        with suppress(AgentError):  # it lacks an extra
            session.hint(name)


def replays(game: str) -> None:
    """Play a stored game again, as `games check` does."""
    card_game, record = find_game(game), _record(game)
    setup = Setup(find_game(game).official, record["seed"], "round", record_actions=True)
    actions = np.array(record["actions"], card_game.action_type)
    replayed(setup, range(record["deal"], record["deal"] + 1), np.array([len(actions)]), actions)


def _vector(game: str) -> Any:
    """Return the class of the vector environment."""
    from cardtable.table.envs.gymnasium_envs import SeatVectorEnv

    class Many(SeatVectorEnv):
        card_game = find_game(game)

    return Many


def _record(game: str) -> dict[str, Any]:
    now, chooser = game_class(find_game(game))(seed=1, episode="round"), random.Random(1)
    while not now.is_over:
        now.apply(chooser.choice(now.legal_actions()))
    record: dict[str, Any] = now.record()
    return record


def _setups(game: str) -> Iterator[Setup]:
    """Yield a match without luck terms, and one for each way to compute them, if the game has any."""
    plain = Setup(find_game(game).official, 1, "round")
    yield plain
    if find_game(game).luck.terms:
        yield replace(plain, with_luck=True, luck_by=OWN)


def _play(game: str, name: str) -> None:
    registry = agents_of(find_game(game))
    for setup in _setups(game):
        for other in (find_game(game).reference_agent, "random"):  # in compiled code, and by asking each agent
            play_paired([registry.make(agent, setup.rules) for agent in (name, other)], setup, range(2))


def _decide(game: str, name: str) -> None:
    """Ask an agent for decisions at a table, as people who play against it do."""
    setup = Setup(find_game(game).official, 1, "round")
    agent, at_table = agents_of(find_game(game)).make(name, setup.rules), MeasuredDeals(setup, range(1))
    for _ in range(8):
        observations, masks, _ = at_table.shown
        states = at_table.states if sees_hidden(agent) else None
        at_table.step(choose(agent, name, at_table.spec, observations, masks, states))


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
