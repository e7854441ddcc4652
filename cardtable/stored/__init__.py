"""Stored games: begun, written, found again, and played again."""
