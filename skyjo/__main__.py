"""`python -m skyjo` is the command `skyjo`."""

import sys

from skyjo.games.skyjo.program import main

sys.exit(main())
