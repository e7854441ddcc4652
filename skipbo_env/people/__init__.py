"""How people meet Skip-Bo: `program.toml`, the game in words, and its board in the browser."""
