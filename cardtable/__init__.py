"""Tables for any card game: `table` defines them, and `arena` plays, stores, measures and reports there."""
