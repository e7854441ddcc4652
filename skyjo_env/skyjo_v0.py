"""Skyjo for PettingZoo. `environment_page` replaces this docstring by the page in docs/skyjo_v0.md."""

from cardtable.table.envs.environment_page import IN_POINTS, environment_page
from skyjo_env.card_game import SKYJO
from skyjo_env.envs import Env, ParallelEnv, RawEnv
from skyjo_env.rules import OFFICIAL

__all__ = ["env", "parallel_env", "raw_env"]

env, parallel_env, raw_env = Env, ParallelEnv, RawEnv

ABOUT = """\
Skyjo is a card game for two to eight players. Everybody has a board of face-down cards worth -2 to 12 points, turns
them up or replaces them one at a time, and wants few points when the round ends; three equal cards in a column are
cleared. docs/rules/skyjo.md has all rules in numbered clauses."""

ACTIONS = """| action | meaning | clause |
| --- | --- | --- |
| 0 | draw a card | 4.1 |
| 1 | take the top of the discard pile | 4.1, 4.2 |
| 2 to {last_place} | place the card in hand on cell 0 to {last_cell} | 4.2, 4.3 |
| {first_flip} to {last_flip} | turn up cell 0 to {last_cell}, in the opening or after discarding the draw | 2.2, 4.4 |

With `flip_after_discard="none"` one more number discards the drawn card; with `clear="confirm"` two more clear and
keep.""".format(
    last_place=OFFICIAL.cells + 1,
    last_cell=OFFICIAL.cells - 1,
    first_flip=OFFICIAL.cells + 2,
    last_flip=2 * OFFICIAL.cells + 1,
)

POTENTIAL = """the expected margin, divided by 100: the mean of the
others' expected scores minus the agent's own, where a hidden card counts as the mean of all cards that it could be,
given what everybody has seen (a card just drawn is still one of them)."""

__doc__ = environment_page(
    SKYJO,
    about=ABOUT,
    rules_text="players=3 clear=confirm",
    expected="what a seat may expect",
    observed="Cells are numbered by column from top to bottom.",
    actions=ACTIONS,
    decides="a turn takes one or two decisions of the same agent.",
    rewarded=IN_POINTS,
    potential=POTENTIAL,
    infos="After a round that was stopped they are the sums of all cards on the boards, and unchanged totals.\n",
)

if __name__ == "__main__":
    print(__doc__, end="")
