"""`python -m skyjo_agents.make_equities` makes the tables of match equity that come with the package, from rounds that
`policy` plays against itself.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_agents.equity_play import STAGES
from skyjo_agents.equity_samples import SAMPLE_DTYPE, sample_rounds
from skyjo_agents.equity_tables import FILE, LEFT, LOWEST_REST, RESTS, Equities
from skyjo_agents.match_equity import Floats, chances_of, equities
from skyjo_agents.policy import LookAgent, PolicyAgent
from skyjo_env.observation import spec_of
from skyjo_env.rules import OFFICIAL

ROUNDS, SEED = 200_000, 1
AT_ONCE, ROOM = 2_000, 256  # rounds that are played in one call, and decisions a round that there is room for
LOWEST_SCORE, SCORES = -24, 128

Samples = NDArray[Any]  # [decisions] of SAMPLE_DTYPE


def main() -> None:
    """Play the rounds, and write the tables."""
    policy, judge = PolicyAgent(), LookAgent()
    scores, samples = samples_of(policy, judge, ROUNDS, SEED)
    made_from = {"policy": policy.digest, "rounds": str(ROUNDS), "seed": str(SEED)}
    equities_from(scores, samples).save(FILE, made_from)
    print(f"{FILE.name}: {len(scores):,} rounds, {len(samples):,} decisions")


def samples_of(policy: PolicyAgent, judge: LookAgent, rounds: int, seed: int) -> tuple[NDArray[np.int64], Samples]:
    """The scores of rounds that a policy plays against itself, [rounds, 2], and their decisions."""
    scores, kept, view = [], [], np.zeros(spec_of(OFFICIAL).size, np.int16)
    for first in range(0, rounds, AT_ONCE):
        lengths = np.zeros(min(AT_ONCE, rounds - first), np.int64)
        samples = np.empty(ROOM * len(lengths), SAMPLE_DTYPE)
        numbers = np.uint64(seed), np.uint64(first)
        sample_rounds(OFFICIAL.params, policy.player, judge.player, *numbers, view, lengths, samples)
        last = samples[np.cumsum(lengths[lengths > 0]) - 1]  # the last decision of every round
        scores.append(np.stack([last["own"], last["other"]], axis=1).astype(np.int64))
        kept.append(samples[: lengths.sum()].copy())
    return np.concatenate(scores), np.concatenate(kept)


def equities_from(scores: NDArray[np.int64], samples: Samples) -> Equities:
    """The tables, both seats alike."""
    both_ways = np.concatenate([scores, scores[:, ::-1]])
    between_rounds = equities(chances_of(both_ways, LOWEST_SCORE, SCORES), LOWEST_SCORE, LEFT)
    rests = [_rests(samples[samples["stage"] == stage], scores.mean()) for stage in range(STAGES)]
    return Equities(between_rounds.astype(np.float32), np.array(rests, np.float32))


def _rests(samples: Samples, usual: float) -> Floats:
    """How likely seats score this many points beside half the expected margin, at one stage.

    Their mean is made that of all rounds, the usual score: were it another at every stage, an action would seem good
    or bad for its stage alone.
    """
    scores = np.stack([samples["own"], samples["other"]], axis=1).astype(np.float64)
    half = samples["margin"][:, None] * np.array([0.5, -0.5])
    rests = np.rint(scores + half + usual - scores.mean()).astype(np.int64)
    return chances_of(rests, LOWEST_REST, RESTS)


if __name__ == "__main__":
    main()
