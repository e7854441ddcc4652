"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Read `state` (the record) and `cardtable.table.kernel.chance` (random numbers) first, then `cards` (boards, piles, the
beginning of a round), and `play` (legal actions, their effects, the end of a round). After these come `view` (a seat's
observation, and a guess at the cards that it does not see), and `chance` (the cards that a decision may bring to light,
and their luck). `skyjo_env.card_game` hands them to `cardtable`, which makes the loops that Python calls. Rules cite
docs/rules/skyjo.md.

The functions keep to records, scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""

from cardtable.table.compiling.compiler import compiler_of

kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do
