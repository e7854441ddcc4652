"""How people meet Skip-Bo: `interface.toml`, the game in words, and its board in the browser."""
