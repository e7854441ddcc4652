"""The player that has learned: a policy's network, asked for the legal action that it likes best.

torch is imported only when such a player sits down.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from agents.card import read_card
from skyjo_env.checks import brief
from skyjo_env.errors import AgentError
from skyjo_env.rules import OFFICIAL, Rules, check_rules

if TYPE_CHECKING:
    from agents.network import TableNetwork

SHIPPED = Path(__file__).with_name("policies")
AT_ONCE = 1024  # tables; what the network makes of them stays in the processor's cache


class PolicyAgent:
    """Plays what it has learned: always the action that the network of a policy likes best. `path` names a policy's
    .safetensors file, `name` one that comes with the package; without either it is the one that comes for such a table.

    These files hold numbers only. A .zip of stable-baselines3 is a pickle, which runs whatever code somebody has put
    into it: it is refused but for `may_run_code=true`.
    """

    def __init__(self, rules: Rules = OFFICIAL, path: str = "", name: str = "", may_run_code: bool = False) -> None:
        self.rules = check_rules(rules)
        if path and name:
            raise AgentError(f"agent policy: path={brief(path)} and name={brief(name)} cannot be given together")
        file = Path(path).expanduser() if path else _shipped(self.rules, name)
        try:
            self.network = _load(file, self.rules, may_run_code)
        except ModuleNotFoundError as error:
            raise AgentError(f'agent policy needs {error.name}: pip install "skyjo-env[train]"') from None

    def act(
        self,
        observations: NDArray[np.int16],
        masks: NDArray[np.int8],
        chances: NDArray[np.uint64],  # noqa: ARG002 (nothing is left to chance)
    ) -> NDArray[np.int64]:
        """The best action for every table."""
        from agents.network import best_actions

        actions = np.empty(len(masks), np.int64)
        with _one_thread():
            for start in range(0, len(masks), AT_ONCE):
                part = slice(start, start + AT_ONCE)
                actions[part] = best_actions(self.network, observations[part], masks[part])
        return actions


@contextmanager
def _one_thread() -> Iterator[None]:
    """So small a network is slower on several threads; how many others use is left as it was."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _shipped(rules: Rules, name: str) -> Path:
    """The policy of this name that comes with the package, or for these rules; the most special of several."""
    files = sorted(SHIPPED.glob("*.safetensors"))
    known = ", ".join(file.stem for file in files) or "none"
    if name:
        for file in files:
            if file.stem == name:
                return file
        raise AgentError(f"no policy is called {brief(name)}; with the package come: {known}")
    cards = {file: read_card(file) for file in files}
    fitting = [file for file in files if cards[file].why_not(rules) is None]
    if not fitting:
        table = " ".join(filter(None, [f"players={rules.players}", rules.replace(players=2).to_text()]))
        raise AgentError(f"no policy comes with the package for {table}; there are: {known}; path= names a file")
    return min(fitting, key=lambda file: len(cards[file].players))


def _load(file: Path, rules: Rules, may_run_code: bool) -> "TableNetwork":
    if file.suffix == ".zip":
        return _load_zip(file, rules, may_run_code)
    from agents.policy_file import load_policy

    return load_policy(file, rules)[0]


def _load_zip(file: Path, rules: Rules, may_run_code: bool) -> "TableNetwork":
    """What stable-baselines3 has saved; it unpickles it."""
    if not may_run_code:
        raise AgentError(
            f"{file} may run any code when it is loaded (it holds a pickle); if you trust whoever made it, "
            "say may_run_code=true"
        )
    from training.zip_file import load_zip

    network, card = load_zip(file)
    reason = card.why_not(rules)
    if reason is not None:
        raise AgentError(f"policy {file} {reason}")
    return network
