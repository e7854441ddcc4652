"""How the checks are compiled, with all kernels inside."""

import skipbo_env.kernel
import skyjo_action_env.kernel
import skyjo_env.kernel
from cardtable.kernel.compiler import compiler_of

kernel = compiler_of(
    __file__, *(str(package.__file__) for package in (skyjo_env.kernel, skyjo_action_env.kernel, skipbo_env.kernel))
)
