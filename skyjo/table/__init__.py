"""A person at a table with agents: decisions in words, undo and hints. Nothing here reads or prints."""
