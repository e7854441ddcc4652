"""The terminal: asking, showing tables and progress, and the conversation of `skyjo play`."""
