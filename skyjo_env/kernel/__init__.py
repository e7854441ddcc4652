"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Read in this order: `state` (the record), `cardtable.table.kernel.chance` (random numbers), `board` (cells, lines,
discards), `deal` (a round begins), `scoring` (a round ends), `play` (what is legal, and what an action does), `view`
(what a seat sees), `sample` (a guess at what it does not see), `outcomes` (the cards that a decision may bring to
light), `rewards` and `luck` (what learners and measuring add). `skyjo_kernel` hands them to `cardtable`, which makes
the loops that Python calls. Rules cite docs/rules/skyjo.md.

The functions keep to records, scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""
