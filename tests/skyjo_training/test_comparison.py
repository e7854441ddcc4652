"""Learned policies against others: who is compared, the intervals over deals and over training seeds, the exploiter."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.skyjo_play import play_paired

pytest.importorskip("sb3_contrib")

from cardtable.arena.results.page import page_of
from cardtable.arena.statistics import Estimate, Range, estimate, moments, t_test, wilson_of_share
from cardtable.table.agents.policies.policy_agent import NetworkAgent
from cardtable.table.agents.policies.policy_file import load_policy
from skyjo_env import OFFICIAL, Rules, SkyjoError, make_agent
from skyjo_env.learning import SkyjoConfig
from skyjo_training.comparison import Comparison, play_comparison, share_together, together
from skyjo_training.comparison_page import comparison_document
from skyjo_training.comparison_plan import ComparisonPlan, Contender, contenders
from skyjo_training.compiled_ppo import CompiledPPO
from skyjo_training.exploiter import exploiter_config
from skyjo_training.measurements import over_seeds
from tests.outputs import Page
from tests.policies import saved, tables

Told = dict[str, tuple[float, float]]
TWO = (Contender("seed 0", "tempo"), Contender("seed 1", "expected"))
QUICK = ComparisonPlan(
    TWO, OFFICIAL, opponents=("naive", "threshold:t=2"), deals=40, games=6, look_deals=0, exploiter_decisions=0, seed=5
)


ALONE = replace(QUICK, policies=TWO[:1], look_deals=20, exploiter_decisions=8192, workers=1)


@pytest.fixture(scope="module")
def alone() -> tuple[Comparison, Told]:
    """One of them with `lookahead` and an exploiter, and the work that every bar announced and showed as done."""
    told: Told = {}

    @contextmanager
    def bar(words: str, work: float) -> Iterator[Callable[[float], None]]:
        done: list[float] = []
        yield done.append
        told[words] = work, sum(done)

    return play_comparison(ALONE, bar), told


@pytest.fixture(scope="module")
def found() -> Comparison:
    """Two scripted players in place of policies."""
    return play_comparison(QUICK)


def test_a_run_is_its_policy_or_those_of_its_seeds_in_their_order(tmp_path: Path) -> None:
    file = saved(tmp_path / "policy.safetensors", players=(2, 3))
    policies, card = contenders(str(tmp_path), "skyjo")
    assert policies == (Contender("policy", f"policy:path={file}"),)
    named = f"policy:path={file}"
    assert contenders(named, "skyjo") == ((Contender(named, named),), None)
    assert card is not None
    assert card.players == (2, 3)
    assert contenders(str(file), "skyjo") == (policies, card)
    for seed in (10, 9):
        (tmp_path / f"seed-{seed}").mkdir()
        saved(tmp_path / f"seed-{seed}" / "policy.safetensors")
    assert [policy.name for policy in contenders(str(tmp_path), "skyjo")[0]] == ["seed 9", "seed 10"]


def test_any_agent_can_be_compared_too_unless_a_run_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tempo").mkdir()
    assert contenders("tempo", "skyjo") == ((Contender("tempo", "tempo"),), None)
    saved(Path("tempo", "policy.safetensors"))
    assert contenders("tempo", "skyjo")[0][0].agent == "policy:path=tempo/policy.safetensors"


def test_what_cannot_be_compared_is_an_error_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(SkyjoError, match=r"there is no policy in this folder \(policy.safetensors is missing\)"):
        contenders(str(tmp_path), "skyjo")
    for seed in (0, 1):
        (tmp_path / f"seed-{seed}").mkdir()
    saved(tmp_path / "seed-0" / "policy.safetensors")
    with pytest.raises(SkyjoError, match="seed-1: there is no policy"):  # its training has not ended
        contenders(str(tmp_path), "skyjo")
    saved(tmp_path / "seed-1" / "policy.safetensors", rules=Rules(clear="confirm"))
    with pytest.raises(SkyjoError, match="different rules"):
        contenders(str(tmp_path), "skyjo")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"deals": 1}, "deals=1"),
        ({"slow_deals": 1}, "slow_deals=1"),
        ({"games": 1}, "games=1"),
        ({"look_deals": 1}, "look_deals=1"),
        ({"exploiter_decisions": -1}, "exploiter_decisions=-1"),
        ({"warm": True}, "tempo has no network"),
        ({"opponents": ()}, "name at least one"),
        ({"opponents": ("naive", "naive")}, "naive is named twice"),
        ({"opponents": ("nobody",)}, "unknown agent 'nobody'"),
        ({"opponents": ("oracle",)}, "sees the hidden cards"),
        ({"workers": 0}, "workers=0"),
        ({"timeout": 0.0}, "timeout=0"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_played(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SkyjoError, match=words):
        replace(QUICK, **changes)


def test_each_policy_plays_deals_of_its_own_from_every_seat(found: Comparison) -> None:
    (_, row) = found.against
    stopped = []
    for number, policy in enumerate(TWO):
        played = play_paired([policy.agent, "threshold:t=2"], seed=5 + number, deals=range(40))
        games = play_paired([policy.agent, "threshold:t=2"], seed=5 + number, deals=range(6), episode="game")
        margin, each = estimate(played.margins[:, 0]), row.by_policy[number]
        assert (each.margin.mean, each.margin.half) == pytest.approx((margin.mean, margin.half))
        assert each.rounds.value == pytest.approx(played.wins[:, 0].mean())
        assert each.games is not None
        assert each.games.value == pytest.approx(games.wins[:, 0].mean())
        stopped.append((played.is_stopped.mean(), games.is_stopped.mean()))
    assert (row.stopped, row.stopped_games) == pytest.approx(np.mean(stopped, axis=0).tolist())
    assert (row.deals, row.games) == (40, 6)


def test_the_interval_over_seeds_is_that_of_the_policies_means(found: Comparison) -> None:
    for row in found.against:
        means = [each.margin.mean for each in row.by_policy]
        over = estimate(means)
        assert row.over_seeds is not None
        assert row.over_seeds["margin"] == over
        assert row.together.margin.mean == pytest.approx(over.mean)
    verdicts = [row.verdict for row in found.against if row.verdict is not None]
    p_values = sorted(t_test([each.margin.mean for each in row.by_policy]) for row in found.against)
    judged = sorted(verdict.p_value for verdict in verdicts)
    assert judged == pytest.approx([min(1, 2 * p_values[0]), max(min(1, 2 * p_values[0]), p_values[1])])  # Holm
    assert all((verdict.side == "ahead") == (verdict.p_value <= 0.05) for verdict in verdicts)


def test_policies_on_deals_of_their_own_are_known_better_together() -> None:
    samples = np.random.default_rng(1).normal(3, 10, (4, 500))
    found = together([moments(sample) for sample in samples])
    pooled = estimate(samples.ravel())
    assert found.mean == pytest.approx(pooled.mean)
    assert found.half == pytest.approx(pooled.half, rel=0.03)
    assert over_seeds([3.0]) is None
    assert over_seeds([1.0, 3.0]) == estimate([1.0, 3.0])


def test_shares_have_wilsons_interval_for_the_games_that_the_deals_are_worth() -> None:
    wins = np.repeat([1.0, 0.0], [150, 50])
    found, expected = share_together([moments(wins)]), wilson_of_share(0.75, 200)
    assert (found.value, found.low, found.high) == pytest.approx((0.75, expected.low, expected.high), abs=1e-3)
    all_won = share_together([moments(np.ones(200))])
    assert (all_won.value, all_won.low, all_won.high) == pytest.approx((1, wilson_of_share(1, 200).low, 1))
    paired = share_together([moments(np.repeat([1.0, 0.5], [100, 100]))])  # half the scatter of single games
    assert paired.high - paired.low < found.high - found.low
    assert share_together([moments(wins)] * 4).low == pytest.approx(wilson_of_share(0.75, 800).low, abs=1e-3)


def test_without_luck_the_margins_are_those_of_the_arena() -> None:
    settings = replace(QUICK, policies=TWO[:1], games=0, with_luck=True)
    found = play_comparison(settings)
    row = found.against[1]
    played = play_paired(["tempo", "threshold:t=2"], seed=5, deals=range(40), with_luck=True)
    assert row.together.margin.mean == pytest.approx(played.without_luck[:, 0].mean(), abs=1e-4)
    assert (row.games, row.together.games, row.over_seeds) == (0, None, None)
    assert row.verdict is not None
    assert row.verdict.side == "ahead"  # over deals


@pytest.mark.slow
def test_all_work_is_told_and_the_numbers_do_not_depend_on_the_workers(
    alone: tuple[Comparison, Told], found: Comparison
) -> None:
    one, told = alone
    parts = ["playing rounds", "playing games", "looking ahead", "learning to exploit", "playing exploiters"]
    assert list(told) == parts
    assert all(work == done > 0 for work, done in told.values())
    assert replace(one.against[0].by_policy[0], policy="seed 0") == found.against[0].by_policy[0]


def test_lookahead_plays_against_every_policy_by_its_own_value_network_or_the_packages(tmp_path: Path) -> None:
    value_network, plain = (
        saved(tmp_path / f"{value_network}.safetensors", (2, 3), value_network=value_network)
        for value_network in (1, 0)
    )
    names = f"policy:path={value_network}", f"policy:path={plain}", "policy", "tempo"
    plan = replace(QUICK, policies=tuple(Contender(name, name) for name in names), look_deals=10)
    assert plan.lookaheads == (f"lookahead:path={value_network}", "lookahead", "lookahead", "lookahead")
    tables = plan.against_policy(3, plan.lookaheads[3], 10)
    assert (tables.tables, tables.deals, tables.setup.seed) == ((("lookahead", "tempo"),), (10,), 5 + 3)
    unusual = replace(plan, policies=(Contender("a", f"policy:path={odd(tmp_path)}"),), rules=Rules(clear="confirm"))
    assert unusual.lookaheads == (
        f"lookahead:path={odd(tmp_path)}",
    )  # no value network, but at tables of two that will do
    three = replace(plan, policies=plan.policies[:1], rules=Rules(players=3))
    assert three.against_policy(0, three.lookaheads[0], 10).tables == (
        (f"lookahead:path={value_network}", names[0], names[0]),
    )


def odd(folder: Path) -> Path:
    """A policy for rules that none of the package's serves."""
    return saved(folder / "odd.safetensors", rules=Rules(clear="confirm"))


@pytest.mark.slow
def test_an_exploiter_learns_to_beat_whom_it_has_met() -> None:
    settings = ComparisonPlan(
        (Contender("naive", "naive"),),
        OFFICIAL,
        opponents=("random",),
        deals=50,
        games=0,
        look_deals=0,
        exploiter_decisions=16_384,
    )
    found = play_comparison(settings).exploiter
    assert found is not None
    assert found.deals == 50
    assert found.together.margin.mean > 30
    assert found.together.rounds.value > 0.8


@pytest.mark.slow
def test_a_warm_exploiter_begins_as_a_copy_of_the_policy_and_learns(tmp_path: Path) -> None:
    file = saved(tmp_path / "policy.safetensors", players=(2, 3))
    (policy,), _ = contenders(str(file), "skyjo")
    settings = ComparisonPlan((policy,), OFFICIAL, opponents=("naive",), deals=10, exploiter_decisions=4096, warm=True)
    agent: Any = make_agent(policy.agent)
    model = CompiledPPO(SkyjoConfig(tables=4, n_steps=4, decisions=16))
    model.begin_as(load_policy(agent.file)[0])
    observations, masks, rng_states = tables()
    assert NetworkAgent(model.network).act(observations, masks, rng_states).tolist() == agent.act(*tables()).tolist()
    before = [weight.clone() for weight in model.network.parameters()]
    model.learn(16)
    assert any((old != new).any() for old, new in zip(before, model.network.parameters(), strict=True))
    found = play_comparison(replace(settings, look_deals=0, games=0)).exploiter
    assert found is not None
    assert found.deals == 10
    warm, fresh = (exploiter_config(replace(settings, warm=warm), 0) for warm in (True, False))
    assert warm.learning_rate < fresh.learning_rate
    assert warm.ent_coef < fresh.ent_coef


# The document


def test_the_document_tells_the_numbers_and_how_to_do_it_again(found: Comparison) -> None:
    document = comparison_document(found, "skyjo compare runs/a")
    page = Page(page_of(document)).words.replace("−", "-")
    for row in found.against:
        assert str(row.together.margin) in page
        assert all(str(each.margin) in page for each in row.by_policy)
    assert "Over training seeds the policies are " in page
    assert "seed 1" in page
    assert "To repeat: skyjo compare runs/a" in page
    told = json.loads(json.dumps(document.to_dict(), allow_nan=False))
    assert told["against"][1]["by_policy"][0]["margin"]["mean"] == found.against[1].by_policy[0].margin.mean


def test_points_and_rounds_that_disagree_are_named(found: Comparison) -> None:
    row = found.against[1]
    few = replace(row.together, margin=Estimate(3.45, 1.0), rounds=Range(0.425, 0.40, 0.45))
    odd = replace(found, against=[replace(row, together=few)])
    words = (
        "`threshold:t=2` points and rounds disagree: ahead in points, it wins fewer rounds than an even share, 42.5 %"
    )
    assert any(words in text for text in comparison_document(odd, "").findings)


@pytest.mark.slow
def test_a_single_policy_is_not_said_to_stand_for_its_training(alone: tuple[Comparison, Told]) -> None:
    page = Page(page_of(comparison_document(alone[0], "skyjo compare tempo"))).words
    assert "This is one policy of one training run" in page
    assert "t interval" not in page
    assert "lower bound" in page
    assert alone[0].lookahead is not None
    assert str(alone[0].lookahead.together.margin) in page.replace("−", "-")
