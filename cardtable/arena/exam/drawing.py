"""Draw questions from the play of many agents, and value every action by rollouts."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import count, islice
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.questions import HALVES, Exam, ExamKind, Questions
from cardtable.table.agents.agents import Agent, agents_of, choose
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.game.card_game import distribution_of, find_game
from cardtable.table.game.table_game import game_class
from cardtable.table.kernel.futures import GAINED, POINTS, SQUARES

Position = tuple[NDArray[np.int16], NDArray[np.int8], int]  # what is seen, what is legal, and the phase


def draw(kind: ExamKind, seed: int, threads: int, report: Callable[[int], None] = lambda _: None) -> Exam:
    """Return questions of this seed; `report(1)` is called for each."""
    tables = {players: _questions(kind, players, seed, threads, report) for players in kind.draws}
    recipe = {
        "game": kind.game,
        "seed": seed,
        "players": [*kind.draws],
        "rollouts": {str(players): draw.rollouts for players, draw in kind.draws.items()},
        "agents": {str(players): [*draw.agents] for players, draw in kind.draws.items()},
        "base": kind.base,
        "turns": {str(players): int(_search(kind, players).turns) for players in kind.draws},
        "version": version(distribution_of(find_game(kind.game))),
    }
    return Exam(recipe, tables)


def _questions(kind: ExamKind, players: int, seed: int, threads: int, report: Callable[[int], None]) -> Questions:
    search, wanted = _search(kind, players), kind.draws[players]
    positions = list(islice(_positions(kind, search, seed), wanted.questions))

    def work(number: int) -> tuple[Any, float]:
        observation, mask, _ = positions[number]
        (key,) = np.random.SeedSequence((seed, players, number)).generate_state(1, np.uint64)
        labels = label(search, observation, mask, wanted.rollouts, key)
        report(1)
        return labels

    with ThreadPoolExecutor(threads) as pool:
        action_values, errors = zip(*pool.map(work, range(len(positions))), strict=True)
    return Questions(
        observations=np.stack([observation for observation, _, _ in positions]),
        action_values=np.stack(action_values, axis=1),
        errors=np.array(errors, np.float32),
        phases=np.array([phase for _, _, phase in positions], np.int8),
    )


def _search(kind: ExamKind, players: int) -> RolloutSearch:
    return kind.search(find_game(kind.game).official.replace(players=players), kind.base)


def _positions(kind: ExamKind, search: RolloutSearch, seed: int) -> Iterator[Position]:
    """Positions with at least two different actions, at most one from each round; the phases take turns."""
    rules = search.rules
    names = kind.draws[rules.players].agents
    agents = [(name, agents_of(find_game(kind.game)).make(name, rules)) for name in names]
    phase = 0
    for number in count():
        rng = np.random.default_rng((seed, rules.players, number))
        position = _position(kind, search, agents, rng, phase)
        if position is not None:
            yield *position, phase
            phase = (phase + 1) % len(kind.phases)


def _position(
    kind: ExamKind,
    search: RolloutSearch,
    agents: list[tuple[str, Agent]],
    rng: np.random.Generator,
    phase: int,
) -> tuple[NDArray[np.int16], NDArray[np.int8]] | None:
    """Return a random position of this phase in a round between some of the agents; None if there is none."""
    rules, game = search.rules, find_game(kind.game)
    seats = [agents[index] for index in rng.integers(len(agents), size=rules.players)]
    table, matches, seen = game_class(game)(rules, int(rng.integers(2**62)), 0, "round"), 0, None
    while not table.is_over:
        observation, mask = table.observation().copy(), table.mask().copy()
        differ = len(search.distinct_actions(observation, mask, int(np.argmax(mask)))) > 1
        if differ and kind.phase_of(rules, observation) == phase:
            matches += 1
            seen = (observation, mask) if rng.random() * matches < 1 else seen
        name, agent = seats[table.seat]
        table.apply(int(choose(agent, name, game.spec_of(rules), observation[None], mask[None])[0]))
    return seen


def label(
    search: RolloutSearch, observation: NDArray[np.int16], mask: NDArray[np.int8], rollouts: int, key: np.uint64
) -> tuple[NDArray[np.float32], float]:
    """Return the value of every action by either half of the rollouts, [HALVES, A], and a standard error.

    That error is the mean, over actions, of the standard error of their difference from the first action by all
    rollouts.
    """
    effects, half = search.effects(observation, mask), rollouts // HALVES
    actions, others = search.distinct_actions(observation, mask, next(iter(effects))), search.rules.players - 1
    seat = int(observation[search.card_game.at("seat")])
    tried = np.stack([search.try_actions(observation, actions, range(first, first + half), key) for first in (0, half)])
    action_values = np.full((HALVES, len(mask)), np.nan, np.float32)
    action_values[:, actions] = tried[:, POINTS + seat] / (half * others)
    by_effect = {effects[action]: action for action in actions.tolist()}
    for action, effect in effects.items():
        action_values[:, action] = action_values[:, by_effect[effect]]
    gains, squares = tried[:, GAINED, 1:].sum(0), tried[:, SQUARES, 1:].sum(0)
    variances = (squares - gains**2 / (HALVES * half)) / (HALVES * half) ** 2 / others**2
    return action_values, sqrt(float(variances.mean()))
