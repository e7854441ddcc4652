"""What the decisions of recorded games gave away, in words and pictures."""
