"""What an action is worth to somebody who knows every card: the compiled part of `skyjo_agents.peek`."""

from cardtable.kernel import futures
from skyjo_agents.crew import decision
from skyjo_agents.player import scripted
from skyjo_env.kernel.batch import SKYJO_KERNEL

try_any_futures = futures.try_futures


@scripted
def try_futures(*futures):
    """See `cardtable.kernel.futures.try_futures`."""
    try_any_futures(SKYJO_KERNEL, decision, *futures)
