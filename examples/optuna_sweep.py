"""Search settings of self-play with Optuna, which `pip install optuna` brings; every trial is a separate run."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import tyro

from cardtable.table.errors import TableError
from skyjo_env.learning import SKYJO_LEARNED
from skyjo_training.training_config import Config
from skyjo_training.training_run import begin, train

AGAINST = "tempo"


def objective(trial: Any, folder: Path, base: Config) -> float:
    """Train as the trial suggests; return the margin against `tempo` after the last decision."""
    settings = {
        "learning_rate": trial.suggest_float("learning_rate", 5e-4, 1e-2, log=True),
        "ent_coef": trial.suggest_float("ent_coef", 1e-2, 0.5, log=True),
        "gae_lambda": trial.suggest_float("gae_lambda", 0.6, 0.95),
    }
    margins = []

    def tell(model: Any, measured: Any) -> None:
        if measured is not None:
            margins.append(measured.margins[AGAINST].mean)
            trial.report(margins[-1], model.num_timesteps)
            if trial.should_prune():
                raise sys.modules["optuna"].TrialPruned

    run = folder / f"trial-{trial.number}"
    begin(run, [base.with_changes({**settings, "baselines": (AGAINST,), "seed": trial.number})], "optuna_sweep.py")
    train(run, tell)
    return float(margins[-1])


def main(folder: Path = Path("sweep"), trials: int = 20, decisions: int = 300_000) -> None:
    """Carry out the trials and print the best settings; called again with the same folder, it goes on."""
    try:
        import optuna
    except ModuleNotFoundError:
        sys.exit("this example needs Optuna: pip install optuna")
    folder.mkdir(parents=True, exist_ok=True)
    base = SKYJO_LEARNED.preset("demo").with_changes({"decisions": decisions})
    storage = f"sqlite:///{folder / 'study.db'}"
    study = optuna.create_study(storage=storage, study_name="skyjo", direction="maximize", load_if_exists=True)
    study.optimize(partial(objective, folder=folder, base=base), n_trials=trials, catch=TableError)
    print(f"{study.best_value:+.2f} points a round against {AGAINST}: {study.best_params}")


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
