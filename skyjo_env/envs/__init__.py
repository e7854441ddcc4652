"""The environments: Skyjo as other libraries expect a game to be."""
