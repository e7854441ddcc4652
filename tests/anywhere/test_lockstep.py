"""The modules against the kernel in Python, by transcripts that replay.mjs plays again: bit for bit the same."""

import json
import random
import subprocess
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import agents_of, rng_states_of
from cardtable.table.errors import TableError
from cardtable.table.game.events import events_in, new_log
from cardtable.table.kernel.futures import GAINED, SQUARES
from cardtable.table.kernel.game_kernel import MAX_KINDS
from skyjo.web.building.descriptions import rules_document
from tests.anywhere.worker_client import MODULES, NODE
from tests.games.listed import GAMES, game_id
from tests.games.skipbo import SKIPBO
from tests.games.skyjo import SKYJO
from tests.games.skyjo_action import SKYJO_ACTION
from tests.games.under_test import GameUnderTest

PARTS = ("state", "mask", "view", "outcomes", "events", "luck", "choices", "action_values")


class Transcript:
    """One game, played at random."""

    def __init__(
        self, game: GameUnderTest, rules: Any, chance: random.Random, agents: list[str], limit: int, often: int = 4
    ) -> None:
        """In one of `often` decisions outcomes are compared, and in as many an agent is asked."""
        self.card_game, self.rules, self.chance, self.often = game.card_game, rules, chance, often
        keys = chance.randrange(2**64), chance.randrange(2**64)
        self.table = game.api.Game(rules, *keys, chance.choice(("game", "round")))
        self.hashes = {part: sha1() for part in PARTS}
        chosen = chance.sample(agents, min(2, len(agents)))
        self.agents = {name: agents_of(self.card_game).make(name, rules) for name in chosen}
        self.steps: list[dict[str, Any]] = []
        while len(self.steps) < limit and not self.table.is_over:
            self.steps.append(self._step(game.choose(self.table, chance)))
            self.table.apply(self.steps[-1]["action"])
        self._note(0)

    @property
    def document(self) -> dict[str, Any]:
        """What JavaScript reads."""
        table = self.table
        played = {"seed": str(table.seed), "deal": str(table.deal), "episode": table.episode, "steps": self.steps}
        return {"rules": rules_document(self.card_game, self.rules), **played}

    @property
    def expected(self) -> dict[str, str]:
        """What JavaScript is to find."""
        table = self.table
        scores = " ".join(map(str, (*table.totals, *table.round_scores, *table.winners)))
        return {**{part: each.hexdigest() for part, each in self.hashes.items()}, "scores": scores}

    def _note(self, seat: int) -> None:
        table = self.table
        self.hashes["state"].update(table.state.tobytes())
        self.hashes["mask"].update(table.mask().tobytes())
        self.hashes["view"].update(table.observation().tobytes() + table.observation(seat).tobytes())

    def _step(self, action: int) -> dict[str, Any]:
        """A decision, after all that is compared has been noted."""
        step: dict[str, Any] = {"action": action, "seat": self.chance.randrange(self.rules.players)}
        self._note(step["seat"])
        if self.chance.randrange(self.often) == 0:
            step["cards"] = self._note_outcomes(action)
        if self.agents and self.chance.randrange(self.often) == 0:
            step["agent"] = self._note_choice(self.chance.choice(sorted(self.agents)), action)
        return step

    def _note_outcomes(self, action: int) -> list[int] | None:
        """Note what a decision may reveal, sometimes after given cards; returns these."""
        try:
            cards: list[int] = []
            while self.chance.randrange(2):
                possible = self.table.outcomes(action, *cards)
                if not possible:
                    break
                cards.append(self.chance.choice(sorted(possible)))
            given = self.card_game.chosen_cards(self.rules, cards)
        except TableError:  # under these rules a seat sees too little
            return None
        counts = np.zeros(MAX_KINDS, np.int64)
        after, log = self.table.state.copy(), new_log()
        revealed, _ = self.card_game.single_table.play_given(after, self.rules.params, action, given, counts, log)
        numbers = " ".join(map(str, (revealed, *counts.tolist())))
        self.hashes["outcomes"].update(numbers.encode() + after.tobytes())
        events = [[type(event).__name__, *vars(event).values()] for event in events_in(log, self.card_game.event_type)]
        self.hashes["events"].update(json.dumps(events, separators=(",", ":")).encode())
        self._note_luck(action)
        return [int(card) for card in given]

    def _note_luck(self, action: int) -> None:
        card_game, result = self.card_game, np.zeros(1, self.card_game.result_type)
        one, actions = np.zeros(1, np.int64), np.array([action])
        scratch = (
            np.zeros(2, card_game.dtype),
            np.zeros(1, card_game.luck.scratch),
            result,
            np.zeros((1, self.rules.players), np.int16),
        )
        tables = self.table.copy().state, self.rules.params, one, actions, self.table.observation()[None]
        card_game.measured_rounds.step_noting(*tables, *scratch, True)
        self.hashes["luck"].update(result["luck"][0, : self.rules.players].tobytes())

    def _note_choice(self, name: str, action: int) -> str:
        """Note what an agent would do, and what actions are worth to it, if it can tell; returns its name."""
        agent: Any = self.agents[name]
        seen, mask = self.table.observation(), self.table.mask()
        choice = agent.act(seen[None], mask[None], rng_states_of(seen[None]))[0]
        self.hashes["choices"].update(f"{choice} ".encode())
        key, action_values = int(rng_states_of(seen[None])[0]), self.hashes["action_values"]
        if name == "lookahead":
            action_values.update(agent.action_values(seen, key).tobytes() + agent.seat_values(seen).tobytes())
        if name == "rollout":
            pair = np.array([np.flatnonzero(mask)[0], action])
            tried = agent.try_actions(seen, pair, range(7, 16), np.uint64(5))[[GAINED, SQUARES], 1]
            compared = tried / (self.rules.players - 1, (self.rules.players - 1) ** 2)
            action_values.update(agent.action_values(seen, mask, key).tobytes() + compared.tobytes())
        return name


DECISIONS = 10_000
SIZES = [(0, 2), *(pytest.param(part, 10, marks=pytest.mark.long) for part in range(100, 110))]  # part and how large
LEARNED = ("policy", "lookahead")
SEARCHING = ("rollout",)
MAX_DECISIONS = 400  # decisions of one that are compared, so that many rules are

pytestmark = pytest.mark.usefixtures("made")


def played(game: GameUnderTest, seed: int, decisions: int) -> Iterator[Transcript]:
    """Games of this many decisions in all: under every preset with every number of players, then random rules."""
    chance = random.Random(seed)
    description = json.loads(MODULES.joinpath(f"{game.name}.json").read_text())
    agents = [name for name in description["agents"] if name not in LEARNED + SEARCHING]
    named = [rules["text"] for preset in description["presets"] for rules in preset["rules"].values()]
    while decisions > 0:
        rules = game.card_game.rules(named.pop()) if named else game.random_rules(chance)
        yield (transcript := Transcript(game, rules, chance, agents, min(MAX_DECISIONS, decisions)))
        decisions -= max(1, len(transcript.steps))


def asked(decisions: int, seed: int) -> Iterator[Transcript]:
    """Official games of Skyjo for two to eight, in which a learned player is asked at every decision."""
    chance = random.Random(seed)
    while decisions > 0:
        rules = SKYJO.card_game.rules(players=chance.choice((2, 2, *range(2, 9))))
        yield (transcript := Transcript(SKYJO, rules, chance, list(LEARNED), min(MAX_DECISIONS, decisions), often=1))
        decisions -= max(1, len(transcript.steps))


def searched(games: int, seed: int) -> Iterator[Transcript]:
    """Beginnings of games of Skip-Bo by random rules, in which the search is asked at every decision."""
    chance = random.Random(seed)
    for _ in range(games):
        rules = SKIPBO.random_rules(chance).replace(view="table")
        yield Transcript(SKIPBO, rules, chance, list(SEARCHING), 8, often=1)


def searched_slowly(games: int, seed: int) -> Iterator[Transcript]:
    """Decisions of Skyjo Action by random rules; a search plays on to the end of the round."""
    chance = random.Random(seed)
    for _ in range(games):
        yield Transcript(SKYJO_ACTION, SKYJO_ACTION.random_rules(chance), chance, list(SEARCHING), 1, often=1)


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


@pytest.mark.parametrize(("part", "size"), SIZES)
@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_modules_play_as_the_kernel_does(game: GameUnderTest, part: int, size: int, tmp_path: Path) -> None:
    lockstep(game, played(game, part, DECISIONS * size), tmp_path)


@pytest.mark.parametrize(("part", "size"), SIZES)
def test_learned_players_choose_and_value_as_in_python(part: int, size: int, tmp_path: Path) -> None:
    lockstep(SKYJO, asked(DECISIONS // 10 * size, part), tmp_path)


@pytest.mark.parametrize(("part", "size"), SIZES)
def test_searches_choose_and_value_as_in_python(part: int, size: int, tmp_path: Path) -> None:
    lockstep(SKIPBO, searched(10 * size, part), tmp_path)
    lockstep(SKYJO_ACTION, searched_slowly(size, part), tmp_path)
