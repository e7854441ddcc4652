"""The compiled program of the paper against its line-by-line transcription: the same games card by card."""

import random
from collections import Counter
from statistics import StatisticsError

import numpy as np
import pytest

from cardtable.kernel.chance import game_key
from skyjo_env import REICHEL
from studies.paper.program import (
    BY_THE_MEAN,
    COULD,
    CRASHED,
    ENDED,
    LAID_BACK,
    MISSED,
    STOPPED,
    TAKEN,
    TURNS,
    play_program,
)
from studies.tests import paper_appendix
from studies.tests.paper_appendix import COLUMNS, SIZE, Tableau, play_game
from tests.skyjo_env import oracle

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
@pytest.mark.long
def test_it_plays_the_very_games_of_the_transcription(t: float, games: int) -> None:
    compiled = play_program(t, range(games), SEED)
    for game in range(games):
        *scores, turns = play_game(t, SameChance(game))
        assert compiled.scores[game].tolist() == scores
        assert compiled.counts[game, TURNS] == turns
        assert compiled.outcomes[game] == outcome(turns)


@pytest.mark.long
def test_it_crashes_where_the_transcription_does() -> None:
    """An empty draw pile has no mean."""
    compiled = play_program(-2, range(20_000), SEED)
    crashed = np.flatnonzero(compiled.outcomes == CRASHED).tolist()
    assert 0 < len(crashed) < 40
    for game in crashed:
        with pytest.raises(StatisticsError):
            play_game(-2, SameChance(game))


@pytest.mark.long
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


def completing_cells(card: int, tableau: Tableau) -> set[int]:
    """Where a card would complete a column with points in it."""
    found = set()
    for cell in range(SIZE):
        others = [other for other in range(cell % COLUMNS, SIZE, COLUMNS) if other != cell]
        if all(tableau.revealed[other] and tableau.cards[other] == card > 0 for other in others):
            found.add(cell)
    return found


def test_what_is_counted_is_what_the_transcription_does(monkeypatch: pytest.MonkeyPatch) -> None:
    select, counted = paper_appendix.select, Counter[int]()

    def counting(card: int, expected: float, tableau: Tableau, chance: paper_appendix.Chance) -> int | None:
        chosen = select(card, expected, tableau, chance)
        cells = completing_cells(card, tableau)
        opened = [tableau.cards[cell] for cell in range(SIZE) if tableau.revealed[cell]]
        is_highest = all(value is None or value <= card for value in opened)
        counted[COULD] += len(cells) > 0
        counted[MISSED] += len(cells) > 0 and chosen not in cells
        counted[BY_THE_MEAN] += False in tableau.revealed and is_highest
        return chosen

    monkeypatch.setattr(paper_appendix, "select", counting)
    for game in range(200):
        play_game(2, SameChance(game))
    compiled = play_program(2, range(200), SEED).counts.sum(axis=0)
    assert counted == {event: compiled[event] for event in (COULD, MISSED, BY_THE_MEAN)}
    assert compiled[MISSED] < compiled[COULD] < compiled[TURNS]


def test_at_a_high_threshold_both_lay_the_same_card_back_for_ever() -> None:
    games = play_program(12, range(50), SEED)
    assert (games.outcomes == STOPPED).all()
    assert (games.counts[:, TAKEN] == 500).all()
    assert (games.counts[:, LAID_BACK] > 450).all()
