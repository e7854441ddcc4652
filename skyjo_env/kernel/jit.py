"""How the kernel is compiled: with the floor's random numbers inside."""

from cardtable.kernel.compiler import compiler_of

kernel = compiler_of(__file__)
