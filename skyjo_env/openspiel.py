"""One round of Skyjo, card by card, as the OpenSpiel game `python_skyjo_cards`; importing registers it.

Importing also registers the games of `cardtable.table.envs.openspiel`, `python_skyjo` among them, whose parameters and
observations these are; `openings` takes the place of `deals`.

`python_skyjo_cards` is the whole round: chance decides on every card when it is revealed, with the exact probabilities
of `Game.outcomes`. The root turns up the first discard. A decision that reveals cards is followed by a chance node for
each: the card that is drawn, turned up or replaced, and at the end of the round every hidden card in turn. Outcome 0 is
the lowest card of the deck, outcome 1 the card one higher, and so on. The decision takes effect after the last of its
chance nodes; until then, all seats see the table as it stood before.

>>> import pyspiel
>>> import skyjo_env.openspiel
>>> state = pyspiel.load_game("python_skyjo_cards").new_initial_state()
>>> state.apply_action(5)
>>> state.apply_action(14)
>>> state.chance_outcomes()[5], str(state.table.discard_top)
((5, 0.06040268456375839), '3')

Under rules with `initial_flip=random` the root picks one of `openings` numbered openings instead, each equally likely:
the open cards and the first discard of `Game(rules, seed=seed, deal=d, episode="round")`. All other cards are decided
when they are revealed. `start_tie=random` is possible only then. Small boards, decks and turn limits, and few openings,
make games that can be solved; `examples/openspiel_exploitability.py` has one.

An information state is all that a seat has seen since the deal, in order (`RecallObserver`). Its tensor has room for
`max_turns` turns: 100 a player unless the rules say otherwise.
"""

from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np

from cardtable.table.envs.openspiel import RoundGame, RoundState, game_type, pyspiel
from cardtable.table.errors import TableError
from skyjo_env.card_game import SKYJO, Game, spec_of
from skyjo_env.kernel.state import DRAW
from skyjo_env.rules import Rules, action_names

DEALT = "starter", "discard_top", "cells", "hidden_pool"  # the other slices follow from these


class RecallObserver:
    """Write information states of `python_skyjo_cards`: all that a seat has seen since the deal, in order.

    They stand in `tensor`, and in `dict` as views of it by name.

    As a string, the first lines are the seat and the table as it was dealt, in the words of `ObservationSpec`; then
    comes a line for every decision that has taken effect, with the cards that it revealed:

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

    A card that another seat has just drawn is a question mark until that seat has decided what to do with it. Two
    states have the same string for a seat if, and only if, that seat has seen the same in both. Decisions are public: a
    seat that sees the boards also sees on which cell a card is placed.

    The tensor says the same, and the table as it now stands, which is what learners need most:

    | slice | shape | meaning |
    | --- | --- | --- |
    | `now` | [observation] | `Game.observation` of the seat |
    | `dealt` | [observation] | the same, as it was before the first decision |
    | `actions` | [decisions, actions] | every decision so far, one-hot |
    | `cards` | [decisions, 1, values] | the card that it revealed, one-hot from the lowest; zeros if none, or hidden |

    With `reshuffle=all_then_turn_up_new` a decision has two rows of cards, as a draw may turn up a new discard first.
    Of the cards that the end of a round reveals, the tensor has only those that fit into these rows: no seat decides
    any more.
    """

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
        """Write the player's views up to this state."""
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
        """Return everything that the player has seen until this state."""
        lines = [f"seat {player}"]
        if state.table is not None:
            dealt = self._spec.view(state.as_dealt().observation(player))
            lines += [f"{name} {getattr(dealt, name).tolist()}" for name in DEALT]
            lines += map(self._line, seen_by(state, player))
        return "\n".join(lines)

    def _line(self, decision: "Seen") -> str:
        """Return a decision with its cards."""
        seat, action, cards = decision
        words = ["?" if card is None else str(card) for card in cards]
        return f"{seat} {action_names(self._rules)[action]}" + (f": {' '.join(words)}" if words else "")


Seen = tuple[int, int, list[int | None]]  # seat, action, and the cards that it revealed; None: hidden from the observer


def seen_by(state: Any, player: int) -> list[Seen]:
    """Return every decision as the player has seen it: another seat's drawn card is hidden while it is in that seat's
    hand.
    """
    decisions: list[Seen] = state.decisions()
    if decisions:
        seat, action, cards = decisions[-1]
        if action == DRAW and seat != player:
            decisions[-1] = (seat, action, [*cards[:-1], None])
    return decisions


TURNS_A_PLAYER = 100  # random players are done after 40
CARDS_TYPE = game_type(SKYJO, "skyjo_cards", "Skyjo, card by card", "openings", recalls=True)


class SkyjoCardGame(RoundGame):
    """The game in which chance decides card by card. A parameter that is out of range raises TableError."""

    rules: Rules
    numbered = "openings"

    def __init__(self, params: dict[str, Any]) -> None:
        if "max_turns" not in params["rules"]:
            params = params | {"rules": f"{params['rules']} max_turns={TURNS_A_PLAYER * params['players']}"}
        self._dealt: dict[int, Game] = {}
        super().__init__(SKYJO, CARDS_TYPE, params)
        if self.rules.start_tie == "random" and not self.opens_at_random:
            raise TableError("start_tie=random needs initial_flip=random: in OpenSpiel, chance decides on cards alone")

    @property
    def opens_at_random(self) -> bool:
        """True if the deal opens cards, before any seat decides."""
        return self.rules.initial_flip == "random"

    def most_outcomes(self) -> int:
        """Return the largest number of outcomes of a chance node: every card, or every opening."""
        return max(len(self.rules.values), self.deals if self.opens_at_random else 0)

    def _most_turns(self) -> int:
        """Return the largest number of turns of a round: the last turn allowed may still begin a final lap."""
        return self.rules.max_turns + self.rules.players - 1

    def most_decisions(self) -> int:
        """Return the largest number of decisions of a round: those of the opening, and two or three in every turn."""
        opening = 0 if self.opens_at_random else self.rules.players * self.rules.opening_flips
        return opening + (3 if self.rules.clear == "confirm" else 2) * self._most_turns()

    def max_chance_nodes_in_history(self) -> int:
        """Return the number for the root, all cards on the boards, and a draw, perhaps with a new discard, in every
        turn.
        """
        in_a_draw = 2 if self.rules.reshuffle == "all_then_turn_up_new" else 1
        return 1 + self.rules.players * self.rules.cells + in_a_draw * self._most_turns()

    def new_initial_state(self) -> "SkyjoCardState":
        """Return the root, where chance turns up the first discard or picks an opening."""
        return SkyjoCardState(self)

    def recall_observer(self) -> RecallObserver:
        """Return the observer of a seat's information states."""
        return RecallObserver(self.rules, self.most_decisions())

    def root_outcomes(self) -> list[tuple[int, float]]:
        """Return every opening, or every first discard, with its probability."""
        if self.opens_at_random:
            return [(opening, 1 / self.deals) for opening in range(self.deals)]
        return [(card - self.rules.values[0], number / self.rules.deck_size) for card, number in self.rules.deck]

    def dealt(self, outcome: int) -> Game:
        """Return the table as this outcome of the root leaves it; hidden cards are decided when they are revealed."""
        if outcome not in self._dealt:
            tables = (Game(self.rules, self.seed, deal, "round") for deal in count(outcome))
            top = outcome + self.rules.values[0]
            self._dealt[outcome] = next(table for table in tables if self.opens_at_random or table.discard_top == top)
        return self._dealt[outcome]


class SkyjoCardState(RoundState):
    """A state of `python_skyjo_cards`: the table, and a decision that waits for the cards that it reveals."""

    def __init__(self, game: SkyjoCardGame) -> None:
        super().__init__(game)
        self.decision: int | None = None
        self.cards: list[int] = []  # that the decision has revealed
        self.next_cards: dict[int, Fraction] = {}  # that it may reveal next

    def _awaits_chance(self) -> bool:
        return self.table is None or len(self.next_cards) > 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every card that may be revealed next, or whatever the root decides, with its probability."""
        if self.table is None:
            outcomes: list[tuple[int, float]] = self.get_game().root_outcomes()
            return outcomes
        lowest = self.table.rules.values[0]
        return [(card - lowest, float(probability)) for card, probability in self.next_cards.items()]

    def decisions(self) -> list[tuple[int, int, list[int]]]:
        """Return every decision that has taken effect: the seat, the action, and the cards that it revealed."""
        done: list[tuple[int, int, list[int]]] = []
        for move in self.full_history()[1:]:
            if move.player == pyspiel.PlayerId.CHANCE:
                done[-1][2].append(move.action + self.table.rules.values[0])
            else:
                done.append((move.player, move.action, []))
        return done[:-1] if self.decision is not None else done

    def as_dealt(self) -> Game:
        """Return the table as it was before the first decision."""
        table: Game = self.get_game().dealt(self.history()[0])
        return table

    def _apply_action(self, action: int) -> None:
        """Deal, reveal a card, or decide. An illegal action raises TableError and changes nothing."""
        if self.table is None:
            self.table = self._deal(action)
        elif self.decision is None:
            self._wait_for(action, [])
        else:
            self._wait_for(self.decision, [*self.cards, self._checked_card(action)])

    def _deal(self, outcome: int) -> Game:
        game = self.get_game()
        if outcome not in dict(game.root_outcomes()):
            raise TableError(f"chance cannot begin with {self._chance_to_string(outcome)}")
        table: Game = game.dealt(outcome).copy()
        return table

    def _checked_card(self, outcome: int) -> int:
        card: int = outcome + self.table.rules.values[0]
        if card not in self.next_cards:
            raise TableError(f"chance cannot reveal card {card} now")
        return card

    def _wait_for(self, decision: int, cards: list[int]) -> None:
        """Carry a decision out if all its cards have been revealed; otherwise the next one is up to chance."""
        self.next_cards = self.table.outcomes(decision, *cards)
        if self.next_cards:
            self.decision, self.cards = decision, cards
        else:
            self.table.apply(decision, *cards)
            self.decision, self.cards = None, []

    def _chance_to_string(self, action: int) -> str:
        game = self.get_game()
        if self.table is None and game.opens_at_random:
            return f"opening {action}"
        return f"card {action + game.rules.values[0]}"


pyspiel.register_game(CARDS_TYPE, SkyjoCardGame)
