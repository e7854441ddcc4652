"""Learned policies of any game: their files and cards, and the agent that plays them. Whoever plays one needs torch."""
