"""Code compiled into every game, which knows none: random numbers, copying, loops over tables, margins and wins."""
