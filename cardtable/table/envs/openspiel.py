"""One round of a game as an OpenSpiel game: importing this registers every installed game, as `python_` and its name.

>>> import pyspiel
>>> import cardtable.table.envs.openspiel
>>> game = pyspiel.load_game("python_skyjo(players=3)")
>>> state = game.new_initial_state()
>>> state.apply_action(7)  # chance picks deal 7
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(0, 'flip 0')

| parameter | default | range | meaning |
| --- | --- | --- | --- |
| `players` | 2 | those of the game | players around the table |
| `rules` | | such as `"rows=2 columns=2"` | what differs from the official rules, as `Rules.from_text` reads it |
| `deals` | 1000 | 1 to 100,000 | how many deals chance picks from |
| `seed` | 0 | 0 to 2³¹ − 1 | which deals these are |

OpenSpiel's names of games have other uses for equals signs and commas, so in the rules colons and semicolons stand for
them: `python_skyjo(rules=rows:2 columns:2 deck:0:9;5:9)`. With parameters in a dictionary both spellings work.

The only chance node is the root: it picks one of `deals` numbered deals, each equally likely. Deal d is the round of
`Game(rules, seed=seed, deal=d, episode="round")`, its reshuffles included, so that everything after the root is
deterministic and a history says all. The game is therefore a round over that many deals, not over every order of the
deck: a learner that meets each deal often enough can learn the hidden cards by heart. An evaluation under another seed
shows whether it has.

A return is the usual reward of the game's environments, and 0 for all in a round that is stopped. What a player
observes is `Game.observation`, as float32, and zeros before the chance node. Information states are not provided.
"""

from importlib.metadata import entry_points
from typing import Any, ClassVar

import numpy as np

from cardtable.table.checks import check_int
from cardtable.table.envs.options import rules_for
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import GROUP, CardGame, find_game
from cardtable.table.game.table_game import game_class

try:
    import pyspiel as pyspiel  # the games take it from here: only this import says what is missing
except ImportError as error:
    raise ImportError("OpenSpiel is not installed: pip install open_spiel") from error

MAX_DEALS = 100_000  # OpenSpiel lists them at the root of every round, which takes 0.1 seconds
USUAL_REWARD = 0  # its code
MAX_SEED = 2**31 - 1  # OpenSpiel's whole numbers have 32 bits
DECISIONS_A_TURN = 20  # on average: some turns have no limit, but the cards for long ones are soon used up
LONGEST = 10_000  # turns of a round whose rules do not stop it
PARAMETERS = {"players": 2, "rules": "", "seed": 0}  # of every game


def game_type(card_game: CardGame, name: str, title: str, numbered: str, *, recalls: bool = False) -> Any:
    """Return a kind of game as OpenSpiel describes it; `recalls` says whether it has information states."""
    return pyspiel.GameType(
        short_name=f"python_{name}",
        long_name=f"Python {title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=card_game.rules_type.ranges["players"][1],
        min_num_players=2,
        provides_information_state_string=recalls,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS | {numbered: 1000},
    )


class RoundGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A round over numbered deals. A parameter that is out of range raises TableError."""

    numbered: ClassVar[str] = "deals"  # the parameter that says how many there are

    def __init__(self, card_game: CardGame, game_type: Any, params: dict[str, Any]) -> None:
        text = " ".join(map(in_our_spelling, params["rules"].split()))
        self.card_game, self.rules = card_game, rules_for(card_game, text, params["players"])
        self.deals = check_int(self.numbered, params[self.numbered], 1, MAX_DEALS)
        self.seed = check_int("seed", params["seed"], 0, MAX_SEED)
        most = -card_game.penalty(self.rules, card_game.rewards[USUAL_REWARD])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.actions,
            max_chance_outcomes=self.most_outcomes(),
            num_players=self.rules.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.most_decisions(),
        )
        super().__init__(game_type, info, params | {"rules": text.replace("=", ":").replace(",", ";")})

    def most_outcomes(self) -> int:
        """Return the largest number of outcomes of a chance node."""
        return self.deals

    def most_decisions(self) -> int:
        """Return the largest number of decisions in a round."""
        turns: int = getattr(self.rules, "max_turns", LONGEST) + self.rules.players
        return DECISIONS_A_TURN * turns

    def max_chance_nodes_in_history(self) -> int:
        """Return 1: chance decides once."""
        return 1

    def new_initial_state(self) -> "RoundState":
        """Return the root, where chance picks the deal."""
        return RoundState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return the observer of a seat's view or memory; None, as OpenSpiel wants it, for any other kind."""
        if params:
            name = self.get_type().short_name
            raise TableError(f"an observation of {name} has no parameters, but {', '.join(params)} is given")
        # OpenSpiel asks for the usual kind with None, and from C++ with {}.
        if not iig_obs_type:
            return SeatObserver(self.card_game, self.rules)
        one_seat = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not iig_obs_type.public_info or iig_obs_type.private_info != one_seat:
            return None
        return self.recall_observer() if iig_obs_type.perfect_recall else SeatObserver(self.card_game, self.rules)

    def recall_observer(self) -> Any:
        """Return the observer of a seat's information states; None if the game has none."""
        return None


def in_our_spelling(word: str) -> str:
    """Return a word of the rules, which OpenSpiel's names of games write with a colon and semicolons."""
    return word if "=" in word else word.replace(":", "=", 1).replace(";", ",")


class RoundState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """The root or, after it, a table. OpenSpiel copies and pickles what is in `__dict__`, so that is little."""

    def __init__(self, game: RoundGame) -> None:
        super().__init__(game)
        self.table: Any = None

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's number for chance or the end."""
        if self._awaits_chance():
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.is_over else self.table.seat

    def _awaits_chance(self) -> bool:
        """Return whether chance decides next."""
        return self.table is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every deal with its probability."""
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, _player: int) -> list[int]:
        """Of the seat that decides: OpenSpiel itself answers for chance and for the others."""
        return [] if self.table is None else self.table.legal_actions()

    def _apply_action(self, action: int) -> None:
        """Deal, or decide. An illegal action raises TableError and changes nothing."""
        if self.table is not None:
            self.table.apply(action)
            return
        game = self.get_game()
        deal = check_int("deal", action, 0, game.deals - 1)
        self.table = game_class(game.card_game)(game.rules, seed=game.seed, deal=deal, episode="round")

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game()
        is_chance = player == pyspiel.PlayerId.CHANCE
        return self._chance_to_string(action) if is_chance else str(game.card_game.action_names(game.rules)[action])

    def _chance_to_string(self, action: int) -> str:
        """Return the name of a chance outcome."""
        return f"deal {action}"

    def is_terminal(self) -> bool:
        """Return whether the round is over or stopped."""
        return self.table is not None and self.table.is_over

    def returns(self) -> list[float]:
        """Return every seat's return; zeros before the end and for a round that was stopped."""
        table = self.table
        if table is None or not table.is_over or table.is_truncated:
            return [0.0] * self.num_players()
        reward_of, params, seats = table.card_game.kernel.reward_of, table.rules.params, range(table.rules.players)
        return [float(reward_of(table.state[0], params[0], seat, USUAL_REWARD, True)) for seat in seats]

    def __str__(self) -> str:
        return "not dealt yet" if self.table is None else str(self.table)


class SeatObserver:
    """A seat's observation: in `tensor`, and in `dict` as views of it by the names of `ObservationSpec`."""

    def __init__(self, card_game: CardGame, rules: Any) -> None:
        self._spec = card_game.spec_of(rules)
        self.tensor = np.zeros(self._spec.size, np.float32)
        self.dict = vars(self._spec.view(self.tensor))

    def set_from(self, state: RoundState, player: int) -> None:
        """Write the player's view of this state."""
        self.tensor[:] = 0 if state.table is None else state.table.observation(player)

    def string_from(self, state: RoundState, player: int) -> str:
        """Return the player's observation in this state, one named slice a line."""
        if state.table is None:
            return str(state)
        view = self._spec.view(state.table.observation(player))
        return "\n".join(f"{name} {part.tolist()}" for name, part in vars(view).items())


def register(card_game: CardGame) -> None:
    """Make a game's round known to OpenSpiel."""
    described = game_type(card_game, card_game.name, card_game.title, RoundGame.numbered)

    class NumberedRounds(RoundGame):
        def __init__(self, params: dict[str, Any]) -> None:
            super().__init__(card_game, described, params)

    pyspiel.register_game(described, NumberedRounds)


for point in entry_points(group=GROUP):
    register(find_game(point.name))
