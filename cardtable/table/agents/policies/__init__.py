"""Learned policies of any game: their files and cards, and an agent that plays them with torch."""
