"""The commands of `skyjo`, one file each."""
