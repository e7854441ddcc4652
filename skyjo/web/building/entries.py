"""The functions that a module offers: short ones that call the kernel and the agents, and hold no rule themselves.

The names of their arguments say what they are, and `with_types` gives each its type. JavaScript passes addresses for
records and arrays, and numbers; 64 bits are used for seeds and the states of generators alone.
"""

from collections.abc import Mapping
from inspect import signature
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import Decorator
from cardtable.table.game.card_game import CardGame
from cardtable.table.kernel.events import LOG_SIZE
from cardtable.table.kernel.game_kernel import MAX_KINDS, Compiled, final_score, play
from cardtable.table.kernel.seats import play_any
from cardtable.table.kernel.tables import PLAYED, REFUSED, SCORED, one_table


class Entry(NamedTuple):
    """A function that a module exports."""

    function: Any  # compiled
    arguments: tuple[Any, ...]  # their types


class Network(NamedTuple):
    """The weights of a learned player, as its compiled code reads them."""

    name: str
    numbers: NDArray[np.float32]  # all blocks but those that are worked out
    layout: NDArray[np.int64]
    size: int  # bytes of all blocks
    kinds: int  # of cards


Entries = dict[str, Entry]
Records = Mapping[str, np.dtype[Any]]  # by the names of arguments

carray: Any = numba.carray  # type: ignore[attr-defined]  # numba is not typed
from_dtype: Any = numba.from_dtype
pointer: Any = types.CPointer
UNSIGNED = {"seed", "deal", "key"}  # numbers of 64 bits
ITEMS = {"mask": "i1", "view": "i2", "cards": "i8", "counts": "i8", "log": "i8"}
ITEMS |= dict.fromkeys(("luck", "action_values", "sums"), "f8")


def with_types(records: Records, *functions: Any, **named: Any) -> Entries:
    """Return functions by their own names or by those given, with the types that the names of their arguments stand
    for: a record, an array by the type of its items, or a number.
    """
    known = {name: from_dtype(dtype) for name, dtype in records.items()}
    known |= {name: pointer(from_dtype(np.dtype(item))) for name, item in ITEMS.items()}
    known |= {"games": pointer(known["game"]), "table_rules": pointer(known["rules"])}
    known |= {"players": pointer(known["player"]), "reasons": pointer(known["reason"])}
    known |= dict.fromkeys(UNSIGNED, types.uint64)
    return {
        name: Entry(each, tuple(known.get(argument, types.int64) for argument in signature(each).parameters))
        for name, each in {**{each.py_func.__name__: each for each in functions}, **named}.items()
    }


def table_entries(card_game: CardGame, records: Records, compiled: Decorator) -> Entries:
    """Return the functions that a table needs."""
    kernel, luck_terms = card_game.kernel, len(card_game.luck.terms)
    over, win, needs_points = kernel.over, card_game.rewards.index("win"), not card_game.lower_is_better
    play_given = one_table(kernel, compiled).play_given

    @compiled
    def new_game(game, rules, seed, deal, episode):
        """Deal."""
        kernel.new_game(game, rules, seed, deal, episode)

    @compiled
    def apply(game, rules, action):
        """Carry out a decision; return REFUSED, PLAYED or SCORED. Nothing changes if it is refused."""
        if not kernel.is_legal(game, rules, action):
            return REFUSED
        return SCORED if play(kernel, game, rules, action) else PLAYED

    @compiled
    def write_mask(game, rules, mask):
        """Write what the seat to move may do."""
        return kernel.write_mask(game, rules, carray(mask, rules.actions))

    @compiled
    def write_observation(game, rules, seat, view, size):
        """Write what a seat sees."""
        kernel.write_observation(game, rules, seat, carray(view, size))

    @compiled
    def has_won(game, rules, seat):
        """Return 1 if a seat shares the win of the episode, else 0."""
        if game.phase != over or (needs_points and final_score(game, seat) <= 0):
            return 0
        return np.int64(kernel.reward_of(game, rules, seat, win, True) > -1.0 / (rules.players - 1))

    @compiled
    def reveal(games, table_rules, action, cards, given, counts, log):
        """Carry out a legal decision that reveals these cards, with its events: see `play_given`."""
        tables, the_rules, noted = carray(games, 1), carray(table_rules, 1), carray(log, LOG_SIZE)
        noted[0] = 1  # where the first event goes
        chosen, scratch = carray(cards, given), carray(counts, MAX_KINDS)
        revealed, _ = play_given(tables, the_rules, action, chosen, scratch, noted)
        return revealed

    @compiled
    def note_luck(before, game, rules, action, view, size, scratch, luck):
        """Carry out an action at `game`, which is as `before`, up to the end of a round; add its luck."""
        noted = carray(luck, (len(game.totals), luck_terms))
        kernel.act(game, rules, action, None)
        kernel.note_luck(before, game, rules, action, carray(view, size), scratch, noted)

    return with_types(records, new_game, apply, write_mask, write_observation, has_won, reveal, note_luck)


def reason_entries(write_reasons: Compiled, records: Records, compiled: Decorator) -> Entries:
    """Return the function that finds reasons, from a compiled function (view, rules, better, other, reasons)."""

    @compiled
    def explain(view, size, rules, better, other, reasons, kinds):
        """Write why an action is better than another, from what its seat sees, into so many rows of zeros."""
        write_reasons(carray(view, size), rules, better, other, carray(reasons, kinds))

    return with_types(records, explain)


def agent_entries(
    card_game: CardGame, decisions: Mapping[str, Compiled], records: Records, compiled: Decorator
) -> Entries:
    """Return the functions of agents that decide from the observation alone, which is written to `view` first.

    Their generators begin with that observation, unless they are set. `decisions` are functions (view, rules, player).
    """
    write_observation, write_mask = card_game.kernel.write_observation, card_game.kernel.write_mask

    def choosing(decision: Compiled) -> Any:
        @compiled
        def choose(game, rules, player, view, size):
            """Return the action of such a player."""
            seen = carray(view, size)
            write_observation(game, rules, game.seat, seen)
            return decision(seen, rules, player)

        return choose

    @compiled
    def choose_any(game, rules, player, view, size, mask):
        """Return the action of the agent `random`."""
        seen, allowed = carray(view, size), carray(mask, rules.actions)
        write_observation(game, rules, game.seat, seen)
        return play_any(seen, allowed, write_mask(game, rules, allowed), rules, player)

    return with_types(records, choose_any, **{name: choosing(decision) for name, decision in decisions.items()})
