"""The table in the browser: the site, and the server that adds rooms, agents in Python and stored games to it."""
