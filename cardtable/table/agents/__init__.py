"""Who decides: agents by name, scripts in compiled code, searches, and learned policies."""
