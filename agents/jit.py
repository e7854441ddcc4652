"""How the scripted agents are compiled: as the kernel is, in a cache of their own."""

from skyjo_env.kernel.jit import compiler_of

scripted = compiler_of(__file__)
