"""Learning by self-play: what is noted and worked out on the way, what changes with time, and that it learns."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.logger import Logger  # noqa: E402

from cardtable.arena.play.pairing import play_paired  # noqa: E402
from cardtable.table.agents.agents import AgentRegistry  # noqa: E402
from cardtable.table.agents.policies.policy_agent import NetworkAgent  # noqa: E402
from cardtable.table.game.card_game import Setup  # noqa: E402
from skyjo_env import Game, ObservationSpec, Rules  # noqa: E402
from skyjo_env.learning import SkyjoConfig  # noqa: E402
from skyjo_training.self_play import SelfPlay  # noqa: E402
from skyjo_training.self_play_vec_env import OPPOSED_SEEDS  # noqa: E402
from skyjo_training.training_config import Config  # noqa: E402
from tests.games.players import Nth  # noqa: E402
from tests.games.skyjo import margin, win  # noqa: E402
from tests.helpers import first_quick  # noqa: E402
from tests.skyjo_training.test_self_play_vec_env import reference  # noqa: E402

SMALL: dict[str, Any] = {"cell": 4, "column": 8, "table": 8, "device": "cpu"}
TINY: dict[str, Any] = {"tables": 6, "n_steps": 20, "batch_size": 40, "decisions": 360, **SMALL}
POOLED: dict[str, Any] = {"opponent_fraction": 0.5, "opponents": ("naive",)}


def tiny(**changes: Any) -> "Watched":
    return Watched(SkyjoConfig(**{**TINY, **changes}))


class Watched(SelfPlay):
    """Notes what it learns from, and with which settings."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.noted: list[dict[str, Any]] = []

    def train(self) -> None:
        buffer: Any = self.rollout_buffer
        kept = ("observations", "action_masks", "actions", "rewards", "episode_starts", "seats", "values", "log_probs")
        noted = {name: getattr(buffer, name).copy() for name in (*kept, "advantages", "returns")}
        super().train()
        noted |= {"players": buffer.tables.rules.players, "learning_rate": self.policy.optimizer.param_groups[0]["lr"]}
        noted |= {"ent_coef": self.ent_coef, "batch_size": self.batch_size}
        self.noted.append(noted)


class At(BaseCallback):
    """Calls a function at the start of every rollout, and one at every step, whose answer says whether to go on."""

    def __init__(self, start: Callable[[Any], Any] = bool, step: Callable[[Any], bool] = lambda _: True) -> None:
        super().__init__()
        self.start, self.step = start, step

    def _on_rollout_start(self) -> None:
        self.start(self.model)

    def _on_step(self) -> bool:
        return self.step(self.model)


def weights(model: SelfPlay) -> bytes:
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


def test_an_update_is_that_of_stable_baselines3_with_a_whole_batch() -> None:
    """In shares and in whole batches the gradients are the same up to rounding, and so is what is logged."""

    class Whole(Watched):
        def train(self) -> None:
            self.policy.run = None
            super().train()

    options: dict[str, Any] = {**TINY, "ent_coef": 0.3, "win": 20.0, "decisions": 120, "batch_size": 119, "n_epochs": 1}
    models: list[Any] = []
    for kind in (Watched, Whole):
        models.append(kind(SkyjoConfig(**options)))  # seeds torch, which both draw from
        models[-1].set_logger(Logger(None, []))
        models[-1].learn(120)
    for own, theirs in zip(*(model.network.parameters() for model in models), strict=True):
        assert torch.allclose(own.grad, theirs.grad, rtol=1e-4, atol=1e-8)
    assert max(float(weight.grad.abs().max()) for weight in models[0].network.parameters()) > 0.05
    told, expected = (model.logger.name_to_value for model in models)
    for name in ("policy_gradient_loss", "value_loss", "entropy_loss", "clip_fraction", "explained_variance"):
        assert told[f"train/{name}"] == pytest.approx(expected[f"train/{name}"], rel=1e-4, abs=1e-6)


def test_tables_of_several_sizes_take_turns() -> None:
    model = learned(players=(2, 5, 3), decisions=840)
    assert [noted["players"] for noted in model.noted] == [2, 5, 3, 2, 5, 3, 2]
    assert [noted["rewards"].shape[2] for noted in model.noted[:3]] == [2, 5, 3]
    assert model.rollouts == 7
    assert model.num_timesteps == 840


def test_rate_entropy_and_batch_change_as_asked_up_to_the_last_decision() -> None:
    """The last update goes beyond it, and its rate is the last one that was asked for."""
    rates: dict[str, Any] = {"learning_rate": 1e-3, "last_learning_rate": 1e-4, "ent_coef": 0.06}
    noted = learned(**rates, batch_size=15, doublings=2, decisions=700).noted
    shares = [min(1, 120 * part / 700) for part in range(1, 7)]  # of the decisions
    assert [each["learning_rate"] for each in noted] == pytest.approx([1e-3 - 9e-4 * share for share in shares])
    assert [each["ent_coef"] for each in noted] == pytest.approx([0.06, 0.05, 0.04, 0.03, 0.02, 0.01])
    assert [each["batch_size"] for each in noted] == [15, 15, 30, 30, 60, 60]


def test_the_mean_is_that_of_the_weights_over_the_end_of_the_run() -> None:
    class Kept(Watched):
        def train(self) -> None:
            super().train()
            self.noted[-1]["weights"] = {name: each.clone() for name, each in self.network.state_dict().items()}

    model = Kept(SkyjoConfig(**{**TINY, "average": 0.5}))
    model.learn(TINY["decisions"])
    later = [noted["weights"] for noted in model.noted[model.config.first_averaged :]]
    assert model.mean.counted == len(later) > 0
    model.mean.apply_to(model.network)
    for name, weight in model.network.state_dict().items():
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


def replayed(model: Any, table: int, seed: int, decisions: list[int]) -> tuple[Any, ...]:
    """What one shared table must have noted: seats, rewards, ends, and what is seen; then the last game."""
    rules, deal, told = model.groups[0].rules, table, []
    game = Game(rules, seed=seed, deal=deal, episode="round")
    for action in decisions:
        seat, seen = game.seat, game.observation()
        game.apply(action)
        told.append((seat, deserved(game), game.is_over, seen))
        if game.is_over:
            deal += len(model.groups[0].shared)
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
    monkeypatch.setattr("tests.skyjo_training.test_self_play_vec_env.GAMMA", 1.0)
    monkeypatch.setattr(AgentRegistry, "make", lambda *_: Nth())
    steps, shared = 70, 3
    options: dict[str, Any] = {
        "opponent_fraction": 0.5,
        "snapshots": 0,
        "opponents": ("naive",),
        "gae_lambda": 0.8,
        "win": 3.0,
    }
    model: Any = Watched(SkyjoConfig(**{**TINY, **options, "players": (players,), "n_steps": steps, "decisions": 840}))
    networks: list[Any] = []
    model.learn(840, At(start=lambda model: networks.append(model.network_copy())))
    tables, rules, ended = model.groups[0], model.groups[0].rules, 0
    kept = "actions", "seats", "episode_starts"
    together = {name: np.concatenate([noted[name] for noted in model.noted]) for name in kept}
    for table in range(6):
        decisions = together["actions"][:, table, 0].astype(int).tolist()
        if table < shared:
            seats, rewards, ends, seen, game = replayed(model, table, tables.shared.seed, decisions)
            assert seats.tolist() == together["seats"][:, table].tolist()
        else:
            seed = OPPOSED_SEEDS + tables.shared.seed * shared + table - shared
            their = together["seats"][:, table].tolist()
            seats, rewards, ends, seen, game = replayed_with_opponents(rules, seed, decisions, their)
            assert ObservationSpec(rules).view(seen).seat.tolist() == their
        assert together["episode_starts"][1:, table].tolist() == ends[:-1].tolist()
        for part, network in enumerate(networks):
            now, noted = slice(part * steps, (part + 1) * steps), model.noted[part]
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
            assert noted["returns"][:, table] == pytest.approx(expected + values, abs=1e-4)
            ended += int(ends[now].sum())
    assert ended > 6


def _values(network: Any, seen: Any) -> Any:
    with torch.no_grad():
        return network.values(torch.from_numpy(seen)).numpy()


def test_decisions_are_noted_with_the_chance_that_they_had() -> None:
    networks: list[Any] = []
    model: Any = tiny(**POOLED, players=(3,))
    model.learn(360, At(start=lambda model: networks.append(model.network_copy())))
    for noted, network in zip(model.noted, networks, strict=True):
        actions = noted["actions"][..., 0].astype(int)
        assert np.take_along_axis(noted["action_masks"], actions[..., None], 2).all()
        with torch.no_grad():
            logits = network(torch.from_numpy(noted["observations"].reshape(120, -1)))[0]
        logits[noted["action_masks"].reshape(120, -1) == 0] = -torch.inf
        chances = logits.log_softmax(1).numpy()[np.arange(120), actions.ravel()]
        assert noted["log_probs"].ravel() == pytest.approx(chances, abs=1e-5)


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
    model = SelfPlay(config).learn(config.decisions)

    def ahead_of(name: str) -> float:
        seats: Any = [NetworkAgent(model.network), *[name] * (players - 1)]
        return float(play_paired(seats, Setup(model.groups[0].rules, seed=7), range(200)).margins[:, 0].mean())

    assert ahead_of("naive") > 40
    assert ahead_of("threshold:t=2") > -9
