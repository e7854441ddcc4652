"""Golden numbers: what matches give for fixed seeds, in tests/golden/matches.json, and the written rounds of
tests/golden/playthroughs.

`python -m tests.golden_numbers` writes the files again. Do that only when numbers are meant to change, and say in the
commit which ones and why. `tests/test_golden_numbers.py` compares.

A playthrough is a round of a preset, written out decision by decision. The file says which actions were made, so it is
written again from itself; only for a preset that has none yet, the game's reference agent plays.
"""

import json
import re
import shlex
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

import skipbo_env
import skyjo_action_env
import skyjo_env
from cardtable.arena.play.rounds import play_rounds
from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import CardGame, Setup, find_game
from cardtable.table.kernel.scoring import POINTS, margins_and_wins
from skyjo.main import main as skyjo_main

FOLDER = Path(__file__).parent / "golden" / "playthroughs"
MATCHES_FILE = FOLDER.parent / "matches.json"
PACKAGES = (skyjo_env, skipbo_env, skyjo_action_env)
PRESETS: dict[str, Any] = {
    f"{preset.game}_{name.lower()}": preset
    for package in PACKAGES
    for name in package.__all__
    if isinstance(preset := getattr(package, name), package.Rules)
    and (name == "OFFICIAL" or preset != package.OFFICIAL)
}
MIN_RUN = 6  # equal numbers in a row that are written as one
WIDTH, UNBROKEN = 120, "\xa0"  # of lines; a space that is no place to break one
IN_FULL, LAST = 2, 3  # decisions of each kind, and at the end, that are written with what the seat sees
DECIDED = re.compile(r"^(?:\d+\..*)?> .*? \((\d+)\)", re.MULTILINE)
HEAD = """\
What a seat sees is written where it differs from what was written for that seat before, and only for the first
decisions of each kind and the last ones. Rewards are 0 where none are written."""


def written(name: str) -> str:
    """The playthrough of a preset as it is in the file."""
    return (FOLDER / f"{name}.txt").read_text()


def played_again(name: str, text: str) -> str:
    """The playthrough with the seed and the actions of a text, as the game plays it now."""
    seed = int(re.findall(r"seed (\d+)", text)[0])
    return "\n".join([*_said(name, seed, [int(action) for action in DECIDED.findall(text)]), ""])


def new(name: str, seed: int = 0) -> str:
    """A playthrough of the preset, played by the game's reference agent."""
    rules = PRESETS[name]
    card_game = find_game(rules.game)
    agent = agents_of(card_game).make(card_game.reference_agent, rules)
    played = play_rounds([agent] * rules.players, Setup(rules, seed, record_actions=True), range(1))
    return "\n".join([*_said(name, seed, played.actions.tolist()), ""])


def write_again() -> None:
    """Write all files, each from its own actions."""
    FOLDER.mkdir(exist_ok=True)
    for name in PRESETS:
        path = FOLDER / f"{name}.txt"
        path.write_text(played_again(name, written(name)) if path.exists() else new(name))


def _said(name: str, seed: int, actions: Sequence[int]) -> Iterator[str]:
    rules = PRESETS[name]
    card_game = find_game(rules.game)
    package = next(package for package in PACKAGES if package.Rules is card_game.rules_type)
    game = package.Game(rules, seed=seed, episode="round")
    batch = package.GameBatch(rules, n=1, seed=seed, episode="round", restart=False)
    names, seen = card_game.action_names(rules), dict[int, dict[str, str]]()
    yield f"{card_game.title}: a round of the preset {name.removeprefix(rules.game + '_').upper()}, seed {seed}"
    yield f"rules {rules.to_text() or 'as they are by default'}"
    yield HEAD
    kinds = Counter[tuple[str, ...]]()
    for number, action in enumerate(actions, 1):
        seat, phase, observation, legal = game.seat, game.phase, game.observation(), game.legal_actions()
        events = list(map(str, game.play(action)))
        _, terminated, truncated = batch.step([action])
        decision = phase, names[action].partition(" ")[0], *(event.partition("(")[0] for event in events)
        kinds[decision] += 1
        if kinds[decision] <= IN_FULL or number > len(actions) - LAST:
            yield f"\n{number}. Seat {seat} decides, phase {phase}"
            yield from _wrapped(_changes(card_game, rules, observation, seen.setdefault(seat, {})))
            yield f"  legal: {_in_few_words([names[each] for each in legal])}"
            yield f"> {names[action]} ({action})"
            yield from (f"  {event}" for event in events)
        else:
            yield from _wrapped([f"{number}. Seat {seat} > {names[action]} ({action})", *events], "")
        if terminated[0] or truncated[0]:
            margins, _ = margins_and_wins(batch.round_scores.astype(np.int64) * terminated, card_game.lower_is_better)
            yield f"  rewards {_numbers(margins[0] / POINTS)} done" + " truncated" * bool(truncated[0])
    yield f"\n{game}".rstrip()


def _wrapped(parts: Sequence[str], indent: str = "  ") -> list[str]:
    """The parts in few lines; only a part that fills a line is broken."""
    text = "; ".join(part.replace(" ", UNBROKEN if len(part) < WIDTH - 10 else " ") for part in parts)
    lines = textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent or "  ", break_on_hyphens=False)
    return [line.replace(UNBROKEN, " ") for line in lines]


def _changes(card_game: CardGame, rules: Any, observation: Any, seen: dict[str, str]) -> list[str]:
    """The slices that have not been written so for the seat, by name; `seen` has those, and is brought up to date."""
    changed = []
    for name, values in vars(card_game.spec_of(rules).view(observation)).items():
        rows = np.atleast_2d(values)
        text = " | ".join(_numbers(row) for row in rows.reshape(-1, rows.shape[-1]))
        if seen.get(name) != text:
            seen[name] = text
            changed.append(f"{name} {text}")
    return changed


def _numbers(values: Any) -> str:
    """Numbers in a row; many equal ones as `0 x 12`."""
    runs = ([f"{value:g}"] * len(list(row)) for value, row in groupby(values.tolist()))
    return " ".join(f"({run[0]} x {len(run)})" if len(run) >= MIN_RUN else " ".join(run) for run in runs)


def _in_few_words(names: Sequence[str]) -> str:
    """Names of actions, those in a row as one: `place 0` to `place 3` are `place 0-3`."""
    words = []
    for _, row in groupby(enumerate(names), key=lambda each: _place_in_row(*each)):
        first, *others = (name for _, name in row)
        words.append(f"{first}-{others[-1].rpartition(' ')[2]}" if others else first)
    return ", ".join(words)


def _place_in_row(place: int, name: str) -> tuple[str, int]:
    """Equal for neighbours that are in a row."""
    word, _, number = name.rpartition(" ")
    return (word, int(number) - place) if number.isdigit() else (name, 0)


MATCHES = (
    "match tempo naive --deals 200 --seed 5 --luck",
    "match expected threshold:t=2 --deals 30 --episode game --luck --seed 1",
    "match tempo expected random --deals 60 --luck --seed 2",
    "match tempo naive --players 4 --deals 40 --rules 'clear=confirm draw_streams=true'",
    "match policy tempo --deals 20 --luck --seed 6 --workers 1",  # in a process, as the next in two
    "match rollout:n=4 tempo --deals 3 --seed 7 --workers 2",
)
KEPT = ("played", "stopped", "explained", "standings")


def matches() -> dict[str, Any]:
    """What matches of all kinds find."""
    found = {}
    for command in MATCHES:
        with redirect_stdout(StringIO()) as printed:
            skyjo_main([*shlex.split(command), "--json"], "skyjo")
        result = json.loads(printed.getvalue(), parse_float=_rounded)
        found[command] = {name: result[name] for name in KEPT if name in result}
    return found


def _rounded(number: str) -> float:
    """Six digits of it: processors round sums differently."""
    return float(f"{float(number):.6g}")


def golden_matches() -> dict[str, Any]:
    """What they found before."""
    document: dict[str, Any] = json.loads(MATCHES_FILE.read_text())
    return document


if __name__ == "__main__":
    MATCHES_FILE.write_text(json.dumps(matches(), indent=1) + "\n")
    write_again()
