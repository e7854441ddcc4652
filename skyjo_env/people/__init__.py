"""How people meet Skyjo: `interface.toml`, the game in words, and its board in the browser."""
