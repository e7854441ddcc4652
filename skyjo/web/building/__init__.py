"""The kernels as WebAssembly, and the site that plays with them.

`python -m skyjo.web.building` writes a module for every game, and what JavaScript must know of it.
Read `entries` first.
"""
