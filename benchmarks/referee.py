"""What a referee costs: starting an agent's process, asking it, and whole rounds.

.venv/bin/python benchmarks/referee.py
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from figures import Figure, parser_for, report, seconds

from cardtable.card_game import Setup
from cardtable.play.pairing import play_rotation
from cardtable.referee.guest_process import GuestProcess, Invitation, Referee
from skyjo_env import OFFICIAL, make_agent
from skyjo_env.card_game import SKYJO

AGENT = "threshold:t=2,columns=true"
TABLES = (1, 8, 256)


class Asked:
    """The same agent without a process, asked as any agent that is not compiled."""

    def __init__(self) -> None:
        self.agent = make_agent(AGENT)

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        """What it does."""
        return self.agent.act(observations, masks, chances)


def guest() -> GuestProcess:
    """A process with it."""
    return GuestProcess(Invitation("skyjo", "", AGENT, Referee()))


def begin_and_end() -> None:
    """Start a process, let it make the agent, and end it."""
    with guest() as process:
        process.start()


def milliseconds(agent: Any, tables: int, runs: int) -> float:
    """For an answer at this many tables."""
    shown = SKYJO.deal(Setup(OFFICIAL), range(tables)).show()
    chances = np.ones(tables, np.uint64)
    return 1000 * seconds(lambda: agent.act(shown.observations, shown.masks, chances), runs)


def rounds_a_second(agents: list[Any], deals: int, runs: int) -> float:
    """Rounds against `tempo`, with processes that have been started already."""
    return deals / seconds(
        lambda: play_rotation([*agents, make_agent("tempo")], 0, Setup(OFFICIAL), range(deals)), runs
    )


def measure(deals: int, runs: int) -> Iterator[Figure]:
    """All figures."""
    direct = Asked()
    yield Figure("a process started and ended", 2, seconds(begin_and_end, runs), "s")
    with guest() as process:
        for tables in TABLES:
            for name, agent in (("here", direct), ("in a process", process)):
                found = milliseconds(agent, tables, 20 * runs)
                yield Figure(f"an answer at {tables} tables, {name}", 2, found, "ms")
        for name, agent in (("here", direct), ("in a process", process)):
            yield Figure(f"rounds, asked {name}", 2, rounds_a_second([agent], deals, runs), "rounds/s")


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    report(measure(64 if options.quick else 256, options.runs), options.json)


if __name__ == "__main__":
    main()
