"""Baselines: what the usual algorithms learn of Skyjo in the same number of decisions, and what it costs.

python benchmarks/baselines.py train               # every method with every seed; a second call makes what is missing
python benchmarks/baselines.py libraries --python .venv-integrations/bin/python    # the same for TorchRL and others
python benchmarks/baselines.py page                # docs/baselines.md, its figures and its picture, of these runs

Every run takes one core and ends with a JSON file in the folder --runs, so the program may be stopped at any time.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from baseline_libraries import LIBRARIES, LibraryRun, run_library
from baseline_methods import METHODS, OPPONENT, POINTS, Run, run_of
from baselines_page import write_page

from cardtable.errors import TableError
from cardtable.files import write_whole

RUNS = Path("build/baselines")
STEPS = ("train", "libraries", "page")


def main() -> None:
    """Read the options, then train or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=STEPS, help="what is to be done, see above")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), help="which (default all)")
    parser.add_argument("--seeds", type=int, default=5, help="runs of each method, with seeds 1, 2, ... (default 5)")
    parser.add_argument("--decisions", type=int, default=100_000, help="to learn from in each run (default 100000)")
    parser.add_argument("--deals", type=int, default=400, help="to measure against each player (default 400)")
    parser.add_argument("--runs", type=Path, default=RUNS, help=f"the folder of the runs (default {RUNS})")
    parser.add_argument("--json", action="store_true", help="print the runs as JSON; progress is on standard error")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="where the page goes (default docs)")
    parser.add_argument("--python", type=Path, help="of the environment that has the libraries")
    options = parser.parse_args()
    if options.step == "libraries" and options.python is None:
        parser.error("libraries needs --python, the Python of the environment that has them")
    if options.python is not None:
        options.python = options.python.absolute()
    if options.seeds < 1 or options.decisions < 1 or options.deals < 2:
        parser.error("--seeds and --decisions must be at least 1, --deals at least 2")
    try:
        if options.step == "train":
            _train(options)
        elif options.step == "libraries":
            _run_libraries(options)
        else:
            write_page(options.docs, _complete(options.runs), _libraries_in(options.runs))
    except (TableError, OSError) as error:
        parser.error(str(error))
    if options.json:
        everything: list[Run | LibraryRun] = [*_stored(options.runs), *_libraries_in(options.runs)]
        print(json.dumps([asdict(run) for run in everything], indent=1))


def _train(options: argparse.Namespace) -> None:
    """All runs that have no file yet; the seeds take turns, so that all methods have as many whenever it is stopped."""
    options.runs.mkdir(parents=True, exist_ok=True)
    wanted = [(name, seed) for seed in range(1, options.seeds + 1) for name in options.methods]
    for number, (name, seed) in enumerate(wanted, 1):
        file = options.runs / f"{name}-{seed}.json"
        if not file.exists():
            _carry_out(file, name, seed, options.decisions, options.deals)
        run = _read(file)
        if (run.wanted, run.deals) != (options.decisions, options.deals):
            raise TableError(
                f"{file}: another run, of {run.wanted} decisions and {run.deals} deals; name another --runs"
            )
        against = ", ".join(f"{margin:+.1f} against {name}" for name, margin in run.margins.items())
        print(
            f"\r{number} of {len(wanted)}: {name}, seed {seed}, {run.seconds:.0f} s: {against}",
            file=sys.stderr,
            flush=True,
        )


def _carry_out(file: Path, method: str, seed: int, decisions: int, deals: int) -> None:
    """One run, with a line on standard error that tells how far it has come."""

    def tell(done: int) -> None:
        print(f"\r{method}, seed {seed}: {done:,} of {decisions:,} decisions", end="", file=sys.stderr, flush=True)

    run = run_of(method, seed, decisions, deals, tell)
    write_whole(file, json.dumps(asdict(run), indent=1).encode())


def _stored(folder: Path) -> list[Run]:
    """The runs in a folder, method by method."""
    files = [file for name in METHODS for file in folder.glob(f"{name}-[0-9]*.json")]
    return sorted(map(_read, files), key=lambda run: (list(METHODS).index(run.method), run.seed))


def _complete(folder: Path) -> list[Run]:
    """The runs with those seeds that all methods have; TableError if there are fewer than two."""
    runs = _stored(folder)
    seeds = [{run.seed for run in runs if run.method == name} for name in METHODS]
    common = set.intersection(*seeds)
    if len(common) < 2:
        raise TableError(f"{folder}: the page needs two seeds of every method; train makes them")
    if len({(run.wanted, run.deals) for run in runs}) > 1:
        raise TableError(
            f"{folder}: some runs have more decisions or deals than others; name another folder with --runs"
        )
    if any(len(run.curve) <= POINTS for run in runs if run.method != "random"):
        raise TableError(f"{folder}: a curve has fewer than {POINTS + 1} points; train with more --decisions")
    return [run for run in runs if run.seed in common]


def _run_libraries(options: argparse.Namespace) -> None:
    """All libraries that the environment has and whose programs have not run yet."""
    options.runs.mkdir(parents=True, exist_ok=True)
    for name in LIBRARIES:
        file = _library_file(options.runs, name)
        if not file.exists():
            print(f"examples/{LIBRARIES[name].program} ...", file=sys.stderr, flush=True)
            run = run_library(name, options.python, options.decisions, options.deals, OPPONENT)
            if run is None:
                print(f"{options.python}: {name} is not installed", file=sys.stderr)
            else:
                write_whole(file, json.dumps(asdict(run), indent=1).encode())


def _libraries_in(folder: Path) -> list[LibraryRun]:
    files = [_library_file(folder, name) for name in LIBRARIES]
    return [LibraryRun(**json.loads(file.read_text())) for file in files if file.exists()]


def _library_file(folder: Path, name: str) -> Path:
    return folder / f"library-{name}.json"


def _read(file: Path) -> Run:
    try:
        return Run.from_document(json.loads(file.read_text()))
    except (ValueError, KeyError, TypeError):
        raise TableError(f"{file}: not a run of this program") from None


if __name__ == "__main__":
    main()
