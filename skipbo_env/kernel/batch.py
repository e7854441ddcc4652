"""The loops over many tables, compiled with the game's functions."""

from cardtable.kernel import tables
from skipbo_env.kernel.deal import new_game
from skipbo_env.kernel.jit import kernel
from skipbo_env.kernel.play import is_legal, play
from skipbo_env.kernel.sample import sample
from skipbo_env.kernel.scoring import margin
from skipbo_env.kernel.state import OVER
from skipbo_env.kernel.view import write_mask, write_view

SKIPBO_KERNEL = tables.TableKernel(new_game, is_legal, play, write_mask, write_view, margin, sample, OVER)
deal_any, show_any, play_any = tables.deal_tables, tables.show_tables, tables.play_tables
first_illegal_of_any, step_any, sample_any = tables.first_illegal, tables.step_tables, tables.sample_tables
step_any_shares = tables.step_shares


@kernel
def deal_tables(*many):
    """See `cardtable.kernel.tables.deal_tables`."""
    deal_any(SKIPBO_KERNEL, *many)


@kernel
def show_tables(*many):
    """See `cardtable.kernel.tables.show_tables`."""
    show_any(SKIPBO_KERNEL, *many)


@kernel
def first_illegal(games, rules, actions):
    """See `cardtable.kernel.tables.first_illegal`."""
    return first_illegal_of_any(SKIPBO_KERNEL, games, rules, actions)


@kernel
def play_tables(*many):
    """See `cardtable.kernel.tables.play_tables`."""
    play_any(SKIPBO_KERNEL, *many)


@kernel
def step_tables(games, rules, actions, is_checked, seed, deals, stride, restart, results, shown):
    """See `cardtable.kernel.tables.step_tables`."""
    return step_any(SKIPBO_KERNEL, games, rules, actions, is_checked, seed, deals, stride, restart, results, shown)


STEPPING = tables.Stepping(first_illegal, step_tables)


@kernel
def step_shares(*many):
    """See `cardtable.kernel.tables.step_shares`."""
    return step_any_shares(STEPPING, *many)


@kernel
def sample_tables(*many):
    """See `cardtable.kernel.tables.sample_tables`."""
    sample_any(SKIPBO_KERNEL, *many)
