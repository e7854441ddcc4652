"""Golden numbers: what the commands, the game and the environments give for fixed seeds, in tests/golden/*.json; and
with the name `playthroughs`, the written games of tests/golden/playthroughs.

`python -m tests.golden_numbers` writes the files again. Do that only when numbers are meant to change, and say in the
commit which ones and why. `tests/test_golden_numbers.py` compares.
"""

import argparse
import json
import os
import random
import shlex
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from csv import DictReader
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray

# All that this file needs of the packages: when they move, only these lines change.
import skipbo_env
import skyjo_env
from skipbo_env import skipbo_v0
from skyjo.games.skipbo.program import main as skipbo_main
from skyjo.main import main as skyjo_main
from skyjo_env import skyjo_v0
from studies.__main__ import main as studies_main
from tests import playthroughs

ENVIRONMENT, SKIPBO_ENVIRONMENT = "skyjo_env:skyjo/Skyjo-v0", "skipbo_env:skipbo/SkipBo-v0"

GOLDEN, PLAYTHROUGHS = Path(__file__).parent / "golden", "playthroughs"
Document = dict[str, Any]

# What is not a number of the result: times, commands, manifests with versions, and the prose of the paper's report.
LEFT_OUT = {"checked", "command", "manifest", "says", "seconds", "sources", "title"}

MATCHES = (
    "match tempo naive --deals 200 --seed 5 --luck",
    "match expected threshold:t=2 --deals 30 --episode game --luck --seed 1",
    "match tempo expected random --deals 60 --luck --seed 2",
    "match tempo naive --players 4 --deals 40 --rules 'clear=confirm draw_streams=true'",
    "match tempo expected --deals 3000 --until 2 --seed 3",
    "match tempo expected --deals 3000 --sprt 0,4 --luck --seed 4",
    "match policy tempo --deals 20 --luck --seed 6 --workers 1",  # in a process, as the next in two
    "match rollout:n=4 tempo --deals 3 --seed 7 --workers 2 --store slow",
)

TOURNAMENT = "tournament random naive threshold:t=2 expected tempo --deals 40 --seed 3 --luck --store games"
ON_STORES = (
    "report games --anchor naive",
    "ratings games --matrix --resamples 100",
    "ratings games --elo --series 5 --luck luck",
)

ON_CSV = (
    "ratings results.csv --matrix --prior 1 --resamples 100 --seed 2",
    "ratings results.csv --elo --series 2 --k newcomers --settling 3",
    "ratings results.csv --elo --luck luck --values worth --sensitivity --form difference",
)

PAPER = "paper --quick --threads 1"

COMPARE = (
    (
        "compare policy --opponents naive rollout:n=4 --deals 10 --games 2 --slow 2 --look 4 --exploit 0 --luck"
        " --workers 1"
    ),
    "compare tempo --opponents naive expected --players 3 --deals 20 --games 2 --look 4 --exploit 0 --seed 1",
)

TRAIN = (  # at a high rate, with much entropy and large wins, so that every term counts
    "train run --decisions 2048 --tables 8 --n-steps 64 --batch-size 128 --cell 4 --column 8 --table 8 --players 2 3 "
    "--learning-rate 0.01 --ent-coef 0.5 --win 20 --pool 0.25 --opponents tempo --baselines random --deals 3 "
    "--measurements 2"
)

SKIPBO_TRAIN = (
    "train run --decisions 2048 --tables 8 --n-steps 64 --batch-size 128 --pile 4 --rank 4 --table 8 --players 2 3 "
    "--rules 'stock=4' --learning-rate 0.01 --ent-coef 0.5 --pool 0.25 --opponents planner --baselines random "
    "--deals 3 --measurements 2 --teacher planner --lessons 1024 --average 0.5"
)

RULES = (
    "",
    "players=3 clear=confirm draw_streams=true",
    "players=8",
    (
        "players=4 row_clear=true reveal_clear=false cleared_cards=out_of_play final_lap=complete_current_round"
        " next_starter=highest_sum start_tie=random"
    ),
    "rows=2 columns=2 opening_flips=1 deck=-1:3,0:3,5:4,7:4 reshuffle=all_then_turn_up_new target_score=30",
    (
        "players=5 initial_flip=random first_starter=seat_0 flip_after_discard=none ender_penalty_mode=ties_allowed"
        " penalty_on_negative=true penalty_factor=3 max_turns=40 max_rounds=3"
    ),
)

SKIPBO_RULES = (
    "",
    "players=4 stock=8 view=tops symmetric=lowest",
    "players=6 max_turns=100 max_rounds=2 first_starter=random",
    "players=3 stock=10 recycle=when_empty recycled_wild=as_played next_starter=winner blocked=recycle_discards",
    "stock=20 recycle=on_completion compulsory=true discard_wild=false",
    "players=5 stock=3 target_score=60 refill=never no_cards=nobody_wins next_starter=loser view=own",
)

ENVIRONMENTS: tuple[Document, ...] = (
    {"opponents": ("tempo",)},
    {"opponents": ("naive", "random"), "players": 3, "episode": "game", "shaping": "expected_margin"},
    {"opponents": ("expected",), "rules": "clear=confirm", "encoding": "onehot", "reward": "score", "seat": 1},
    {"opponents": ("threshold:t=2",), "players": 4, "reward": "win", "illegal": "lose", "autoreset_mode": "SameStep"},
)

SKIPBO_ENVIRONMENTS: tuple[Document, ...] = (
    {"opponents": ("planner",)},
    {"opponents": ("greedy:pile=smallest", "random"), "players": 3, "episode": "game", "rules": "stock=3"},
    {"opponents": ("hpvp",), "encoding": "onehot", "reward": "win", "seat": 1, "rules": "stock=5 view=tops"},
)


# Commands


def run(command: str, main: Callable[[list[str]], int] = skyjo_main) -> str:
    """What a command line prints, called in this process; RuntimeError if it fails."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(shlex.split(command))
    if status != 0:
        raise RuntimeError(f"skyjo {command}: status {status}: {err.getvalue()}")
    return out.getvalue()


def told(*commands: str, main: Callable[[list[str]], int] = skyjo_main) -> Document:
    """What each command prints with --json, without LEFT_OUT."""
    return {command: _kept(json.loads(run(f"{command} --json", main))) for command in commands}


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _kept(each) for name, each in value.items() if name not in LEFT_OUT}
    return [_kept(each) for each in value] if isinstance(value, list) else value


def matches() -> Document:
    """Matches of all kinds, and what one of them stored."""
    return {**told(*MATCHES), "stored": stored("slow")}


def tournament() -> Document:
    """A tournament, what it stored, and what a report and ratings say of that."""
    return {**told(TOURNAMENT), "stored": stored("games"), **told(*ON_STORES)}


def stored(folder: str) -> Document:
    """The exported rows of a folder: a digest of each column, but sums for columns of fractions; and of all actions."""
    run(f"games export {folder} --out rows.csv")
    run(f"games export {folder} --out rows.jsonl")
    with Path("rows.csv").open(newline="") as stream:
        rows = list(DictReader(stream))
    digests = Digests()
    sums: dict[str, float] = {}
    for name in rows[0]:
        column = [row[name] for row in rows]
        if any("." in value for value in column) and name != "game":  # an id has points, too
            sums[name] = sum(map(float, column))
        else:
            digests.note(name, " ".join(column))
    for line in Path("rows.jsonl").read_text().splitlines():
        game = json.loads(line)
        for name in ("actions", "round_scores"):
            digests.note(name, np.array(game[name]))
    return {"rows": len(rows), "digests": digests.document(), "sums": sums}


def ratings() -> Document:
    """Ratings from a small file, by both methods."""
    chance = random.Random(7)
    lines = ["game,deal,seat,player,score,luck,worth"]
    for game in range(90):
        worth = chance.randint(1, 9)
        for seat, player in enumerate(chance.sample(["ann", "bob", "cy", "dee"], 3)):
            score = chance.randint(0, 60) + 4 * ord(player[0]) - 380
            lines.append(f"{game},{game // 3},{seat},{player},{score},{chance.randint(-30, 30) / 4},{worth}")
    Path("results.csv").write_text("\n".join([*lines, ""]))
    return told(*ON_CSV)


def paper() -> Document:
    """The numbers of the paper's report, with as few games as make sense."""
    return told(PAPER, main=studies_main)


def compare() -> Document:
    """Policies and an agent against others."""
    return told(*COMPARE)


def train() -> Document:
    """A tiny training run: what it measured last, and the weights of its policy."""
    return trained(TRAIN, skyjo_main)


def skipbo_train() -> Document:
    """The same for Skip-Bo, with a teacher first."""
    return trained(SKIPBO_TRAIN, skipbo_main)


def trained(command: str, main: Callable[[list[str]], int]) -> Document:
    """What a run measured last, and the weights of its policy."""
    from safetensors.numpy import load_file

    measured = told(command, main=main)
    weights = load_file("run/policy.safetensors")
    flat = {name: [round(float(value), 6) for value in weights[name].ravel()] for name in sorted(weights)}
    return {**measured, "weights": flat}


# The game and the environments


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
    """Skyjo under several rules: many tables at random, one table, and tables sampled from what a seat sees."""
    return by_rules(skyjo_env, RULES, favoured=0)


def skipbo_tables() -> Document:
    """Skip-Bo likewise; its rounds get nowhere unless cards are played rather than discarded."""
    return by_rules(skipbo_env, SKIPBO_RULES, favoured=72)


def by_rules(package: ModuleType, texts: tuple[str, ...], favoured: int) -> Document:
    """A game's tables under several rules; actions below `favoured` are made more often than others."""
    return {
        text or "official": {"batch": batch(package, rules, favoured), "game": game(package, rules, favoured)}
        for text, rules in ((text, package.Rules.from_text(text)) for text in texts)
    }


def batch(package: ModuleType, rules: Any, favoured: int) -> Document:
    """Random decisions at 32 tables, in whole games and in rounds, and games sampled where enough is seen."""
    found, samples = {}, getattr(rules, "view", "table") == "table"
    weights = 1 + 9 * (np.arange(rules.actions) < favoured)
    for episode in ("game", "round"):
        digests, chance = Digests(), np.random.default_rng(11)
        many = package.GameBatch(rules, n=32, seed=12, episode=episode)
        for number in range(150):
            rewards, dones, truncateds = many.step(at_random(many.masks * weights, chance))
            note_tables(digests, many)
            for name, what in (("rewards", rewards), ("dones", dones), ("truncateds", truncateds)):
                digests.note(name, what)
            if number % 50 == 49 and samples:
                note_samples(digests, many, weights, chance)
        digests.note("positions", "".join(many.position(table) for table in range(len(many))))
        found[episode] = digests.document()
    return found


def note_tables(digests: Digests, many: Any) -> None:
    """Add what the tables show."""
    for name in ("observations", "masks", "seats", "phases", "deals"):
        digests.note(name, getattr(many, name))


def note_samples(digests: Digests, many: Any, weights: NDArray[Any], chance: np.random.Generator) -> None:
    """Add games that are sampled from what is seen at the tables, before and after some decisions."""
    sampled = type(many).sample(many.rules, many.observations, seed=13, episode="round")
    digests.note("sampled", "".join(sampled.position(table) for table in range(len(sampled))))
    for _ in range(10):
        running = np.flatnonzero(sampled.masks.any(axis=1))
        actions = np.zeros(len(sampled), np.int64)
        actions[running] = at_random(sampled.masks[running] * weights, chance)
        digests.note("sampled_rewards", sampled.step(actions)[0])
        digests.note("sampled_observations", sampled.observations)


def at_random(weights: NDArray[Any], chance: np.random.Generator) -> NDArray[np.int64]:
    """An action for every table, none of weight 0."""
    return np.asarray((chance.random(weights.shape) * weights).argmax(axis=1), np.int64)


def game(package: ModuleType, rules: Any, favoured: int) -> dict[str, str]:
    """Three games at random, as every seat sees them, and their records played again."""
    digests = Digests()
    for deal in range(3):
        chance = random.Random(deal)
        one = package.Game(rules, seed=14, deal=deal)
        for _ in range(300):
            if one.is_over:
                break
            legal = one.legal_actions()
            one.apply(chance.choice([action for action in legal if action < favoured] or legal))
            digests.note("masks", one.mask())
            for seat in range(rules.players):
                digests.note("observations", one.observation(seat))
            digests.note("scores", [one.round_scores, one.totals])
        digests.note("positions", one.position())
        digests.note("records", json.dumps(one.record()))
        digests.note("replayed", package.replay(one.record()).position())
    return digests.document()


def environments() -> Document:
    """Many tables with opponents as one environment, and PettingZoo's."""
    found = {json.dumps(options): vector(ENVIRONMENT, options) for options in ENVIRONMENTS}
    return {**found, "pettingzoo": pettingzoo(skyjo_v0, {})}


def skipbo_environments() -> Document:
    """The same for Skip-Bo."""
    found = {json.dumps(options): vector(SKIPBO_ENVIRONMENT, options) for options in SKIPBO_ENVIRONMENTS}
    return {**found, "pettingzoo": pettingzoo(skipbo_v0, {"rules": "stock=2"})}


def vector(environment: str, options: Document) -> dict[str, str]:
    """Steps of 16 tables with random actions; where an illegal one loses, some are illegal."""
    digests, chance = Digests(), np.random.default_rng(15)
    envs = gymnasium.make_vec(environment, num_envs=16, **options)
    observations, infos = envs.reset(seed=16)
    for _ in range(120):
        masks = infos["action_mask"].astype(np.float64)
        if options.get("illegal") == "lose":
            masks += 0.02
        observations, rewards, terminated, truncated, infos = envs.step(at_random(masks, chance))
        for name, what in (("observations", observations), ("rewards", rewards), ("terminated", terminated)):
            digests.note(name, what)
        for name, what in (("truncated", truncated), ("masks", infos["action_mask"]), ("seats", infos["seat"])):
            digests.note(name, what)
        for name in ("round_scores", "totals"):
            digests.note(name, infos.get("final_info", infos).get(name, 0))
    envs.close()
    return digests.document()


def pettingzoo(module: ModuleType, options: Document) -> dict[str, str]:
    """Two rounds of three."""
    digests, chance = Digests(), np.random.default_rng(17)
    env = module.env(players=3, episode="round", **options)
    for seed in range(2):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            is_over = terminated or truncated
            digests.note("agents", agent)
            digests.note("observations", observation["observation"])
            digests.note("rewards", float(reward))
            env.step(None if is_over else int(at_random(observation["action_mask"][np.newaxis], chance)[0]))
    return digests.document()


# All of them

DOCUMENTS: dict[str, Callable[[], Document]] = {
    "compare": compare,
    "environments": environments,
    "matches": matches,
    "paper": paper,
    "ratings": ratings,
    "skipbo_environments": skipbo_environments,
    "skipbo_tables": skipbo_tables,
    "skipbo_train": skipbo_train,
    "tables": tables,
    "tournament": tournament,
    "train": train,
}


def found(name: str) -> Document:
    """A document as it is now, made in a folder of its own that is removed; as JSON reads it again."""
    with TemporaryDirectory() as folder, chdir(folder):
        document: Document = json.loads(json.dumps(DOCUMENTS[name]()))
    return document


def golden(name: str) -> Document:
    """A document as it was."""
    document: Document = json.loads((GOLDEN / f"{name}.json").read_text())
    return document


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
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as for the tests
    parser = argparse.ArgumentParser(prog="python -m tests.golden_numbers", description=main.__doc__)
    known = ", ".join([*DOCUMENTS, PLAYTHROUGHS])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{known} (all if left out)")
    names = parser.parse_args().names or [*DOCUMENTS, PLAYTHROUGHS]
    for name in names:
        if name not in DOCUMENTS and name != PLAYTHROUGHS:
            parser.error(f"there is no {name}; there are {known}")
    for name in names:
        print(f"{name} ...", flush=True)
        if name == PLAYTHROUGHS:
            playthroughs.write_again()
        else:
            (GOLDEN / f"{name}.json").write_text("\n".join([*_lines(found(name)), ""]))


if __name__ == "__main__":
    main()
