"""Tables for any card game: `table` is what a table is, and `arena` plays, stores, measures and reports there."""
