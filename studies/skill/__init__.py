"""How much of a game is skill, and how much is chance: three measures, and the page that explains them."""
