"""A table as a picture: an array, a PNG file or a window. Importing this module imports pygame."""

from cardtable.render.table_window import pictures_of
from skipbo_env.render.scene import table_scene

draw_table, save_picture, Window = pictures_of("Skip-Bo", table_scene)
