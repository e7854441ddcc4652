"""Skip-Bo's rewards, and the loops of the environments with Skip-Bo's rules inside."""
