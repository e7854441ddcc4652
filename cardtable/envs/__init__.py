"""The environments: what those of all games have in common. Each game declares the rest as an `EnvGame`."""
