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
comes to light, with the exact probabilities of `Game.outcomes`. The root turns up the first discard. A decision that
brings cards to light is followed by a chance node for each: the card that is drawn, turned up or replaced, and at the
end of the round every hidden card in turn. Chance outcome k is the card k − 2. The decision takes effect after the last
of its chance nodes; until then, everybody sees the table as it stood before.

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

import numpy as np

from cardtable.checks import whole_number
from cardtable.errors import TableError
from skyjo_env.actions import action_names
from skyjo_env.game import Game
from skyjo_env.kernel.scoring import margin
from skyjo_env.observation import spec_of
from skyjo_env.rules import OFFICIAL, Rules

try:
    import pyspiel
except ImportError as error:
    raise ImportError('OpenSpiel is not installed: pip install "skyjo-env[integrations]"') from error

MOST_DEALS = 100_000  # OpenSpiel lists them at the root of every round, which takes 0.1 seconds
LARGEST_SEED = 2**31 - 1  # OpenSpiel's whole numbers have 32 bits
LOWEST_CARD = OFFICIAL.values[0]
TURNS_A_PLAYER = 100  # random players are done after 40


def game_type(short_name: str, long_name: str, parameters: dict[str, int]) -> Any:
    """What OpenSpiel wants to know of a kind of game, and its parameters with their defaults."""
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=8,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


GAME_TYPE = game_type("python_skyjo", "Python Skyjo", {"players": 2, "deals": 1000, "seed": 0})
CARD_GAME_TYPE = game_type("python_skyjo_cards", "Python Skyjo, card by card", {"players": 2})


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


class RoundGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """The official round, whatever decides on its cards."""

    def __init__(self, game_type: Any, chance_outcomes: int, params: dict[str, Any]) -> None:
        players = params["players"]
        self.rules = Rules(players=players, max_turns=TURNS_A_PLAYER * players)
        super().__init__(game_type, game_info(self.rules, chance_outcomes), params)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SkyjoObserver | None":
        """The observer of what a seat sees; None, as OpenSpiel wants it, for any other kind of observation."""
        if params:
            name = self.get_type().short_name
            raise TableError(f"an observation of {name} has no parameters, but {', '.join(params)} is given")
        # OpenSpiel asks for the usual kind with None, and from C++ with {}.
        return SkyjoObserver(self.rules) if not iig_obs_type or is_what_a_seat_sees(iig_obs_type) else None


class SkyjoGame(RoundGame):
    """The game over numbered deals. A parameter that is out of range raises TableError."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.deals = whole_number("deals", params["deals"], 1, MOST_DEALS)
        self.seed = whole_number("seed", params["seed"], 0, LARGEST_SEED)
        super().__init__(GAME_TYPE, self.deals, params)

    def max_chance_nodes_in_history(self) -> int:
        """Chance decides once."""
        return 1

    def new_initial_state(self) -> "SkyjoState":
        """The root, where chance picks the deal."""
        return SkyjoState(self)


class SkyjoCardGame(RoundGame):
    """The game in which chance decides card by card."""

    def __init__(self, params: dict[str, Any]) -> None:
        super().__init__(CARD_GAME_TYPE, len(OFFICIAL.values), params)

    def max_chance_nodes_in_history(self) -> int:
        """The first discard, every card on the boards, and a draw in every turn."""
        return 1 + self.rules.players * self.rules.cells + most_turns(self.rules)

    def new_initial_state(self) -> "SkyjoCardState":
        """The root, where chance turns up the first discard."""
        return SkyjoCardState(self)


class RoundState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """The root or, after it, a table. OpenSpiel copies and pickles what is in `__dict__`, so that is little."""

    def __init__(self, game: RoundGame) -> None:
        super().__init__(game)
        self.table: Game | None = None

    def current_player(self) -> int:
        """The seat that decides, or OpenSpiel's number for chance or the end."""
        if self.table is None or self._awaits_chance():
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.is_over else self.table.seat

    def _awaits_chance(self) -> bool:
        """Does chance decide next, although the cards are dealt?"""
        return False

    def _legal_actions(self, _player: int) -> list[int]:
        """Of the seat that decides: OpenSpiel itself answers for chance and for the others."""
        return [] if self.table is None else self.table.legal_actions()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._chance_to_string(action)
        return action_names(self.get_game().rules)[action]

    def _chance_to_string(self, action: int) -> str:
        """What chance does with this outcome."""
        raise NotImplementedError

    def is_terminal(self) -> bool:
        """Is the round over or stopped?"""
        return self.table is not None and self.table.is_over

    def returns(self) -> list[float]:
        """Every seat's margin; zeros before the end and for a round that was stopped."""
        if self.table is None or not self.table.is_over or self.table.is_truncated:
            return [0.0] * self.num_players()
        table, rules = self.table.state[0], self.table.rules
        return [float(margin(table, rules.params[0], seat)) for seat in range(rules.players)]

    def __str__(self) -> str:
        return "not dealt yet" if self.table is None else str(self.table)


class SkyjoState(RoundState):
    """A state of `python_skyjo`."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal with its probability."""
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        """Deal, or decide. An illegal action raises TableError and changes nothing."""
        if self.table is not None:
            self.table.apply(action)
            return
        game = self.get_game()
        deal = whole_number("deal", action, 0, game.deals - 1)
        self.table = Game(game.rules, seed=game.seed, deal=deal, episode="round")

    def _chance_to_string(self, action: int) -> str:
        return f"deal {action}"


class SkyjoCardState(RoundState):
    """A state of `python_skyjo_cards`: the table, and a decision that waits for the cards that it brings to light."""

    def __init__(self, game: SkyjoCardGame) -> None:
        super().__init__(game)
        rules = game.rules
        self.decision: int | None = None
        self.cards: list[int] = []  # that have come to light through the decision
        self.next_cards = {card: Fraction(count, rules.deck_size) for card, count in rules.deck}  # empty: no chance

    def _awaits_chance(self) -> bool:
        return len(self.next_cards) > 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every card that may come to light next, with its probability."""
        return [(card - LOWEST_CARD, float(probability)) for card, probability in self.next_cards.items()]

    def _apply_action(self, action: int) -> None:
        """Turn up a card, or decide. An illegal action raises TableError and changes nothing."""
        if not self._awaits_chance():
            self._wait_for(action, [])
            return
        card = action + LOWEST_CARD
        if card not in self.next_cards:
            raise TableError(f"chance cannot bring card {card} to light now")
        if self.decision is None:
            self.table = deal_around(self.get_game().rules, card)
            self.next_cards = {}
        else:
            self._wait_for(self.decision, [*self.cards, card])

    def _wait_for(self, decision: int, cards: list[int]) -> None:
        """Carry a decision out if all its cards have come to light; otherwise the next one is up to chance."""
        assert self.table is not None  # decisions come after the root
        self.next_cards = self.table.outcomes(decision, *cards)
        if self.next_cards:
            self.decision, self.cards = decision, cards
        else:
            self.table.apply(decision, *cards)
            self.decision, self.cards = None, []

    def _chance_to_string(self, action: int) -> str:
        return f"card {action + LOWEST_CARD}"


def deal_around(rules: Rules, discard: int) -> Game:
    """A round as dealt, with this card as the first discard; what lies hidden is decided when it comes to light."""
    column = " ".join("?" * rules.rows)
    boards = f"board {' | '.join([column] * rules.columns)}; " * rules.players
    return Game.from_position(
        f"skyjo-position 1; rules {rules.to_text()}; episode round; {boards} discard {discard}; seat 0 opening"
    )


class SkyjoObserver:
    """What a seat sees: in `tensor`, and in `dict` as views of it by the names of `ObservationSpec`."""

    def __init__(self, rules: Rules) -> None:
        self._spec = spec_of(rules)
        self.tensor = np.zeros(self._spec.size, np.float32)
        self.dict = vars(self._spec.view(self.tensor))

    def set_from(self, state: RoundState, player: int) -> None:
        """Write what the player sees in this state."""
        self.tensor[:] = 0 if state.table is None else state.table.observation(player)

    def string_from(self, state: RoundState, player: int) -> str:
        """What the player sees in this state, one named slice a line."""
        if state.table is None:
            return str(state)
        view = self._spec.view(state.table.observation(player))
        return "\n".join(f"{name} {part.tolist()}" for name, part in vars(view).items())


def is_what_a_seat_sees(kind: Any) -> bool:
    """Is this kind of observation all that is public and all that is private to the seat, at this moment alone?"""
    own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
    return bool(kind.public_info and own and not kind.perfect_recall)


pyspiel.register_game(GAME_TYPE, SkyjoGame)
pyspiel.register_game(CARD_GAME_TYPE, SkyjoCardGame)
