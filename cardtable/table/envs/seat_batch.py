"""SeatBatch: N tables, each seen from the one seat that a learner plays, with opponents at all others."""

import secrets
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardtable.table.agents.agents import FAILURES, agents_of, choose, failure_words
from cardtable.table.checks import actions_for, as_array, brief, check_int, read_records, seed_number
from cardtable.table.envs.options import (
    Opponents,
    SeatOptions,
    check_programs,
    compiled_players,
    encoded,
    observation_box,
    seat_opponents,
)
from cardtable.table.envs.reward_functions import ScoredRounds
from cardtable.table.errors import AgentError, CallError, IllegalActionError, TableError
from cardtable.table.game.episode_lengths import EpisodeLengths
from cardtable.table.game.table_batch import MAX_TABLES
from cardtable.table.game.table_game import OwnLock, TableGame, game_class
from cardtable.table.kernel.seats import STOPPED, TABLE_DTYPE, LearnerView, OpponentQueues

MASKS = 'choose by action_masks(), as MaskablePPO does and PPO does not, or use the option illegal="lose"'
INTERRUPTED = "the last step was interrupted"  # what stays if an opponent or a signal raises


class SeatBatch:
    """N tables that wait for the learner; the environments for one seat only adapt it to their libraries.

    Every table plays the deals of its own seed. `step` applies the learner's decisions and lets the opponents play
    until the learner decides everywhere, one call for all tables of one opponent at a time. `tables` has the reward
    since the learner's last decision (1 is 100 points, or a win), how the step left the episode, by the constants of
    `kernel.seats`, and the scores of an episode that ended; the next step overwrites it.

    If all opponents are scripts or play at random, compiled code lets them play in the learner's own call. Threads that
    use one batch wait for each other. `lengths` counts the learner's decisions.
    """

    def __init__(self, n: int, options: SeatOptions, *, restarts: bool) -> None:
        """Begin the next episode, with `restarts`, in the step in which one ends, otherwise in the step after it."""
        n = check_int("num_envs", n, 1, MAX_TABLES)
        self._card_game, self.rules = options.card_game, options.rules
        card_game, rules = self._card_game, self.rules
        self._encoding, self._at_seat, self._at_round = options.encoding, card_game.at("seat"), card_game.at("round")
        self.observation_space = observation_box(card_game, rules, options.encoding)
        self.action_space = spaces.Discrete(rules.actions)
        self._scored = ScoredRounds(options.reward, rules.players)
        self.tables = np.zeros(n, TABLE_DTYPE)
        self._games = np.zeros(n, card_game.dtype)
        self._seating = options.seating(restarts)
        self._state = (self._games, rules.params, self._seating, self.tables)
        self._alone, self.lengths = OwnLock(), EpisodeLengths(card_game, rules, n)
        self._spec = card_game.spec_of(rules)
        self.set_opponents(options.opponents)
        views = np.zeros((2, n, self._spec.size), np.int16)
        self._shown = LearnerView(views[0], np.zeros((n, rules.actions), np.int8), views[1])
        self.last_actions = np.zeros(n, np.int64)
        self._obstacle: str | None = "no episode has begun"
        self._has_seeds = False

    def __len__(self) -> int:
        return len(self._games)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of a copy, for pickles and deep copies: another thread may step this batch meanwhile."""
        with self._alone:
            return deepcopy(vars(self), {id(agent): agent for agent in self.opponents})

    def set_opponents(self, opponents: Opponents) -> None:
        """Let others play from now on at all tables, also in episodes that have begun. No state contains them."""
        rules = self.rules
        agents, names, places = seat_opponents(agents_of(self._card_game), rules, opponents, self._encoding)
        check_programs(agents, names)
        with self._alone:
            self.opponents, self.names = agents, names
            self._seating["opponent"][0, : rules.players] = places
            self._scripts, players = compiled_players(agents, rules)
            self._queues = _queues(len(self), self._spec.size, rules.actions, players)

    # What the learner sees; the arrays are new after every step

    @property
    def masks(self) -> NDArray[np.int8]:
        """Masks of the learner's legal actions at every table, [N, A]; all zero where its episode has ended."""
        return self._shown.masks

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the same as booleans, for sb3-contrib."""
        masks: NDArray[np.bool_] = self._shown.masks.astype(np.bool_)
        return masks

    def seen(self) -> NDArray[Any]:
        """Return the learner's encoded observations at every table, [N, ...]."""
        return encoded(self._card_game, self.rules, self._encoding, self._shown.observations)

    def seen_last(self, numbers: NDArray[np.int64]) -> NDArray[Any]:
        """Return, with `restarts`, the learner's last observations of the episodes that ended in this step at these
        tables.
        """
        return encoded(self._card_game, self.rules, self._encoding, self._shown.finals[numbers])

    def places(self, numbers: NDArray[np.int64] | None = None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the learner's seat and the number of the round at every table, or at these as of `seen_last`."""
        views = self._shown.observations if numbers is None else self._shown.finals[numbers]
        return views[:, self._at_seat].astype(np.int64), views[:, self._at_round].astype(np.int64)

    def place(self, number: int) -> tuple[int, int]:
        """Return the learner's seat and the number of the round at one table."""
        views = self._shown.observations
        return views.item(number, self._at_seat), views.item(number, self._at_round)

    def ends(self, numbers: int | NDArray[np.int64]) -> dict[str, Any]:
        """Return the ends of the last episodes at these tables, as infos give them.

        These are `round_scores` and `totals` by seat, `turns` of all rounds, and `stopped`: whether a round was
        stopped.
        """
        seats, tables = slice(0, self.rules.players), self.tables
        ends = {name: tables[name][numbers, seats].astype(np.int64) for name in ("round_scores", "totals")}
        return ends | {"turns": tables["episode_turns"][numbers], "stopped": tables["ending"][numbers] == STOPPED}

    def game(self, number: int) -> TableGame[Any]:
        """Return a copy of one table, to look at or to play on with."""
        if not self._has_seeds:
            raise CallError(f"{self._obstacle}: call reset() first")
        with self._alone:
            table = self.tables[number]
            record = self._games[number : number + 1]
            return game_class(self._card_game).standing(self.rules, record, int(table["seed"]), int(table["deal"]))

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of the tables, future draws included, and of the learner's observations, for `restore`."""
        with self._alone:
            return {name: array.copy() for name, array in self._arrays().items()}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from a state of as many tables under the same options."""
        parts = {name: read_records(state, name, array) for name, array in self._arrays().items()}
        self._card_game.checks.check_states(self.rules, parts["games"])
        if not (parts["tables"]["seat"] < self.rules.players).all() or (parts["tables"]["seat"] < 0).any():
            raise TableError("the saved tables have seats that do not exist")
        with self._alone:
            self._games[:], self.tables[:] = parts["games"], parts["tables"]
            self._shown = LearnerView(parts["observations"].copy(), parts["masks"].copy(), self._shown.finals)
            self._has_seeds, self._obstacle = True, None
            self._scored.forget(self.tables)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        seen = self._shown.observations, self._shown.masks
        return dict(zip(("games", "tables", "observations", "masks"), (self._games, self.tables, *seen), strict=True))

    # Playing

    def begin(
        self,
        seed: int | Iterable[int | None] | None = None,
        deal: int | None = None,
        where: NDArray[np.bool_] | None = None,
    ) -> None:
        """Begin an episode at every table, or only `where` this is True: deal 0 of new seeds, the next deal of the old,
        or the given deal.

        Of one seed, table i gets seed + i; of a list, a table whose entry is None keeps its own. The first call must be
        for every table, and chooses the seeds that are missing at random.
        """
        with self._alone:
            if where is not None and self._obstacle is not None:
                raise CallError(f"{self._obstacle}: call reset() for every table before resetting some")
            chosen = np.ones(len(self), np.bool_) if where is None else where
            if not self._has_seeds:
                self._give_seeds(secrets.randbits(63), chosen)
            if seed is not None:
                self._give_seeds(seed, chosen)
            self._has_seeds = True
            if deal is not None:
                self.tables["deal"][chosen] = _before(deal)
            self.tables["is_due"][chosen] = 1
            self._scored.forget(self.tables)
            self._obstacle = None
            if where is None:
                self.step(np.zeros(len(self), np.int64))
            else:
                self._begin_some(where)

    def _begin_some(self, where: NDArray[np.bool_]) -> None:
        """Begin the next episode where this is True. Meanwhile only these tables stand in the learner's line."""
        self._line_up(where)
        self._obstacle = INTERRUPTED
        before = self._shown
        self._shown = LearnerView(before.observations.copy(), before.masks.copy(), before.finals)
        try:
            self._play_line(len(self.opponents), np.zeros(len(self), np.int64))
            self._let_opponents_play()
            self._scored.pay(self.tables)
        except BaseException:
            self._shown = before
            raise
        finally:
            self._line_up(np.ones(len(self), np.bool_))
        self._obstacle = None

    def _line_up(self, where: NDArray[np.bool_]) -> None:
        """Form the learner's line of the tables where this is True."""
        numbers = np.flatnonzero(where)
        self._queues.sizes[-1] = len(numbers)
        self._queues.tables[-1, : len(numbers)] = numbers

    def _give_seeds(self, seed: int | Iterable[int | None], where: NDArray[np.bool_]) -> None:
        """New seeds for these tables, which go on with deal 0."""
        if isinstance(seed, str) or not isinstance(seed, Iterable):
            first = check_int("seed", seed, 0, 2**64 - len(self))  # the last table's is a seed, too
            seeds = np.uint64(first) + np.arange(len(self), dtype=np.uint64)
        else:
            listed = list(seed)
            if len(listed) != len(self):
                raise TableError(f"{len(listed)} seeds given, but there are {len(self)} environments")
            where = where & np.array([one is not None for one in listed])
            seeds = np.array([0 if one is None else seed_number("seed", one) for one in listed], np.uint64)
        self.tables["seed"][where] = seeds[where]
        self.tables["deal"][where] = _before(0)

    def step(self, actions: Any) -> None:
        """Take the learner's decision at every table, and play on until it decides again.

        An illegal one is an IllegalActionError that changes nothing, or ends the episode with a penalty.
        """
        with self._alone:
            if self._obstacle is not None:
                raise CallError(f"{self._obstacle}: call reset() before step()")
            numbers, before = actions_for(len(self), actions, CallError), self._shown
            decisions = len(self) - int(np.count_nonzero(self.tables["is_due"]))
            self._shown = LearnerView(np.empty_like(before.observations), np.empty_like(before.masks), before.finals)
            self._obstacle = INTERRUPTED
            try:
                wrong = self._play_line(len(self.opponents), numbers)
                if wrong < 0:
                    self._let_opponents_play()
                    self._scored.pay(self.tables)
            except BaseException:
                self._shown = before
                raise
            self._obstacle = None
            if wrong >= 0:
                self._shown = before
                raise self._illegal(wrong, as_array(actions)[wrong].item())
            self.last_actions = numbers
            endings = self.tables["ending"]
            stopped = int(np.count_nonzero(endings == STOPPED))
            self.lengths.add(decisions, int(np.count_nonzero(endings)), stopped)

    def _play_line(self, who: int, actions: NDArray[np.int64]) -> int:
        """Make the decisions of an opponent, or of the learner, at all tables in its line; returns -1, or, if one is
        illegal, the first such place in the line, and then nothing has changed.
        """
        loop = self._card_game.play_line if self._scripts is None else self._scripts.compiled_player.play_line
        wrong: int = loop(*self._state, who, actions, *self._queues, *self._shown)
        self._scored.note(self.tables, self._queues.tables[-1, : self._queues.sizes[-1]])
        return wrong

    def _let_opponents_play(self) -> None:
        """Let every opponent decide at all tables that wait for it, again and again, until none does."""
        sizes = self._queues.sizes[:-1]
        while any(sizes.tolist()):
            for opponent in range(len(sizes)):
                count = int(sizes[opponent])  # lines grow while others are played
                if count > 0:
                    self._let_play(opponent, count)

    def _let_play(self, opponent: int, count: int) -> None:
        """Take one decision of an opponent at every table in its line."""
        name, lines = self.names[opponent], self._queues
        observations, masks = lines.observations[opponent, :count], lines.masks[opponent, :count]
        actions = self._ask(opponent, observations, masks)
        wrong = self._play_line(opponent, actions)
        if wrong >= 0:
            raise self._illegal(int(lines.tables[opponent, wrong]), int(actions[wrong]), name)

    def _ask(self, opponent: int, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the decisions of an opponent at these tables; AgentError, with its name and seats, if it raises an
        error.
        """
        name = self.names[opponent]
        try:
            return choose(self.opponents[opponent], name, self._spec, observations, masks)
        except AgentError:
            raise
        except FAILURES as error:
            seats = " or ".join(map(str, np.unique(observations[:, self._at_seat])))
            raise AgentError(f"opponent {name} in seat {seats}: {failure_words(error)}") from error

    def _illegal(self, number: int, action: Any, agent: str | None = None) -> Exception:
        """Return the error for an illegal action: a CallError if no rules could ever allow it."""
        game, where = self.game(number), f"table {number}: " if len(self) > 1 else ""
        if agent is None and not 0 <= action < self.rules.actions:
            return CallError(f"{where}action {brief(action)} must be from 0 to {self.rules.actions - 1}")
        who = "" if agent is None else f"agent {agent}, "
        error = self._card_game.illegal_action(self.rules, game.seat, game.phase, game.mask(), action, f"{where}{who}")
        return error if agent is not None else IllegalActionError(f"{error}; {MASKS}")


def _before(deal: int) -> np.uint64:
    """Return the deal number that a table holds before it goes on with this deal."""
    return np.uint64((deal - 1) % 2**64)


def _queues(n: int, size: int, actions: int, players: NDArray[np.void]) -> OpponentQueues:
    """Empty lines for the opponents with these records, and all tables in the learner's."""
    opponents = len(players)
    return OpponentQueues(
        np.array([0] * opponents + [n]),
        np.tile(np.arange(n), (opponents + 1, 1)),
        np.zeros((opponents, n, size), np.int16),
        np.zeros((opponents, n, actions), np.int8),
        players.copy(),  # compiled code writes to it
    )
