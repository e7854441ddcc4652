"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Read in this order: `state` (the record), `cardtable.table.kernel.chance` (random numbers), `cards` (boards, piles, a
round begins), `play` (what is legal, what an action does, a round ends), `view` (what a seat sees, and a guess at what
it does not see), `chance` (the cards that a decision may bring to light, and their luck). `skyjo_env.card_game` hands
them to `cardtable`, which makes the loops that Python calls. Rules cite docs/rules/skyjo.md.

The functions keep to records, scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""

from cardtable.table.compiling.compiler import compiler_of

kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do
