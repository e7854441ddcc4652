"""Skyjo's rewards, and the loops of the environments with Skyjo's rules inside."""
