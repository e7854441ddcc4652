"""What `--referee` means to the commands that play: the secret seed, what is said before the first game and after the
last.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cardtable.play.plan import Plan
    from cardtable.referee.guest_process import Referee
    from cardtable.stored.secret_seed import SecretSeed

LEAST_MEMORY, MOST_MEMORY = 256, 2**20  # MB
MOST_TIMEOUT = 1_000_000  # seconds, which clocks and limits of the system can still hold
ANSWERS = 100  # an agent may use a processor for so many of the longest answers in all
LEAST_CPU = 600


class Refereed(Protocol):
    """A command that may be refereed."""

    @property
    def referee(self) -> bool:
        """Whether it is."""

    @property
    def seed(self) -> int | None:
        """The seed that was asked for."""

    @property
    def cluster(self) -> str | None:
        """The cluster that plays, if one does."""

    @property
    def memory(self) -> int:
        """MB for an agent."""

    @property
    def timeout(self) -> float:
        """Seconds for an answer."""

    @property
    def store(self) -> str | None:
        """Where games are stored."""


def secret_of(command: Refereed) -> SecretSeed | None:
    """The secret seed of a refereed command: a new one, or that of the games that it goes on with."""
    from cardtable.errors import TableError
    from cardtable.stored.secret_seed import SecretSeed

    if not command.referee:
        return None
    if command.seed is not None:
        raise TableError("--seed and --referee cannot be given together: a referee draws a seed that nobody knows")
    if command.cluster is not None:
        raise TableError("--cluster and --referee cannot be given together: the secret seed stays on this machine")
    return SecretSeed.drawn() if command.store is None else SecretSeed.of(Path(command.store).expanduser())


def referee_of(command: Refereed) -> Referee | None:
    """What agents of other packages may use."""
    from cardtable.checks import whole_number
    from cardtable.errors import TableError
    from cardtable.referee.guest_process import Referee

    if not command.referee:
        return None
    memory = whole_number("memory", command.memory, LEAST_MEMORY, MOST_MEMORY)
    if not 0 < command.timeout <= MOST_TIMEOUT:
        raise TableError(f"timeout={command.timeout} must be a number of seconds above 0, up to {MOST_TIMEOUT}")
    return Referee(memory, command.timeout, max(LEAST_CPU, round(ANSWERS * command.timeout)))


def seed_of(command: Refereed, secret: SecretSeed | None) -> int:
    """The seed of all deals."""
    return secret.seed if secret is not None else command.seed or 0


def announce(plan: Plan, secret: SecretSeed | None) -> None:
    """Say the commitment before the first game, and what the system does not let a referee promise."""
    from cardtable.referee.guests import Guest
    from cardtable.stored.secret_seed import public_plan

    if secret is None:
        return
    _say(f"the commitment is {secret.commitment(public_plan(plan))}")
    guests = [agent for agent in plan.agents.values() if isinstance(agent, Guest)]
    if not guests:
        _say("all agents come with the game, so they play as always")
    for gap in dict.fromkeys(gap for guest in guests for gap in guest.held.gaps()):
        _say(f"not promised here: {gap}")


def _say(words: str) -> None:
    print(f"referee: {words}", file=sys.stderr)


def told(plan: Plan, secret: SecretSeed | None) -> dict[str, Any]:
    """The seed, for JSON, with what proves that it was promised."""
    from cardtable.stored.secret_seed import public_plan

    if secret is None:
        return {"seed": plan.setup.seed}
    return {
        "seed": secret.seed,
        "nonce": secret.nonce,
        "commitment": secret.commitment(public_plan(plan)),
    }


def tell(secret: SecretSeed | None) -> None:
    """Say the seed after the last game."""
    if secret is not None:
        print(f"The seed was {secret.seed}, its nonce {secret.nonce}")
