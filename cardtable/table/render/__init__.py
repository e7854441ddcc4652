"""What the pictures of all games share: where seats and piles lie, a brush, and a window."""
