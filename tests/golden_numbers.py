"""Golden numbers: what matches and tables give for fixed seeds, in tests/golden/*.json; and with the name
`playthroughs`, the written rounds of tests/golden/playthroughs.

`python -m tests.golden_numbers` writes the files again. Do that only when numbers are meant to change, and say in the
commit which ones and why. `tests/test_golden_numbers.py` compares.

A playthrough is a round of a preset, written out decision by decision. The file says which actions were made, so it is
written again from itself; only for a preset that has none yet, the game's reference agent plays.
"""

import json
import re
import shlex
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, redirect_stdout
from hashlib import blake2b
from io import StringIO
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import skipbo_env
import skyjo_action_env
import skyjo_env
from cardtable.arena.play.rounds import play_rounds
from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import CardGame, Setup, find_game
from cardtable.table.kernel.scoring import POINTS, margins_and_wins
from skyjo.main import main as skyjo_main

FOLDER = Path(__file__).parent / "golden" / "playthroughs"
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


GOLDEN, PLAYTHROUGHS = Path(__file__).parent / "golden", "playthroughs"
DIGITS = 6  # of a float: processors round sums differently
Document = dict[str, Any]

KEPT = ("played", "stopped", "explained", "standings")
MATCHES = (
    "match tempo naive --deals 200 --seed 5 --luck",
    "match expected threshold:t=2 --deals 30 --episode game --luck --seed 1",
    "match tempo expected random --deals 60 --luck --seed 2",
    "match tempo naive --players 4 --deals 40 --rules 'clear=confirm draw_streams=true'",
    "match policy tempo --deals 20 --luck --seed 6 --workers 1",  # in a process, as the next in two
    "match rollout:n=4 tempo --deals 3 --seed 7 --workers 2",
)

RULES = (
    "",
    (
        "players=4 row_clear=true reveal_clear=false cleared_cards=out_of_play final_lap=complete_current_round"
        " next_starter=highest_sum start_tie=random"
    ),
    "rows=2 columns=2 opening_flips=1 deck=-1:3,0:3,5:4,7:4 reshuffle=all_then_turn_up_new target_score=30",
    (
        "players=5 initial_flip=random first_starter=seat_0 flip_after_discard=none ender_penalty_mode=ties_allowed"
        " penalty_on_negative=true penalty_factor=3 max_turns=40 max_rounds=3 clear=confirm draw_streams=true"
    ),
)
SKIPBO_RULES = (
    "",
    "players=6 max_turns=100 max_rounds=2 first_starter=random",
    "players=3 stock=10 recycle=when_empty recycled_wild=as_played next_starter=winner blocked=recycle_discards",
    "players=4 stock=3 target_score=60 refill=never no_cards=nobody_wins next_starter=loser view=own",
)


def matches() -> Document:
    """What matches of all kinds find."""
    found = {}
    for command in MATCHES:
        with redirect_stdout(StringIO()) as printed:
            skyjo_main([*shlex.split(command), "--json"], "skyjo")
        result = json.loads(printed.getvalue())
        found[command] = {name: result[name] for name in KEPT if name in result}
    return found


# Tables


class Digests:
    """A digest for each name of all that was noted under it; the width of the numbers makes no difference."""

    def __init__(self) -> None:
        self._digests: dict[str, Any] = {}

    def note(self, name: str, what: ArrayLike) -> None:
        """Add a text, or an array with its shape."""
        digest = self._digests.setdefault(name, blake2b(digest_size=8))
        if isinstance(what, str):
            digest.update(what.encode())
        else:
            array = np.asarray(what)
            digest.update(str(array.shape).encode())
            digest.update(array.astype("<f8" if array.dtype.kind == "f" else "<i8").tobytes())

    def document(self) -> dict[str, str]:
        """The digests by name."""
        return {name: digest.hexdigest() for name, digest in self._digests.items()}


def tables() -> Document:
    """Many tables at random, one table, and tables sampled from what a seat sees, under several rules.

    Skip-Bo's rounds get nowhere unless cards are played rather than discarded.
    """
    return {
        "skyjo": batches(skyjo_env, RULES, favoured=0),
        "skipbo": batches(skipbo_env, SKIPBO_RULES, favoured=72),
        "skyjo_action": batches(skyjo_action_env, ("", "players=4"), favoured=0),
    }


def batches(package: ModuleType, texts: tuple[str, ...], favoured: int) -> Document:
    """A game's tables under several rules; actions below `favoured` are made more often than others."""
    rules = {text or "official": package.Rules.from_text(text) for text in texts}
    return {
        name: {episode: batch(package, each, favoured, episode) for episode in ("game", "round")}
        for name, each in rules.items()
    }


def batch(package: ModuleType, rules: Any, favoured: int, episode: str) -> dict[str, str]:
    """Random decisions at 32 tables, and games sampled from what is seen at them, where that is enough."""
    digests, chance = Digests(), np.random.default_rng(11)
    weights = 1 + 9 * (np.arange(rules.actions) < favoured)
    many = package.GameBatch(rules, n=32, seed=12, episode=episode)
    for number in range(150):
        digests.note("rewards", margins_of_step(many, at_random(many.masks * weights, chance)))
        digests.note("dones", many.terminated | many.truncated)
        digests.note("truncateds", many.truncated)
        for name in ("observations", "masks", "seats", "phases", "deals"):
            digests.note(name, getattr(many, name))
        if number % 50 == 49 and getattr(rules, "view", "table") == "table":
            note_samples(digests, many, weights, chance)
    digests.note("positions", "".join(many.game(table).position() for table in range(len(many))))
    return digests.document()


def margins_of_step(many: Any, actions: NDArray[np.int64]) -> NDArray[np.float32]:
    """Take a step, and return how many hundred points every seat is ahead in the rounds that it has scored."""
    before, has_ended = many.state()["games"]["totals"], many.terminated | many.truncated
    many.step(actions)
    after = many.state()["games"]["totals"]
    ends = (many.terminated | many.truncated) & ~(has_ended & (not many.restart))
    scored = (after - before)[:, : many.rules.players]
    scored[ends] = (many.totals - before[:, : many.rules.players])[ends]
    margins, _ = margins_and_wins(scored.astype(np.int64), many.card_game.lower_is_better)
    return (margins / POINTS).astype(np.float32)


def note_samples(digests: Digests, many: Any, weights: NDArray[Any], chance: np.random.Generator) -> None:
    """Add games that are sampled from what is seen at the tables, before and after some decisions."""
    sampled = type(many).sample(many.rules, many.observations, seed=13, episode="round")
    digests.note("sampled", "".join(sampled.game(table).position() for table in range(len(sampled))))
    for _ in range(10):
        running = np.flatnonzero(sampled.masks.any(axis=1))
        actions = np.zeros(len(sampled), np.int64)
        actions[running] = at_random(sampled.masks[running] * weights, chance)
        digests.note("sampled_rewards", margins_of_step(sampled, actions))
        digests.note("sampled_observations", sampled.observations)


def at_random(weights: NDArray[Any], chance: np.random.Generator) -> NDArray[np.int64]:
    """An action for every table, none of weight 0."""
    return np.asarray((chance.random(weights.shape) * weights).argmax(axis=1), np.int64)


# All of them

DOCUMENTS: dict[str, Callable[[], Document]] = {"matches": matches, "tables": tables}


def found(name: str) -> Document:
    """A document as it is now, made in a folder of its own that is removed; as JSON reads it again."""
    with TemporaryDirectory() as folder, chdir(folder):
        document: Document = json.loads(json.dumps(_rounded(DOCUMENTS[name]())))
    return document


def golden(name: str) -> Document:
    """A document as it was."""
    document: Document = json.loads((GOLDEN / f"{name}.json").read_text())
    return document


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _lines(value: Any, depth: int = 0) -> Iterator[str]:
    """JSON in which every list or object that fits on a line takes one."""
    text = json.dumps(value)
    is_list = isinstance(value, list)
    if len(text) + depth <= 118 or not isinstance(value, (dict, list)):
        yield text
        return
    yield "[" if is_list else "{"
    parts = [("", each) for each in value] if is_list else [(f"{json.dumps(key)}: ", value[key]) for key in value]
    for number, (key, each) in enumerate(parts):
        first, *others = _lines(each, depth + 1)
        lines = [f" {key}{first}", *(f" {line}" for line in others)]
        lines[-1] += "," if number < len(parts) - 1 else ""
        yield from lines
    yield "]" if is_list else "}"


def main() -> None:
    """Write the files again, or those that are named."""
    for name in sys.argv[1:] or [*DOCUMENTS, PLAYTHROUGHS]:
        print(f"{name} ...", flush=True)
        if name == PLAYTHROUGHS:
            write_again()
        else:
            (GOLDEN / f"{name}.json").write_text("\n".join([*_lines(found(name)), ""]))


if __name__ == "__main__":
    main()
