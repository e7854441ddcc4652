"""One table, called from Python with arrays of one record each: what `Game` needs, each in a single call."""

from cardtable.kernel import tables
from cardtable.kernel.chance import shuffle
from skipbo_env.kernel.batch import SKIPBO_KERNEL
from skipbo_env.kernel.jit import single_kernel

start_any, observe_any, play_any = tables.start_one, tables.observe_one, tables.play_one


@single_kernel
def start_one(games, rules, seed, deal, dealt, mask, observation):
    """See `cardtable.kernel.tables.start_one`."""
    start_any(SKIPBO_KERNEL, games, rules, seed, deal, dealt, mask, observation)


@single_kernel
def observe_one(games, rules, seat, observation):
    """See `cardtable.kernel.tables.observe_one`."""
    observe_any(SKIPBO_KERNEL, games, rules, seat, observation)


@single_kernel
def play_one(games, rules, action, mask, observation):
    """See `cardtable.kernel.tables.play_one`."""
    return play_any(SKIPBO_KERNEL, games, rules, action, mask, observation)


@single_kernel
def shuffle_cards(games, cards):
    """Put cards into random order by a table's generator."""
    shuffle(games[0], cards, len(cards))
