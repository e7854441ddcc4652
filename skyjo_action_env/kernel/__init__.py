"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Read in this order: `state` (the record), `cardtable.table.kernel.chance` (random numbers), `piles` and `layout` (where
cards lie), `lines` (complete lines), `action_cards` (what they do), `deal` (a round begins), `scoring` (a round ends),
`play` (what is legal, and what an action does), `view` (what a seat sees), `sample` (a guess at what it does not see)
and `rewards` (what learners add). `skyjo_action_kernel` hands them to `cardtable`, which makes the loops that Python
calls. Rules cite docs/rules/skyjo_action.md.

The functions keep to records, scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""
