"""The cards that a decision may reveal, with exact probabilities; `Game.outcomes` is the public interface.

A playing card is its value or STAR, an action card 16 plus its kind. The cards are all those that the deciding seat
sees for the first time, in the order in which they come to light, until the round is scored.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from skyjo_action_env.kernel.state import FIRST_KIND, KINDS, LOWEST, STAR
from skyjo_action_env.rules import Rules


def card_array(rules: Rules, cards: Sequence[int]) -> NDArray[np.int64]:
    """Cards as the kernel takes them; TableError if they cannot be given under these rules."""
    if rules.reveal_star_clear != "best":
        raise TableError("cards can be chosen only with reveal_star_clear='best'")
    for card in cards:
        is_card = isinstance(card, int | np.integer) and not isinstance(card, bool)
        if not is_card or not (LOWEST <= card <= STAR or FIRST_KIND <= card < FIRST_KIND + len(KINDS)):
            raise TableError(
                f"card={brief(card)} is not a playing card, from {LOWEST} to {STAR}, or an action card, "
                f"from {FIRST_KIND} to {FIRST_KIND + len(KINDS) - 1}"
            )
    return np.array(cards, np.int64)
