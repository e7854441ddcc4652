"""SKYJO_KERNEL: all functions from which the loops over tables, seats and rounds are made."""

from cardtable.table.kernel.game_kernel import GameKernel
from cardtable.table.kernel.scoring import round_margin
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.luck import note_luck
from skyjo_env.kernel.outcomes import act_with
from skyjo_env.kernel.play import act, end_round, go_on, is_legal
from skyjo_env.kernel.rewards import expected_margin, reward_of
from skyjo_env.kernel.sample import sample
from skyjo_env.kernel.scoring import note_facts
from skyjo_env.kernel.state import FIRST_PLACE, OVER
from skyjo_env.kernel.view import write_mask, write_view

SKYJO_KERNEL = GameKernel(
    over=OVER,
    new_game=new_game,
    is_legal=is_legal,
    act=act,
    score_round=end_round,
    go_on=go_on,
    write_mask=write_mask,
    write_view=write_view,
    margin=round_margin,
    reward_of=reward_of,
    sample=sample,
    potential=expected_margin,
    act_with=act_with,
    note_luck=note_luck,
    first_compared=FIRST_PLACE,
    note_facts=note_facts,
)
