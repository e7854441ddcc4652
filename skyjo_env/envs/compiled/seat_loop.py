"""The loops of the environments, compiled with Skyjo's functions."""

from cardtable.envs.compiled import env_kernel, seat_loop
from skyjo_env.envs.compiled.jit import compiled
from skyjo_env.envs.compiled.rewards import expected_margin, reward_of
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.play import is_legal, play
from skyjo_env.kernel.state import OVER
from skyjo_env.kernel.view import write_mask, write_view

SKYJO_KERNEL = env_kernel.EnvKernel(new_game, is_legal, play, write_mask, write_view, reward_of, expected_margin, OVER)
check_any_line, play_any_line, reward_any_seats = seat_loop.check_line, seat_loop.play_line, env_kernel.reward_seats


@compiled
def check_line(*tables_and_line):
    """See `cardtable.envs.compiled.seat_loop.check_line`."""
    return check_any_line(SKYJO_KERNEL, *tables_and_line)


@compiled
def play_line(*tables_and_lines):
    """See `cardtable.envs.compiled.seat_loop.play_line`."""
    return play_any_line(SKYJO_KERNEL, *tables_and_lines)


@compiled
def reward_seats(*table_and_rewards):
    """See `cardtable.envs.compiled.env_kernel.reward_seats`."""
    reward_any_seats(SKYJO_KERNEL, *table_and_rewards)
