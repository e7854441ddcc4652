"""Many tables where every seat decides, in arrays that are written in place: the base of every game's `GameBatch`."""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any, ClassVar, Generic, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import (
    actions_for,
    as_array,
    brief,
    check_int,
    choice_index,
    read_records,
    seed_number,
)
from cardtable.table.errors import IllegalActionError, TableError
from cardtable.table.game.card_game import CardGame, plugged_in
from cardtable.table.game.episode_lengths import EpisodeLengths
from cardtable.table.game.slices import ENCODINGS, Encoding
from cardtable.table.game.table_game import Episode, OwnLock, Rules, TableGame, game_class, plain_class
from cardtable.table.kernel.game_kernel import EPISODES
from cardtable.table.kernel.tables import ACCOUNT_DTYPE

MAX_TABLES = 10_000_000
RESULTS = ("rewards", "terminated", "truncated", "is_new", "accounts")  # what a step writes, by name in a saved state
Step = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]


class TableBatch(Generic[Rules]):
    """N tables under the same rules. Table i plays deals i, i + N, i + 2N, ...; a deal is the same game as in `Game`.

    Every array is the same object after every step and reset, and is overwritten by the next:

    - `observations[N, D]`, encoded, and `masks[N, A]`, int8, of the seat that decides, `seats[N]`; `phases[N]`,
      `deals[N]`;
    - `rewards[N, P]`, float32: what every seat has earned since its own last decision;
    - `terminated[N]` and `truncated[N]`: the episode has ended, or was stopped; and of an episode that the last step
      ended, `turns[N]`, of all its rounds, `round_scores[N, P]` of the last round, and `totals[N, P]`.

    With `restart`, `lengths` has the mean decisions of the episodes that ended lately, and the share that was stopped.

    A seat's reward is complete when the seat is to move again: `rewards[n, seats[n]]`. At the end of an episode those
    of all seats are; with `restart` the next episode has begun by then, and no seat has earned anything in it. These
    are the rewards that PettingZoo's `last()` returns. A learner reads the reward of a decision where it finds what
    that seat sees next. The reward of the seat that just moved means nothing yet, since it depends on what the others
    do.

    Threads that use one batch wait for each other. Threads with separate batches work at the same time, because
    compiled code releases the GIL.
    """

    card_game: ClassVar[CardGame]

    def __init__(
        self,
        rules: Rules | str = "",
        n: int = 1,
        seed: int = 0,
        episode: Episode = "game",
        restart: bool = True,
        reward: str | None = None,
        shaping: str | None = None,
        encoding: Encoding = "compact",
    ) -> None:
        """Take the official rules and the game's usual reward (1 is 100 points, or a win), unless others are chosen.
        With `restart=False` a finished table is left as it is, and ignores actions.
        """
        checked: Rules = self.card_game.rules_type.check(rules)
        n = check_int("n", n, 1, MAX_TABLES)
        if not isinstance(restart, bool):
            raise TableError(f"restart={brief(restart)} must be True or False")
        games = np.zeros(n, self.card_game.dtype)
        games["episode"] = choice_index("episode", episode, EPISODES)
        self._set_up(checked, games, np.zeros(n, np.uint64), restart, reward, shaping, encoding)
        self.reset(seed)

    @classmethod
    def sample(
        cls,
        rules: Rules | str,
        observations: NDArray[np.integer[Any]],
        seed: int = 0,
        episode: str = "game",
    ) -> Self:
        """Return one full game for every observation, uniform over what its seat cannot see; for search.

        Only the observations are known here, so a guess cannot leak the hidden cards. Finished tables are
        left as they are.
        """
        card_game = cls.card_game
        checked_rules = card_game.rules_type.check(rules)
        checked = card_game.spec_of(checked_rules).check(observations)
        if checked.ndim != 2 or len(checked) == 0:
            raise TableError(f"observations must have two axes, tables and entries, not shape {checked.shape}")
        games, number = np.zeros(len(checked), card_game.dtype), seed_number("seed", seed)
        code = choice_index("episode", episode, EPISODES)
        card_game.batch_loops.sample_tables(games, checked_rules.params, checked, np.uint64(number), code)
        different = np.unique(checked, axis=0, return_index=True)[1]
        for row, reason in card_game.checks.invalid_tables(checked_rules, games[different]):
            raise TableError(f"observation {different[row]}: {reason}")
        return cls._standing(checked_rules, games, np.arange(len(games), dtype=np.uint64), number)

    @classmethod
    def of(cls, games: Sequence[TableGame[Rules]], seed: int = 0) -> Self:
        """Return a batch that plays on from copies of these games. Finished tables are left as they are; a reset deals
        from this seed. TableError unless there are games of this kind, with the same rules and episode.

        >>> from skyjo_env import Game, GameBatch
        >>> batch = GameBatch.of([Game(seed=1), Game(seed=2)])
        >>> batch.game(1) == Game(seed=2)
        True
        """
        if not games or any(getattr(game, "card_game", None) is not cls.card_game for game in games):
            raise TableError(f"games must be a non-empty list of games of {cls.card_game.title}")
        rules, episode = games[0].rules, games[0].episode
        for number, game in enumerate(games):
            if (game.rules, game.episode) != (rules, episode):
                raise TableError(f"game {number} has other rules or another episode than game 0")
        states = np.concatenate([game.copy().state for game in games])
        deals = np.array([game.deal for game in games], np.uint64)
        return cls._standing(rules, states, deals, seed_number("seed", seed))

    @classmethod
    def _standing(cls, rules: Rules, games: NDArray[Any], deals: NDArray[np.uint64], seed: int) -> Self:
        """Return a batch of tables that are known to be valid."""
        batch = cls.__new__(cls)
        batch._set_up(rules, games, deals, False, None, None, "compact")
        batch.seed, batch._stride = seed, len(games)
        batch._show()
        batch.terminated[:] = batch.phases == cls.card_game.over
        batch.truncated[:] = batch.phases == cls.card_game.truncated
        return batch

    def _set_up(
        self,
        rules: Rules,
        games: NDArray[Any],
        deals: NDArray[np.uint64],
        restart: bool,
        reward: str | None,
        shaping: str | None,
        encoding: Encoding,
    ) -> None:
        card_game = self.card_game
        choice_index("encoding", encoding, ENCODINGS)
        chosen = choice_index("reward", card_game.rewards[0] if reward is None else reward, card_game.rewards)
        self._payment = chosen, choice_index("shaping", shaping, card_game.shapings)
        self.rules, self._games, self._deals, self.restart, self._encoding = rules, games, deals, restart, encoding
        self._make_arrays()

    def _make_arrays(self) -> None:
        """Make the arrays that the docstring of the class explains, and a lock."""
        n, rules, spec = len(self._games), self.rules, self.card_game.spec_of(self.rules)
        self._alone, self.lengths = OwnLock(), EpisodeLengths(self.card_game, rules, n)
        self._compact = np.zeros((n, spec.size), np.int16)
        is_compact = self._encoding == "compact"
        self.observations: NDArray[Any] = self._compact if is_compact else np.zeros((n, spec.onehot.size), np.float32)
        self.masks = np.zeros((n, rules.actions), np.int8)
        self.seats, self.phases = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self._views = self._compact, self.masks, self.seats, self.phases
        self.rewards = np.zeros((n, rules.players), np.float32)
        self.terminated, self.truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self._is_new, accounts = np.ones(n, np.bool_), np.zeros(n, ACCOUNT_DTYPE)
        self._results = self.rewards, self.terminated, self.truncated, self._is_new, accounts
        self._name_accounts()

    def _name_accounts(self) -> None:
        """Give parts of the accounts separate names."""
        accounts, seats = self._results[-1], slice(0, self.rules.players)
        self.turns: NDArray[np.int64] = accounts["episode_turns"]
        self.round_scores: NDArray[np.int16] = accounts["round_scores"][:, seats]
        self.totals: NDArray[np.int32] = accounts["totals"][:, seats]

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of a copy, for pickles and deep copies: another thread may step this batch meanwhile."""
        return vars(self.copy())

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take a state; parts of arrays would be separate arrays in it."""
        vars(self).update(state)
        self._name_accounts()

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
            arguments = self.rules.params, np.uint64(self.seed), self._deals, self._games["episode"][0]
            self.card_game.batch_loops.deal_tables(self._games, *arguments)
            for array in self._results:
                array[:] = 0
            self._is_new[:] = True
            self._show()

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> Step:
        """Take one decision at every table; return `rewards`, `terminated` and `truncated`.

        With `restart` the next episode begins in the step in which one ends. If one action is illegal,
        IllegalActionError names its table and no table has changed.
        """
        checked = actions_for(len(self), actions)
        with self._alone:
            arguments = checked, np.uint64(self.seed), self._deals, self._stride, self.restart, *self._payment
            try:
                wrong = self.card_game.batch_loops.step_tables(
                    self._games, self.rules.params, *arguments, self._results, self._views
                )
                self._encode()
            except BaseException:  # such as Ctrl-C: what is shown shall be what lies on the tables
                self._encode()
                raise
            if wrong >= 0:
                raise self._illegal(wrong, as_array(actions)[wrong].item())
            if self.restart:  # else episodes that have ended stay where they are
                stopped = int(np.count_nonzero(self.truncated))
                self.lengths.add(len(self), int(np.count_nonzero(self.terminated)) + stopped, stopped)
        return self.rewards, self.terminated, self.truncated

    def _encode(self) -> None:
        if self._encoding != "compact":
            self.card_game.spec_of(self.rules).onehot.encode(self._compact, self.observations)

    def _illegal(self, table: int, action: Any) -> IllegalActionError:
        """Return the error, told from the table itself: the shown arrays may have been written to."""
        one = self.select([table])
        seat, phase = int(one.seats[0]), self.card_game.phases[one.phases[0]]
        return self.card_game.illegal_action(self.rules, seat, phase, one.masks[0], action, f"table {table}: ")

    def _show(self) -> None:
        self.card_game.batch_loops.show_tables(self._games, self.rules.params, *self._views)
        self._encode()

    def game(self, table: int) -> TableGame[Rules]:
        """Return a copy of one table, to look at or to play on with."""
        number = check_int("table", table, 0, len(self) - 1)
        with self._alone:
            games, deal = self._games[number : number + 1], int(self._deals[number])
            return game_class(self.card_game).standing(self.rules, games, self.seed, deal)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} tables, {self.rules.players} players, seed={self.seed}>"

    def _repr_html_(self) -> str | None:
        """Return a line about it and a picture of its first table, for notebooks; `select` puts others first."""
        picture = game_class(self.card_game).standing(self.rules, self._games[:1])._repr_html_()
        return None if picture is None else f"<p>{escape(repr(self))}, the first of them:</p>{picture}"

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of the tables, future draws included, of the numbers of their deals, and of what the last step
        has written, for `restore`.
        """
        with self._alone:
            return {name: array.copy() for name, array in self._arrays().items()}

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {"games": self._games, "deals": self._deals, **dict(zip(RESULTS, self._results, strict=True))}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from a state of a batch with as many tables, the same options and the same seed. PositionError if a
        table is impossible.
        """
        saved = {name: read_records(state, name, array) for name, array in self._arrays().items()}
        self.card_game.checks.check_states(self.rules, saved["games"])
        with self._alone:
            for name, array in self._arrays().items():
                array[:] = saved[name]
            self._show()

    def copy(self) -> Self:
        """Return an independent copy, future draws included."""
        return self.select(np.arange(len(self)))

    __copy__ = copy

    def select(self, indices: Sequence[int] | NDArray[np.integer[Any]]) -> Self:
        """Return an independent batch of some of the tables, in this order; a table may be chosen more than once.

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
            for mine, theirs in zip(twin._results, self._results, strict=True):
                mine[:] = theirs[chosen]
        twin._show()
        return twin


@cache
def batch_class(card_game: CardGame) -> type[TableBatch[Any]]:
    """Return the class of many tables of a game."""
    batch: type[TableBatch[Any]] = plugged_in(card_game.batch) or plain_class(
        "GameBatch", TableBatch, batch_class, card_game
    )
    return batch
