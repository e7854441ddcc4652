"""Matches: as many deals as asked for or needed, the same in any pieces, the command, and margins without luck."""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.arena.play import pairing, plan, rounds
from cardtable.arena.play.luck import advantage, without_luck
from cardtable.arena.play.pairing import MARGIN, SCORE, WITHOUT_LUCK
from cardtable.arena.play.plan import seat_all
from cardtable.arena.statistics import Moments, estimate, is_narrow, moments
from cardtable.arena.workers.plan_run import PlanProgress, play
from cardtable.table.agents.agents import rng_states_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import Setup
from skyjo_agents.scripted import TempoAgent
from skyjo_env import OFFICIAL, Rules, make_agent
from skyjo_env.kernel.chance import WEIGHTS
from tests.processes import run_python
from tests.skyjo.cli import Skyjo, complaint, skyjo
from tests.skyjo_play import a_plan, play_paired, play_rounds

__all__ = ["skyjo"]

PAIR = ("threshold:t=2", "expected")


def margins(course: PlanProgress, agent: int = 0) -> Moments:
    return course.tallies[0].moments(MARGIN, agent)


@pytest.mark.parametrize("luck", [False, True])
def test_a_match_in_pieces_is_the_same_as_all_at_once(monkeypatch: pytest.MonkeyPatch, luck: bool) -> None:
    monkeypatch.setattr(plan, "MIN_PIECE", 7)
    seen: list[int] = []
    course = play(a_plan((PAIR,), (100,), seed=3, with_luck=luck), report=lambda course: seen.append(course.played))
    whole = play_paired(PAIR, seed=3, deals=range(100), with_luck=luck)
    for found, numbers in ((MARGIN, whole.margins), (WITHOUT_LUCK, whole.without_luck), (SCORE, whole.scores)):
        for agent in (0, 1):
            expected = moments(numbers[:, agent])
            got = course.tallies[0].moments(found, agent)
            assert (got.count, got.is_varied) == (100, expected.is_varied)
            assert (got.mean, got.variance) == pytest.approx((expected.mean, expected.variance), rel=1e-5)
    assert len(seen) > 5
    assert seen == sorted(seen)
    assert seen[-1] == 100


def test_it_ends_when_the_margin_is_known_closely_enough() -> None:
    course = play(a_plan((PAIR,), (100_000,), stop="soon"), is_enough=lambda found: is_narrow(found, 0.5))
    assert course.deals < 20_000
    assert estimate(margins(course)).half <= 0.5
    half = play(a_plan((PAIR,), (course.deals // 2,)))
    assert estimate(margins(half)).half > 0.5
    assert play(a_plan((PAIR,), (100,)), is_enough=lambda found: is_narrow(found, 0.001)).deals == 100


@pytest.mark.parametrize(("other", "decision"), [("threshold:t=9", "H1"), ("tempo", "H0")])
def test_a_sequential_test_ends_the_match(other: str, decision: str, skyjo: Skyjo) -> None:
    arguments = ["match", "threshold", other, "--sprt", "0,1"]
    document = json.loads(skyjo(*arguments, "--json").out)
    assert document["verdict"]["decision"] == decision
    assert document["played"] < 1000
    assert ("1 points rather than 0" if decision == "H1" else "0 points rather than 1") in skyjo(*arguments).out


def test_identical_agents_are_alike_on_all_deals(skyjo: Skyjo) -> None:
    arguments = ["match", "naive", "naive", "--sprt", "0,1", "--deals", "40"]
    assert json.loads(skyjo(*arguments, "--json").out)["verdict"] == {"llr": None, "decision": None}
    assert "undecided, more deals are needed (all deals are alike)" in skyjo(*arguments).out


def test_the_last_agent_takes_all_seats_that_are_left() -> None:
    assert seat_all(["a", "a"], None) == ["a", "a"]
    assert seat_all(["a", "b"], 4) == ["a", "b", "b", "b"]
    with pytest.raises(TableError, match="3 agents are too many for players=2"):
        seat_all(["a", "b", "c"], 2)
    for agents, given in (([], ""), (["a"], ""), (["a,b"], ", and 'a,b' is one name; separate names with spaces")):
        with pytest.raises(TableError, match=f"at least two agents{given}; name one twice to let it play against"):
            seat_all(agents, 2)


class Network:
    """A stand-in for one of torch."""

    def __call__(self, *_: Any) -> Any:
        """Take anything, as modules of torch do."""

    def forward(self, x: Any) -> Any:
        """Take observations alone."""


@pytest.mark.parametrize(
    ("agents", "setup", "deals", "words"),
    [
        (
            (TempoAgent, "tempo"),
            Setup(OFFICIAL),
            range(2),
            "is a class; give an object made from it: TempoAgent",
        ),
        ((object(), "tempo"), Setup(OFFICIAL), range(2), "agent <object .* nor an object with a method act, nor a f"),
        ((lambda seen: seen, "tempo"), Setup(OFFICIAL), range(2), r"must be a function .*\(observations, masks\)"),
        ((Network(), "tempo"), Setup(OFFICIAL), range(2), r"not Network\(x\); wrap the network in a function"),
        (("tempo", "tempo"), OFFICIAL, range(2), "must be a Setup"),
        (("tempo", "tempo"), Setup(OFFICIAL), 200, "deals=200 must be a range"),
    ],
)
def test_what_cannot_be_played_is_refused_in_plain_words(agents: Any, setup: Any, deals: Any, words: str) -> None:
    for rounds_of in (pairing.play_paired, rounds.play_rounds):
        with pytest.raises(TableError, match=words):
            rounds_of(agents, setup, deals)


def test_functions_and_names_play_as_the_agents_that_they_stand_for() -> None:
    tempo, setup = make_agent("tempo"), Setup(OFFICIAL, seed=3)

    def as_tempo(observations: Any, masks: Any) -> Any:
        return tempo.act(observations, masks, rng_states_of(observations))

    def nothing(observations: Any, masks: Any) -> Any:
        return [-1 for _ in zip(observations, masks, strict=True)]

    expected = pairing.play_paired(["tempo", "naive"], setup, range(6))
    assert (pairing.play_paired([as_tempo, "naive"], setup, range(6)).scores == expected.scores).all()
    played = [rounds.play_rounds([one, "naive"], setup, range(6)).scores for one in (as_tempo, tempo)]
    assert (played[0] == played[1]).all()
    with pytest.raises(TableError, match="deal 0, seat 0, agent nothing: "):
        rounds.play_rounds([nothing, "naive"], setup, range(2))


def test_a_tournament_takes_names_of_agents_and_no_functions() -> None:
    agents: Any = ["tempo", lambda _, masks: masks.argmax(axis=1)]
    with pytest.raises(TableError, match=r"^an agent is named by text, not by function$"):
        plan.tournament(agents, Setup(OFFICIAL))


class Knowing:
    """Sees the hidden cards, and decides by them alone."""

    sees_hidden = True

    def act_knowing(self, states: Any, masks: Any, rng_states: Any) -> Any:  # noqa: ARG002
        return masks.argmax(axis=1)


class Blind:
    """Says that it sees the hidden cards, but does not take them."""

    sees_hidden = True

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:  # noqa: ARG002
        return masks.argmax(axis=1)


def test_an_agent_that_sees_hidden_cards_needs_the_method_that_takes_them_and_no_other() -> None:
    knowing: Any = Knowing()
    setup = Setup(OFFICIAL, reveal_hidden=True)
    played = pairing.play_paired([knowing, "naive"], setup, range(2))
    first = pairing.play_paired([lambda _, masks: masks.argmax(axis=1), "naive"], setup, range(2))
    assert (played.scores == first.scores).all()
    with pytest.raises(TableError, match="sees the hidden cards: it needs reveal_hidden=True"):
        pairing.play_paired([knowing, "naive"], Setup(OFFICIAL), range(2))
    with pytest.raises(TableError, match=r"^agent Blind has no method act_knowing\(states, masks, chances\)$"):
        pairing.play_paired([Blind(), "naive"], setup, range(2))


def test_a_setup_takes_the_rules_of_a_game_and_no_text() -> None:
    rules: Any = "players=3"
    with pytest.raises(TableError, match=r"rules must be the Rules of a game, .*, not 'players=3'"):
        Setup(rules)


def test_the_command_prints_a_table_or_json(skyjo: Skyjo) -> None:
    arguments = ["match", "tempo", "naive", "--players", "3", "--deals", "50", "--seed", "2"]
    shown = skyjo(*arguments).out
    assert "points a round" in shown
    assert "50 deals, each played 3 times" in shown
    document: Any = json.loads(skyjo(*arguments, "--json").out)
    played = play_paired(["tempo", "naive", "naive"], Rules(players=3), 2, range(50))
    assert [one["agent"] for one in document["standings"]] == ["tempo", "naive", "naive"]
    assert document["standings"][0]["margin"]["mean"] == pytest.approx(played.margins[:, 0].mean())
    assert (document["played"], document["seed"], document["stopped"]) == (50, 2, 0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["match"], "at least two agents"),
        (["match", "tempo"], "at least two agents"),
        (["match", "tempo", "nobody"], "unknown agent 'nobody'"),
        (["match", "tempo", "tempo", "--deals", "1"], "deals=1"),
        (["match", "tempo", "tempo", "--until=-1"], "--until -1 must be a number"),
        (["match", "tempo", "tempo", "--workers", "0"], "workers=0"),
        (["match", "tempo", "tempo", "--timeout", "0"], "timeout=0.0"),
        (["match", "tempo", "tempo", "--sprt", "0"], "--sprt 0 must be two numbers"),
        (["match", "tempo", "tempo", "--sprt", "1,0"], "--sprt 1,0 must be two numbers of points, the lower one first"),
        (["match", "tempo", "tempo", "--until", "inf"], "--until inf must be a number"),
        (["match", "tempo", "tempo", "--rules", "players=3"], "set the number of players with --players"),
        (["match", "tempo", "tempo", "--sprt", "0,1", "--until", "1"], "cannot be given together"),
        (["match", "tempo", "tempo", "--rules", "clear=never"], "clear='never'"),
        (["match", "tempo", "oracle"], "the agent in seat 1 sees the hidden cards"),
        (["match", "tempo", "naive", "naive", "--players", "2"], "too many"),
        (["tournament"], "0 agents are too few for players=2"),
        (["tournament", "naive", "tempo", "--players", "3"], "2 agents are too few for players=3"),
        (["tournament", "naive", "naive"], "naive is named twice"),
        (["tournament", "naive", "nobody"], "unknown agent 'nobody'"),
        (["tournament", "naive", "tempo", "--slow-deals", "1"], "slow_deals=1"),
        (["tournament", "naive", "tempo", "--anchor", "expected"], "--anchor expected is not among the agents"),
    ],
)
def test_what_cannot_be_played_is_named(arguments: list[str], reason: str, skyjo: Skyjo) -> None:
    assert reason in complaint(skyjo(*arguments))


WITHOUT_EXTRAS = """
import sys
class Missing:
    def find_spec(self, name, *_):
        if name in ("jinja2", "markupsafe", "matplotlib", "pyarrow", "torch"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from skyjo.main import main
sys.exit(main(sys.argv[1:], 'skyjo'))
"""


def without_extras(*command: str) -> subprocess.CompletedProcess[str]:
    """A command in an installation that has none of them."""
    return run_python("-c", WITHOUT_EXTRAS, *command)


def test_a_match_needs_no_extra() -> None:
    done = without_extras("match", "naive", "tempo", "--deals", "20")
    assert done.returncode == 0, done.stderr
    assert "20 deals" in done.stdout


@pytest.mark.parametrize(
    ("command", "needed"),
    [
        ("match naive tempo --store games", 'pyarrow: pip install "skyjo-env[arena]"'),
        ("report games", 'pyarrow: pip install "skyjo-env[arena]"'),
        ("compare runs/first", 'torch: pip install "skyjo-env[train]"'),
    ],
)
def test_what_is_not_installed_is_named_with_its_extra_and_nothing_is_begun(
    command: str, needed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = without_extras(*command.split())
    assert (done.returncode, done.stderr.strip()) == (2, f"skyjo: this needs {needed}")
    assert [*tmp_path.iterdir()] == []


def test_a_margin_that_is_not_known_closely_enough_is_said_to_need_more_deals(skyjo: Skyjo) -> None:
    for until, is_said in (("0.5", True), ("50", False)):
        done = skyjo("match", "tempo", "naive", "--deals", "100", "--until", until)
        assert (f"More --deals are needed to know the margin to within {until}" in done.out) == is_said


def test_how_much_luck_explains_is_told_and_both_margins(skyjo: Skyjo) -> None:
    arguments = ["match", "threshold", "threshold:columns=true", "--deals", "500", "--luck"]
    document = json.loads(skyjo(*arguments, "--json").out)
    played = play_paired(["threshold", "threshold:columns=true"], deals=range(500), with_luck=True)
    explained = 1 - played.without_luck[:, 0].var() / played.margins[:, 0].var()
    assert document["explained"] == pytest.approx(explained, abs=1e-3)
    (first, _) = document["standings"]
    assert first["margin"]["mean"] != first["without_luck"]["mean"]
    assert first["without_luck"]["half"] < first["margin"]["half"]
    assert f"luck explains {100 * explained:.0f} % of the variance" in skyjo(*arguments).out


def test_an_interval_may_be_asked_for_with_its_sign(skyjo: Skyjo) -> None:
    document = json.loads(skyjo("match", "tempo", "naive", "--until", "±8", "--json").out)
    assert document["is_known"] is True
    assert document["standings"][0]["margin"]["half"] <= 8


NEAR = ("threshold:t=2", "threshold:t=2,columns=true")


def test_an_advantage_is_the_own_luck_less_the_mean_of_the_others() -> None:
    luck = np.array([[[3.0, 0, 1], [1.0, 2, 1], [2.0, 4, 1]]])
    assert advantage(luck).tolist() == [[[1.5, -3, 0], [-1.5, 0, 0], [0, 3, 0]]]
    corrected = without_luck(Setup(OFFICIAL.replace(players=3)), np.array([[5.0, -2, -3]]), luck)
    assert corrected[0, 0] == pytest.approx(5 - (1.5 * WEIGHTS[0] - 3 * WEIGHTS[1]))
    assert corrected.sum() == pytest.approx(0)


def test_a_margin_is_known_sooner_without_luck_and_stays_the_same_on_average() -> None:
    """Paired, each seat with draws of its own, and without luck: less than 0.45 of the variance of unpaired rounds."""
    played = play_paired(NEAR, Rules(draw_streams=True), deals=range(5000), with_luck=True)
    unpaired = play_rounds([make_agent(name) for name in NEAR], seed=1, deals=range(10_000))
    ratio = 2 * played.without_luck[:, 0].var() / unpaired.margins[:, 0].var()  # a deal is two rounds
    assert ratio < 0.45
    off = (played.without_luck - played.margins)[:, 0]
    assert abs(off.mean()) < 4 * off.std() / 5000**0.5
