"""How the paper's program is compiled: as the kernel is, in a cache of its own."""

from cardtable.compiling.compiler import compiler_of
from skyjo_env import rules

compiled = compiler_of(__file__, str(rules.__file__))
