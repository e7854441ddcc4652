"""What is compiled and knows no game: how functions are compiled and kept, and the random numbers of every game."""
