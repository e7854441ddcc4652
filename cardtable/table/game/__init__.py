"""A game: its declaration, one table and many, rules, observations, events, positions and records."""
