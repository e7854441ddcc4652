"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Read in this order: `state` (the record), `cardtable.table.kernel.chance` (random numbers), `piles` (building, discard
and stock piles), `knowledge` (what whoever watches can count), `drawing` (drawing and recycling), `deal` (a round
begins), `scoring` (a round ends), `play` (what is legal, and what an action does), `view` (what a seat sees), `unseen`
(what may lie there) and `sample` (a guess at it), `outcomes` (the cards that a decision may bring to light), `rewards`
and `luck` (what learners and measuring add). `skipbo_kernel` hands them to `cardtable`, which makes the loops that
Python calls. Rules cite docs/rules/skipbo.md.

The functions keep to records, scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""
