"""The terminal: asking, showing tables and progress, and the dialogue of `skyjo play`."""
