"""Luck as a network sees it: much as an analysis tells, 0 on average, however games are played or stored."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cardtable.arena.play.luck import advantage, luck_of, points_of_luck
from cardtable.arena.play.pairing import play_paired
from cardtable.arena.play.plan import Plan
from cardtable.arena.play.rounds import play_rounds
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import Setup
from cardtable.table.game.records import recorded
from skyjo.main import main
from skyjo_agents import LookaheadAgent
from skyjo_agents.judging import LookAnalyst
from skyjo_env import OFFICIAL, make_agent
from skyjo_env.card_game import SKYJO

BY_NETWORK = Setup(OFFICIAL, seed=3, with_luck=True, luck_by="network")
PAIR = ("tempo", "expected")


def agents(*names: str) -> list[Any]:
    return [make_agent(name, OFFICIAL) for name in names]


@pytest.mark.parametrize(("episode", "deals"), [("round", 12), ("game", 3)])
@pytest.mark.slow
def test_it_is_the_luck_that_an_analysis_tells(episode: str, deals: int) -> None:
    """Nearly: the analysis looks further in final laps, and both guess at the last hidden cards if there are many."""
    setup = replace(BY_NETWORK, episode=episode, record_actions=True)
    played, analyst = play_rounds(agents(*PAIR), setup, range(deals)), LookAnalyst(LookaheadAgent(OFFICIAL))
    records = np.split(played.actions, np.cumsum(played.decisions)[:-1])
    judged = [analyst.decisions(recorded(setup, deal, actions.tolist())) for deal, actions in enumerate(records)]
    told = np.array([sum(np.array(each.luck) for each in decisions) for decisions in judged])  # [deals, players]
    error = advantage(played.luck)[:, :, 0] - told
    assert np.sqrt((error**2).mean()) < 0.1 * np.sqrt((told**2).mean())


@pytest.mark.parametrize("names", [PAIR, ("random", "naive")])
@pytest.mark.slow
def test_its_mean_is_0_and_it_takes_chance_off(names: tuple[str, str]) -> None:
    deals = 400
    played = play_paired(names, BY_NETWORK, range(deals))
    off = (played.without_luck - played.margins)[:, 0]
    assert abs(off.mean()) < 3 * off.std() / deals**0.5
    if "random" not in names:
        by_cards = play_paired(names, replace(BY_NETWORK, luck_by="cards"), range(deals))
        assert played.without_luck[:, 0].var() < 0.8 * by_cards.without_luck[:, 0].var()


def test_it_is_the_same_however_the_deals_are_played() -> None:
    compiled = play_rounds(agents(*PAIR), BY_NETWORK, range(12))
    assert (compiled.luck.shape, len(compiled.actions)) == ((12, 2, 1), 0)
    late = play_rounds(agents(*PAIR), BY_NETWORK, range(5, 12), threads=2)
    assert late.luck.tolist() == compiled.luck[5:].tolist()
    random = play_rounds(agents("random", "random"), BY_NETWORK, range(4))  # asked, not compiled
    assert random.luck[:, :, 0].std() > 1
    assert points_of_luck(BY_NETWORK, compiled.luck).tolist() == (-compiled.luck[:, :, 0]).tolist()


def test_a_plan_names_the_network() -> None:
    name = luck_of(BY_NETWORK).name
    assert name == f"network:{LookaheadAgent(OFFICIAL).digest[:12]}"
    plan = Plan((PAIR,), (10,), BY_NETWORK)
    written = plan.to_dict()
    assert written["luck"] == name
    again = Plan.from_dict(SKYJO, written)
    assert again.to_dict() == written
    assert play_rounds(agents(*PAIR), again.setup, range(2)).luck.shape == (2, 2, 1)


def test_luck_by_another_network_is_read_but_not_told() -> None:
    other = replace(BY_NETWORK, luck_by="network:0123456789ab")
    assert luck_of(other).terms == ("network",)
    with pytest.raises(TableError, match="network:0123456789ab cannot be measured: this package has "):
        play_rounds(agents(*PAIR), other, range(2))


def test_what_cannot_tell_luck_is_refused() -> None:
    with pytest.raises(TableError, match="luck in Skyjo is measured by cards or network, not by 'stars'"):
        luck_of(replace(BY_NETWORK, luck_by="stars"))
    with pytest.raises(AgentError, match="rows"):
        luck_of(replace(BY_NETWORK, rules=OFFICIAL.replace(rows=2)))


def test_a_match_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *PAIR, "--luck-by", "network", "--deals", "60", "--json"], "skyjo") == 0
    found = json.loads(capsys.readouterr().out)
    (first, _) = found["standings"]
    assert first["without_luck"]["half"] < first["margin"]["half"]
    assert found["explained"] > 0.3
