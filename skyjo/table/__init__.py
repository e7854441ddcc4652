"""A person at a table with agents: decisions, undo, hints, and the story of the game. Nothing here reads or prints."""
