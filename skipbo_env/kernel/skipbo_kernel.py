"""SKIPBO_KERNEL: all functions from which the loops over tables, seats and rounds are made."""

from cardtable.table.kernel.game_kernel import GameKernel
from skipbo_env.kernel.deal import new_game
from skipbo_env.kernel.luck import note_luck
from skipbo_env.kernel.outcomes import act_with
from skipbo_env.kernel.play import act, go_on, is_legal
from skipbo_env.kernel.rewards import potential, reward_of
from skipbo_env.kernel.sample import sample
from skipbo_env.kernel.scoring import margin, note_facts, score_round
from skipbo_env.kernel.state import OVER
from skipbo_env.kernel.view import write_mask, write_view

SKIPBO_KERNEL = GameKernel(
    over=OVER,
    new_game=new_game,
    is_legal=is_legal,
    act=act,
    score_round=score_round,
    go_on=go_on,
    write_mask=write_mask,
    write_view=write_view,
    margin=margin,
    reward_of=reward_of,
    sample=sample,
    potential=potential,
    act_with=act_with,
    note_luck=note_luck,
    note_facts=note_facts,
)
