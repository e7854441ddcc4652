"""The modules against the kernel in Python: state, mask, observations, outcomes and agents' choices, bit for bit."""

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.anywhere.transcripts import Transcript
from tests.anywhere.worker_client import MODULES, NODE
from tests.games.listed import GAMES, game_id
from tests.games.skipbo import SKIPBO
from tests.games.skyjo import SKYJO
from tests.games.under_test import GameUnderTest

SHORT, LONG = 20_000, 1_000_000  # decisions of each game
LEARNED = ("policy", "look")
SEARCHING = ("rollout",)
MOST = 400  # decisions of one that are compared, so that many rules are

pytestmark = pytest.mark.usefixtures("made")


def played(game: GameUnderTest, seed: int, decisions: int) -> Iterator[Transcript]:
    """Games of this many decisions in all: under every preset with every number of players, then random rules."""
    chance = random.Random(seed)
    description = json.loads(MODULES.joinpath(f"{game.name}.json").read_text())
    agents = [name for name in description["agents"] if name not in LEARNED + SEARCHING]
    named = [rules["text"] for preset in description["presets"] for rules in preset["rules"].values()]
    while decisions > 0:
        rules = game.card_game.rules(named.pop()) if named else game.random_rules(chance)
        yield (transcript := Transcript(game, rules, chance, agents, min(MOST, decisions)))
        decisions -= max(1, len(transcript.steps))


def asked(decisions: int, seed: int) -> Iterator[Transcript]:
    """Official games of Skyjo for two to eight, in which a learned player is asked at every decision."""
    chance = random.Random(seed)
    while decisions > 0:
        rules = SKYJO.card_game.rules(players=chance.choice((2, 2, *range(2, 9))))
        yield (transcript := Transcript(SKYJO, rules, chance, list(LEARNED), min(MOST, decisions), often=1))
        decisions -= max(1, len(transcript.steps))


def searched(games: int, seed: int) -> Iterator[Transcript]:
    """Beginnings of games of Skip-Bo by random rules, in which the search is asked at every decision."""
    chance = random.Random(seed)
    for _ in range(games):
        rules = SKIPBO.random_rules(chance).replace(view="table")
        yield Transcript(SKIPBO, rules, chance, list(SEARCHING), 8, often=1)


def replayed(game: GameUnderTest, file: Path) -> list[dict[str, Any]]:
    """What JavaScript finds in written games."""
    script = Path(__file__).with_name("replay.mjs")
    command = [str(NODE), str(script), str(MODULES), game.name, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def lockstep(game: GameUnderTest, transcripts: Iterator[Transcript], folder: Path) -> None:
    file, expected = folder / "games", []
    with file.open("w") as lines:
        for transcript in transcripts:
            lines.write(json.dumps(transcript.document) + "\n")
            expected.append((transcript.rules.to_text(), transcript.expected))
    for (text, seen), found in zip(expected, replayed(game, file), strict=True):
        assert found == seen, f"under {text!r}"


@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_modules_play_as_the_kernel_does(game: GameUnderTest, tmp_path: Path) -> None:
    lockstep(game, played(game, 1, SHORT), tmp_path)


def test_learned_players_choose_and_value_as_in_python(tmp_path: Path) -> None:
    lockstep(SKYJO, asked(SHORT // 10, 2), tmp_path)


def test_searches_choose_and_value_as_in_python(tmp_path: Path) -> None:
    lockstep(SKIPBO, searched(12, 3), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_modules_play_a_million_decisions_as_the_kernel_does(game: GameUnderTest, part: int, tmp_path: Path) -> None:
    lockstep(game, played(game, 100 + part, LONG // 10), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_learned_players_choose_and_value_a_hundred_thousand_times_as_in_python(part: int, tmp_path: Path) -> None:
    lockstep(SKYJO, asked(LONG // 100, 200 + part), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_searches_choose_and_value_eight_thousand_times_as_in_python(part: int, tmp_path: Path) -> None:
    lockstep(SKIPBO, searched(LONG // 10_000, 300 + part), tmp_path)
