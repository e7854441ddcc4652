"""What people touch: the command `skyjo`, one small file for each of its commands."""
