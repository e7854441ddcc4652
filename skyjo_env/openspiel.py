"""One round of Skyjo as two OpenSpiel games, `python_skyjo` and `python_skyjo_cards`; importing registers them.

>>> import pyspiel
>>> import skyjo_env.openspiel
>>> game = pyspiel.load_game("python_skyjo(players=3)")
>>> state = game.new_initial_state()
>>> state.apply_action(7)  # chance picks deal 7
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(0, 'flip 0')

| parameter | default | range | meaning |
| --- | --- | --- | --- |
| `players` | 2 | 2 to 8 | players around the table |
| `rules` | | `"rows=2 columns=2"` | what differs from the official rules, as `Rules.from_text` reads it |
| `deals` | 1000 | 1 to 100,000 | how many deals chance picks from; `python_skyjo` only |
| `openings` | 1000 | 1 to 100,000 | how many openings chance picks from; `python_skyjo_cards` only |
| `seed` | 0 | 0 to 2³¹ − 1 | which deals or openings these are |

OpenSpiel's names of games have other uses for equals signs and commas, so in the rules colons and semicolons stand for
them: `python_skyjo(rules=rows:2 columns:2 deck:0:9;5:9)`. With parameters in a dictionary both spellings work.

In `python_skyjo` the only chance node is the root: it picks one of `deals` numbered deals, each equally likely. Deal d
is the round of `Game(rules, seed=seed, deal=d, episode="round")`, its reshuffles included, so that everything after the
root is deterministic and a history says all. The game is therefore a round over that many deals, not over every order
of the deck: a learner that meets each deal often enough can learn the hidden cards by heart. An evaluation under
another seed shows whether it has. This game has no information states.

`python_skyjo_cards` is the whole round: chance decides on every card when it is revealed, with the exact probabilities
of `Game.outcomes`. The root turns up the first discard. A decision that reveals cards is followed by a chance node for
each: the card that is drawn, turned up or replaced, and at the end of the round every hidden card in turn. Outcome 0 is
the lowest card of the deck, outcome 1 the card one higher, and so on. The decision takes effect after the last of its
chance nodes; until then, everybody sees the table as it stood before.

>>> state = pyspiel.load_game("python_skyjo_cards").new_initial_state()
>>> state.apply_action(5)
>>> state.apply_action(14)
>>> state.chance_outcomes()[5], str(state.table.discard_top)
((5, 0.06040268456375839), '3')

Under rules with `initial_flip=random` the root picks one of `openings` numbered openings instead, each equally likely:
the open cards and the first discard of `Game(rules, seed=seed, deal=d, episode="round")`. All other cards are decided
when they are revealed. `start_tie=random` is possible only then. Small boards, decks and turn limits, and few openings,
make games that can be solved; `examples/openspiel_exploitability.py` has one.

An information state of `python_skyjo_cards` is all that a seat has seen since the deal, in order
(`RecallObserver`).

A player's return is the margin, the mean of the others' scores minus their own; 100 points are a return of 1. A round
is stopped after `max_turns` turns, 100 a player unless the rules say otherwise, and then returns 0 to all. What a
player observes is `Game.observation`, as float32, and zeros before the first chance node.
"""

from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np

from cardtable.table.checks import whole_number
from cardtable.table.envs.openspiel import (
    DEALS,
    LARGEST_SEED,
    MOST_DEALS,
    DealsGame,
    RoundGame,
    RoundState,
    game_info,
    game_type,
    pyspiel,
)
from cardtable.table.errors import TableError
from cardtable.table.kernel.scoring import POINTS
from skyjo_env.card_game import SKYJO, Game, score_bounds, spec_of
from skyjo_env.kernel.state import DRAW, MAX_PLAYERS
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
    states have the same string for a seat if, and only if, that seat has seen the same in both. Decisions are
    public: whoever sees the boards also sees on which cell a card is placed.

    The tensor says the same, and the table as it now stands, which is what learners need most:

    | slice | shape | meaning |
    | --- | --- | --- |
    | `now` | [observation] | `Game.observation` of the seat |
    | `dealt` | [observation] | the same, as it was before the first decision |
    | `actions` | [decisions, actions] | every decision so far, one-hot |
    | `cards` | [decisions, 1, values] | the card that it revealed, one-hot from the lowest; zeros if none, or hidden |

    With `reshuffle=all_then_turn_up_new` a decision has two rows of cards, as a draw may turn up a new discard
    first. Of the cards that the end of a round reveals, the tensor has only those that fit into these rows: nobody
    decides any more.
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


TURNS_A_PLAYER = 100  # random players are done after 40
CARDS = {"players": 2, "rules": "", "openings": 1000, "seed": 0}

GAME_TYPE = game_type("python_skyjo", "Python Skyjo", DEALS | {"rules": ""}, MAX_PLAYERS)
CARD_GAME_TYPE = game_type("python_skyjo_cards", "Python Skyjo, card by card", CARDS, MAX_PLAYERS, recalls=True)


def rules_for(params: dict[str, Any]) -> Rules:
    """The rules for this many players, with an end to the round. RulesError if the text cannot be read."""
    text = " ".join(map(in_our_spelling, params["rules"].split()))
    players, rules, given = params["players"], Rules.from_text(text), {word.partition("=")[0] for word in text.split()}
    if "players" in given and rules.players != players:
        raise TableError(f"players={players}, but the rules are for players={rules.players}")
    usual = {} if "max_turns" in given else {"max_turns": TURNS_A_PLAYER * players}
    return rules.replace(players=players, **usual)


def in_our_spelling(word: str) -> str:
    """A word of the rules, which OpenSpiel's names of games write with a colon and semicolons."""
    return word if "=" in word else word.replace(":", "=", 1).replace(";", ",")


def in_openspiels_spelling(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters that OpenSpiel can write into the name of a game, and read from there."""
    return params | {"rules": params["rules"].replace("=", ":").replace(",", ";")}


def greatest_return(rules: Rules) -> float:
    """The greatest margin, in hundreds of points."""
    best, worst = score_bounds(rules)
    return (worst - best) / POINTS


def most_turns(rules: Rules) -> int:
    """How many turns a round may have: the last turn allowed may still begin a final lap."""
    return rules.max_turns + rules.players - 1


def most_decisions(rules: Rules) -> int:
    """How many decisions a round may have: those of the opening, and two or three in every turn."""
    opening = rules.players * rules.opening_flips if rules.initial_flip == "choose" else 0
    return opening + (3 if rules.clear == "confirm" else 2) * most_turns(rules)


class SkyjoGame(DealsGame):
    """The game over numbered deals. A parameter that is out of range raises TableError."""

    def __init__(self, params: dict[str, Any]) -> None:
        rules = rules_for(params)
        info = game_info(rules, params["deals"], greatest_return(rules), most_decisions(rules))
        super().__init__(SKYJO, rules, GAME_TYPE, info, in_openspiels_spelling(params))


class SkyjoCardGame(RoundGame):
    """The game in which chance decides card by card. A parameter that is out of range raises TableError."""

    rules: Rules

    def __init__(self, params: dict[str, Any]) -> None:
        rules = rules_for(params)
        self.openings = whole_number("openings", params["openings"], 1, MOST_DEALS)
        self.seed = whole_number("seed", params["seed"], 0, LARGEST_SEED)
        self.opens_at_random = rules.initial_flip == "random"
        self._dealt: dict[int, Game] = {}
        if rules.start_tie == "random" and not self.opens_at_random:
            raise TableError("start_tie=random needs initial_flip=random: in OpenSpiel, chance decides on cards alone")
        outcomes = max(len(rules.values), self.openings if self.opens_at_random else 0)
        info = game_info(rules, outcomes, greatest_return(rules), most_decisions(rules))
        super().__init__(SKYJO, rules, CARD_GAME_TYPE, info, in_openspiels_spelling(params))

    def max_chance_nodes_in_history(self) -> int:
        """The root, every card on the boards, and in every turn a draw, which may turn up a new discard before."""
        in_a_draw = 2 if self.rules.reshuffle == "all_then_turn_up_new" else 1
        return 1 + self.rules.players * self.rules.cells + in_a_draw * most_turns(self.rules)

    def new_initial_state(self) -> "SkyjoCardState":
        """The root, where chance turns up the first discard or picks an opening."""
        return SkyjoCardState(self)

    def recall_observer(self) -> RecallObserver:
        """The observer of a seat's information states."""
        return RecallObserver(self.rules, most_decisions(self.rules))

    def root_outcomes(self) -> list[tuple[int, float]]:
        """Every opening, or every first discard, with its probability."""
        if self.opens_at_random:
            return [(opening, 1 / self.openings) for opening in range(self.openings)]
        return [(card - self.rules.values[0], number / self.rules.deck_size) for card, number in self.rules.deck]

    def dealt(self, outcome: int) -> Game:
        """The table as this outcome of the root leaves it; hidden cards are decided when they are revealed."""
        if outcome not in self._dealt:
            tables = (Game(self.rules, self.seed, deal, "round") for deal in count(outcome))
            top = outcome + self.rules.values[0]
            self._dealt[outcome] = next(each for each in tables if self.opens_at_random or each.discard_top == top)
        return self._dealt[outcome]


class SkyjoCardState(RoundState):
    """A state of `python_skyjo_cards`: the table, and a decision that waits for the cards that it reveals."""

    def __init__(self, game: SkyjoCardGame) -> None:
        super().__init__(game)
        self.decision: int | None = None
        self.cards: list[int] = []  # that the decision has revealed
        self.next_cards: dict[int, Fraction] = {}  # that it may reveal next

    def _awaits_chance(self) -> bool:
        return len(self.next_cards) > 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every card that may be revealed next, or whatever the root decides, with its probability."""
        if self.table is None:
            outcomes: list[tuple[int, float]] = self.get_game().root_outcomes()
            return outcomes
        lowest = self.table.rules.values[0]
        return [(card - lowest, float(probability)) for card, probability in self.next_cards.items()]

    def decisions(self) -> list[tuple[int, int, list[int]]]:
        """Every decision that has taken effect: the seat, the action, and the cards that it revealed."""
        done: list[tuple[int, int, list[int]]] = []
        for move in self.full_history()[1:]:
            if move.player == pyspiel.PlayerId.CHANCE:
                done[-1][2].append(move.action + self.table.rules.values[0])
            else:
                done.append((move.player, move.action, []))
        return done[:-1] if self.decision is not None else done

    def as_dealt(self) -> Game:
        """The table as it was before the first decision."""
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


pyspiel.register_game(GAME_TYPE, SkyjoGame)
pyspiel.register_game(CARD_GAME_TYPE, SkyjoCardGame)
