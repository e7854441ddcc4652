"""The option `--referee` of `match` and `tournament`: the secret seed, and what is printed before the first game and
after the last.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from cardtable.play.plan import Plan
    from cardtable.referee.guest_process import Referee
    from cardtable.stored.secret_seed import SecretSeed
    from skyjo.commands.match import Match
    from skyjo.commands.tournament import Tournament

    Refereed: TypeAlias = Match | Tournament

LEAST_MEMORY, MOST_MEMORY = 256, 2**20  # MB
MOST_TIMEOUT = 1_000_000  # seconds, which clocks and limits of the system can still hold
ANSWERS = 100  # times the timeout: the processor time of an agent's process
LEAST_CPU = 600  # seconds


def secret_of(command: Refereed) -> SecretSeed | None:
    """The secret seed of a refereed command: a new one, or that of the stored games that it continues; None without a
    referee.
    """
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
    """What agents of other packages may use; None without a referee."""
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
    """Print the commitment before the first game, and which limits this system cannot enforce."""
    from cardtable.referee.guests import Guest
    from cardtable.stored.secret_seed import public_plan

    if secret is None:
        return
    _say(f"the commitment is {secret.commitment(public_plan(plan))}")
    guests = [agent for agent in plan.agents.values() if isinstance(agent, Guest)]
    if not guests:
        _say("all agents come with this package, so none needs a process of its own")
    for gap in dict.fromkeys(gap for guest in guests for gap in guest.granted.gaps()):
        _say(f"not enforced here: {gap}")


def _say(words: str) -> None:
    print(f"referee: {words}", file=sys.stderr)


def seed_document(plan: Plan, secret: SecretSeed | None) -> dict[str, Any]:
    """The seed for JSON, under a referee with its nonce and commitment."""
    from cardtable.stored.secret_seed import public_plan

    if secret is None:
        return {"seed": plan.setup.seed}
    return {
        "seed": secret.seed,
        "nonce": secret.nonce,
        "commitment": secret.commitment(public_plan(plan)),
    }


def print_seed(secret: SecretSeed | None) -> None:
    """Print the secret seed, if there is one, after the last game."""
    if secret is not None:
        print(f"The seed was {secret.seed}, its nonce {secret.nonce}")
