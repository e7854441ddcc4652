"""The losses by decisions of recorded games, in words and pictures."""
