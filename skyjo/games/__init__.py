"""The games: a folder for each, found by its entry point in the group `skyjo.programs`. Copy one to add a game."""
