"""The tables at which a policy learns: the games there, what every seat is given for them, and its advantages."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from skyjo_env import OFFICIAL, Game, ObservationSpec, Rules, SkyjoError, make_agent
from skyjo_training import SeatVecEnv
from skyjo_training.compiled.losses import seat_advantages
from skyjo_training.opponent_pool import Member, OpponentPool
from skyjo_training.self_play_tables import OPPOSED_SEEDS, Ends, SelfPlayTables, TableSetup
from tests.games.players import Nth
from tests.games.skyjo import margin, win

LAMBDA = 0.8


def reference(seats: Any, rewards: Any, ends: Any, values: Any, decider: int, last: float) -> Any:
    """One table: every decision's advantage, as the definition says; 0 if the seat has not decided again."""
    advantages = np.zeros(len(seats))
    for start in range(len(seats)):
        given, value, factor, seat = 0.0, values[start], 1.0, seats[start]
        for step in range(start, len(seats)):
            if step > start and seats[step] == seat:  # its next decision
                advantages[start] += factor * (given + values[step] - value)
                given, value, factor = 0.0, values[step], factor * LAMBDA
            given += rewards[step, seat]
            if ends[step]:
                break
        if ends[step] or seat == decider:
            advantages[start] += factor * (given + (0.0 if ends[step] else last) - value)
    return advantages


@pytest.mark.parametrize("players", [2, 3])
def test_advantages_are_those_of_the_definition(players: int) -> None:
    steps, n, rng = 40, 6, np.random.default_rng(players)
    seats, deciders = rng.integers(0, players, (steps, n)), rng.integers(0, players, n)
    rewards, values = rng.normal(size=(steps, n, players)).astype(np.float32), rng.normal(size=(steps, n))
    ends, last, advantages = rng.random((steps, n)) < 0.1, rng.normal(size=n), np.empty((steps, n), np.float32)
    known = values.astype(np.float32), deciders, last.astype(np.float32)
    seat_advantages(rewards, ends, seats, *known, LAMBDA, advantages)
    for table in range(n):
        told = seats[:, table], rewards[:, table], ends[:, table], values[:, table]
        expected = reference(*told, deciders[table], float(last[table]))
        assert advantages[:, table] == pytest.approx(expected, abs=1e-5)


WIN = 0.5
EVEN = Rules(  # many rounds end in a tie
    rows=2, columns=2, deck=((0, 40), (1, 40)), opening_flips=1, ender_penalty_mode="off"
)


def deserved(game: Game) -> list[float]:
    """A finished round's rewards, in points / 100."""
    seats = range(game.rules.players)
    return [(margin(game.round_scores, seat) + WIN * win(game, seat)) / 100 for seat in seats]


class Recorder(Nth):
    """Notes what it was shown."""

    def __init__(self) -> None:
        self.seen: list[list[int]] = []

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:
        self.seen += observations.tolist()
        return super().act(observations, masks, rng_states)


def pool(agent: Any) -> OpponentPool:
    """Opponents of whom there is only this one."""
    return OpponentPool([Member("the only one", agent)], 0, 1.0, np.random.default_rng(0))


def stepped(tables: SelfPlayTables, actions: Any) -> tuple[Any, Any, Any]:
    """The rewards, the rounds that ended, and the policy's margins in those with opponents."""
    seats, ends = tables.seats, Ends(*(part.copy() for part in tables.step(actions)))
    margins = tables.margins(ends.scored[None], ends.scores[None], seats[None])
    return tables.rewards(ends.scored, ends.scores), ends.scored | ends.stopped, margins


# What is played and given


@pytest.mark.parametrize("rules", [EVEN, EVEN.replace(players=3), OFFICIAL.replace(players=5)])
def test_at_shared_tables_every_seat_of_every_round_is_given_its_margin_and_its_share_of_the_win(rules: Rules) -> None:
    n, seed = 12, 9
    tables = SelfPlayTables(TableSetup(rules, n, 0, WIN, seed), pool(Nth()))
    games = [Game(rules, seed=seed, deal=deal, episode="round") for deal in range(n)]
    deals, ends, ties = list(range(n)), 0, 0
    for _ in range(300):
        assert tables.seats.tolist() == [game.seat for game in games]
        assert tables.masks.tolist() == [game.mask().tolist() for game in games]
        assert np.array_equal(tables.observations, [game.observation() for game in games])
        actions = Nth().choices(tables.observations, tables.masks)
        rewards, ended, _ = stepped(tables, actions)
        for table, game in enumerate(games):
            game.apply(int(actions[table]))
            assert ended[table] == game.is_over
            expected = deserved(game) if game.is_over else [0.0] * rules.players
            assert rewards[table] == pytest.approx(expected, abs=1e-6)
            if game.is_over:
                ends, ties, deals[table] = ends + 1, ties + (len(game.winners) > 1), deals[table] + n
                games[table] = Game(rules, seed=seed, deal=deals[table], episode="round")
    assert ends > 4
    assert rules.players > 3 or ties > 3


@pytest.mark.parametrize("rules", [EVEN, EVEN.replace(players=3)])
def test_tables_with_opponents_are_played_as_by_the_environment_of_one_seat(rules: Rules) -> None:
    shared, opposed, seed = 2, 8, 8
    tables = SelfPlayTables(TableSetup(rules, shared, opposed, WIN, seed), pool(Nth()))
    env = SeatVecEnv("skyjo", opposed, rules, opponents=[Nth()], seat="random")
    env.seed(OPPOSED_SEEDS + seed * opposed)
    seen: Any = env.reset()
    ends, ties, margins = 0, 0, 0
    for _ in range(200):
        assert np.array_equal(tables.observations[shared:], seen)
        seats = ObservationSpec(rules).view(seen).seat
        assert tables.seats[shared:].tolist() == seats.tolist()
        actions = Nth().choices(tables.observations, tables.masks)
        rewards, ended, their = stepped(tables, actions)
        seen, env_rewards, dones, infos = env.step(actions[shared:])
        assert ended[shared:].tolist() == dones.tolist()
        own = rewards[shared:][np.arange(opposed), seats]
        bonus = [_bonus(info.get("round_scores"), seat) for info, seat in zip(infos, seats, strict=True)]
        assert own == pytest.approx(env_rewards + np.array(bonus), abs=1e-6)
        assert their == pytest.approx(100 * env_rewards[dones], abs=1e-4)
        ends, margins = ends + dones.sum(), margins + len(their)
        ties += sum(abs(each) not in (0, WIN / 100, WIN / 100 / (rules.players - 1)) for each in bonus)
    assert ends == margins > 20
    assert rules.players == 2 or ties > 3


def _bonus(scores: Any, seat: int) -> float:
    """What winning is worth to a seat with these scores."""
    if scores is None:
        return 0.0
    winners = [place for place, score in enumerate(scores) if score == min(scores)]
    share, players = (seat in winners) / len(winners), len(scores)
    return WIN / 100 * (share * players - 1) / (players - 1)


def test_the_largest_seed_deals_too() -> None:
    assert SelfPlayTables(TableSetup(OFFICIAL, 1, 2, WIN, 2**63 - 1 + 8 * 1_000_003), pool(Nth())).seats.shape == (3,)


@pytest.mark.parametrize("players", [2, 3])
def test_a_round_that_is_stopped_ends_and_rewards_nobody(players: int) -> None:
    tables = SelfPlayTables(TableSetup(Rules(players=players, max_turns=6), 3, 3, WIN, 1), pool(Nth()))
    ends = np.zeros(6)
    for _ in range(60):
        rewards, ended, margins = stepped(tables, Nth().choices(tables.observations, tables.masks))
        ends += ended
        assert not rewards.any()
        assert len(margins) == 0
    assert ends.min() > 2


@pytest.mark.parametrize("players", [2, 4])
def test_opponents_see_their_own_seats_and_all_that_these_may_see(players: int) -> None:
    opponent, rules = Recorder(), Rules(players=players)
    tables, ends = SelfPlayTables(TableSetup(rules, 0, 1, WIN, 5), pool(opponent)), 0
    first = tables.opposed.game(0) if tables.opposed is not None else None
    assert first is not None
    seat = int(tables.seats[0])
    while ends == 0:
        rewards, ended, _ = stepped(tables, Nth().choices(tables.observations, tables.masks))
        ends += int(ended[0])
    expected: list[list[int]] = []

    game = Game(rules, seed=OPPOSED_SEEDS + 5, deal=0, episode="round")
    while not game.is_over:
        if game.seat != seat:
            expected.append(game.observation().tolist())
        game.apply(Nth().choice(game.observation(), game.mask()))
    assert opponent.seen[: len(expected)] == expected
    assert rewards[0, seat] == pytest.approx(deserved(game)[seat])
    assert {ObservationSpec(rules).view(np.array(seen)).decider.item() for seen in expected} == {0}


# States


def made() -> SelfPlayTables:
    """Return shared tables, and tables with opponents of a pool."""
    return SelfPlayTables(TableSetup(OFFICIAL.replace(players=3), 3, 2, WIN, 4), pool(make_agent("random")))


def played(tables: SelfPlayTables, decisions: int) -> list[bytes]:
    """All that is shown and told while it is played on."""
    told = []
    for _ in range(decisions):
        actions = Nth().choices(tables.observations, tables.masks)
        shown = tables.observations.copy(), actions, *stepped(tables, actions), tables.seats
        told += [np.asarray(part).tobytes() for part in shown]
    return told


@pytest.mark.parametrize("already", [0, 30])
def test_from_a_state_all_goes_on_to_the_last_bit(already: int) -> None:
    first, second, third = (made() for _ in range(3))
    played(first, 77)
    state = first.state()
    kept = as_bytes(state)
    after = played(first, 120)
    assert as_bytes(state) == kept  # copies
    played(second, already)
    second.restore(state)
    assert played(second, 120) == after
    from_file = {
        kind: {name: np.frombuffer(part, np.uint8) for name, part in parts.items()} for kind, parts in kept.items()
    }
    third.restore(from_file)
    assert played(third, 120) == after


def as_bytes(state: dict[str, Any]) -> dict[str, dict[str, bytes]]:
    return {kind: {name: part.tobytes() for name, part in parts.items()} for kind, parts in state.items()}


def test_a_state_of_other_tables_is_refused_and_changes_nothing() -> None:
    tables = made()
    played(tables, 5)
    state = tables.state()
    for kind, parts in state.items():
        for name, part in parts.items():
            for wrong in ({**parts, name: part[:-1]}, {key: value for key, value in parts.items() if key != name}):
                with pytest.raises(SkyjoError, match=name):
                    tables.restore({kind: wrong, **{other: state[other] for other in state if other != kind}})
        assert as_bytes({kind: tables.state()[kind]}) == as_bytes({kind: parts})
