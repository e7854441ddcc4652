"""Examinations: positions in which the worth of every action is known, and what an agent gives away there."""
