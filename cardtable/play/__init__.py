"""Playing: rounds between agents, every deal from every seat, plans of many tables, and who plays their pieces."""
