"""Compiled code between the compiler and the disk: for which processors it is, where it lies, and how far compiling is.

None of this is compiled into anything, so a change here compiles nothing anew.
"""
