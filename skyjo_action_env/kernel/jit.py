"""How the kernel is compiled, with the shared random numbers inside."""

from cardtable.table.compiling.compiler import compiler_of

kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do
