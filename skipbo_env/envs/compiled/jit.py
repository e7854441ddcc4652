"""How the environments' loops are compiled: with the rules inside, and with what all games share."""

from cardtable.envs import compiled as shared
from cardtable.kernel.compiler import compiler_of
from skipbo_env import kernel

compiled = compiler_of(__file__, kernel.__file__, shared.__file__)
