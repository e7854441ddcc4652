"""The player that has learned: a policy's network, asked for the legal action that it likes best.

torch is imported only when such a player sits down.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import brief
from cardtable.errors import AgentError
from skyjo_agents.policy_card import read_card
from skyjo_env.rules import OFFICIAL, Rules, check_rules

if TYPE_CHECKING:
    from skyjo_agents.network import TableNetwork
    from skyjo_agents.policy_card import Card

SHIPPED = Path(__file__).with_name("policies")


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
        try:
            file = Path(path).expanduser() if path else shipped(name) if name else _shipped_for(self.rules)
            self.network, card = open_policy(file, self.rules, may_run_code)
        except ModuleNotFoundError as error:
            raise AgentError(f'agent policy needs {error.name}: pip install "skyjo-env[train]"') from None
        self.digest = card.sha256  # stored games tell which weights played

    def act(
        self,
        observations: NDArray[np.int16],
        masks: NDArray[np.int8],
        chances: NDArray[np.uint64],  # noqa: ARG002 (nothing is left to chance)
    ) -> NDArray[np.int64]:
        """The best action for every table."""
        from skyjo_agents.network import best_actions

        with _one_thread():
            return best_actions(self.network, observations, masks)


def open_policy(file: Path, rules: Rules | None = None, may_run_code: bool = False) -> tuple["TableNetwork", "Card"]:
    """The network and the card of a policy; AgentError if it cannot play under these rules, or may not be opened."""
    if file.suffix != ".zip":
        from skyjo_agents.policy_file import load_policy

        return load_policy(file, rules)
    if not may_run_code:
        raise AgentError(
            f"{file} can run any code while it is loaded, for it is a pickle; set may_run_code if you trust its maker"
        )
    from skyjo_training.sb3_zip import load_zip

    network, card = load_zip(file)
    card.check(rules, file)
    return network, card


def shipped(name: str) -> Path:
    """The policy of this name that comes with the package."""
    for file in _all_shipped():
        if file.stem == name:
            return file
    raise AgentError(f"no policy is called {brief(name)}; with the package come: {_names()}")


def _shipped_for(rules: Rules) -> Path:
    """The policy that comes with the package for such a table, the most special of several."""
    cards = {file: read_card(file) for file in _all_shipped()}
    fitting = [file for file, card in cards.items() if card.why_not(rules) is None]
    if not fitting:
        table = f"players={rules.players} {rules.replace(players=2).to_text()}".strip()
        raise AgentError(f"no policy comes with the package for {table}; there are: {_names()}; path= names a file")
    return min(fitting, key=lambda file: len(cards[file].players))


def _all_shipped() -> list[Path]:
    return sorted(SHIPPED.glob("*.safetensors"))


def _names() -> str:
    return ", ".join(file.stem for file in _all_shipped()) or "none"


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
