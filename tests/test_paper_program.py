"""The compiled program of the paper against its line-by-line transcription: the same games card by card."""

import random
from statistics import StatisticsError

import numpy as np
import pytest

from arena.paper.program import CRASHED, ENDED, LAID_BACK, STOPPED, TAKEN, TURNS, play_program
from skyjo_env import REICHEL
from skyjo_env.kernel.chance import game_key
from tests import oracle
from tests.paper_appendix import play_game

SEED = 3


class SameChance:
    """The kernel's chance (RULES.md, section 10) in the dress of Python's `random`."""

    def __init__(self, game: int) -> None:
        self.source = oracle.Table(REICHEL)
        self.source.chance = int(game_key(np.uint64(SEED), np.uint64(game)))

    def shuffle(self, x: list[int]) -> None:
        self.source.shuffle(x)

    def sample(self, population: range, k: int) -> list[int]:
        left = list(population)
        return [left.pop(self.source.number_below(len(left))) for _ in range(k)]

    def choice(self, seq: list[int]) -> int:
        return seq[self.source.number_below(len(seq))]


def outcome(turns: int) -> int:
    return STOPPED if turns == 500 else ENDED


@pytest.mark.parametrize(("t", "games"), [(-2, 60), (0, 200), (2, 200), (2.5, 40), (5, 60), (12, 15)])
def test_it_plays_the_very_games_of_the_transcription(t: float, games: int) -> None:
    compiled = play_program(t, range(games), SEED)
    for game in range(games):
        *scores, turns = play_game(t, SameChance(game))
        assert compiled.scores[game].tolist() == scores
        assert compiled.counts[game, TURNS] == turns
        assert compiled.outcomes[game] == outcome(turns)


def test_it_crashes_where_the_transcription_does() -> None:
    """An empty draw pile has no mean."""
    compiled = play_program(-2, range(20_000), SEED)
    crashed = np.flatnonzero(compiled.outcomes == CRASHED).tolist()
    assert 0 < len(crashed) < 40
    for game in crashed:
        with pytest.raises(StatisticsError):
            play_game(-2, SameChance(game))
    assert len(compiled.told) == 20_000 - len(crashed)


def test_its_scores_are_distributed_like_those_of_pythons_own_chance() -> None:
    chance = random.Random(1)
    plain = np.array([play_game(1, chance)[:2] for _ in range(2500)])
    compiled = play_program(1, range(60_000), SEED).scores
    error = (plain.mean(1).var() / len(plain) + compiled.mean(1).var() / len(compiled)) ** 0.5
    assert abs(plain.mean() - compiled.mean()) < 4 * error
    assert abs(plain.std() - compiled.std()) < 0.5


def test_a_game_depends_on_its_number_and_the_seed_alone() -> None:
    whole, part = play_program(1, range(100), 5), play_program(1, range(60, 100), 5)
    assert (whole.scores[60:] == part.scores).all()
    assert (whole.counts[60:] == part.counts).all()
    assert (whole.scores != play_program(1, range(100), 6).scores).any()


def test_at_a_high_threshold_both_lay_the_same_card_back_for_ever() -> None:
    games = play_program(12, range(50), SEED)
    assert (games.outcomes == STOPPED).all()
    assert (games.counts[:, TAKEN] == 500).all()
    assert (games.counts[:, LAID_BACK] > 450).all()
