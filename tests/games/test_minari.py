"""Stored games as datasets of Minari: every episode happens again in the environment that the dataset recovers."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cardtable.arena.play.plan import Plan
from cardtable.arena.stored.game_search import Chosen, Wanted
from cardtable.arena.stored.store import StoreError
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import Setup
from tests.games.stored_games import Played
from tests.games.stored_games import played as played
from tests.games.under_test import GameUnderTest

minari = pytest.importorskip("minari")
pytest.importorskip("h5py")
from cardtable.arena.stored.minari_dataset import environment_spec, write_dataset  # noqa: E402 (it needs minari)


@pytest.fixture(autouse=True)
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Minari keeps datasets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


@pytest.mark.parametrize("encoding", ["compact", "onehot"])
def test_every_episode_of_a_dataset_happens_again_in_its_environment(played: Played, encoding: str) -> None:
    wanted = Wanted(played.plan)
    write_dataset("skyjo/all-v0", played.facts(), wanted, played.chosen(), encoding)
    dataset = minari.load_dataset("skyjo/all-v0")
    about_each = list(dataset.storage.get_episode_metadata(dataset.episode_indices))
    rules = played.plan.setup.rules
    assert len({(each["game"], each["seat"]) for each in about_each}) == 4 * rules.players**2 == len(dataset)
    assert dataset.observation_space == dataset.recover_environment().observation_space
    names: dict[str, dict[int, str]] = {each["game"]: {} for each in about_each}
    for each in about_each:
        names[each["game"]][int(each["seat"])] = each["agent"]
    for episode, each in list(zip(dataset, about_each, strict=True))[::3]:
        seat = int(each["seat"])
        opponents = [names[each["game"]][(seat + k) % rules.players] for k in range(1, rules.players)]
        env = dataset.recover_environment(seat=seat, opponents=opponents)
        observation, info = env.reset(seed=each["seed"], options={"deal": int(each["options"]["deal"])})
        for step in range(len(episode) + 1):
            np.testing.assert_array_equal(episode.observations[step], observation)
            assert set(episode.infos) == {"action_mask", "seat", "round"}
            for name, values in episode.infos.items():
                np.testing.assert_array_equal(values[step], info[name])
            if step < len(episode):
                observation, *paid, info = env.step(episode.actions[step])
                stored = episode.rewards[step], episode.terminations[step], episode.truncations[step]
                assert stored == (pytest.approx(paid[0]), *paid[1:])
        assert paid[1] or paid[2]


def test_a_dataset_says_what_was_played_and_holds_one_agents_seats_if_asked(played: Played) -> None:
    agent, *others = played.plan.tables[0]
    write_dataset("one-v3", played.facts(), Wanted(played.plan, agent), played.chosen(agent=agent), "compact")
    dataset = minari.load_dataset("one-v3")
    metadata, setup = dataset.storage.metadata, played.plan.setup
    assert {each["agent"] for each in dataset.storage.get_episode_metadata(dataset.episode_indices)} == {agent}
    assert (metadata["algorithm_name"], metadata["dataset_id"]) == (agent, "one-v3")
    told = metadata[played.plan.game.name]
    assert (told["rules"], told["episode"], told["seed"]) == (setup.rules.to_text(), setup.episode, 9)
    assert told["command"] == "the command"
    options = dataset.env_spec.kwargs
    assert (options["rules"], options["episode"]) == (setup.rules.to_text(), setup.episode)
    assert options.get("opponents") == (["random"] if set(others) == {"random"} else None)


@pytest.mark.parametrize(
    ("name", "told"),
    [("there-v0", "a dataset of this name exists already"), ("tempo", "does not name"), ("../a-v0", "does not name")],
)
def test_a_name_that_cannot_be_used_is_refused(played: Played, datasets: Path, name: str, told: str) -> None:
    (datasets / "there-v0" / "data").mkdir(parents=True)
    with pytest.raises(TableError, match=told):
        write_dataset(name, played.facts(), Wanted(played.plan), played.chosen(), "compact")
    assert [path.name for path in datasets.iterdir()] == ["there-v0"]


def test_nothing_is_left_of_what_could_not_be_written_whole(played: Played, datasets: Path) -> None:
    def interrupted() -> Iterator[Chosen]:
        yield from played.chosen()
        raise StoreError("damaged")

    for games, told in ((interrupted(), "damaged"), (iter(()), "no games match")):
        with pytest.raises(TableError, match=told):
            write_dataset("skyjo/half-v0", played.facts(), Wanted(played.plan), games, "compact")
        assert list(datasets.iterdir()) == []


def test_opponents_that_environments_cannot_seat_are_left_out(game: GameUnderTest) -> None:
    plan = Plan((("oracle", "random"),), (2,), Setup(game.card_game.rules("", 2), reveal_hidden=True))
    assert environment_spec(Wanted(plan, "oracle"), "compact").kwargs["opponents"] == ["random"]
    assert "opponents" not in environment_spec(Wanted(plan, "random"), "compact").kwargs
