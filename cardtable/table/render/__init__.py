"""What the pictures and texts of all games share: where seats and piles lie, SVG, pixels and a window, and words."""
