"""Measure what docs/results.md and the README print, keep it in benchmarks/results.json, and write both from there.

.venv/bin/python benchmarks/results.py                measure what takes little time
.venv/bin/python benchmarks/results.py "lookahead-*"       measure these, however long they take
.venv/bin/python benchmarks/results.py --list         list all, with their seconds of processor time
.venv/bin/python benchmarks/results.py --write        measure nothing, and write the pages again
"""

import argparse
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatch
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from cardtable.arena.statistics import estimate
from cardtable.table.files import write_whole

ROOT = Path(__file__).parent.parent
KEPT, PAGE, README = ROOT / "benchmarks" / "results.json", ROOT / "docs" / "results.md", ROOT / "README.md"
CHEAP = 60  # seconds of processor time
MARKED = re.compile(r"(?<=<!-- results -->\n).*?(?=<!-- end of results -->)", re.DOTALL)
POINTS, ROUNDS = "{mean:+.2f} ± {half:.2f} points a round", "{mean:.1%} ± {half:.1%} of rounds won"
GAMES, LOST = "{mean:.1%} ± {half:.1%} of games won", "{mean:.2f} ± {half:.2f} points a decision"
REFERENCE = "threshold:t=2,columns=true"  # Reichel's threshold that is best under official rules
HPVP = "hpvp:gap=farthest,empty=as_zero"  # the reading of Strittmatter's strategy that is best against `planner`


class Result(TypedDict):
    """A measured figure, with its origin."""

    mean: float
    half: NotRequired[float]  # of a 95 % interval
    unit: NotRequired[str]
    date: str
    machine: str
    command: str


@dataclass(frozen=True)
class Measurement:
    """A figure that users ask for, and the command that measures it."""

    name: str
    theme: str  # the heading of its table
    words: str
    command: str  # prints JSON when `--json` is added
    seconds: float  # of processor time that the command takes
    place: tuple[str | int, ...]  # in that JSON; leads to a mean with its half, or to a row of a benchmark by its name
    result_format: str = ""  # how the result is printed, if not with the benchmark's unit


def timed(theme: str, program: str, seconds: float, rows: dict[str, str]) -> list[Measurement]:
    """Return figures that a program of benchmarks/ prints: the rows by their names here."""
    command = f"python benchmarks/{program}"
    return [Measurement(name, theme, row, command, seconds, (row,)) for name, row in rows.items()]


def match(name: str, command: str, seconds: float, result_format: str = POINTS) -> Measurement:
    """Return how far the first agent is ahead, or how much it wins."""
    program, _, first, second, *options = shlex.split(command)
    words = f"`{first}` against {named(second)}"
    if "--players" in options:
        words += f", {options[options.index('--players') + 1]} players"
    place = "margin" if result_format == POINTS else "wins"
    if "--luck" in command:
        place, words = "without_luck", f"{words}, luck subtracted"
    return Measurement(name, PLAYERS_OF[program], words, command, seconds, ("standings", 0, place), result_format)


def named(agent: str) -> str:
    """Return the name of an agent in the tables."""
    return "the reference" if agent == REFERENCE else f"`{agent}`"


def exam(name: str, command: str, seconds: float) -> Measurement:
    """Return the loss of an agent in the examination."""
    program, _, agent = shlex.split(command)
    words = f"{named(agent)}, examined"
    return Measurement(name, PLAYERS_OF[program], words, command, seconds, ("agents", 0, "lost"), LOST)


def learned(name: str, preset: str, against: str, seconds: float) -> Measurement:
    """Return how far the policies of a preset are ahead of an agent, over five seeds."""
    words = f"preset `{preset}` against {named(against)}"
    command = f"skyjo train build/{preset}-seeds --preset {preset} --seeds 5 --deals 2500"
    return Measurement(name, "Learning", words, command, seconds, ("*", "margins", against, "mean"), POINTS)


def learned_for_long(name: str, words: str, run: str, options: str) -> Measurement:
    """Return how far the policy of a long run is behind `policy`, for one seed."""
    command = f"skyjo train build/{run} {options} --seed 6 --deals 2500 --baselines policy"
    return Measurement(name, "Learning", f"{words} against `policy`", command, 1800, (run, "margins", "policy"), POINTS)


SEARCHED = "--preset search --decisions 6000000 --start build/hour/policy.safetensors"
PLAYERS_OF = {"skyjo": "Players of Skyjo", "skipbo": "Players of Skip-Bo", "skyjo-action": "Players of Skyjo Action"}
KERNEL = {
    "kernel": "Skyjo, compiled, with mask",
    "kernel-view": "Skyjo, compiled, with mask and observation",
    "kernel-skipbo": "Skip-Bo, compiled, with mask and observation",
    "kernel-action": "Skyjo Action, compiled, with mask and observation",
    "batch": "Skyjo, GameBatch.step, 1024 tables",
    "game": "Game.apply, with mask and observation",
    "first-use": "first use, compiling",
}
ENVIRONMENTS = {
    "pettingzoo": "PettingZoo, env()",
    "rlskyjo": "rlskyjo 1.0.0, env",
    "gymnasium": "Gymnasium, one table",
    "vector": "Gymnasium, 1024 tables, SameStep",
    "vec-env": "SeatVecEnv, 1024 tables",
}
AGENTS = {
    "policy": "policy, asked for many tables at once",
    "lookahead": "lookahead, asked for many tables at once",
    "match": "a match of scripts, one worker",
}
TABLE = {
    "site-size": "all files with the weights of lookahead, compressed",
    "site-card": "first card after the address",
    "site-analysis": "a round of Skyjo analysed",
    "click": "painted decision after its click",
    "memory": "memory of the server with 200 rooms",
}
METHODS = "ppo", "a2c", "dqn", "maskable-ppo", "maskable-ppo-network", "self-play"
LEARNED = {f"learn-{name}": f"{name}, 100,000 decisions" for name in METHODS}
IN_README = {
    "kernel": "decisions on one core, compiled",
    "pettingzoo": "with PettingZoo's `last` and `step`",
    "rlskyjo": "with `last` and `step` of rlskyjo 1.0.0",
    "learn-demo": "`skyjo train`, after ten seconds, against the best threshold of [Reichel](papers/reichel.md)",
    "policy-paper": "`policy`, a learned player of the package, against this threshold",
    "lookahead-policy": "`lookahead`, which searches one decision ahead, against `policy`, luck subtracted",
    "planner-paper": "Skip-Bo's `planner` against HPVP of [Strittmatter's paper](papers/strittmatter.md)",
}
MEASUREMENTS = [
    *timed("Speed", "kernel.py", 50, KERNEL),
    *timed("Speed", "environments.py --rlskyjo", 60, ENVIRONMENTS),
    *timed("Speed", "agents.py", 50, AGENTS),
    match("tempo-paper", f"skyjo match tempo {REFERENCE} --deals 50000 --seed 5", 15),
    match("policy-paper", f"skyjo match policy {REFERENCE} --deals 20000 --seed 1", 8),
    match("policy-tempo", "skyjo match policy tempo --deals 20000 --seed 1", 25),
    match("policy-games", "skyjo match policy tempo --episode game --deals 1000 --seed 1", 5, GAMES),
    match("lookahead-policy", "skyjo match lookahead policy --deals 5000 --seed 1 --luck-by network", 150),
    match("2to8p-tempo-8", "skyjo match policy:name=2to8p tempo --players 8 --deals 600 --seed 1", 25),
    exam("exam-reference", f"skyjo exam {REFERENCE}", 2),
    exam("exam-tempo", "skyjo exam tempo", 2),
    exam("exam-policy", "skyjo exam policy", 2),
    match("planner-paper", f"skipbo match planner {HPVP} --deals 10000 --seed 1", 15, ROUNDS),
    match("skipbo-policy", "skipbo match policy planner --deals 3000 --seed 1", 75, ROUNDS),
    match("skipbo-rollout", "skipbo match rollout:n=70,turns=4,caution=0 planner --deals 32 --seed 1", 700, ROUNDS),
    exam("exam-planner", "skipbo exam planner", 5),
    match("action-planner", "skyjo-action match planner greedy --deals 4000 --seed 1", 40),
    match("action-policy", "skyjo-action match policy planner --deals 2000 --seed 1", 60),
    match("action-rollout", "skyjo-action match rollout:n=20,turns=30000 planner --deals 40 --seed 1", 600),
    *timed("Learning", "algorithms.py", 1200, LEARNED),
    learned("learn-demo", "demo", REFERENCE, 220),
    learned("learn-demo-tempo", "demo", "tempo", 220),
    learned("learn-minute", "minute", REFERENCE, 600),
    learned("learn-minute-tempo", "minute", "tempo", 600),
    learned_for_long("learn-hour", "preset `hour`", "hour", "--preset hour"),
    learned_for_long("learn-search", "`hour`, then `search`,", "searched", SEARCHED),
    *timed("The table in the browser", "table.py", 100, TABLE),
]

HEAD = """# Results

Each result has its command next to it or above its table. In a clone, `make results NAME=policy-paper` repeats one,
and `python benchmarks/results.py --list` lists the names. [Ladders](ladders.md) rank all agents.

| word | meaning |
| --- | --- |
| ± | half a 95 % interval over deals, each played from every seat; over seeds for algorithms, `demo` and `minute` |
| points a round | margin over the other seats' mean; for algorithms over the reference |
| the reference | `{reference}`: [Reichel's](../papers/reichel.md#thresholds) best threshold under official rules |
| examined | mean loss in the [examination](guides/measuring.md#single-decisions-exam) |
| machine | {machine}; {first} to {last} |

The result of a match depends on the seed alone, the result of learning also on the processor.
"""
CURVES = """\
The first four algorithms have a plain network and learn against `tempo`. The last two have the package's network and
learn against themselves.

### Learning curves

Margins of policies while they learn. Bands are 95 % intervals over seeds. The last point of a curve has averaged
weights.

![margins against the reference](images/learning-paper.svg)

![margins against tempo](images/learning-tempo.svg)

![margins against policy](images/learning-policy.svg)

`python benchmarks/learning_curves.py RUN ...` draws the pictures from folders of runs.
"""
PAPERS = """## The papers, checked

- [Reichel 2026](../papers/reichel.md) on Skyjo: eight of eleven claims hold under conditions, and three fail. The
  printed program does not produce the printed table.
- [Strittmatter](../papers/strittmatter.md) on Skip-Bo: 6 of 35 claims are confirmed. Greedy play on four piles beats
  the strategy HPVP as printed.
- [Edelkamp](../papers/elo.md) on Elo for games of chance: all numbers but three are reproduced. Ratings are more
  accurate with luck subtracted.
- [Skill and chance](../papers/skill.md) applies three published measures of skill to Skyjo.

In a clone, `python -m papers` repeats each study.
"""


@cache
def printed(command: str) -> Any:
    """Return the JSON that a command prints; each runs only once."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    packages = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": packages}
    arguments = shlex.split(f"{command} --json")
    return json.loads(subprocess.run(arguments, cwd=ROOT, stdout=subprocess.PIPE, env=environment, check=True).stdout)


def at(document: Any, place: Sequence[str | int]) -> Any:
    """Return what stands at a place; `*` stands for all values, whose mean is returned with half its interval."""
    for number, step in enumerate(place):
        if step == "*":
            return estimate([at(value, place[number + 1 :]) for value in document.values()]).to_document()
        is_row = isinstance(document, list) and isinstance(step, str)
        document = next(row for row in document if row["name"] == step) if is_row else document[step]
    return document


def measured(measurement: Measurement) -> Result:
    """Run the command of a measurement."""
    value = at(printed(measurement.command), measurement.place)
    result: Result = {
        "mean": float(f"{value.get('mean', value.get('measured')):.4g}"),
        "date": date.today().isoformat(),
        "machine": machine(),
        "command": measurement.command,
    }
    if value.get("half") is not None:
        result["half"] = float(f"{value['half']:.4g}")
    if "unit" in value:
        result["unit"] = value["unit"]
    return result


def machine() -> str:
    """Return the processor and the number of its cores."""
    about = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.*)", about.read_text()) if about.exists() else None
    return f"{model[1] if model else platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def words_of(measurement: Measurement, result: Result) -> str:
    """Return a result for people."""
    if measurement.result_format:
        text = measurement.result_format.format(**result)
    elif "half" in result:
        text = f"{result['mean']:+.1f} ± {result['half']:.1f} {result.get('unit', '')}"
    else:
        text = f"{result['mean']:{',.0f' if result['mean'] >= 100 else '.3g'}} {result.get('unit', '')}"
    text = text.replace(f" ahead of {REFERENCE}", "")
    return text.replace("-", "−").replace("% ±", " ±").replace("%", " %")


def page(results: dict[str, Result]) -> str:
    """Return docs/results.md."""
    speeds = [row.name for row in MEASUREMENTS if not row.theme.startswith("Players")]  # which differ by machine
    machines, dates = {results[name]["machine"] for name in speeds}, [result["date"] for result in results.values()]
    about = {"machine": " and ".join(sorted(machines)), "first": min(dates), "last": max(dates)}
    parts = [HEAD.format(reference=REFERENCE, **about)]
    for theme, rows in groupby(MEASUREMENTS, lambda row: row.theme):
        parts += [f"## {theme}\n", *tables([*rows], results)]
        if theme == "Learning":
            parts.append(CURVES)
    return "\n".join([*parts, PAPERS])


def tables(rows: list[Measurement], results: dict[str, Result]) -> list[str]:
    """Return the results of a theme, with a column of commands unless several come from one command."""
    printed_by = {command: [*those] for command, those in groupby(rows, lambda row: row.command)}
    shown = {row.name: (row.words, words_of(row, results[row.name])) for row in rows}
    if len(printed_by) == len(rows):
        return [table(("players", "result", "command"), [(*shown[row.name], f"`{row.command}`") for row in rows])]
    head = ("measured", "result")
    return [f"`{name}`\n\n{table(head, [shown[row.name] for row in those])}" for name, those in printed_by.items()]


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ("---",) * len(head), *rows))


def readme(text: str, results: dict[str, Result]) -> str:
    """Return the README with its table of results."""
    lines = ["| measurement ([all results, with their commands](docs/results.md)) | result |", "| --- | --- |"]
    rows = {row.name: row for row in MEASUREMENTS}
    lines += [f"| {words} | {words_of(rows[name], results[name])} |" for name, words in IN_README.items()]
    return MARKED.sub("\n".join(lines) + "\n", text)


def write(results: dict[str, Result]) -> None:
    """Write the kept results and both pages."""
    ordered = {row.name: results[row.name] for row in MEASUREMENTS}
    texts = {KEPT: json.dumps(ordered, indent=1) + "\n", PAGE: page(ordered)}
    for file, text in (texts | {README: readme(README.read_text("utf-8"), ordered)}).items():
        write_whole(file, text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to measure, with * as in file names")
    parser.add_argument("--list", action="store_true", help="list them, and measure nothing")
    parser.add_argument("--write", action="store_true", help="write the pages again, and measure nothing")
    options = parser.parse_args()
    named = [row for row in MEASUREMENTS if any(fnmatch(row.name, name) for name in options.names)]
    if options.names and not named:
        parser.error(f"nothing is called {' or '.join(options.names)}; --list shows all")
    results: dict[str, Result] = json.loads(KEPT.read_text())
    if options.list:
        for row in named or MEASUREMENTS:
            print(f"{row.name:22}{row.seconds:5g} s   {words_of(row, results[row.name]):34}{row.command}")
    elif options.write:
        write(results)
    else:
        for row in named or [row for row in MEASUREMENTS if row.seconds <= CHEAP]:
            before, results[row.name] = results.get(row.name), measured(row)
            was = f"   was {words_of(row, before)}" if before else ""
            print(f"{row.name:22}{words_of(row, results[row.name])}{was}", flush=True)
            write(results)


if __name__ == "__main__":
    main()
