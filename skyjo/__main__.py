"""`python -m skyjo` is the command `skyjo`."""

import sys

from skyjo.interfaces import HOME
from skyjo.main import main

sys.exit(main(game=HOME))
