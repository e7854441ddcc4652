"""Skyjo Action for people: `interface.toml`, the game in words, and its board in the browser."""
