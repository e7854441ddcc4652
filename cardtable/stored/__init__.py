"""Games of Skyjo in a store: begun, written, found again, and played again."""
