"""The papers put to the test, and other questions about the games: programs of this repository, not of the package."""
