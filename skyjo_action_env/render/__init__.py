"""How a table looks: as text and as a picture."""
