"""A compiler on top of numba, and the only code here that depends on numba's inside, which a new numba may change.

`compiler` has the decorators of all compiled functions, and `linking` makes one function of those that call each other:
changes in these two recompile everything. `code_cache` and `code_folders` keep compiled code on disk, and
`compile_progress` shows how far it is: changes there recompile nothing.
"""

import os

import numpy as np

if os.environ.get("NUMBA_DISABLE_JIT") == "1":
    np.seterr(over="ignore")  # 64-bit numbers are meant to wrap; warnings would cost ten times the arithmetic
