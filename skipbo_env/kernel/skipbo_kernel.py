"""SKIPBO_KERNEL: all functions from which the loops over tables, seats and rounds are made."""

from cardtable.table.kernel.game_kernel import GameKernel
from skipbo_env.kernel import OVER
from skipbo_env.kernel.measures import note_facts, note_luck, potential, reward_of
from skipbo_env.kernel.play import act, go_on, is_legal, margin, new_game, score_round
from skipbo_env.kernel.unseen import act_with
from skipbo_env.kernel.view import sample, write_mask, write_view

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
