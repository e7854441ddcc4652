"""Examinations: positions in which every action has been valued by rollouts, and the points that an agent gives away
there.
"""
