"""What is compiled into every game and knows none: random numbers, copying, the loops over tables, margins and wins."""
