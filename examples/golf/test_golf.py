"""What every game promises, and what Golf's own rules say."""

from cardtable.testing import conforms
from golf_env.card_game import GOLF

TestGolf = conforms(GOLF)
