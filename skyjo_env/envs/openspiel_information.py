"""Information states of `python_skyjo_cards`: all that a seat has seen since the deal, in order.

As a string, the first lines are the seat and the table as it was dealt, in the words of `ObservationSpec`; then comes
a line for every decision that has taken effect, with the cards that it revealed:

    seat 0
    starter -1
    discard_top 4
    cells [[21, 21, 21, 21], [21, 21, 21, 21]]
    hidden_pool [5, 0, 0, 0, 5]
    0 flip 0: 4
    0 flip 1: 0
    1 flip 0: 4
    1 flip 3: 0
    1 draw: ?

A card that another seat has just drawn is a question mark until that seat has decided what to do with it. Two states
have the same string for a seat if, and only if, that seat has seen the same in both. Decisions are public: whoever sees
the boards also sees on which cell a card is placed.

The tensor says the same, and the table as it now stands, which is what learners need most:

| slice | shape | meaning |
| --- | --- | --- |
| `now` | [observation] | `Game.observation` of the seat |
| `dealt` | [observation] | the same, as it was before the first decision |
| `actions` | [decisions, actions] | every decision so far, one-hot |
| `cards` | [decisions, 1, values] | the card that it revealed, one-hot from the lowest; zeros if none, or hidden |

With `reshuffle=all_then_turn_up_new` a decision has two rows of cards, as a draw may turn up a new discard first. Of
the cards that the end of a round reveals, the tensor has only those that fit into these rows: nobody decides any more.
"""

from typing import Any

import numpy as np

from skyjo_env.actions import action_names
from skyjo_env.kernel.state import DRAW
from skyjo_env.observation import spec_of
from skyjo_env.rules import Rules

DEALT = "starter", "discard_top", "cells", "hidden_pool"  # the other slices follow from these


class RecallObserver:
    """A seat's information state: in `tensor`, and in `dict` as views of it by name."""

    def __init__(self, rules: Rules, most_decisions: int) -> None:
        self._rules, self._spec = rules, spec_of(rules)
        cards_of_a_decision = 2 if rules.reshuffle == "all_then_turn_up_new" else 1
        shapes = {
            "now": (self._spec.size,),
            "dealt": (self._spec.size,),
            "actions": (most_decisions, rules.actions),
            "cards": (most_decisions, cards_of_a_decision, len(rules.values)),
        }
        ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: Any, player: int) -> None:
        """Write what the player has seen until this state."""
        self.tensor[:] = 0
        if state.table is None:
            return
        self.dict["now"][:] = state.table.observation(player)
        self.dict["dealt"][:] = state.as_dealt().observation(player)
        for number, (_, action, cards) in enumerate(seen_by(state, player)):
            self.dict["actions"][number, action] = 1
            for place, card in enumerate(cards[: self.dict["cards"].shape[1]]):
                if card is not None:
                    self.dict["cards"][number, place, card - self._rules.values[0]] = 1

    def string_from(self, state: Any, player: int) -> str:
        """What the player has seen until this state."""
        lines = [f"seat {player}"]
        if state.table is not None:
            dealt = self._spec.view(state.as_dealt().observation(player))
            lines += [f"{name} {getattr(dealt, name).tolist()}" for name in DEALT]
            lines += map(self._line, seen_by(state, player))
        return "\n".join(lines)

    def _line(self, decision: "Seen") -> str:
        """A decision with its cards."""
        seat, action, cards = decision
        shown = ["?" if card is None else str(card) for card in cards]
        return f"{seat} {action_names(self._rules)[action]}" + (f": {' '.join(shown)}" if shown else "")


Seen = tuple[int, int, list[int | None]]  # seat, action, and the cards that it revealed; None: hidden from the observer


def seen_by(state: Any, player: int) -> list[Seen]:
    """Every decision as the player has seen it: another seat's drawn card is hidden while it is in that seat's hand."""
    decisions: list[Seen] = state.decisions()
    if decisions:
        seat, action, cards = decisions[-1]
        if action == DRAW and seat != player:
            decisions[-1] = (seat, action, [*cards[:-1], None])
    return decisions
