"""The kernels as WebAssembly: a table that needs no server, from the same compiled functions (docs/anywhere.md).

`python -m anywhere` writes a module for every game, and what JavaScript must know of it. Read `entries` first.
"""
