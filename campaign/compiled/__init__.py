"""Random play at full speed with invariants checked after every decision, compiled together with each game's kernel.

A check returns True if something is wrong. It counts afresh what the kernel keeps up to date, in the plainest way.
"""
