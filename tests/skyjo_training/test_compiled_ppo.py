"""Learning by self-play: what is noted and worked out on the way, what changes with time, and that it learns."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402

from cardtable.arena.play.pairing import play_paired  # noqa: E402
from cardtable.table.agents.agents import AgentRegistry  # noqa: E402
from cardtable.table.agents.policies.policy_agent import NetworkAgent  # noqa: E402
from cardtable.table.game.card_game import Setup  # noqa: E402
from skyjo_env import Game, GameBatch, ObservationSpec, Rules  # noqa: E402
from skyjo_env.learning import SkyjoConfig  # noqa: E402
from skyjo_training.compiled_ppo import CompiledPPO  # noqa: E402
from skyjo_training.self_play_tables import OPPOSED_SEEDS, SelfPlayTables  # noqa: E402
from skyjo_training.training_config import Config  # noqa: E402
from tests.games.players import Nth  # noqa: E402
from tests.games.skyjo import margin, win  # noqa: E402
from tests.helpers import first_quick  # noqa: E402
from tests.skyjo_training.test_self_play_tables import reference  # noqa: E402

SMALL: dict[str, Any] = {"cell": 4, "column": 8, "table": 8, "device": "cpu"}
TINY: dict[str, Any] = {"tables": 6, "n_steps": 20, "batch_size": 40, "decisions": 360, **SMALL}
POOLED: dict[str, Any] = {"opponent_fraction": 0.5, "opponents": ("naive",)}


def tiny(**changes: Any) -> "Watched":
    return Watched(SkyjoConfig(**{**TINY, **changes}))


class Watched(CompiledPPO):
    """Notes what it learns from, and with which settings."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.noted: list[dict[str, Any]] = []

    def train(self) -> None:
        kept = ("observations", "masks", "actions", "scored", "stopped", "seats", "values", "log_chances", "advantages")
        parts = [{name: getattr(share, name).copy() for name in kept} for share in self.shares_now]
        noted: dict[str, Any] = {name: np.concatenate([part[name] for part in parts], axis=1) for name in kept}
        noted |= {"parts": parts, "players": self.tables.rules.players}
        super().train()
        noted |= {"learning_rate": self.policy.optimizer.param_groups[0]["lr"], "ent_coef": self.ent_coef}
        self.noted.append(noted | {"batch_size": self.batch_size})


class At(BaseCallback):
    """Calls a function at the start of every rollout, and one at every step, whose answer says whether to go on."""

    def __init__(self, start: Callable[[Any], Any] = bool, step: Callable[[Any], bool] = lambda _: True) -> None:
        super().__init__()
        self.start, self.step = start, step

    def _on_rollout_start(self) -> None:
        self.start(self.model)

    def _on_step(self) -> bool:
        return self.step(self.model)


def weights(model: CompiledPPO) -> bytes:
    return b"".join(part.numpy().tobytes() for part in model.network.state_dict().values())


def learned(callback: At | None = None, **changes: Any) -> Watched:
    model = tiny(**changes)
    model.learn(model.config.decisions, callback)
    return model


# Chance and time


def test_the_same_config_gives_the_same_policy_to_the_last_bit_and_another_seed_another() -> None:
    runs = [learned(**POOLED, players=(2, 3), seed=seed) for seed in (7, 7, 8)]
    first, again, other = (weights(run) for run in runs)
    assert first == again
    assert first != other
    assert not np.array_equal(runs[0].noted[0]["observations"], runs[2].noted[0]["observations"])


@pytest.mark.slow
def test_any_number_of_threads_gives_the_same_policy_to_the_last_bit() -> None:
    runs = [weights(learned(**POOLED, players=(2, 3), threads=threads)) for threads in (1, 2, 3)]
    assert runs[0] == runs[1] == runs[2]


def test_tables_of_several_sizes_take_turns() -> None:
    model = learned(players=(2, 5, 3), decisions=840)
    assert [noted["players"] for noted in model.noted] == [2, 5, 3, 2, 5, 3, 2]
    assert model.rollouts == 7
    assert model.num_timesteps == 840


def test_rate_and_batch_change_as_asked_up_to_the_last_decision() -> None:
    """The last update goes beyond it, and its rate is the last one that was asked for."""
    rates: dict[str, Any] = {"learning_rate": 1e-3, "last_learning_rate": 1e-4}
    noted = learned(**rates, batch_size=15, doublings=2, decisions=700).noted
    shares = [min(1, 120 * part / 700) for part in range(1, 7)]  # of the decisions
    assert [each["learning_rate"] for each in noted] == pytest.approx([1e-3 - 9e-4 * share for share in shares])
    assert [each["batch_size"] for each in noted] == [15, 15, 30, 30, 60, 60]


def test_the_mean_is_that_of_the_weights_over_the_end_of_the_run() -> None:
    class Kept(Watched):
        def train(self) -> None:
            super().train()
            self.noted[-1]["weights"] = {name: each.clone() for name, each in self.network.state_dict().items()}

    model = Kept(SkyjoConfig(**{**TINY, "average": 0.5}))
    model.learn(TINY["decisions"])
    later = [noted["weights"] for noted in model.noted[model.config.first_averaged :]]
    assert model.mean.n_averaged == len(later) > 0
    for name, weight in model.mean.module.state_dict().items():
        assert torch.allclose(weight, torch.stack([each[name] for each in later]).mean(0), atol=1e-6)


def test_a_callback_stops_it_and_it_can_go_on() -> None:
    seen: list[int] = []

    def ask(model: Any) -> bool:
        seen.append(model.num_timesteps)
        return len(seen) != 25

    model = tiny()
    before = weights(model)
    model.learn(360, At(step=ask))
    assert seen == list(range(6, 151, 6))
    assert (model.num_timesteps, model.rollouts, len(model.noted)) == (150, 1, 1)
    assert weights(model) != before
    model.learn(360)
    assert (model.num_timesteps, model.rollouts) == (390, 3)
    after = weights(model)
    model.learn(360)  # has been done
    assert weights(model) == after


def test_a_saved_model_plays_and_learns_on(tmp_path: Path) -> None:
    model = learned(**POOLED)
    model.save(tmp_path / "model.zip")
    again = CompiledPPO.load(tmp_path / "model.zip")
    assert (weights(again), again.num_timesteps, again.rollouts) == (weights(model), 360, 3)
    batch = GameBatch(n=50, seed=1)
    actions, _ = again.predict(batch.observations, action_masks=batch.masks)
    batch.step(actions)  # legal ones
    assert again.learn(480).num_timesteps == 480


@pytest.mark.slow
def test_pools_get_snapshots_that_learn_no_more() -> None:
    model = learned(At(start=lambda model: model.add_snapshot()), **POOLED, players=(2, 3), snapshots=2, decisions=600)
    for tables in model.groups:
        members = tables.opponents.members
        assert [member.name for member in members][:1] == ["naive"]
        assert len(members) == 3
        assert sum(member.rounds for member in members) > 0
        agents = [member.agent for member in members[1:]]
        assert all(isinstance(agent, NetworkAgent) and agent.network is not model.network for agent in agents)
        assert members[2].name == "after 480 decisions"
    model = learned(**{**POOLED, "snapshots": 0})
    model.add_snapshot()
    assert [member.name for member in model.groups[0].opponents.members] == ["naive"]


# What is learned from


def replayed(tables: SelfPlayTables, table: int, decisions: list[int]) -> tuple[Any, ...]:
    """What one shared table must have noted: seats, rewards, ends, and what is seen; then the last game."""
    rules: Any = tables.rules
    seed, deal, told = tables.setup.seed, table, []
    game = Game(rules, seed=seed, deal=deal, episode="round")
    for action in decisions:
        seat, seen = game.seat, game.observation()
        game.apply(action)
        told.append((seat, deserved(game), game.is_over, seen))
        if game.is_over:
            deal += tables.setup.shared
            game = Game(rules, seed=seed, deal=deal, episode="round")
    return *map(np.array, zip(*told, strict=True)), game


def replayed_with_opponents(rules: Rules, seed: int, decisions: list[int], seats: list[int]) -> tuple[Any, ...]:
    """The same at a table where Nth sits in all the other seats."""
    told, deal, game = [], 0, Game(rules, seed=seed, episode="round")
    for action, seat in zip(decisions, seats, strict=True):
        let_others_play(game, seat)
        seen = game.observation()
        game.apply(action)
        let_others_play(game, seat)
        told.append((seat, deserved(game), game.is_over, seen))
        if game.is_over:
            deal += 1
            game = Game(rules, seed=seed, deal=deal, episode="round")
    return *map(np.array, zip(*told, strict=True)), game


def let_others_play(game: Game, seat: int) -> None:
    while not game.is_over and game.seat != seat:
        game.apply(Nth().choice(game.observation(), game.mask()))


def deserved(game: Game) -> list[float]:
    """What every seat is given after this decision."""
    seats = range(game.rules.players)
    if not game.is_over:
        return [0.0 for _ in seats]
    return [(margin(game.round_scores, seat) + 3 * win(game, seat)) / 100 for seat in seats]


@pytest.mark.parametrize("players", first_quick(1, [3, 2]))
def test_advantages_are_those_of_the_rounds_that_were_played(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played again from the decisions alone, two rollouts one after the other; the second goes on in mid-round."""
    monkeypatch.setattr(AgentRegistry, "make", lambda *_: Nth())
    options: dict[str, Any] = {"opponent_fraction": 0.5, "snapshots": 0, "opponents": ("naive",), "win": 3.0}
    changes = {**options, "gae_lambda": 0.8, "players": (players,), "n_steps": 70, "decisions": 840}
    model: Any = Watched(SkyjoConfig(**{**TINY, **changes}))
    networks: list[Any] = []
    model.learn(840, At(start=lambda model: networks.append(model.network_copy())))
    ended = 0
    for number, tables in enumerate(model.groups[0].shares):
        rollouts = [noted["parts"][number] for noted in model.noted]
        for table in range(len(tables)):
            ended += check_table(tables, table, rollouts, networks)
    assert ended > 6


def check_table(tables: SelfPlayTables, table: int, rollouts: list[dict[str, Any]], networks: list[Any]) -> int:
    """Check what was noted of one table in two rollouts, before which the networks were these; return the rounds."""
    rules: Any = tables.rules
    shared, steps, ended = tables.setup.shared, len(rollouts[0]["actions"]), 0
    together = {name: np.concatenate([noted[name][:, table] for noted in rollouts]) for name in ("actions", "seats")}
    if table < shared:
        seats, rewards, ends, seen, game = replayed(tables, table, together["actions"].tolist())
        assert seats.tolist() == together["seats"].tolist()
    else:
        seed = (OPPOSED_SEEDS + tables.setup.seed * tables.setup.opposed + table - shared) % 2**63
        told = together["actions"].tolist(), together["seats"].tolist()
        seats, rewards, ends, seen, game = replayed_with_opponents(rules, seed, *told)
        assert ObservationSpec(rules).view(seen).seat.tolist() == told[1]
    for part, (noted, network) in enumerate(zip(rollouts, networks, strict=True)):
        now = slice(part * steps, (part + 1) * steps)
        assert (noted["scored"] | noted["stopped"])[:, table].tolist() == ends[now].tolist()
        assert np.array_equal(noted["observations"][:, table], seen[now])
        values = _values(network, seen[now])
        assert noted["values"][:, table] == pytest.approx(values, abs=1e-5)
        if part == 0:
            decider, last = seats[steps], _values(network, seen[steps : steps + 1])[0]
        else:
            decider = int(tables.seats[table])
            let_others_play(game, decider)  # where the policy sits everywhere, nobody else does
            last = _values(network, game.observation()[None])[0]
        expected = reference(seats[now], rewards[now], ends[now], values, decider, last)
        assert noted["advantages"][:, table] == pytest.approx(expected, abs=1e-4)
        ended += int(ends[now].sum())
    return ended


def _values(network: Any, seen: Any) -> Any:
    with torch.no_grad():
        return network.values(torch.from_numpy(seen)).numpy()


def test_decisions_are_noted_with_the_chance_that_they_had() -> None:
    networks: list[Any] = []
    model: Any = tiny(**POOLED, players=(3,))
    model.learn(360, At(start=lambda model: networks.append(model.network_copy())))
    for noted, network in zip(model.noted, networks, strict=True):
        actions = noted["actions"]
        assert np.take_along_axis(noted["masks"], actions[..., None], 2).all()
        with torch.no_grad():
            logits = network(torch.from_numpy(noted["observations"].reshape(120, -1)))[0]
        logits[noted["masks"].reshape(120, -1) == 0] = -torch.inf
        chances = logits.log_softmax(1).numpy()[np.arange(120), actions.ravel()]
        assert noted["log_chances"].ravel() == pytest.approx(chances, abs=1e-5)


# That it learns


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("players", "changes"),
    [
        pytest.param(3, {}, marks=pytest.mark.slow),
        pytest.param(
            2, {"opponent_fraction": 1.0, "snapshots": 0, "opponents": ("threshold:t=2",)}, marks=pytest.mark.long
        ),
    ],
)
def test_it_learns_to_play(players: int, changes: dict[str, Any]) -> None:
    """An untrained network is at least 16 points a round behind `threshold:t=2`, one that learns the wrong thing 90."""
    sizes = {"tables": 64, "n_steps": 64, "batch_size": 512, "cell": 12, "column": 32, "table": 64}
    options: dict[str, Any] = {**sizes, "learning_rate": 3e-3, "gae_lambda": 0.8, "seed": 1, "device": "cpu", **changes}
    config = SkyjoConfig(players=(players,), decisions=50_000, **options)
    model = CompiledPPO(config).learn(config.decisions)

    def ahead_of(name: str) -> float:
        seats: Any = [NetworkAgent(model.network), *[name] * (players - 1)]
        return float(play_paired(seats, Setup(model.groups[0].rules, seed=7), range(200)).margins[:, 0].mean())

    assert ahead_of("naive") > 40
    assert ahead_of("threshold:t=2") > -9
