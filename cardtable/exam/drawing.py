"""Draw questions from the play of many agents, and find out by rollouts what every action is worth."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import Agent, choose
from cardtable.card_game import CardGame, find_game
from cardtable.exam.questions import HALVES, Exam, ExamKind, Questions
from cardtable.rollout_search import RolloutSearch

Position = tuple[NDArray[np.int16], NDArray[np.int8], int]  # what is seen, what is legal, and the phase


def draw(kind: ExamKind, seed: int, threads: int, report: Callable[[int], None] = lambda _: None) -> Exam:
    """Questions of this seed; `report(1)` is called for each."""
    tables = {players: _questions(kind, players, seed, threads, report) for players in kind.draws}
    recipe = {
        "game": kind.game,
        "seed": seed,
        "players": [*kind.draws],
        "rollouts": {str(players): each.rollouts for players, each in kind.draws.items()},
        "agents": {str(players): [*each.agents] for players, each in kind.draws.items()},
        "play on": {str(players): words for players, words in kind.play_on.items()},
    }
    return Exam(recipe, tables)


def _questions(kind: ExamKind, players: int, seed: int, threads: int, report: Callable[[int], None]) -> Questions:
    rules, wanted = find_game(kind.game).official.replace(players=players), kind.draws[players]
    search = kind.search(rules)
    found = list(islice(_positions(kind, rules, search, seed), wanted.questions))

    def work(number: int) -> tuple[Any, float]:
        observation, mask, _ = found[number]
        labels = label(search, observation, mask, wanted.rollouts, np.uint64(seed * wanted.questions + number))
        report(1)
        return labels

    with ThreadPoolExecutor(threads) as pool:
        worths, errors = zip(*pool.map(work, range(len(found))), strict=True)
    return Questions(
        observations=np.stack([observation for observation, _, _ in found]),
        worths=np.stack(worths, axis=1),
        errors=np.array(errors, np.float32),
        phases=np.array([phase for _, _, phase in found], np.int8),
    )


def _positions(kind: ExamKind, rules: Any, search: RolloutSearch, seed: int) -> Iterator[Position]:
    """Positions in which it matters what is done, no two of the same round; the phases take turns."""
    game, names = find_game(kind.game), kind.draws[rules.players].agents
    agents = [(name, game.make_agent(name, rules)) for name in names]
    phase = 0
    for number in count():
        rng = np.random.default_rng((seed, rules.players, number))
        found = _position(game, rules, agents, rng, lambda seen: kind.phase_of(rules, seen) == phase, search)  # noqa: B023
        if found is not None:
            yield *found, phase
            phase = (phase + 1) % len(kind.phases)


def _position(
    game: CardGame,
    rules: Any,
    agents: list[tuple[str, Agent]],
    rng: np.random.Generator,
    is_wanted: Callable[[NDArray[np.int16]], bool],
    search: RolloutSearch,
) -> tuple[NDArray[np.int16], NDArray[np.int8]] | None:
    """A random one of the wanted positions of a round between some of the agents; None if there is none."""
    seats = [agents[each] for each in rng.integers(len(agents), size=rules.players)]
    table, found, seen = game.new_game(rules, int(rng.integers(2**62)), 0, "round"), 0, None
    while not table.is_over:
        observation, mask = table.observation().copy(), table.mask().copy()
        if is_wanted(observation) and len(search.distinct_actions(observation, mask, int(np.argmax(mask)))) > 1:
            found += 1
            seen = (observation, mask) if rng.random() * found < 1 else seen
        name, agent = seats[table.seat]
        table.apply(int(choose(agent, name, observation[None], mask[None])[0]))
    return seen


def label(
    search: RolloutSearch, observation: NDArray[np.int16], mask: NDArray[np.int8], rollouts: int, key: np.uint64
) -> tuple[NDArray[np.float32], float]:
    """What every action is worth by either half of the rollouts, [HALVES, A], and the standard error of a difference
    by all of them.
    """
    actions, half = search.distinct_actions(observation, mask, int(np.argmax(mask))), rollouts // HALVES
    others = search.rules.players - 1
    tried = np.stack([search.try_actions(observation, actions, range(first, first + half), key) for first in (0, half)])
    worths = np.full((HALVES, len(mask)), np.nan, np.float32)
    worths[:, actions] = tried[:, 0] / (half * others)
    for action in np.flatnonzero(mask).tolist():  # the rest are like one of these
        if action not in actions:
            without = search.distinct_actions(observation, mask, action)
            worths[:, action] = worths[:, next(each for each in actions if each not in without)]
    gains, squares = tried[:, 1, 1:].sum(0), tried[:, 2, 1:].sum(0)
    variances = (squares - gains**2 / (HALVES * half)) / (HALVES * half) ** 2 / others**2
    return worths, sqrt(float(variances.mean()))
