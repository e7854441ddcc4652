"""Stored games as decisions: what every seat saw, did and earned is what the table and the environments show."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cardtable.arena.stored import decisions
from cardtable.arena.stored.decisions import credited, decisions_of, write_decisions
from cardtable.arena.stored.game_search import Chosen
from cardtable.arena.stored.pieces import ids_of
from cardtable.arena.stored.store import StoreError
from cardtable.table.game.table_game import game_class
from tests.games.stored_games import Played
from tests.games.stored_games import played as played
from tests.games.under_test import GameUnderTest


def test_every_decision_is_that_of_the_table_replayed(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "TOGETHER", 100)
    kind, setup, parts = played.plan.game, played.plan.setup, list(played.chosen())
    assert len(parts) > 1
    for chosen in parts:
        found, row = decisions_of(chosen), 0
        for number, game in enumerate(ids_of(chosen.rows)):
            table = game_class(kind)(setup.rules, setup.seed, game.deal, setup.episode)
            while not table.is_over:
                assert found.games[row] == number
                where = found.rounds[row], found.turns[row], found.seats[row], kind.phases[found.phases[row]]
                assert where == (table.round, table.turns, table.seat, table.phase)
                np.testing.assert_array_equal(found.observations[row], table.observation())
                np.testing.assert_array_equal(found.masks[row], table.mask())
                table.apply(found.actions[row])
                row += 1
            assert (table.totals if setup.episode == "game" else table.round_scores) == tuple(
                chosen.rows["scores"][number].as_py()
            )
            assert found.final_rounds[number] == table.round
            for seat, view in enumerate(found.finals[number]):
                np.testing.assert_array_equal(view, table.observation(seat))
        assert row == len(found.actions)


def test_rewards_are_those_that_pettingzoo_pays_the_seat(game: GameUnderTest, played: Played) -> None:
    setup = played.plan.setup
    for chosen in played.chosen():
        found = decisions_of(chosen)
        env = game.pettingzoo.raw_env(rules=setup.rules, episode=setup.episode)
        for number, stored in enumerate(ids_of(chosen.rows)):
            rows = iter(np.flatnonzero(found.games == number).tolist())
            env.reset(seed=setup.seed, options={"deal": stored.deal})
            last: dict[str, int] = {}
            for agent in env.agent_iter():
                _, reward, terminated, truncated, _ = env.last()
                if agent in last:
                    assert found.rewards[last[agent]] == pytest.approx(reward)
                if terminated or truncated:
                    env.step(None)
                    continue
                last[agent] = next(rows)
                env.step(int(found.actions[last[agent]]))
        assert found.rewards.any() or setup.episode == "game"  # of which all may be stopped


def test_a_reward_goes_to_the_last_decision_of_its_own_seat_in_its_own_game() -> None:
    brought = np.array([[1, -1], [2, -2], [4, -4], [8, -8], [16, -16]], np.float64)
    seats, games = np.array([0, 1, 1, 1, 0], np.int8), np.array([0, 0, 0, 1, 1])
    assert credited(brought, seats, games).tolist() == [7, -2, -4, -24, 16]


@pytest.mark.parametrize("change", ["shorter", "longer", "illegal"])
def test_games_that_their_actions_do_not_give_are_named(played: Played, change: str) -> None:
    chosen = next(played.chosen())
    rows = chosen.rows.slice(0, 2).to_pylist()
    actions = rows[1]["actions"]
    size = played.plan.game.action_type.itemsize
    wrong = np.array([played.plan.setup.rules.actions - 1], played.plan.game.action_type).tobytes()
    changed = {
        "shorter": actions[:-size],
        "longer": actions + actions[-size:],
        "illegal": wrong * (len(actions) // size),
    }
    rows[1]["actions"] = changed[change]
    few = Chosen(chosen.plan, pa.Table.from_pylist(rows, chosen.rows.schema), *(column[:2] for column in chosen[2:]))
    with pytest.raises(StoreError, match=rf"game {ids_of(chosen.rows)[1]} cannot be played again"):
        decisions_of(few)


def test_the_rows_of_a_parquet_file_are_the_decisions(played: Played, tmp_path: Path) -> None:
    path = tmp_path / "decisions.parquet"
    write_decisions(path, played.facts(), played.plan, played.chosen(), lambda chosen: decisions_of(chosen).rewards)
    rows = pq.read_table(path)
    found = [decisions_of(chosen) for chosen in played.chosen()]
    for name, field in {"round": "rounds", "turn": "turns", "seat": "seats", "action": "actions"}.items():
        assert rows[name].to_numpy().tolist() == np.concatenate([getattr(part, field) for part in found]).tolist()
    for name, field in {"observation": "observations", "mask": "masks"}.items():
        assert rows[name].to_pylist() == np.concatenate([getattr(part, field) for part in found]).tolist()
    rewards = np.concatenate([part.rewards for part in found])
    assert rows["reward"].to_pylist() == rows["loss"].to_pylist() == pytest.approx(rewards)
    phases = np.concatenate([part.phases for part in found])
    assert rows["phase"].to_pylist() == [played.plan.game.phases[phase] for phase in phases]
    names = {
        (str(game), seat): (name, game.deal)
        for chosen in played.chosen()
        for game, seated in zip(ids_of(chosen.rows), chosen.names.tolist(), strict=True)
        for seat, name in enumerate(seated)
    }
    told = zip(*(rows[name].to_pylist() for name in ("game", "seat", "agent", "deal")), strict=True)
    assert all(names[game, seat] == (agent, deal) for game, seat, agent, deal in told)
