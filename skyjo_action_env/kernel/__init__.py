"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Read in this order: `state` (the record), `cards` (where cards lie), `lines` (complete lines, and the end of a round),
`view` (what a seat sees and may do), `deal` (a round begins), `action_cards` and `play` (what an action does). Rules
cite SKYJO_ACTION_RULES.md.

The functions keep to records, scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""

from cardtable.table.compiling.compiler import compiler_of

kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do
