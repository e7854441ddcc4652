"""The table in the browser: what is served, who may see what, and what is kept on disk."""
