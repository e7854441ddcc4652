"""Agents play deals: rounds between them, every deal from every seat; and plans of play."""
