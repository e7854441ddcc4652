"""A training run: a folder with its config, checkpoints, metrics, TensorBoard's events, and at last the policy."""

import json
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import product
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import tensorboard  # noqa: F401 (stable-baselines3 asks for it in the middle of a run)
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from cardtable.agents import Agent
from cardtable.card_game import Setup
from cardtable.checks import brief
from cardtable.errors import AgentError, TableError
from cardtable.files import drafted, write_whole
from cardtable.play.pairing import play_paired
from cardtable.statistics import Estimate, estimate
from skyjo_agents.peek import PeekAgent
from skyjo_agents.policy_file import card_of, load_policy, save_policy
from skyjo_env.agents import make_agent
from skyjo_training.checkpoint import load_checkpoint, save_checkpoint
from skyjo_training.self_play import NetworkAgent, SelfPlay
from skyjo_training.training_config import Config

CONFIG, ABOUT, METRICS, POLICY = "config.json", "about.json", "metrics.parquet", "policy.safetensors"
CHECKPOINTS, EVENTS = "checkpoints", "tensorboard"
LAST = 10  # times as many deals are played for the last measurement
PATIENCE = 120.0  # seconds after which there is a checkpoint even if nothing is measured
LEARNED = ("entropy_loss", "value_loss", "approx_kl", "explained_variance")  # what stable-baselines3 notes of an update
PACKAGES = ("skyjo-env", "torch", "stable-baselines3", "sb3-contrib", "numpy")
MEASURING = 2**63  # the seed of the deals for measurements; none of them is learned from
Row = dict[str, float]


@dataclass(frozen=True)
class Measured:
    """How far a run has come."""

    decisions: int
    seconds: float  # of learning and measuring, those before an interruption included
    margins: dict[str, Estimate]  # by baseline, and by the number of players where the policy learns several


def begin(folder: Path, configs: Sequence[Config], command: str) -> None:
    """Make the folder of a new run, or of one for each config, by its seed; TableError if there is something in it."""
    _check_agents(configs[0])
    if folder.exists() and any(folder.iterdir()):
        raise TableError(f"{folder}: there is something in this folder; a new run wants one of its own")
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f".{folder.name}.", suffix=".draft", dir=folder.parent))
    try:
        for config in configs:
            _begin_one(draft if len(configs) == 1 else draft / f"seed-{config.seed}", config, command)
        draft.chmod(0o755)
        draft.replace(folder)  # all of it at once; an empty folder gives way
    except BaseException:
        rmtree(draft, ignore_errors=True)
        raise


def _check_agents(config: Config) -> None:
    """An error, before anything is written, for those who cannot sit at the tables of a run."""
    for players, name in product(config.players, {*config.opponents, *config.baselines}):
        agent = make_agent(name, config.rules_at(players))
        if isinstance(agent, PeekAgent) or name.partition(":")[0] == "human":
            raise TableError(f"{name} cannot play at the tables of a training run")


def folders_of(folder: Path) -> list[Path]:
    """The folders of the runs in this one: itself, or one for each seed; TableError if there are none."""
    several = sorted(folder.glob(f"seed-*/{CONFIG}"), key=lambda path: (len(path.parent.name), path.parent.name))
    if not several and not (folder / CONFIG).is_file():
        raise TableError(f"{folder}: there is no training run in this folder ({CONFIG} is missing)")
    return [path.parent for path in several] or [folder]


def policies_of(folder: Path) -> list[Path]:
    """The policies in the folder of a run, or of one for each seed; TableError if one is missing."""
    seeds = [path for path in folder.glob("seed-*") if path.name.removeprefix("seed-").isdecimal()]
    folders = sorted(seeds, key=lambda path: int(path.name.removeprefix("seed-"))) or [folder]
    for each in folders:
        if not (each / POLICY).is_file():
            raise TableError(f"{each}: there is no policy in this folder ({POLICY} is missing)")
    return [each / POLICY for each in folders]


def _begin_one(folder: Path, config: Config, command: str) -> None:
    folder.mkdir(exist_ok=True)
    about = {"command": command, "python": platform.python_version(), "machine": platform.machine()}
    about |= {name: version(name) for name in PACKAGES}
    write_whole(folder / ABOUT, json.dumps(about, indent=1).encode())
    write_whole(folder / CONFIG, json.dumps(asdict(config), indent=1).encode())


def config_of(folder: Path) -> Config:
    """The config of a run; TableError if there is none."""
    path = folders_of(folder)[0] / CONFIG
    try:
        found = json.loads(path.read_bytes())
        lists = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
        return Config().with_changes(found | lists)
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise TableError(f"{path}: {error}") from error


def about_of(folder: Path) -> dict[str, str]:
    """The command and the versions of a run; empty if that file is lost."""
    try:
        found = json.loads((folder / ABOUT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def train(folder: Path, tell: Callable[[SelfPlay, Measured | None], None] = lambda *_: None) -> SelfPlay:
    """Carry out the run in this folder, from its last checkpoint on; `tell` hears of every step and measurement."""
    config = config_of(folder)
    with _alone(folder):
        return _train(folder, config, tell)


def _train(folder: Path, config: Config, tell: Callable[[SelfPlay, Measured | None], None]) -> SelfPlay:
    model = SelfPlay(config)
    notes = load_checkpoint(folder / CHECKPOINTS, model) or {"rows": [], "seconds": 0.0}
    model.set_logger(configure(str(folder / EVENTS), ["tensorboard"]))
    watcher = _Watcher(folder, notes["rows"], notes["seconds"], tell)
    if model.rollouts < config.rollouts:
        model.learn(config.decisions, watcher)
        watcher.look(model, last=True)
    else:
        _write_metrics(folder, watcher.rows)
    model.logger.close()
    if not _has_policy(folder):
        _save_policy(folder, model, watcher.rows[-1])
    return model


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """TableError while another process trains in this folder."""
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows has none
        yield
        return
    with (folder / CONFIG).open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TableError(f"{folder}: another process is training here") from None
        yield


def _has_policy(folder: Path) -> bool:
    """Whether the policy is there, and whole."""
    try:
        load_policy(folder / POLICY)
    except AgentError:
        return False
    return True


def _write_metrics(folder: Path, rows: list[Row]) -> None:
    with drafted(folder / METRICS) as stream:
        pq.write_table(pa.Table.from_pylist(rows), stream)


def last_measured(folder: Path) -> Measured:
    """What the last measurement of a run found; TableError if there has been none."""
    rows = rows_of(folder)
    return _measured(rows[-1])


def rows_of(folder: Path) -> list[Row]:
    """All measurements of a run."""
    path = folder / METRICS
    if not path.is_file():
        raise TableError(f"{folder}: nothing has been measured yet ({METRICS} is missing)")
    try:
        rows: list[Row] = pq.read_table(path).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{path}: damaged: {brief(str(error))}") from error
    if not rows or not {"decisions", "seconds"} <= rows[-1].keys():
        raise TableError(f"{path}: these are not the measurements of a run")
    return rows


def _measured(row: Row) -> Measured:
    names = [name.removeprefix("margin ") for name in row if name.startswith("margin ")]
    margins = {name: Estimate(*(row[f"{what} {name}"] for what in ("margin", "half"))) for name in names}
    return Measured(int(row["decisions"]), row["seconds"], margins)


def _save_policy(folder: Path, model: SelfPlay, row: Row) -> None:
    """The policy and its card."""
    config, found = model.config, _measured(row)
    about = about_of(folder)
    record = {"decisions": found.decisions, "seconds": round(found.seconds), **about, "config": asdict(config)}
    strength = [
        {
            "against": name,
            "players": players,
            "deals": LAST * config.deals,
            "margin": asdict(found.margins[_label(config, name, players)]),
        }
        for players, name in product(config.players, config.baselines)
    ]
    save_policy(folder / POLICY, model.network, card_of(model.network, config.players, record, strength))


def _label(config: Config, baseline: str, players: int) -> str:
    """What a margin is called where there may be tables of several sizes."""
    return baseline if len(config.players) == 1 else f"{baseline} ({players} players)"


class _Watcher(BaseCallback):
    """Measures the policy now and then, and writes down how it stands."""

    def __init__(
        self, folder: Path, rows: list[Row], seconds: float, tell: Callable[[SelfPlay, Measured | None], None]
    ) -> None:
        super().__init__()
        self.folder, self.rows, self.tell = folder, rows, tell
        self.began = time.monotonic() - seconds
        self.saved = time.monotonic()

    def _on_rollout_start(self) -> None:
        model: Any = self.model
        config: Config = model.config
        due = {round(config.rollouts * part / config.measurements) for part in range(1, config.measurements)}
        if model.rollouts in due and (not self.rows or self.rows[-1]["decisions"] < model.num_timesteps):
            self.look(model)
        elif time.monotonic() - self.saved > PATIENCE:
            self._save(model)

    def _on_step(self) -> bool:
        self.tell(self.model, None)  # type: ignore[arg-type]
        return True

    def look(self, model: SelfPlay, last: bool = False) -> None:
        """Measure the policy, let the pools have a snapshot, and write all down."""
        margins = measure(model, model.config.deals * (LAST if last else 1))
        measured = Measured(model.num_timesteps, time.monotonic() - self.began, margins)
        losses = {name: float(model.logger.name_to_value.get(f"train/{name}", float("nan"))) for name in LEARNED}
        row = {"decisions": float(measured.decisions), "seconds": measured.seconds, **losses}
        for name, margin in margins.items():
            row |= {f"margin {name}": margin.mean, f"half {name}": margin.half}
            model.logger.record(f"margin/{name}", margin.mean)
        model.logger.dump(model.num_timesteps)
        self.rows.append(row)
        if not last:
            model.add_snapshot()
        _write_metrics(self.folder, self.rows)
        self._save(model)  # last: whoever is interrupted before measures again
        self.tell(model, measured)

    def _save(self, model: SelfPlay) -> None:
        notes = {"rows": self.rows, "seconds": time.monotonic() - self.began}
        save_checkpoint(self.folder / CHECKPOINTS, model, notes)
        self.saved = time.monotonic()


def measure(model: SelfPlay, deals: int) -> dict[str, Estimate]:
    """The margins against the baselines at tables of all sizes; a baseline sits in all the other seats."""
    found = {}
    agent = NetworkAgent(model.network)
    for sitting in model.sittings:
        players = sitting.rules.players
        for name in model.config.baselines:
            seats: list[str | Agent] = [agent, *[name] * (players - 1)]
            margins = play_paired(seats, Setup(sitting.rules, MEASURING), range(deals)).margins[:, 0]
            found[_label(model.config, name, players)] = estimate(margins)
    return found
