"""SKIPBO_ENVS: what the environments of Skip-Bo are made from."""

from cardtable.envs.env_game import Cards, EnvGame
from skipbo_env.actions import action_names
from skipbo_env.agents import REGISTRY
from skipbo_env.envs.compiled.rewards import REWARDS, SHAPINGS
from skipbo_env.envs.compiled.seat_loop import check_line, play_line, reward_seats
from skipbo_env.game import Game
from skipbo_env.kernel.scoring import CARD_POINTS, WIN_POINTS
from skipbo_env.kernel.state import COPIES, NONE, UNSEEN
from skipbo_env.kernel.view import AT_PHASE, AT_ROUND, AT_SEAT
from skipbo_env.render.text import format_table
from skipbo_env.rules import Rules


def usual_sizes(rules: Rules) -> dict[str, int]:
    """The usual size of numbers that stay far from their bounds."""
    usual = {"round": 10, "turns": 100, "recycles": 5, "totals": rules.target_score, "discard_sizes": 10}
    return usual | dict.fromkeys(("completed", "older", "newer", "doubtful"), COPIES)


def shown_cards(rules: Rules) -> Cards:
    """No card, the ranks, the wild card, and a card that is not seen; the same under all rules."""
    del rules
    return Cards(tuple(range(NONE, UNSEEN + 1)), "none, then card from 1 to 12, then wild, then not seen")


def illegal_penalty(rules: Rules, reward: str) -> float:
    """The reward for an illegal action: at most -1, and a lower bound of what any episode can bring."""
    if reward != "margin":
        return -1.0
    most = WIN_POINTS + CARD_POINTS * rules.stock_size * (rules.players - 1)  # in the round that ends a game
    return -(rules.target_score + most) / rules.target_score


SKIPBO_ENVS = EnvGame(
    place="skipbo_env.envs.skipbo_envs:SKIPBO_ENVS",
    name="skipbo_v0",
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
    pictures="skipbo_env.render.picture",
)
