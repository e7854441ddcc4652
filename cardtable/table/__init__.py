"""What a table is: a game declared once, and made from it games, environments, records, pictures, agents by name."""
