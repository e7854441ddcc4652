"""A game with every decision judged: in words, as JSON, as a page."""
