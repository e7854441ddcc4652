"""What an action is worth to somebody who knows every card: the compiled part of `skipbo_agents.peek`."""

from cardtable.kernel import futures
from skipbo_agents.crew import decision
from skipbo_agents.player import scripted
from skipbo_env.kernel.batch import SKIPBO_KERNEL

try_any_futures = futures.try_futures


@scripted
def try_futures(*futures):
    """See `cardtable.kernel.futures.try_futures`."""
    try_any_futures(SKIPBO_KERNEL, decision, *futures)
