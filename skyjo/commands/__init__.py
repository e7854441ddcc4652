"""The commands of every game, one file each."""
