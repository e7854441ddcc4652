"""The reason for a decision of Skip-Bo, in a few words that its seat can check; hints show it."""

from typing import Any

from numpy.typing import NDArray

from skipbo_env.actions import card_name
from skipbo_env.kernel.state import DISCARD, PASS, PLACES, PLAY_HAND, WILD
from skipbo_env.observation import spec_of
from skipbo_env.rules import Rules


def reason(rules: Rules, observation: NDArray[Any], action: int) -> str:
    """What a seat gains by this decision, from its observation alone; empty where there is nothing to say."""
    view = spec_of(rules).view(observation)
    if action < PLAY_HAND:
        left = int(view.stock_sizes[0]) - 1
        return "it is your last stock card" if left == 0 else f"it leaves {left} in your stock pile"
    if action == PASS:
        return ""
    if action >= DISCARD:
        card, pile = (action - DISCARD) // PLACES + 1, action % PLACES
        above = int(view.discard_tops[0][pile])
        return f"it follows your {card_name(above)}" if above == card + 1 < WILD else ""
    if int(view.building[action % PLACES]) + 2 == int(view.stock_tops[0]) < WILD:
        return f"your stock card, the {view.stock_tops[0]}, fits next"
    return "it empties your hand, and you draw five cards" if _empties(rules, view, action) else ""


def _empties(rules: Rules, view: Any, action: int) -> bool:
    is_from_hand = action < DISCARD and action < PLAY_HAND + WILD * PLACES
    return is_from_hand and int(view.hand_sizes[0]) == 1 and rules.refill == "at_once"
