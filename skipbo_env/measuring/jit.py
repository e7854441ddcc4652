"""How what is measured is compiled: with the rules inside."""

from cardtable.kernel.compiler import compiler_of
from skipbo_env import kernel

compiled = compiler_of(__file__, kernel.__file__)
