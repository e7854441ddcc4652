"""How the arena's loops are compiled: with the agents' scripts and the kernel inside."""

import agents
from skyjo_env.kernel.jit import compiler_of

compiled = compiler_of(__file__, agents.__file__)
