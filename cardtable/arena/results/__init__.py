"""Results as documents, reports on stored games, and the pages and pictures that show them."""
