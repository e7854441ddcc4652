"""The games of this repository keep what any game promises."""

from importlib.metadata import entry_points

from cardtable.table.game.card_game import GROUP
from cardtable.testing import conforms

globals().update({f"Test_{point.name}": conforms(point.load()) for point in entry_points(group=GROUP)})
