"""Many tables of any game stepped together, in arrays that are written in place: what `GameBatch` is in every game."""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any, ClassVar, Generic, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import as_array, brief, code_of, read_records, seed_number, whole_number
from cardtable.table.errors import IllegalActionError, TableError
from cardtable.table.game.card_game import CardGame, plugged_in
from cardtable.table.game.table_game import Episode, OwnLock, Rules, game_class
from cardtable.table.kernel.game_kernel import EPISODES
from cardtable.table.kernel.tables import ManyTables

MOST_TABLES = 10_000_000
Step = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]


class TableBatch(Generic[Rules]):
    """N tables under the same rules. Table i plays deals i, i + N, i + 2N, ...; a deal is the same game as in `Game`.

    The arrays are the batch's own and are overwritten by every `step`: `observations[N, D]` and `masks[N, A]` of the
    seat that decides, `seats[N]`, `phases[N]`, `deals[N]`, and what `step` returns. Threads that use one batch wait for
    each other; threads with a batch each work at the same time, because compiled code releases the GIL.
    """

    kind: ClassVar[CardGame]

    def __init__(
        self,
        rules: Rules | str = "",
        n: int = 1,
        seed: int = 0,
        episode: Episode = "game",
        restart: bool = True,
    ) -> None:
        """The official rules unless others are given. With `restart=False` a finished table is left as it is, and
        ignores actions.
        """
        self._rules: Rules = self.kind.rules_type.check(rules)
        n = whole_number("n", n, 1, MOST_TABLES)
        if not isinstance(restart, bool):
            raise TableError(f"restart={brief(restart)} must be True or False")
        self.restart = restart
        self._games = np.zeros(n, self.kind.dtype)
        self._games["episode"] = code_of("episode", episode, EPISODES)
        self._deals = np.zeros(n, np.uint64)
        self._make_arrays()
        self.reset(seed)

    @classmethod
    def sample(cls, rules: Rules, observations: NDArray[np.integer[Any]], seed: int = 0, episode: str = "game") -> Self:
        """One full game for every observation, uniform over what its seat cannot see; for search.

        Only the observations are known here, so a guess cannot leak the hidden cards. Finished tables are
        left as they are.
        """
        kind = cls.kind
        rules = kind.rules_type.check(rules)
        checked = kind.spec_of(rules).check(observations)
        if checked.ndim != 2 or len(checked) == 0:
            raise TableError(f"observations must have two axes, tables and entries, not shape {checked.shape}")
        batch = cls.__new__(cls)
        batch._rules, batch.restart, batch.seed, batch._stride = rules, False, seed_number("seed", seed), len(checked)
        batch._games = np.zeros(len(checked), kind.dtype)
        batch._deals = np.arange(len(checked), dtype=np.uint64)
        code = code_of("episode", episode, EPISODES)
        kind.many.sample_tables(batch._games, rules.params, checked, np.uint64(batch.seed), code)
        different = np.unique(checked, axis=0, return_index=True)[1]
        for row, reason in kind.checks.invalid_tables(rules, batch._games[different]):
            raise TableError(f"observation {different[row]}: {reason}")
        batch._make_arrays()
        batch._show()
        batch._dones[:] = batch._phases >= kind.over
        batch._truncateds[:] = batch._phases == kind.truncated
        return batch

    def _make_arrays(self) -> None:
        n, rules = len(self._games), self._rules
        self._alone = OwnLock()
        self._observations = np.zeros((n, self.kind.spec_of(rules).size), np.int16)
        self._masks = np.zeros((n, rules.actions), np.int8)
        self._seats = np.zeros(n, np.int8)
        self._phases = np.zeros(n, np.int8)
        self._rewards = np.zeros((n, rules.players), np.float32)
        self._dones = np.zeros(n, np.bool_)
        self._truncateds = np.zeros(n, np.bool_)
        self._views = self._observations, self._masks, self._seats, self._phases
        self._written = self._results(), self._views  # by a step

    @property
    def _loops(self) -> ManyTables:
        """The loops that step the tables."""
        return self.kind.many

    def _results(self) -> tuple[NDArray[Any], ...]:
        """The arrays that a step writes about what it led to."""
        return self._rewards, self._dones, self._truncateds

    def __getstate__(self) -> dict[str, Any]:
        """The state of a copy, for pickles and deep copies: another thread may step this batch meanwhile."""
        return vars(self.copy())

    @property
    def rules(self) -> Rules:
        """The rules of all tables."""
        return self._rules

    @property
    def observations(self) -> NDArray[np.int16]:
        """The view of the seat that decides, [N, D]."""
        return self._observations

    @property
    def masks(self) -> NDArray[np.int8]:
        """Its legal actions, [N, A]."""
        return self._masks

    @property
    def seats(self) -> NDArray[np.int8]:
        """The seat that decides, [N]."""
        return self._seats

    @property
    def phases(self) -> NDArray[np.int8]:
        """The phase, as an index of PHASES, [N]."""
        return self._phases

    @property
    def deals(self) -> NDArray[np.uint64]:
        """The deal that is played, [N]; cannot be written to."""
        deals = self._deals.view()
        deals.flags.writeable = False
        return deals

    def __len__(self) -> int:
        return len(self._games)

    @property
    def episode(self) -> str:
        """The length of a table's episode: "game" or "round"."""
        return EPISODES[int(self._games["episode"][0])]

    def reset(self, seed: int | None = None) -> None:
        """Begin again with deals 0 to N − 1, of another seed if one is given."""
        with self._alone:
            if seed is not None:
                self.seed = seed_number("seed", seed)
            self._stride = len(self)
            self._deals[:] = np.arange(len(self), dtype=np.uint64)
            given = self._rules.params, np.uint64(self.seed), self._deals, self._games["episode"][0]
            self.kind.many.deal_tables(self._games, *given)
            self._dones[:] = self._truncateds[:] = False
            self._show()

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> Step:
        """One decision at every table; returns (rewards[N, P], dones[N], truncateds[N]).

        A reward is how far the seat's round score is ahead of the mean of the others' in the step that scores a round,
        and 0 otherwise; 100 points are a reward of 1. `dones` marks every episode that has ended, `truncateds` those
        that were stopped. If one action is illegal, IllegalActionError names its table and no table has changed.
        """
        checked = self._check_actions(actions)
        with self._alone:
            given = checked, np.uint64(self.seed), self._deals, self._stride, self.restart
            wrong = self._loops.step_tables(self._games, self._rules.params, *given, *self._written)
            if wrong >= 0:
                raise self._illegal(wrong, as_array(actions)[wrong].item())
        return self._rewards, self._dones, self._truncateds

    def _illegal(self, table: int, action: Any) -> IllegalActionError:
        """The error, told from the table itself: the shown arrays may have been written to."""
        one = self.select([table])
        seat, phase = int(one._seats[0]), self.kind.phases[one._phases[0]]
        return self.kind.illegal_action(self._rules, seat, phase, one._masks[0], action, f"table {table}: ")

    def _check_actions(self, actions: Any) -> NDArray[np.int64]:
        array = as_array(actions)
        if array.shape != (len(self),) or array.dtype.kind not in "iu":
            raise TableError(
                f"actions must be one whole number for every table, here {len(self)}, "
                f"not an array of shape {array.shape} and type {array.dtype}"
            )
        return np.array(array, np.int64, order="C")  # a copy: another thread may write to what was given

    def _show(self) -> None:
        self.kind.many.show_tables(self._games, self._rules.params, *self._views)

    def position(self, table: int) -> str:
        """One table as a written position; `Game.from_position` plays on from there."""
        number = whole_number("table", table, 0, len(self) - 1)
        with self._alone:
            return self.kind.format_position(self._rules, self._games[number])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} tables, {self._rules.players} players, seed={self.seed}>"

    def _repr_html_(self) -> str | None:
        """Return a line about it and a picture of its first table, for notebooks; `select` puts others first."""
        picture = game_class(self.kind).standing(self._rules, self._games[:1])._repr_html_()
        return None if picture is None else f"<p>{escape(repr(self))}, the first of them:</p>{picture}"

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of the tables, future draws included, and the numbers of their deals, for `restore`."""
        with self._alone:
            return {"games": self._games.copy(), "deals": self._deals.copy()}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from a state of a batch with as many tables, the same rules and the same seed. PositionError if a
        table is impossible.
        """
        games = read_records(state, "games", self._games)
        deals = read_records(state, "deals", self._deals)
        self.kind.checks.check_states(self._rules, games)
        with self._alone:
            self._games[:], self._deals[:] = games, deals
            self._dones[:] = self._truncateds[:] = False
            self._show()

    def copy(self) -> Self:
        """An independent copy, future draws included."""
        return self.select(np.arange(len(self)))

    __copy__ = copy

    def select(self, indices: Sequence[int] | NDArray[np.integer[Any]]) -> Self:
        """An independent batch of some of the tables, in this order; a table may be chosen more than once.

        Until a reset, a table continues with the deals that it would have played here.
        """
        chosen = as_array(indices)
        if chosen.ndim != 1 or chosen.size == 0 or chosen.dtype.kind not in "iu":
            raise TableError(f"indices must be a non-empty list of table numbers, not {indices!r}")
        if chosen.min() < 0 or chosen.max() >= len(self):
            raise TableError(f"indices must be table numbers from 0 to {len(self) - 1}")
        twin = object.__new__(type(self))
        with self._alone:
            vars(twin).update(vars(self))  # also what a subclass has added
            twin._games, twin._deals = self._games[chosen], self._deals[chosen]
            twin._make_arrays()
            for mine, theirs in zip(twin._results(), self._results(), strict=True):
                mine[:] = theirs[chosen]
        twin._show()
        return twin


@cache
def batch_class(kind: CardGame) -> type[TableBatch[Any]]:
    """The class of many tables of a game."""
    made: type[TableBatch[Any]] = plugged_in(kind.batch) or _made_for(kind)
    return made


def _made_for(kind: CardGame) -> type[TableBatch[Any]]:
    return type(
        "GameBatch", (TableBatch,), {"kind": kind, "__reduce__": lambda it: (_bare, (kind,), it.__getstate__())}
    )


def _bare(kind: CardGame) -> TableBatch[Any]:
    """A batch without a state, for pickles: a class that was made cannot be found by name."""
    return object.__new__(batch_class(kind))
