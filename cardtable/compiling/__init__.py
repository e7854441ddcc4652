"""Compiled code between compiler and disk: for which processors it is made, where it is kept, and a progress line.

None of this is compiled into anything, so a change here recompiles nothing.
"""
