"""Reichel's threshold rule (2026, 6.2) as an agent of Skyjo Action, which makes only the moves of Skyjo."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_action_env import PHASES, STAR, ObservationSpec, Rules, make_agent
from skyjo_action_env.kernel.state import CELLS, DRAW, FLIP, HIDDEN, PLACE, TAKE

# By script: the same without action cards, which it takes every holding to cost ten points and a star to earn nothing.
PLAIN = {"greedy": "greedy:stuck=1,star=0", "planner": "planner:stuck=1,star=0"}
TURN, DRAWN, TAKEN = (PHASES.index(phase) for phase in ("turn", "drawn", "taken"))
NO_CARD = -9  # lower than any


class Threshold:
    """Takes a discard up to t. Lays a card on the highest open card that is higher, or on a hidden one if it is below
    the mean of the unseen; otherwise it turns one up. A star counts 0, and everything else is left to `greedy`.
    """

    def __init__(self, rules: Rules, t: int) -> None:
        self.spec, self.rest, self.t = ObservationSpec(rules), make_agent(PLAIN["greedy"], rules), t

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[np.uint64]) -> NDArray[Any]:
        """An action for every table."""
        actions = np.array(self.rest.act(observations, masks, chances))
        for row in np.flatnonzero(np.isin(observations[:, 0], (TURN, DRAWN, TAKEN))):
            view = self.spec.view(observations[row])
            action = self._turn(view) if view.phase == TURN else self._lay(view, masks[row])
            actions[row] = action if masks[row, action] else actions[row]
        return actions

    def _turn(self, view: Any) -> int:
        return TAKE if points(view.discard_top) <= self.t else DRAW

    def _lay(self, view: Any, mask: NDArray[Any]) -> int:
        card, cells = int(points(view.hand[0])), points(view.cells[0])
        is_hidden = cells == HIDDEN
        is_open = (mask[PLACE : PLACE + CELLS] == 1) & ~is_hidden
        worst = int(np.where(is_open, cells, NO_CARD).argmax())
        if not is_hidden.any() or (is_open[worst] and cells[worst] > card):
            return PLACE + worst
        mean = (points(np.arange(-2, STAR + 1)) * view.unseen).sum() / max(view.unseen.sum(), 1)
        return (PLACE if card < mean or view.phase == TAKEN else FLIP) + int(is_hidden.argmax())


def points(cards: Any) -> NDArray[Any]:
    """What cards count; what is no card stays as it is."""
    return np.where(np.asarray(cards) == STAR, 0, cards)
