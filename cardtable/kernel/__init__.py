"""What is compiled and knows no game: the compiler and its cache, random numbers, copying, the loops over tables,
margins and wins.
"""
