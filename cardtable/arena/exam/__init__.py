"""Examinations: positions in which every action has been valued by rollouts, and what an agent gives away there."""
