"""Writing, reading, searching and re-checking stored games."""
