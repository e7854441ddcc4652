"""The tables at which a policy learns: some where it sits in every seat, some with an opponent in all seats but one."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.envs.options import SeatOptions
from cardtable.table.envs.seat_batch import SeatBatch
from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_batch import batch_class
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel.scoring import margins_and_wins
from cardtable.table.kernel.seats import ENDED, STOPPED
from skyjo_training.learned_game import learned_game
from skyjo_training.opponent_pool import OpponentPool

OPPOSED_SEEDS = 2**62  # tables with an opponent play other deals


@dataclass(frozen=True)
class TableSetup:
    """Number of tables of one size, their deals, and their rewards."""

    rules: TableRules
    shared: int  # tables where the policy decides for every seat
    opposed: int = 0  # tables where it decides for one random seat, and an opponent for the rest
    win: float = 0.0  # points for winning a round, beside the margin
    seed: int = 0
    margin: float = 1.0  # what a point of the margin is worth


def round_rewards(rules: TableRules, scores: NDArray[Any], win: float, margin: float) -> NDArray[np.float64]:
    """Return the rewards of all seats for rounds with these scores, [N, P]. A point of the margin counts `margin`, in
    units of the game's `points`. Winning counts `win` points, which the losers lose between them.
    """
    game, players = find_game(rules.game), scores.shape[1]
    margins, wins = margins_and_wins(scores.astype(np.int64), lower_is_better=game.lower_is_better)
    won = (wins * players - 1) / (players - 1)  # 1 for winning alone, -1 shared by the losers
    rewards: NDArray[np.float64] = (margin * margins + win * won) / learned_game(game.name).points
    return rewards


class Ends(NamedTuple):
    """The rounds that ended at N tables with the last decisions; the next step may overwrite it."""

    scored: NDArray[np.bool_]  # [N]
    stopped: NDArray[np.bool_]  # [N]
    scores: NDArray[Any]  # [N, P], where a round was scored


class SelfPlayTables:
    """Tables of one size that always wait for a decision of the policy, the shared ones first.

    `seats[N]` are to move. The next round begins in the step that ends one.
    """

    def __init__(self, setup: TableSetup, opponents: OpponentPool) -> None:
        """Deal; a member of the pool sits at the opposed tables."""
        game = find_game(setup.rules.game)
        self.setup, self.rules, self.opponents = setup, setup.rules, opponents
        self.lower_is_better = game.lower_is_better
        self.shared: Any = batch_class(game)(setup.rules, setup.shared, setup.seed, "round") if setup.shared else None
        self.opposed: Any = None
        if setup.opposed:
            options = SeatOptions(game, setup.rules, opponents=[opponents])
            self.opposed = SeatBatch(setup.opposed, options, restarts=True)
            self.opposed.begin((OPPOSED_SEEDS + setup.seed * setup.opposed) % 2**63)

    def __len__(self) -> int:
        return self.setup.shared + self.setup.opposed

    @property
    def observations(self) -> NDArray[np.int16]:
        """Observations of the seats to move, [N, D]."""
        return self._joined(lambda tables: tables.observations, lambda tables: tables.seen())

    @property
    def masks(self) -> NDArray[np.int8]:
        """Masks of their legal actions, [N, A]."""
        return self._joined(lambda tables: tables.masks, lambda tables: tables.masks)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seats to move, [N]."""
        return self._joined(lambda tables: tables.seats, lambda tables: tables.tables["seat"]).astype(np.int64)

    def _joined(self, of_shared: Any, of_opposed: Any) -> NDArray[Any]:
        """Return an array over all tables."""
        pairs = (self.shared, of_shared), (self.opposed, of_opposed)
        parts = [of(tables) for tables, of in pairs if tables is not None]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def step(self, actions: NDArray[np.int64]) -> Ends:
        """Carry out the decisions, and those of the opponents that follow."""
        parts, shared = [], self.setup.shared
        if self.shared is not None:
            _, scored, stopped = self.shared.step(actions[:shared])
            parts.append((scored, stopped, self.shared.round_scores))
        if self.opposed is not None:
            self.opposed.step(actions[shared:])
            endings, scores = self.opposed.tables["ending"], self.opposed.tables["round_scores"]
            parts.append((endings == ENDED, endings == STOPPED, scores[:, : self.rules.players]))
        return Ends(*parts[0]) if len(parts) == 1 else Ends(*map(np.concatenate, zip(*parts, strict=True)))

    def rewards(self, scored: NDArray[np.bool_], scores: NDArray[Any]) -> NDArray[np.float32]:
        """Return the rewards of all seats, [..., P], where some rounds were scored, and 0 elsewhere."""
        rewards = np.zeros((*scored.shape, self.rules.players), np.float32)
        rewards[scored] = round_rewards(self.rules, scores[scored], self.setup.win, self.setup.margin)
        return rewards

    def margins(self, scored: NDArray[np.bool_], scores: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the margins of `seats` [T, N] in the rounds that were scored at tables with an opponent."""
        opposed = slice(self.setup.shared, None)
        where = scored[:, opposed]
        margins, _ = margins_and_wins(scores[:, opposed][where].astype(np.int64), lower_is_better=self.lower_is_better)
        by_seat: NDArray[np.float64] = np.take_along_axis(margins, seats[:, opposed][where][:, None], 1)[:, 0]
        return by_seat

    def state(self) -> dict[str, Any]:
        """Return the state of all tables, as arrays."""
        return {name: tables.state() for name, tables in self._kinds()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the result of `state`."""
        for name, tables in self._kinds():
            tables.restore(state[name])

    def _kinds(self) -> list[tuple[str, Any]]:
        """Return the shared tables and the opposed ones, if there are any."""
        kinds = ("shared", self.shared), ("opposed", self.opposed)
        return [(name, tables) for name, tables in kinds if tables is not None]
