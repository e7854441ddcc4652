"""Studies of the game and its players: each is a command, and nothing else depends on them."""
