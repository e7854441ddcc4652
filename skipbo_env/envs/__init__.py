"""The environments: Skip-Bo as other libraries expect a game to be."""
