"""The command `skyjo tune`: searches for the parameters with which an agent wins the most."""

from dataclasses import dataclass
from typing import Annotated

import tyro

SELF = "self"


@dataclass(frozen=True)
class Tune:
    """Search for the parameters with which an agent wins most, changing one at a time on the same deals.

    Since many steps are tried, one is taken only if it gains at least three standard errors. Progress goes to standard
    error.
    """

    agent: Annotated[str, tyro.conf.arg(metavar="AGENT"), tyro.conf.Positional]
    """The agent to tune, such as tempo, or tempo:cut=5 to start there."""

    against: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT ...", help_behavior_hint="")] = ()
    """Its opponents, in turn; self is the agent as it started (default: threshold:t=2,columns=true and self)."""

    players: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """Players at the table, 2 to 8; the opponent takes all seats but one."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 10_000
    """Deals per sweep; every sweep uses new deals."""

    sweeps: Annotated[int, tyro.conf.arg(metavar="N")] = 8
    """How many times every parameter is tried."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of all deals."""

    threads: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """How many deals to play at once."""

    json: bool = False
    """Print the agent and its parameters as JSON."""

    def run(self) -> None:
        """Search, and print the agent that was found."""
        from cardtable.checks import whole_number
        from skyjo.games.skyjo.tuning import YARDSTICK, Trials, search, start_of, text_of
        from skyjo_env import OFFICIAL

        whole_number("deals", self.deals, 2, 10**9)
        name, numbers = start_of(self.agent)
        opponents = [self.agent if one == SELF else one for one in self.against or (YARDSTICK, SELF)]
        rules = OFFICIAL.replace(players=self.players)
        found = search(name, numbers, Trials(opponents, rules, self.deals, self.sweeps, self.seed, self.threads))
        if self.json:
            import json

            print(json.dumps({"agent": text_of(name, found), "parameters": found}))
        else:
            print(text_of(name, found))
