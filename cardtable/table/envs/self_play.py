"""SelfPlayBatch: many tables at which every seat learns, in arrays that are written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import code_of, read_records, whole_number
from cardtable.table.envs.encoding import observation_box
from cardtable.table.envs.options import names_options, rules_for
from cardtable.table.game.slices import ENCODINGS, Encoding
from cardtable.table.game.table_batch import MOST_TABLES, Step, TableBatch
from cardtable.table.game.table_game import Episode
from cardtable.table.kernel.seats import ACCOUNT_DTYPE
from cardtable.table.kernel.tables import ManyTables

KEPT = ("rewards", "dones", "truncated", "accounts", "terminated")  # names of what a step writes, in a saved state


class SelfPlayBatch(TableBatch[Any]):
    """N tables for one learner in all seats: the tables of a `GameBatch`, with the options of the environments.

    Every array is the same object after every step and reset, and is overwritten by the next. So `torch.from_numpy` of
    each once is enough, and whoever wants to keep a number must copy it:

    - `observations[N, D]` and `masks[N, A]`, int8, of the seat that decides, `current_seat[N]`;
    - `rewards[N, P]`, float32: what every seat has earned since its own last decision; 1 is 100 points, or a win;
    - `terminated[N]` and `truncated[N]`: the last step ended the episode, or stopped it.

    A seat's reward is complete when the seat is to move again: `rewards[n, current_seat[n]]`. At the end of an episode
    those of all seats are; the next episode has begun by then, and nobody has earned anything in it. These are the
    rewards that PettingZoo's `last()` returns. By seat, and added up until the seat decides again, they need no other
    bookkeeping: a learner reads the reward of a decision where it finds what that seat sees next. The reward of the
    seat that just moved means nothing yet, since what it led to depends on what the others do.

    Table i plays deals i, i + N, i + 2N, ... of one seed. Each game has a class with its `kind`.
    """

    _encoding, _account = "compact", (0, 0)  # the codes of reward and shaping; as they stay in `sample`

    @names_options
    def __init__(
        self,
        num_envs: int = 1,
        rules: Any = "",
        players: int | None = None,
        episode: Episode = "round",
        reward: str | None = None,
        shaping: str | None = None,
        encoding: Encoding = "compact",
        seed: int = 0,
    ) -> None:
        """The official rules and the game's usual reward, unless others are chosen; the first deals are dealt."""
        kind = self.kind
        code_of("encoding", encoding, ENCODINGS)
        chosen = code_of("reward", kind.rewards[0] if reward is None else reward, kind.rewards)
        self._encoding, self._account = encoding, (chosen, code_of("shaping", shaping, kind.shapings))
        n = whole_number("num_envs", num_envs, 1, MOST_TABLES)
        super().__init__(rules_for(kind, rules, players), n, seed, episode)

    @property
    def _loops(self) -> ManyTables:
        return self.kind.self_play

    def _make_arrays(self) -> None:
        n = len(self._games)
        self._terminated, self._accounts = np.zeros(n, np.bool_), np.zeros(n, ACCOUNT_DTYPE)
        self._accounts["reward"], self._accounts["shaping"] = self._account
        box = observation_box(self.kind, self._rules, self._encoding)
        super()._make_arrays()
        is_compact = self._encoding == "compact"
        self._encoded: NDArray[Any] = self._observations if is_compact else np.zeros((n, *box.shape), box.dtype)

    def _results(self) -> tuple[NDArray[Any], ...]:
        return *super()._results(), self._accounts, self._terminated

    @property
    def observations(self) -> NDArray[Any]:
        """What the seats to move see, encoded, [N, ...]."""
        return self._encoded

    @property
    def current_seat(self) -> NDArray[np.int8]:
        """The seats to move, [N]; `seats` is the same."""
        return self._seats

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What every seat has earned since its own last decision, [N, P]."""
        return self._rewards

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Has the last step ended the episode? [N]."""
        return self._terminated

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Has the last step stopped the episode, because it took too long? [N]."""
        return self._truncateds

    def reset(self, seed: int | None = None) -> None:
        """Begin again with deals 0 to N − 1, of another seed if one is given."""
        with self._alone:
            super().reset(seed)
            self._rewards[:], self._terminated[:], self._dones[:] = 0, False, True

    def step(self, actions: Any) -> Step:
        """One decision at every table; returns `rewards`, `terminated` and `truncated`.

        Where an episode ends, the next one begins in the same step. If one action is illegal, IllegalActionError names
        its table and nothing has changed.
        """
        with self._alone:
            try:
                super().step(actions)
                self._tell()
            except BaseException:  # such as Ctrl-C: what is told shall be what lies on the tables
                self._tell()
                raise
        return self._rewards, self._terminated, self._truncateds

    def _tell(self) -> None:
        np.greater(self._dones, self._truncateds, out=self._terminated)
        self._encode()

    def _show(self) -> None:
        super()._show()
        self._encode()

    def _encode(self) -> None:
        if self._encoding != "compact":
            self.kind.spec_of(self._rules).onehot.encode(self._observations, self._encoded)

    def state(self) -> dict[str, NDArray[Any]]:
        """As of a `GameBatch`, together with what the seats have earned: copies, for `restore`."""
        with self._alone:
            return super().state() | {name: array.copy() for name, array in zip(KEPT, self._results(), strict=True)}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from a state of as many tables under the same options and with the same seed."""
        results = [read_records(state, name, array) for name, array in zip(KEPT, self._results(), strict=True)]
        with self._alone:
            super().restore(state)
            for array, saved in zip(self._results(), results, strict=True):
                array[:] = saved
            self._accounts["reward"], self._accounts["shaping"] = self._account
