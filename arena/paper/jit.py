"""How the paper's program is compiled: as the kernel is, in a cache of its own."""

from skyjo_env.kernel.jit import compiler_of

compiled = compiler_of(__file__)
