"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Read in this order: `state` (the record), `cards` (where cards lie), `rounds` (dealing, clearing lines, scoring), `view`
(what a seat sees), `action_cards` (what is legal, and what they do) and `play` (what an action does). Rules
cite docs/rules/skyjo_action.md.

The functions keep to records, scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""

from cardtable.table.compiling.compiler import compiler_of

kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do
