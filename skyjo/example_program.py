"""Shared code of the example programs: options and their errors, a learned network as an agent, and measuring it."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import tyro
from numpy.typing import NDArray

from cardtable.arena.play.pairing import play_paired
from cardtable.arena.statistics import estimate
from cardtable.table.agents.agents import Agent, agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, Setup, find_game

ENVIRONMENTS = {  # one seat at a table, for `gymnasium.make` and `gymnasium.make_vec`
    "skyjo": "skyjo_env:skyjo/Skyjo-v0",
    "skipbo": "skipbo_env:skipbo/SkipBo-v0",
    "skyjo_action": "skyjo_action_env:skyjo-action/SkyjoAction-v0",
}
MIN_VALUES = {"seed": 0, "decisions": 1, "deals": 2}  # of the whole numbers among the options; of others 1


@dataclass(frozen=True)
class Options:
    """The options of every example."""

    game: Literal["skyjo", "skipbo", "skyjo_action"] = "skyjo"
    """The game."""
    rules: str = ""
    """Its rules as text, such as stock=5; the official ones if empty."""
    players: int = 2
    """Players at each table."""
    seed: int = 1
    """Seed of everything."""

    @property
    def card_game(self) -> CardGame:
        """The game's declaration."""
        return find_game(self.game)

    @property
    def environment(self) -> str:
        """The name of its environment for one seat."""
        return ENVIRONMENTS[self.game]

    def table_rules(self) -> Any:
        """Return the rules of all tables; TableError if there are none such."""
        return self.card_game.rules(self.rules, self.players)


@dataclass(frozen=True)
class MeasuredOptions(Options):
    """The options of every example that measures an agent."""

    against: str = ""
    """The agent in all other seats, at the end if the policy learns in all of them; the game's reference agent if
    empty.
    """
    deals: int = 400
    """Deals to measure at the end, each played from every seat."""

    @property
    def opponent(self) -> str:
        """The agent in all other seats."""
        return self.against or self.card_game.reference_agent


@dataclass(frozen=True)
class LearningOptions(MeasuredOptions):
    """The options of every example that learns."""

    decisions: int = 100_000
    """Number of decisions to learn from."""

    def table(self) -> dict[str, Any]:
        """Return the options of a table at which the policy learns."""
        shaping = self.card_game.shapings[-1]
        return {"rules": self.rules, "players": self.players, "encoding": "onehot", "shaping": shaping}

    def seat(self) -> dict[str, Any]:
        """Return those of a table with opponents in all seats but one."""
        return self.table() | {"opponents": self.opponent}


Told = TypeVar("Told")
Learning = TypeVar("Learning", bound=LearningOptions)


def run(kind: type[Told], interface: Callable[[Told], None], description: str | None) -> None:
    """Read the options from the command line and carry out the program; a refusal is one line."""
    options = tyro.cli(kind, description=description)
    try:
        for name, value in vars(options).items():
            if type(value) is int and value < (least := MIN_VALUES.get(name, 1)):
                raise TableError(f"--{name.replace('_', '-')} must be at least {least}")
        interface(options)
    except (TableError, OSError) as error:
        print(f"{Path(sys.argv[0]).name}: error: {error}", file=sys.stderr)
        sys.exit(2)


def run_learner(kind: type[Learning], learn: Callable[[Learning], Agent], description: str | None) -> None:
    """Read the options, learn, and print how far ahead the agent is, on deals that are played from every seat."""
    import torch

    def interface(options: Learning) -> None:
        agents_of(options.card_game).make(options.opponent, options.table_rules())  # which refuses unknown names
        torch.set_num_threads(1)  # small networks are slower on several
        torch.manual_seed(options.seed)
        tell_margin(learn(options), options.opponent, options)

    run(kind, interface, description)


def tell_margin(agent: Agent, opponent: str, options: MeasuredOptions) -> None:
    """Print how far ahead an agent is of opponents, on deals that no example learns from."""
    seats: list[str | Agent] = [agent, *[opponent] * (options.players - 1)]
    setup = Setup(options.table_rules(), seed=options.seed + 10**6)
    margins = play_paired(seats, setup, range(options.deals)).margins[:, 0]
    print(f"against {opponent}: {estimate(margins)} points a round")


def tell_progress(done: int, total: int) -> None:
    """Print how far learning has come, in one line on standard error."""
    end = "" if done < total else "\n"
    print(f"\rlearned from {done:,} of {total:,} decisions", end=end, file=sys.stderr, flush=True)


def network(inputs: int, outputs: int, width: int = 64) -> Any:
    """Return a small network of torch."""
    from torch import nn

    hidden = nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh()
    return nn.Sequential(*hidden, nn.Linear(width, outputs))


class Learned:
    """A function that rates actions, as an agent: it takes the legal action that is rated highest."""

    def __init__(self, rate: Callable[[Any], Any], encoding: str = "onehot") -> None:
        """Take a function `rate` from observations, [N, D], to ratings, [N, A], both tensors of torch."""
        self.rate, self.encoding = rate, encoding

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[Any]:
        """Return one action for every table."""
        import torch

        del rng_states
        with torch.no_grad():
            ratings = self.rate(torch.from_numpy(observations)).numpy()
        return np.asarray(np.where(masks == 1, ratings, -np.inf).argmax(1))
