"""Tests of the promises of every game, and of Golf's own rules."""

from cardtable.testing import conforms
from golf_env.card_game import GOLF

TestGolf = conforms(GOLF)
