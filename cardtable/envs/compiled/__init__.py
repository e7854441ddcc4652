"""What the environments add to the rules of any game, compiled: one seat at many tables, and one-hot vectors."""
