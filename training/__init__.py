"""Learning to play: what stable-baselines3 needs to learn from skyjo-env."""
