"""`python -m skyjo` is the command `skyjo`."""

import sys

from skyjo.main import main

sys.exit(main(game=__package__))
