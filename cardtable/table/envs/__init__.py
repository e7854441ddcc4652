"""The environments: what those of all games have in common."""
