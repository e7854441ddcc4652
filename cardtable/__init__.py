"""The table that knows no card game: what a game and its agents must be, playing, storing, measuring and reporting."""
