"""Tables: a game is declared once, and gives games, environments, records, pictures and agents by name."""
