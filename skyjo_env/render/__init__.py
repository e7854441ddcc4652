"""How a table looks."""
