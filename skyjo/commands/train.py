"""The command `train`: its options, to which the config of a game adds its own, the runs, and the output."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass, fields, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import tyro

from skyjo.commands.playing import OnCluster
from skyjo.interfaces import called, interface
from skyjo_training.learned_game import learned_game
from skyjo_training.training_config import UNUSED, Config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skyjo_training.measurements import Measured
    from skyjo_training.table_learner import TableLearner

NONE_GIVEN = 1  # decisions of a run that is resumed
RESUME = "each run keeps its last checkpoint, and train --resume continues"


@dataclass(frozen=True)
class Train(OnCluster, Config):
    """Train a policy. The folder RUN keeps everything: config, checkpoints, metrics, policy and report.

    Defaults come from the preset; --preset NAME --help shows them. --resume continues an interrupted run and ends with
    the same policy as an uninterrupted one.
    """

    folder: Annotated[str, tyro.conf.arg(metavar="RUN"), tyro.conf.Positional] = tyro.MISSING
    """Folder of the run."""

    preset: str = "demo"

    resume: bool = False
    """Continue the run in this folder with its own options. A larger number of --decisions makes it longer."""

    seeds: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Train N policies with consecutive seeds, each in its own folder."""

    workers: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Number of the --seeds to train at once on this machine."""

    json: bool = False
    """Print the last measurements as JSON."""

    @classmethod
    def defaults(cls, arguments: Sequence[str]) -> Self:
        """Return the preset that the arguments name, as far as their method can use it, with the widths of the network
        that they start from.
        """
        preset = dict(learned_game(cls.game).presets.get(_value_of("--preset", arguments) or "demo", {}))
        if _value_of("--method", arguments) == "maskable-ppo":
            preset |= {**UNUSED["maskable-ppo"], "opponents": (), "opponent_fraction": 0.0}
        if "--resume" in arguments:
            preset["decisions"] = NONE_GIVEN
        names = {field.name for field in cls.own_fields()}
        widths = _network_of(_value_of("--start", arguments))
        return cls(**{**preset, **{name: width for name, width in widths.items() if name in names}})

    def run(self) -> None:
        """Train and print."""
        import torch  # noqa: F401 (without it, users need the extra train, which brings everything else)

        from cardtable.table.checks import check_int
        from cardtable.table.errors import TableError
        from skyjo_training.measurements import read_measurements
        from skyjo_training.training_run import begin, folders_of, lengthen

        check_int("workers", self.workers, 1, 64)
        folder = Path(self.folder).expanduser()
        if not 1 <= self.seeds <= 1000:
            raise TableError(f"--seeds {self.seeds} must be from 1 to 1000")
        if self.resume:
            self._check_no_options()
            if self.decisions > NONE_GIVEN:
                lengthen(
                    folder, self.decisions, f"{interface().command} train --resume RUN --decisions {self.decisions}"
                )
        else:
            begin(folder, self._configs(), self._command())
        folders = folders_of(folder)
        with self.connected(self.workers):
            if self.cluster is not None:
                train_on_cluster(folders)
            elif self.workers > 1:
                train_in_processes(folders, self.workers)
            else:
                for run in folders:
                    train_here(run)
        self._finish(folder, {run.name: read_measurements(run)[-1] for run in folders})

    def _configs(self) -> list[Config]:
        values = {field.name: getattr(self, field.name) for field in self.own_fields()}
        return [learned_game(self.game).config(**values | {"seed": self.seed + number}) for number in range(self.seeds)]

    def _check_no_options(self) -> None:
        """TableError if options are given that a resumed run cannot change."""
        from cardtable.table.errors import TableError

        usual = self.defaults(["--resume"])
        changed = {field.name for field in fields(self) if getattr(self, field.name) != getattr(usual, field.name)}
        if changed - {"folder", "resume", "decisions", "json", "workers", "cluster"}:
            added = "--decisions, --json, --workers and --cluster"
            raise TableError(f"--resume continues a run with its own options; only {added} may be added")

    def _command(self) -> str:
        from skyjo.commands.shared import command_line

        usual = self.defaults(["--preset", self.preset, "--method", self.method])
        return command_line("train", self, ("json", "workers", "cluster"), usual)

    def _finish(self, folder: Path, measured: dict[str, Measured]) -> None:
        from json import dumps

        from skyjo_training.measurements import margins_over_seeds
        from skyjo_training.run_report import write_report

        page, over = write_report(folder), margins_over_seeds(list(measured.values()))
        if self.json:
            documents: dict[str, Any] = {name: last.to_document() for name, last in measured.items()}
            if over:
                documents["over seeds"] = {"margins": {name: margin.to_document() for name, margin in over.items()}}
            print(dumps(documents, indent=1))
            return
        from skyjo.terminal.console import print_table

        rows = [
            (name, against, str(margin)) for name, last in measured.items() for against, margin in last.margins.items()
        ]
        rows += [("over seeds", against, str(margin)) for against, margin in over.items()]
        print_table(("run", "against", "points a round"), rows, names=2)
        print(f"Written: {folder}/policy.safetensors, {page}" if len(measured) == 1 else f"Written: {page}")


def train_command() -> type[Train]:
    """Return the command for the game that was called, with the options of its config and the names of its presets."""
    game = learned_game(interface().game)
    names: Any = Literal
    preset = ("preset", Annotated[names[tuple(game.presets)], tyro.conf.arg(help=game.presets_take)], Train.preset)
    namespace = {"__doc__": Train.__doc__, "__module__": __name__}
    return make_dataclass("Train", [preset], bases=(game.config, Train), namespace=namespace, frozen=True)


def _value_of(option: str, arguments: Sequence[str]) -> str:
    """Return the value of an option in the arguments; "" if it is not there."""
    words = " ".join(arguments).replace(f"{option}=", f"{option} ").split()
    return words[words.index(option) + 1] if option in words[:-1] else ""


def _network_of(start: str) -> dict[str, int]:
    """Return the widths of the network in a policy file; none if it cannot be read, which `begin` complains about."""
    from cardtable.table.agents.policies.model_card import read_card
    from cardtable.table.errors import AgentError

    try:
        return read_card(Path(start)).network if start else {}
    except AgentError:
        return {}


def train_on_cluster(folders: Sequence[Path]) -> None:
    """Carry out runs on the nodes of a cluster, which share these folders: a run whose node is lost continues on
    another from its last checkpoint.
    """
    from functools import partial

    from cardtable.arena.workers.cluster import results
    from skyjo.terminal.progress import progress
    from skyjo_training.measurements import read_measurements

    with progress("training", len(folders)) as advance:
        runs = [folder.resolve() for folder in folders]
        for folder, _ in results(partial(_train_one, interface().game), runs):
            advance(1)
            _say(f"{folder.name}: {_words(read_measurements(folder)[-1])}")


def train_in_processes(folders: Sequence[Path], workers: int) -> None:
    """Carry out runs in processes of this machine."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    from cardtable.table.errors import TableError

    game = interface().game
    pool = ProcessPoolExecutor(min(workers, len(folders)), get_context("spawn"), _ignore_interruptions)
    try:
        for run in as_completed([pool.submit(_train_one, game, folder) for folder in folders]):
            run.result()
    except BrokenProcessPool as error:  # a pool of multiprocessing would wait for it forever
        raise TableError(f"a training process has ended, perhaps for lack of memory; {RESUME}") from error
    finally:
        for process in active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _ignore_interruptions() -> None:
    """Ignore Ctrl-C in a worker: the command itself ends its processes."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _train_one(game: str, folder: Path) -> None:
    with called(game):
        train_here(folder)


def train_here(folder: Path) -> None:
    """Carry out a run in this process, with a progress bar and a line for every measurement."""
    from cardtable.table.errors import TableError
    from skyjo.terminal.progress import progress
    from skyjo_training.training_run import config_of, train

    config, command = config_of(folder), interface().command
    done = 0
    with progress(folder.name, config.decisions) as advance, warnings.catch_warnings():
        warnings.showwarning = lambda message, *_: _say(f"{command}: {message}")  # in any thread

        def report(model: TableLearner, measured: Measured | None) -> None:
            nonlocal done
            advance(model.num_timesteps - done)
            done = model.num_timesteps
            if measured is not None:
                _say(f"{folder.name}: {_words(measured)}" if folder.name.startswith("seed-") else _words(measured))

        try:
            train(folder, report)
        except MemoryError:
            raise TableError(f"{folder}: there is not enough memory for tables × steps decisions at once") from None
        except KeyboardInterrupt:
            _say(f"\nThe last checkpoint is in {folder}; {command} train --resume continues from it")
            raise


def _words(measured: Measured) -> str:
    speed = f"{measured.decisions / max(measured.seconds, 1e-9) / 1000:.1f} k/s"
    margins = ", ".join(f"{name} {margin}" for name, margin in measured.margins.items())
    return f"{measured.decisions / 1e6:6.2f} M decisions  {speed}  {margins}"


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
