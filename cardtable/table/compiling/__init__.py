"""A compiler on top of numba, and the only code here that depends on numba's inside, which a new numba may change.

`compiler` has the decorators of all compiled functions, `linking` makes one function of those that call each other,
`intrinsics` has what numba's language lacks; changes in these three recompile everything. `code_cache` and
`code_folders` keep compiled code on disk, `targets` says for which processors it is made, and `compile_progress` shows
how far it is: changes there recompile nothing.
"""
