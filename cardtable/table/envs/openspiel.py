"""One round of a game as an OpenSpiel game, whose chance picks one of numbered deals; each game registers its own."""

from typing import Any

import numpy as np

from cardtable.table.checks import whole_number
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.table_game import game_class

try:
    import pyspiel as pyspiel  # the games take it from here: only this import says what is missing
except ImportError as error:
    raise ImportError("OpenSpiel is not installed: pip install open_spiel") from error

MOST_DEALS = 100_000  # OpenSpiel lists them at the root of every round, which takes 0.1 seconds
USUAL_REWARD = 0  # its code
LARGEST_SEED = 2**31 - 1  # OpenSpiel's whole numbers have 32 bits
DEALS = {"players": 2, "deals": 1000, "seed": 0}  # the parameters of a game over numbered deals


def game_type(
    short_name: str, long_name: str, parameters: dict[str, Any], most_players: int, *, recalls: bool = False
) -> Any:
    """A kind of game as OpenSpiel describes it; `recalls` says whether it has information states."""
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most_players,
        min_num_players=2,
        provides_information_state_string=recalls,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def game_info(rules: Any, chance_outcomes: int, most: float, length: int) -> Any:
    """The sizes and bounds of a round: of actions, chance, returns (from -most to most) and decisions."""
    return pyspiel.GameInfo(
        num_distinct_actions=rules.actions,
        max_chance_outcomes=chance_outcomes,
        num_players=rules.players,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=length,
    )


class RoundGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A round, however its cards are chosen."""

    def __init__(self, kind: CardGame, rules: Any, game_type: Any, game_info: Any, params: dict[str, Any]) -> None:
        self.kind, self.rules = kind, rules
        super().__init__(game_type, game_info, params)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer of what a seat sees or remembers; None, as OpenSpiel wants it, for any other kind."""
        if params:
            name = self.get_type().short_name
            raise TableError(f"an observation of {name} has no parameters, but {', '.join(params)} is given")
        # OpenSpiel asks for the usual kind with None, and from C++ with {}.
        if not iig_obs_type:
            return SeatObserver(self.kind, self.rules)
        one_seat = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not iig_obs_type.public_info or iig_obs_type.private_info != one_seat:
            return None
        return self.recall_observer() if iig_obs_type.perfect_recall else SeatObserver(self.kind, self.rules)

    def recall_observer(self) -> Any:
        """The observer of a seat's information states; None if the game has none."""
        return None


class DealsGame(RoundGame):
    """A round over numbered deals. A parameter that is out of range raises TableError."""

    def __init__(self, kind: CardGame, rules: Any, game_type: Any, game_info: Any, params: dict[str, Any]) -> None:
        self.deals = whole_number("deals", params["deals"], 1, MOST_DEALS)
        self.seed = whole_number("seed", params["seed"], 0, LARGEST_SEED)
        super().__init__(kind, rules, game_type, game_info, params)

    def max_chance_nodes_in_history(self) -> int:
        """Chance decides once."""
        return 1

    def new_initial_state(self) -> "DealsState":
        """The root, where chance picks the deal."""
        return DealsState(self)


class RoundState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """The root or, after it, a table. OpenSpiel copies and pickles what is in `__dict__`, so that is little."""

    def __init__(self, game: RoundGame) -> None:
        super().__init__(game)
        self.table: Any = None

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
        game = self.get_game()
        return str(game.kind.action_names(game.rules)[action])

    def _chance_to_string(self, action: int) -> str:
        """What chance does with this outcome."""
        raise NotImplementedError

    def is_terminal(self) -> bool:
        """Is the round over or stopped?"""
        return self.table is not None and self.table.is_over

    def returns(self) -> list[float]:
        """Every seat's return, the usual reward of the game's environments; zeros before the end and for a round that
        was stopped.
        """
        table = self.table
        if table is None or not table.is_over or table.is_truncated:
            return [0.0] * self.num_players()
        reward_of, params, seats = table.kind.kernel.reward_of, table.rules.params, range(table.rules.players)
        return [float(reward_of(table.state[0], params[0], seat, USUAL_REWARD, True)) for seat in seats]

    def __str__(self) -> str:
        return "not dealt yet" if self.table is None else str(self.table)


class DealsState(RoundState):
    """A state of a game over numbered deals."""

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
        self.table = game_class(game.kind)(game.rules, seed=game.seed, deal=deal, episode="round")

    def _chance_to_string(self, action: int) -> str:
        return f"deal {action}"


class SeatObserver:
    """What a seat sees: in `tensor`, and in `dict` as views of it by the names of `ObservationSpec`."""

    def __init__(self, kind: CardGame, rules: Any) -> None:
        self._spec = kind.spec_of(rules)
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
