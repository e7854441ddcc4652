"""How people meet Skyjo: `program.toml`, the game in words, and its board in the browser."""
