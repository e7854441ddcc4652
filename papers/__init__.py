"""The papers on these games put to the test: programs of the repository, outside the wheel."""
