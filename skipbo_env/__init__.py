"""Skip-Bo, complete and exact."""
