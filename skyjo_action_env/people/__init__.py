"""How people meet Skyjo Action: `interface.toml`, the game in words, and its board in the browser."""
