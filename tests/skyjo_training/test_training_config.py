"""Training configs: what cannot be asked for, and what follows from what is."""

from dataclasses import fields
from typing import Any

import pytest

from skyjo_env import OFFICIAL, SkyjoError
from skyjo_env.learning import SkyjoConfig
from skyjo_training.learned_game import learned_game


@pytest.mark.parametrize(("name", "low", "high"), SkyjoConfig.bounds)
def test_the_least_and_the_greatest_are_allowed_and_nothing_beyond(name: str, low: float, high: float) -> None:
    kind = type(getattr(SkyjoConfig(), name))
    for value in (low, high):
        given: dict[str, Any] = {name: kind(value)}
        if name == "lessons" and value > 0:  # somebody must give them
            given |= {"teacher": "tempo"}
        assert getattr(SkyjoConfig(**given), name) == value
    for value in (low - 1, high + 1, float("nan")):
        given = {name: value}
        with pytest.raises(SkyjoError, match=f"^{name}="):
            SkyjoConfig(**given)


def test_every_number_has_bounds() -> None:
    numbers = {field.name for field in fields(SkyjoConfig) if type(getattr(SkyjoConfig(), field.name)) in (int, float)}
    assert numbers == {name for name, *_ in SkyjoConfig.bounds}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": ()}, "players="),
        ({"players": (2, 3, 2)}, "players=.* twice"),
        ({"players": (2, 9)}, "players"),
        ({"players": (1,)}, "players"),
        ({"rules": "colour=red"}, "colour"),
        ({"rules": "rows=9"}, "rows"),
        ({"tables": 10, "pool": 0.96}, "pool=0.96 of tables=10 leaves none for the policy"),
        ({"tables": 10, "pool": 0.04}, "pool=0.04 of tables=10 leaves none for opponents"),
        ({"pool": 0.5, "snapshots": 0}, "needs opponents or snapshots"),
        ({"opponents": ("tempo",)}, "pool=0"),
        ({"rules": "players=5"}, "the number of players is set by players"),
        ({"baselines": ("random", "random")}, "baselines=.* names something twice"),
        ({"baselines": "random"}, "baselines='random' must be of the same type"),
        ({"tables": 16.0}, "tables=16.0 must be of the same type"),
        ({"seed": True}, "seed=True must be of the same type"),
        ({"device": "abacus"}, "device='abacus' must be auto"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SkyjoError, match=message):
        SkyjoConfig(**changes)
    with pytest.raises(SkyjoError, match=message):
        SkyjoConfig().with_changes(changes)


@pytest.mark.parametrize(
    ("tables", "pool", "pooled"), [(10, 0.9, 9), (10, 1.0, 10), (1, 0.0, 0), (1, 1.0, 1), (512, 0.2, 102), (3, 0.6, 2)]
)
def test_so_many_tables_have_opponents(tables: int, pool: float, pooled: int) -> None:
    assert SkyjoConfig(tables=tables, pool=pool).opposed == pooled


def test_opponents_alone_are_enough_for_a_pool() -> None:
    assert SkyjoConfig(pool=0.5, snapshots=0, opponents=("naive",)).opposed == 256


@pytest.mark.parametrize(("decisions", "rollouts"), [(1, 1), (128, 1), (129, 2), (1280, 10)])
def test_updates_are_rounded_up(decisions: int, rollouts: int) -> None:
    assert SkyjoConfig(decisions=decisions, tables=16, n_steps=8).rollouts == rollouts


def test_rules_are_those_of_the_text_at_a_table_of_any_size() -> None:
    config = SkyjoConfig(players=(2, 5), rules="clear=confirm max_turns=50")
    assert config.rules_at(5) == OFFICIAL.replace(players=5, clear="confirm", max_turns=50)
    assert SkyjoConfig().rules_at(2) == OFFICIAL


def test_changes_are_checked_and_leave_the_rest() -> None:
    config = SkyjoConfig(seed=3)
    changed = config.with_changes({"tables": 7, "gae_lambda": 0.5})
    assert changed == SkyjoConfig(seed=3, tables=7, gae_lambda=0.5)
    assert config == SkyjoConfig(seed=3)
    with pytest.raises(SkyjoError, match="colour, size: a training config has no such field"):
        config.with_changes({"size": 1, "colour": 2})


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SkyjoError, match=r"no preset is called 'standart'; known: demo, .*; did you mean standard"):
        learned_game("skyjo").preset("standart")
