"""What is compiled and knows no game: the compiler and its cache, random numbers, margins and wins."""
