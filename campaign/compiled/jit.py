"""How the checks are compiled, with both kernels inside."""

import skipbo_env.kernel
import skyjo_env.kernel
from cardtable.kernel.compiler import compiler_of

kernel = compiler_of(__file__, str(skyjo_env.kernel.__file__), str(skipbo_env.kernel.__file__))
