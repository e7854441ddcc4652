"""Base of the pictures and texts of all games: places of seats and piles, SVG, pixels and a window, and words."""
