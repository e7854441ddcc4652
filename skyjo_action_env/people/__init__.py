"""How people meet Skyjo Action: `program.toml`, the game in words, and its board in the browser."""
