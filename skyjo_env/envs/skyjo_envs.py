"""SKYJO_ENVS: what the environments of Skyjo are made from."""

from cardtable.envs.env_game import Cards, EnvGame
from skyjo_env.actions import action_names
from skyjo_env.agents import REGISTRY
from skyjo_env.envs.compiled.rewards import POINTS, REWARDS, SHAPINGS
from skyjo_env.envs.compiled.seat_loop import check_line, play_line, reward_seats
from skyjo_env.game import Game
from skyjo_env.kernel.state import EMPTY, HIDDEN
from skyjo_env.kernel.view import AT_PHASE, AT_ROUND, AT_SEAT
from skyjo_env.render.text import format_table
from skyjo_env.rules import Rules


def usual_sizes(rules: Rules) -> dict[str, int]:
    """The usual size of numbers that stay far from their bounds."""
    usual = {"round": 10, "turns": 50, "reshuffles": 1, "totals": rules.target_score, "open_sums": 4 * rules.cells}
    pools = ("hidden_pool", "draw_pool", "discards")
    return usual | dict.fromkeys(pools, max(count for _, count in rules.deck))


def shown_cards(rules: Rules) -> Cards:
    """The cards of the deck, hidden, and none."""
    lowest, highest = rules.values[0], rules.values[-1]
    return Cards((*rules.values, HIDDEN, EMPTY), f"card from {lowest} to {highest}, then hidden, then none")


def illegal_penalty(rules: Rules, reward: str) -> float:
    """The reward for an illegal action: a lower bound of what any round can bring."""
    if reward == "win":
        return -1.0
    best, worst = score_bounds(rules)
    return -worst / POINTS if reward == "score" else (best - worst) / POINTS


def score_bounds(rules: Rules) -> tuple[int, int]:
    """The lowest and the highest score that a board can bring, a penalty included."""
    lowest, highest = rules.values[0], rules.values[-1]
    factor = 1 if rules.ender_penalty_mode == "off" else rules.penalty_factor
    best = rules.cells * min(lowest, 0) * (factor if rules.penalty_on_negative else 1)
    return best, rules.cells * max(highest, 0) * factor


SKYJO_ENVS = EnvGame(
    place="skyjo_env.envs.skyjo_envs:SKYJO_ENVS",
    name="skyjo_v0",
    table=Game,
    action_names=action_names,
    agents=REGISTRY,
    at_phase=AT_PHASE,
    at_seat=AT_SEAT,
    at_round=AT_ROUND,
    scales=usual_sizes,
    cards=shown_cards,
    check_line=check_line,
    play_line=play_line,
    reward_seats=reward_seats,
    rewards=REWARDS,
    shapings=SHAPINGS,
    penalty=illegal_penalty,
    text=format_table,
    pictures="skyjo_env.render.picture",
)
