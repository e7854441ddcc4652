"""Agents play deals: rounds between them, every deal from every seat; and plans, which say what is to be played."""
