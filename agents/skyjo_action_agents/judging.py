"""Judge of decisions in Skyjo Action, by rollouts of some turns."""

from cardtable.arena.exam.analysis import Marks, RolloutAnalyst, Spread

MARKS = Marks(inaccuracy=3.0, mistake=6.0, blunder=12.0, chance=0.09)


class SkyjoActionAnalyst(RolloutAnalyst):
    """Judges decisions by rollouts; the spread was fitted to 900 rounds of `planner`."""

    marks, spread, left = MARKS, Spread(8.0, 0.2), "hidden_left"
    guesses, max_guesses = 100, 300


analyst_of = SkyjoActionAnalyst.of
