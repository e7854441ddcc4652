"""Match equity: exact where games are tiny, the same for both seats, and what `look` goes by in a game."""

import copy
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

from cardtable.errors import TableError
from skyjo_agents import LookAgent, PolicyAgent
from skyjo_agents.equity_play import FEWEST, MOST, PERCENT, STAGES
from skyjo_agents.equity_tables import FILE, LARGEST_TARGET, has_equities, shipped_equities
from skyjo_agents.make_equities import equities_from, samples_of
from skyjo_agents.match_equity import chances_of, equities, expected_after
from skyjo_agents.policy import MARGIN, WIN
from skyjo_env import OFFICIAL, Game, ObservationSpec, Rules, make_agent
from skyjo_env.actions import action_names
from skyjo_env.kernel.state import DRAW
from tests.helpers import table

TINY = {(-1, 2): 3, (2, -1): 3, (0, 0): 1, (1, 1): 1, (3, 1): 2, (1, 3): 2}  # scores of a round, and how often
MOST_LEFT = 5


def exact(outcomes: dict[tuple[int, int], int]) -> dict[tuple[int, int], Fraction]:
    """The chance to win from every pair of points left, as the solution of linear equations in fractions."""
    states = [(own, other) for own in range(1, MOST_LEFT + 1) for other in range(1, MOST_LEFT + 1)]
    rounds = sum(outcomes.values())
    rows = []
    for own, other in states:
        row = [Fraction(state == (own, other)) for state in states] + [Fraction(0)]
        for (mine, theirs), count in outcomes.items():
            after = min(own - mine, MOST_LEFT), min(other - theirs, MOST_LEFT)
            if min(after) > 0:
                row[states.index(after)] -= Fraction(count, rounds)
            elif after[0] >= after[1]:
                row[-1] += Fraction(count, rounds) / (2 if after[0] == after[1] else 1)
        rows.append(row)
    return dict(zip(states, solved(rows), strict=True))


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """Gauss and Jordan."""
    for k in range(len(rows)):
        pivot = next(row for row in range(k, len(rows)) if rows[row][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [number / rows[k][k] for number in rows[k]]
        for other in range(len(rows)):
            if other != k:
                factor = rows[other][k]
                rows[other] = [number - factor * own for number, own in zip(rows[other], rows[k], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("outcomes", [TINY, {(-1, 2): 1, (2, 0): 2, (1, 1): 1}], ids=["equal players", "unequal"])
def test_tiny_games_have_their_exact_equity(outcomes: dict[tuple[int, int], int]) -> None:
    scores = np.array([pair for pair, count in outcomes.items() for _ in range(count)])
    left = range(-3, MOST_LEFT + 1)
    found = equities(chances_of(scores, -1, 5), -1, left)
    for (own, other), chance in exact(outcomes).items():
        assert found[left.index(own), left.index(other)] == pytest.approx(float(chance), abs=1e-6)


def test_a_game_that_is_over_belongs_to_the_lowest_total_8_4() -> None:
    left = range(-3, 6)
    found = equities(chances_of(np.array([(1, 2), (2, 1)]), 0, 3), 0, left)
    for (own, other), chance in {(3, 0): 1, (-1, 2): 0, (-1, -2): 1, (-2, -2): 0.5}.items():
        assert found[left.index(own), left.index(other)] == chance


def test_the_mean_after_a_round_is_a_plain_sum() -> None:
    rng = np.random.default_rng(1)
    before, chances, lowest = rng.random((12, 12)), rng.random((5, 5)), -2
    plain = np.zeros((12, 12))
    for (i, j), chance in np.ndenumerate(chances):
        rows, columns = (np.clip(np.arange(12) - lowest - shift, 0, 11) for shift in (i, j))
        plain += chance * before[np.ix_(rows, columns)]
    assert expected_after(before, chances, lowest) == pytest.approx(plain)


def test_the_shipped_equities_are_fair_and_fewer_points_are_better() -> None:
    tables = shipped_equities()
    between, goes_on = tables[0], slice(1 - FEWEST, None)
    assert tables.shape == (1 + STAGES, MOST - FEWEST + 1, MOST - FEWEST + 1)
    assert between == pytest.approx(1 - between.T, abs=1e-6)
    assert (np.diff(between[goes_on, goes_on], axis=0) >= -1e-6).all()
    assert (np.diff(between[goes_on, goes_on], axis=1) <= 1e-6).all()
    with safe_open(FILE, framework="numpy") as file:
        assert file.metadata()["policy"] == PolicyAgent().digest


@pytest.mark.slow
def test_equities_are_made_from_rounds_of_the_policy() -> None:
    scores, samples = samples_of(PolicyAgent(), LookAgent(goal=MARGIN), 300, 5)
    assert len(scores) == 300
    starts = samples[samples["stage"] == STAGES - 1]
    assert len(starts) >= 600  # the opening flips alone
    assert samples["own"].max() == scores.max()
    made = equities_from(scores, samples)
    assert made.rests.sum(axis=(1, 2)) == pytest.approx(np.ones(STAGES), abs=1e-4)
    assert abs(made.packed()[0] - shipped_equities()[0]).max() < 0.15


# The last turn of the round: the ender has 3 points, seat 0 has 8, a hidden card and a 4 in hand.
LAST_TURN = """round 2; totals {} {}; ender 1; turns_left 1; board ? 3 . | 3 2 . | . . . | . . .;
    board 1 2 . | . . . | . . . | . . .; discard 3; seat 0 drawn 4"""
MIDDLE = """round 2; totals {} {}; starter 0; turns 8; board 1 ? ? | 7 2 ? | ? ? 3 | 0 ? ?;
    board 5 5 ? | 8 ? ? | ? ? 12 | -1 ? ?; discard 3; seat 0 turn"""


def last_turn(own: int, other: int) -> Game:
    return table(" ".join(LAST_TURN.format(own, other).split()))


def middle(own: int, other: int) -> Game:
    return table(" ".join(MIDDLE.format(own, other).split()))


def values(look: LookAgent, game: Game) -> dict[str, float]:
    """What every legal action promises, by its name."""
    found = look.values(game.observation(), game.mask(), 1)
    return {action_names(game.rules)[action]: value for action, value in found.items()}


def choice(look: LookAgent, game: Game) -> str:
    action = int(look.act(game.observation()[None], game.mask()[None], np.array([1], np.uint64))[0])
    return action_names(game.rules)[action]


def test_the_end_of_a_round_counts_by_the_totals_that_follow() -> None:
    """The 4 on the hidden card leaves 12 points to 3, so 28 and 57 are still lacking."""
    promised = values(LookAgent(goal=WIN), last_turn(60, 40))["place 0"]
    assert promised == pytest.approx(PERCENT * shipped_equities()[0][28 - FEWEST, 57 - FEWEST], abs=1e-4)


def test_whoever_is_about_to_lose_the_game_takes_chances() -> None:
    """Lacking 10 points, 12 for sure lose the game; turning the hidden card up costs a point more but may save it."""
    game = last_turn(90, 40)
    hidden = ObservationSpec(OFFICIAL).view(game.observation()).hidden_pool
    saved = hidden[:4].sum() / hidden.sum()  # -2 to 1
    promised = values(LookAgent(goal=WIN), game)
    assert promised["place 0"] == 0
    assert 0 < promised["flip 0"] < PERCENT * saved
    assert choice(LookAgent(goal=WIN), game) == "flip 0"
    assert choice(LookAgent(goal=MARGIN), game) == "place 0"
    assert choice(LookAgent(goal=WIN), last_turn(20, 20)) == "place 0"


def test_within_a_round_a_higher_total_leaves_less_of_a_chance() -> None:
    look = LookAgent(goal=WIN)
    best = [max(values(look, middle(own, 50)).values()) for own in (-20, 0, 20, 50, 80, 99)]
    assert best == sorted(best, reverse=True)
    assert best[0] > 90
    assert best[3] > 50
    assert best[-1] < 25


def test_within_a_round_the_rest_of_it_is_foreseen_by_its_stage() -> None:
    """Half of the expected margin comes off the own score, half is added to the other's, and chance does the rest."""
    game, look = middle(40, 60), LookAgent(goal=WIN)
    after = shipped_equities()[1 + 7]  # seven cards are hidden on each board
    margin = look.worths(game.observation(), 1)[DRAW, 0]
    left = np.array([100 - 40 + margin / 2, 100 - 60 - margin / 2]) - FEWEST
    foreseen = PERCENT * after[tuple(np.rint(left).astype(int))]
    assert values(look, game)["draw"] == pytest.approx(foreseen, abs=2.0)


def replaced(game: Game, **rules: Any) -> Game:
    changed = game.rules.replace(**rules).to_text()
    return Game.from_position(game.position().replace("\n", f"\nrules {changed}\n", 1))


OTHERS = {
    "the first round": table(" ".join(MIDDLE.format(0, 0).replace("round 2", "round 1").split())),
    "a far target": replaced(middle(50, 50), target_score=LARGEST_TARGET + 1),
    "few rounds": replaced(middle(50, 50), max_rounds=3),
}


@pytest.mark.parametrize("game", OTHERS.values(), ids=OTHERS)
def test_elsewhere_it_plays_for_the_margin(game: Game) -> None:
    assert values(LookAgent(game.rules, goal=WIN), game) == values(LookAgent(game.rules, goal=MARGIN), game)


def test_equities_are_for_official_games_of_two() -> None:
    assert has_equities(OFFICIAL)
    assert has_equities(Rules(target_score=50, draw_streams=True))
    assert not has_equities(Rules(players=3))
    assert not has_equities(Rules(flip_after_discard="none"))


def test_analyses_and_training_stay_with_margins() -> None:
    observation = middle(80, 20).observation()
    ours, theirs = (LookAgent(goal=goal).worths(observation, 1) for goal in (WIN, MARGIN))
    np.testing.assert_array_equal(ours, theirs)


def test_copies_have_the_same_goal_and_others_are_refused() -> None:
    game = last_turn(90, 40)
    for goal in (WIN, MARGIN):
        agent = make_agent(f"look:goal={goal}")
        assert isinstance(agent, LookAgent)
        for again in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            assert choice(again, game) == choice(agent, game)
    with pytest.raises(TableError, match="goal='points' is not one of 'win', 'margin'"):
        make_agent("look:goal=points")
