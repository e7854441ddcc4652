"""A table for any card game: what a game and its agents must be, and playing, storing, measuring and reporting."""
