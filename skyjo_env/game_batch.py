"""GameBatch: many tables stepped together, in arrays that are written in place."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import as_array, brief, code_of, read_records, seed_number, whole_number
from cardtable.errors import IllegalActionError, PositionError, TableError
from skyjo_env.actions import illegal_action
from skyjo_env.kernel.batch import deal_tables, sample_tables, show_tables, step_tables
from skyjo_env.kernel.state import EPISODES, GAME_DTYPE, OVER, PHASES, TRUNCATED
from skyjo_env.observation import spec_of
from skyjo_env.position import format_position
from skyjo_env.position_checks import check_records, check_seats, check_table
from skyjo_env.rules import OFFICIAL, Rules, check_rules

MOST_TABLES = 10_000_000
Step = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]


class GameBatch:
    """N tables under the same rules. Table i plays deals i, i + N, i + 2N, ...; a deal is the same game as in `Game`.

    The arrays are the batch's own and are overwritten by every `step`: `observations[N, D]` and `masks[N, A]` of the
    seat that decides, `seats[N]`, `phases[N]`, `deals[N]`, and what `step` returns.

    >>> batch = GameBatch(OFFICIAL, n=3)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.tolist()
    ((3, 88), (3, 26), [0, 0, 0])
    """

    def __init__(
        self, rules: Rules = OFFICIAL, n: int = 1, seed: int = 0, episode: str = "game", restart: bool = True
    ) -> None:
        """With `restart=False` a finished table is left as it is, and takes any action as nothing."""
        self._rules = check_rules(rules)
        n = whole_number("n", n, 1, MOST_TABLES)
        if not isinstance(restart, bool):
            raise TableError(f"restart={brief(restart)} must be True or False")
        self.restart = restart
        self._games = np.zeros(n, GAME_DTYPE)
        self._games["episode"] = code_of("episode", episode, EPISODES)
        self._deals = np.zeros(n, np.uint64)
        self._make_arrays()
        self.reset(seed)

    @classmethod
    def sample(
        cls, rules: Rules, observations: NDArray[np.integer[Any]], seed: int = 0, episode: str = "game"
    ) -> "GameBatch":
        """One full game for every observation, uniform over what its seat cannot see; for search.

        Nothing but the observations is known here, so a guess cannot leak what really lies hidden. Finished tables are
        left as they are.
        """
        checked = spec_of(check_rules(rules)).check(observations)
        if checked.ndim != 2 or len(checked) == 0:
            raise TableError(f"observations must have two axes, tables and entries, not shape {checked.shape}")
        batch = cls.__new__(cls)
        batch._rules, batch.restart, batch.seed, batch._stride = rules, False, seed_number("seed", seed), len(checked)
        batch._games = np.zeros(len(checked), GAME_DTYPE)
        batch._deals = np.arange(len(checked), dtype=np.uint64)
        sample_tables(batch._games, rules.params, checked, np.uint64(batch.seed), code_of("episode", episode, EPISODES))
        for table in np.unique(checked, axis=0, return_index=True)[1]:
            _check_sample(rules, batch._games[table], int(table))
        batch._make_arrays()
        batch._show()
        batch._dones[:] = batch._phases >= OVER
        batch._truncateds[:] = batch._phases == TRUNCATED
        return batch

    def _make_arrays(self) -> None:
        n, rules = len(self._games), self._rules
        self._observations = np.zeros((n, spec_of(rules).size), np.int16)
        self._masks = np.zeros((n, rules.actions), np.int8)
        self._seats = np.zeros(n, np.int8)
        self._phases = np.zeros(n, np.int8)
        self._rewards = np.zeros((n, rules.players), np.float32)
        self._dones = np.zeros(n, np.bool_)
        self._truncateds = np.zeros(n, np.bool_)

    @property
    def rules(self) -> Rules:
        """The rules of all tables."""
        return self._rules

    @property
    def observations(self) -> NDArray[np.int16]:
        """What the seat that decides sees, [N, D]."""
        return self._observations

    @property
    def masks(self) -> NDArray[np.int8]:
        """What it may do, [N, A]."""
        return self._masks

    @property
    def seats(self) -> NDArray[np.int8]:
        """The seat that decides, [N]."""
        return self._seats

    @property
    def phases(self) -> NDArray[np.int8]:
        """What is decided, as an index of PHASES, [N]."""
        return self._phases

    @property
    def deals(self) -> NDArray[np.uint64]:
        """The deal that is played, [N]."""
        return self._deals

    def __len__(self) -> int:
        return len(self._games)

    @property
    def episode(self) -> str:
        """What a table's game lasts: "game" or "round" (8.5)."""
        return EPISODES[self._games["episode"][0]]

    def reset(self, seed: int | None = None) -> None:
        """Begin again with deals 0 to N − 1, of another seed if one is given."""
        if seed is not None:
            self.seed = seed_number("seed", seed)
        self._stride = len(self)
        self._deals[:] = np.arange(len(self), dtype=np.uint64)
        deal_tables(self._games, self._rules.params, np.uint64(self.seed), self._deals, self._games["episode"][0])
        self._dones[:] = self._truncateds[:] = False
        self._show()

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> Step:
        """One decision at every table; returns (rewards[N, P], dones[N], truncateds[N]).

        A reward is the mean of the others' round scores minus the seat's own, in the step that scores a round, and 0
        otherwise. `dones` marks every episode that has ended, `truncateds` those that were stopped (7.8). If one action
        is illegal, IllegalActionError names its table and no table has changed.
        """
        checked = self._check_actions(actions)
        wrong = step_tables(
            self._games,
            self._rules.params,
            checked,
            np.uint64(self.seed),
            self._deals,
            self._stride,
            self.restart,
            (self._rewards, self._dones, self._truncateds),
            (self._observations, self._masks, self._seats, self._phases),
        )
        if wrong >= 0:
            raise self._illegal(wrong, as_array(actions)[wrong].item())
        return self._rewards, self._dones, self._truncateds

    def _illegal(self, table: int, action: Any) -> IllegalActionError:
        """The error, told from the table itself: the shown arrays may have been written to."""
        one = self.select([table])
        phase = PHASES[one._phases[0]]
        return illegal_action(self._rules, int(one._seats[0]), phase, one._masks[0], action, f"table {table}: ")

    def _check_actions(self, actions: Any) -> NDArray[np.int64]:
        array = as_array(actions)
        if array.shape != (len(self),) or array.dtype.kind not in "iu":
            raise TableError(
                f"actions must be {len(self)} whole numbers, not an array of shape {array.shape} and type {array.dtype}"
            )
        return np.ascontiguousarray(array, np.int64)

    def _show(self) -> None:
        show_tables(self._games, self._rules.params, self._observations, self._masks, self._seats, self._phases)

    def position(self, table: int) -> str:
        """One table as a written position; `Game.from_position` plays on from there."""
        return format_position(self._rules, self._games[whole_number("table", table, 0, len(self) - 1)])

    def __repr__(self) -> str:
        return f"<GameBatch of {len(self)} tables, {self._rules.players} players, seed={self.seed}>"

    def state(self) -> dict[str, NDArray[Any]]:
        """What lies on the tables, future draws included, and which deals they are: copies, for `restore`."""
        return {"games": self._games.copy(), "deals": self._deals.copy()}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from a state of a batch with as many tables, the same rules and the same seed."""
        games = read_records(state, "games", self._games)
        deals = read_records(state, "deals", self._deals)
        check_records(self._rules, games)
        self._games[:], self._deals[:] = games, deals
        self._dones[:] = self._truncateds[:] = False
        self._show()

    def copy(self) -> "GameBatch":
        """An independent copy, future draws included."""
        return self.select(np.arange(len(self)))

    __copy__ = copy

    def select(self, indices: Sequence[int] | NDArray[np.integer[Any]]) -> "GameBatch":
        """An independent batch of some of the tables, in this order; a table may be chosen more than once.

        Until a reset, a table goes on with the deals that it would have played here.
        """
        chosen = as_array(indices)
        if chosen.ndim != 1 or chosen.size == 0 or chosen.dtype.kind not in "iu":
            raise TableError(f"indices must be a non-empty list of table numbers, not {indices!r}")
        if chosen.min() < 0 or chosen.max() >= len(self):
            raise TableError(f"indices must be table numbers from 0 to {len(self) - 1}")
        twin = GameBatch.__new__(GameBatch)
        twin._rules, twin.restart, twin.seed, twin._stride = self._rules, self.restart, self.seed, self._stride
        twin._games, twin._deals = self._games[chosen], self._deals[chosen]
        twin._make_arrays()
        for name in ("_rewards", "_dones", "_truncateds"):
            getattr(twin, name)[:] = getattr(self, name)[chosen]
        twin._show()
        return twin


def _check_sample(rules: Rules, game: Any, table: int) -> None:
    """Refuse an observation of a table that cannot be, told from the game that was sampled from it."""
    try:
        check_seats(rules, game)
        check_table(rules, game)
    except PositionError as error:
        raise TableError(f"observation {table}: {error}") from None
