"""`python -m skyjo` is the command `skyjo`."""

import sys

from skyjo.main import main
from skyjo.programs import HOME

sys.exit(main(game=HOME))
