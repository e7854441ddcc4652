"""Playing a plan: its pieces handed to threads or processes, stored by whoever started them, and counted."""
