"""One round of Skyjo as two OpenSpiel games, `python_skyjo` and `python_skyjo_cards`; importing registers them.

>>> import pyspiel
>>> import skyjo_env.envs.openspiel
>>> game = pyspiel.load_game("python_skyjo(players=3)")
>>> state = game.new_initial_state()
>>> state.apply_action(7)  # chance picks deal 7
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(0, 'flip 0')

| parameter | default | range | meaning |
| --- | --- | --- | --- |
| `players` | 2 | 2 to 8 | players around the table |
| `deals` | 1000 | 1 to 100,000 | how many deals chance picks from |
| `seed` | 0 | 0 to 2³¹ − 1 | which deals these are |

In `python_skyjo` the only chance node is the root: it picks one of `deals` numbered deals, each equally likely. Deal d
is the round of `Game(rules, seed=seed, deal=d, episode="round")`, its reshuffles included, so that everything after the
root is deterministic and a history says all. The game is therefore the official round over that many deals, not over
every order of the deck: a learner that meets each deal often enough can learn the hidden cards by heart. An evaluation
under another seed shows whether it has.

`python_skyjo_cards` has one parameter, `players`, and is the whole official round: chance decides on every card when it
is revealed, with the exact probabilities of `Game.outcomes`. The root turns up the first discard. A decision that
reveals cards is followed by a chance node for each: the card that is drawn, turned up or replaced, and at the end of
the round every hidden card in turn. Chance outcome k is the card k − 2. The decision takes effect after the last of its
chance nodes; until then, everybody sees the table as it stood before.

>>> state = pyspiel.load_game("python_skyjo_cards").new_initial_state()
>>> state.apply_action(5)
>>> state.apply_action(14)
>>> state.chance_outcomes()[5], str(state.table.discard_top)
((5, 0.06040268456375839), '3')

A player's return is the margin in points: the mean of the others' scores minus their own. A round is stopped after 100
turns a player, and then returns 0 to all. What a player observes is `Game.observation`, as float32, and zeros before
the first chance node. Information states are not provided.
"""

from fractions import Fraction
from typing import Any

from cardtable.envs.openspiel import DEALS, DealsGame, DealsState, RoundGame, RoundState, game_type, pyspiel
from cardtable.errors import TableError
from skyjo_env.envs.skyjo_envs import SKYJO_ENVS
from skyjo_env.game import Game
from skyjo_env.kernel.scoring import margin
from skyjo_env.kernel.state import MAX_PLAYERS
from skyjo_env.rules import OFFICIAL, Rules

LOWEST_CARD = OFFICIAL.values[0]
TURNS_A_PLAYER = 100  # random players are done after 40

GAME_TYPE = game_type("python_skyjo", "Python Skyjo", DEALS, MAX_PLAYERS)
CARD_GAME_TYPE = game_type("python_skyjo_cards", "Python Skyjo, card by card", {"players": 2}, MAX_PLAYERS)


def rules_for(params: dict[str, Any]) -> Rules:
    """The official rules for this many players, with an end to the round."""
    players = params["players"]
    return Rules(players=players, max_turns=TURNS_A_PLAYER * players)


def game_info(rules: Rules, chance_outcomes: int) -> Any:
    """The sizes and bounds of the game: of actions, chance, returns and length.

    No score is above that of a penalised board of highest cards, and none below that of a board of lowest cards. A turn
    is two decisions.
    """
    highest = rules.cells * rules.values[-1] * rules.penalty_factor
    lowest = rules.cells * rules.values[0]
    return pyspiel.GameInfo(
        num_distinct_actions=rules.actions,
        max_chance_outcomes=chance_outcomes,
        num_players=rules.players,
        min_utility=float(lowest - highest),
        max_utility=float(highest - lowest),
        utility_sum=0.0,
        max_game_length=rules.players * rules.opening_flips + 2 * most_turns(rules),
    )


def most_turns(rules: Rules) -> int:
    """How many turns a round may have: the last turn allowed may still begin a final lap."""
    return rules.max_turns + rules.players - 1


def margins(table: Game) -> list[float]:
    """Every seat's margin."""
    rules = table.rules
    return [float(margin(table.state[0], rules.params[0], seat)) for seat in range(rules.players)]


class SkyjoGame(DealsGame):
    """The game over numbered deals. A parameter that is out of range raises TableError."""

    def __init__(self, params: dict[str, Any]) -> None:
        rules = rules_for(params)
        super().__init__(SKYJO_ENVS, rules, GAME_TYPE, game_info(rules, params["deals"]), params)

    def new_initial_state(self) -> "SkyjoState":
        """The root, where chance picks the deal."""
        return SkyjoState(self)


class SkyjoCardGame(RoundGame):
    """The game in which chance decides card by card."""

    rules: Rules

    def __init__(self, params: dict[str, Any]) -> None:
        rules = rules_for(params)
        super().__init__(SKYJO_ENVS, rules, CARD_GAME_TYPE, game_info(rules, len(OFFICIAL.values)), params)

    def max_chance_nodes_in_history(self) -> int:
        """The first discard, every card on the boards, and a draw in every turn."""
        return 1 + self.rules.players * self.rules.cells + most_turns(self.rules)

    def new_initial_state(self) -> "SkyjoCardState":
        """The root, where chance turns up the first discard."""
        return SkyjoCardState(self)


class SkyjoState(DealsState):
    """A state of `python_skyjo`."""

    def _final_returns(self, table: Game) -> list[float]:
        return margins(table)


class SkyjoCardState(RoundState):
    """A state of `python_skyjo_cards`: the table, and a decision that waits for the cards that it reveals."""

    def __init__(self, game: SkyjoCardGame) -> None:
        super().__init__(game)
        rules = game.rules
        self.decision: int | None = None
        self.cards: list[int] = []  # that the decision has revealed
        self.next_cards = {card: Fraction(count, rules.deck_size) for card, count in rules.deck}  # empty: no chance

    def _awaits_chance(self) -> bool:
        return len(self.next_cards) > 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every card that may be revealed next, with its probability."""
        return [(card - LOWEST_CARD, float(probability)) for card, probability in self.next_cards.items()]

    def _apply_action(self, action: int) -> None:
        """Turn up a card, or decide. An illegal action raises TableError and changes nothing."""
        if not self._awaits_chance():
            self._wait_for(action, [])
            return
        card = action + LOWEST_CARD
        if card not in self.next_cards:
            raise TableError(f"chance cannot reveal card {card} now")
        if self.decision is None:
            self.table = deal_around(self.get_game().rules, card)
            self.next_cards = {}
        else:
            self._wait_for(self.decision, [*self.cards, card])

    def _wait_for(self, decision: int, cards: list[int]) -> None:
        """Carry a decision out if all its cards have been revealed; otherwise the next one is up to chance."""
        assert self.table is not None  # decisions come after the root
        self.next_cards = self.table.outcomes(decision, *cards)
        if self.next_cards:
            self.decision, self.cards = decision, cards
        else:
            self.table.apply(decision, *cards)
            self.decision, self.cards = None, []

    def _final_returns(self, table: Game) -> list[float]:
        return margins(table)

    def _chance_to_string(self, action: int) -> str:
        return f"card {action + LOWEST_CARD}"


def deal_around(rules: Rules, discard: int) -> Game:
    """A round as dealt, with this card as the first discard; hidden cards are decided when they are revealed."""
    column = " ".join("?" * rules.rows)
    boards = f"board {' | '.join([column] * rules.columns)}; " * rules.players
    return Game.from_position(
        f"skyjo-position 1; rules {rules.to_text()}; episode round; {boards} discard {discard}; seat 0 opening"
    )


pyspiel.register_game(GAME_TYPE, SkyjoGame)
pyspiel.register_game(CARD_GAME_TYPE, SkyjoCardGame)
