"""Ratings from scores and seats, for any game: nothing in this folder knows which one was played."""
