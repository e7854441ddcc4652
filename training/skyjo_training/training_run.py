"""A training run: a folder with its config, checkpoints, measurements, TensorBoard's events, and finally the policy."""

import json
import platform
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from importlib.metadata import version
from itertools import product
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import tensorboard  # noqa: F401 (stable-baselines3 asks for it in the middle of a run)
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from cardtable.arena.statistics import Estimate
from cardtable.table.agents.agents import agents_of, decides_alone, names_class
from cardtable.table.agents.policies.model_card import Strength, card_path, read_card
from cardtable.table.agents.policies.policy_file import PolicyNetwork, card_of, save_policy
from cardtable.table.errors import TableError
from cardtable.table.files import lock, write_whole
from cardtable.table.game.card_game import find_game, plugged_in
from skyjo_training.checkpoint import Model, Notes, check_weights, load_checkpoint, save_checkpoint
from skyjo_training.evaluation import as_agent, evaluate
from skyjo_training.learned_game import learned_game
from skyjo_training.measurements import Measured, logged_numbers, write_measurements
from skyjo_training.table_learner import start_of
from skyjo_training.training_config import Config

CONFIG, ABOUT, POLICY = "config.json", "about.json", "policy.safetensors"
START = "start.safetensors"  # a copy of the policy that a run begins with
CHECKPOINTS, EVENTS = "checkpoints", "tensorboard"
SEED = "seed-"  # before its number: the folder of one of several runs
LAST = 10  # times as many deals are played for the last measurement
MIN_ENTROPY, MAX_KL = 0.02, 0.5  # of a policy that learns: ten times as much and a tenth of it are usual
PATIENCE = 120.0  # seconds after which there is a checkpoint even if nothing is measured
PACKAGES = ("skyjo-env", "torch", "stable-baselines3", "sb3-contrib", "numpy")
Tell = Callable[[Any, Measured | None], None]  # told of every step, and with every measurement


def begin(folder: Path, configs: Sequence[Config], command: str) -> None:
    """Make the folder of a new run, or of one run for each seed; TableError unless it is new or empty."""
    _check_agents(configs[0])
    if configs[0].start:
        start_of(configs[0])
    if folder.exists() and any(folder.iterdir()):
        raise TableError(f"{folder}: the folder is not empty; choose another one, or continue its run with --resume")
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f".{folder.name}.", suffix=".draft", dir=folder.parent))
    try:
        for config in configs:
            _begin_one(draft if len(configs) == 1 else draft / f"{SEED}{config.seed}", config, command)
        draft.chmod(0o755)
        draft.replace(folder)  # all at once; an empty folder is replaced
    except BaseException:
        rmtree(draft, ignore_errors=True)
        raise


def _check_agents(config: Config) -> None:
    """TableError, before anything is written, for an agent that cannot sit at the tables of a run."""
    names, agents = _agents_of(config), agents_of(find_game(config.game))
    for name in names:
        factory = agents.factory(name)
        if not decides_alone(factory):
            raise TableError(f"{name} cannot play at the tables of a training run")
    for players, name in product(config.players, names):
        agents.make(name, config.rules_at(players))


def _agents_of(config: Config) -> set[str]:
    """Return the agents of a run; TableError for a class of a file, which a run's folder from elsewhere must not
    execute.
    """
    names = {*config.opponents, *config.baselines, config.teacher} - {""}
    for name in names:
        if names_class(name):
            raise TableError(f"{name} cannot be named in a training run: give it a name by an entry point")
    return names


def folders_of(folder: Path) -> list[Path]:
    """Return the folders of the runs in this one: itself, or one for each seed; TableError if there are none."""
    several = [run for run in _seeds_of(folder) if (run / CONFIG).is_file()]
    if not several and not (folder / CONFIG).is_file():
        raise TableError(f"{folder}: there is no training run in this folder ({CONFIG} is missing)")
    return several or [folder]


def policies_of(folder: Path) -> list[Path]:
    """Return the policies in the folder of a run, or of one for each seed; TableError if one is missing."""
    folders = _seeds_of(folder) or [folder]
    for run in folders:
        if not (run / POLICY).is_file():
            raise TableError(f"{run}: there is no policy in this folder ({POLICY} is missing)")
    return [run / POLICY for run in folders]


def _seeds_of(folder: Path) -> list[Path]:
    """Return the folders seed-N in this one, by N."""
    seeds = {path: path.name.removeprefix(SEED) for path in folder.glob(f"{SEED}*")}
    return sorted((path for path, seed in seeds.items() if seed.isdecimal()), key=lambda path: int(seeds[path]))


def _begin_one(folder: Path, config: Config, command: str) -> None:
    folder.mkdir(exist_ok=True)
    about = {"command": command, "python": platform.python_version(), "machine": platform.machine()}
    about |= {name: version(name) for name in PACKAGES}
    if config.start:
        start = Path(config.start)
        for path in (start, card_path(start)):
            write_whole((folder / START).with_suffix(path.suffix), path.read_bytes())
        config = replace(config, start=START)
    _write_about(folder, config, about)


def _write_about(folder: Path, config: Config, about: dict[str, str]) -> None:
    write_whole(folder / ABOUT, json.dumps(about, indent=1).encode())
    write_whole(folder / CONFIG, json.dumps({"game": config.game, **asdict(config)}, indent=1).encode())


def lengthen(folder: Path, decisions: int, command: str) -> None:
    """Let each run in this folder go on to this many decisions; TableError if one is longer already.

    The policy of the shorter run stays until the longer one has ended.
    """
    configs = {run: config_of(run) for run in folders_of(folder)}
    for run, config in configs.items():
        if decisions < config.decisions:
            raise TableError(f"{run}: --decisions {decisions} is less than the {config.decisions} of this run")
    for run, config in configs.items():
        if decisions > config.decisions:
            with alone(run):  # which keeps the config open: Windows replaces no open file
                about = about_of(run)
            about["command"] = f"{about.get('command', '')} && {command}"
            _write_about(run, replace(config, decisions=decisions), about)


def config_of(folder: Path) -> Config:
    """Return the config of a run; TableError if there is none."""
    path = folders_of(folder)[0] / CONFIG
    try:
        written = json.loads(path.read_bytes())
        game = written.pop("game", None)
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in written.items()}
        config = learned_game(game).config().with_changes(values)
        _agents_of(config)
        return config
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise TableError(f"{path}: {error}") from error


def about_of(folder: Path) -> dict[str, str]:
    """Return the command and the versions of a run; empty if the file with them is lost."""
    try:
        about = json.loads((folder / ABOUT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return about if isinstance(about, dict) else {}


def train(folder: Path, tell: Tell = lambda *_: None) -> Any:
    """Carry out the run in this folder, from its last checkpoint; `tell` is called at every step and measurement."""
    config = config_of(folder)
    if config.start:
        config = replace(config, start=str(folder / config.start))
    with alone(folder):
        return _train(folder, config, tell)


def _train(folder: Path, config: Config, tell: Tell) -> Model:
    model: Model = plugged_in(learned_game(config.game).learners[config.method])(config)
    notes = load_checkpoint(folder / CHECKPOINTS, model)
    model.set_logger(configure(str(folder / EVENTS), ["tensorboard"]))
    watcher = _Watcher(folder, config, notes, tell)
    if model.num_timesteps < config.rollouts * config.tables * config.n_steps:
        model.carry_on(watcher)
        watcher.look(last=True)
    else:
        write_measurements(folder, watcher.measured)
    model.logger.close()
    _save_policy(folder, config, model, watcher.measured[-1])
    return model


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Raise TableError while another process trains in this folder."""
    with (folder / CONFIG).open("rb") as stream:
        try:
            lock(stream.fileno())
        except (BlockingIOError, PermissionError):  # Windows raises the second
            raise TableError(f"{folder}: another process is training here") from None
        yield


def _save_policy(folder: Path, config: Config, model: Model, measured: Measured) -> None:
    """Write the policy and its card."""
    about = about_of(folder)
    record: dict[str, Any] = {
        "decisions": measured.decisions,
        "seconds": round(measured.seconds),
        **about,
        "config": asdict(config),
    }
    if config.start:
        record["config"] |= {"start": START}  # its name in the folder
        record["start"] = read_card(Path(config.start)).training
    margins = measured.to_document()["margins"]
    strength: list[Strength] = [
        {
            "against": name,
            "players": players,
            "deals": LAST * config.deals,
            "margin": margins[_label(config, name, players)],
        }
        for players, name in product(config.players, config.baselines)
    ]
    network = model.policy.network
    save_policy(folder / POLICY, network, card_of(network, config.players, record, strength))


def _label(config: Config, baseline: str, players: int) -> str:
    """Return the name of a margin, which tells the size of the table if there are several."""
    return baseline if len(config.players) == 1 else f"{baseline} ({players} players)"


class _Watcher(BaseCallback):
    """Measures the policy at intervals, and writes measurements and checkpoints."""

    model: Model  # type: ignore[assignment]

    def __init__(self, folder: Path, config: Config, notes: Notes, tell: Tell) -> None:
        super().__init__()
        self.folder, self.config, self.measured, self.tell = folder, config, notes.measured, tell
        self.began = time.monotonic() - notes.seconds
        self.saved = time.monotonic()
        self.has_warned = False
        self.logged: dict[str, Any] = {}

    def _on_rollout_start(self) -> None:
        config, decisions = self.config, self.num_timesteps
        self._check()
        due = {round(config.rollouts * part / config.measurements) for part in range(1, config.measurements)}
        rollouts = decisions // (config.tables * config.n_steps)
        if rollouts in due and (not self.measured or self.measured[-1].decisions < decisions):
            self.look()
        elif time.monotonic() - self.saved > PATIENCE:
            self._save()

    def _check(self) -> None:
        """Stop if learning has diverged, and warn once if it is about to."""
        check_weights(self.model)
        losses = logged_numbers(self.logger.name_to_value)
        entropy, change = losses["entropy"], losses["approx_kl"]
        if not self.has_warned and (entropy < MIN_ENTROPY or change > MAX_KL):
            self.has_warned = True
            words = f"the policy changes too fast to learn (entropy {entropy:.3f}, approx_kl {change:.3g})"
            warnings.warn(f"{words}; start again with a lower --learning-rate", stacklevel=2)

    def _on_step(self) -> bool:
        self.tell(self.model, None)
        return True

    def _on_rollout_end(self) -> None:
        self.logged = dict(self.logger.name_to_value)  # which a dump is about to clear

    def look(self, last: bool = False) -> None:
        """Measure the policy, add a snapshot of it to the opponents, and write everything to disk."""
        decisions, deals = self.model.num_timesteps, self.config.deals * (LAST if last else 1)
        margins = measure(self.model.policy.network, self.config, deals)
        logged = logged_numbers(self.logged | self.logger.name_to_value)
        measured = Measured(decisions, time.monotonic() - self.began, margins, logged)
        for name, margin in margins.items():
            self.logger.record(f"margin/{name}", margin.mean)
        self.logger.dump(decisions)
        self.measured.append(measured)
        if not last:
            self.model.add_snapshot()
        write_measurements(self.folder, self.measured)
        self._save()  # last: a run that is interrupted before this measures again
        self.tell(self.model, measured)

    def _save(self) -> None:
        notes = Notes(self.measured, time.monotonic() - self.began)
        save_checkpoint(self.folder / CHECKPOINTS, self.model, notes)
        self.saved = time.monotonic()


def measure(network: PolicyNetwork, config: Config, deals: int) -> dict[str, Estimate]:
    """Return the margins against the baselines at tables of all sizes; a baseline sits in all the other seats."""
    margins = {}
    for players in config.players:
        rules = config.rules_at(players)
        agent = as_agent(network, rules)
        for name in config.baselines:
            margins[_label(config, name, players)] = evaluate(agent, rules, against=name, deals=deals).margin
    return margins
