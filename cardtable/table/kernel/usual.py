"""What kernels usually have: the record of a game, and functions for games that have none of their own."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from cardtable.table.compiling.compiler import Decorator
from cardtable.table.kernel.chance import game_key
from cardtable.table.kernel.game_kernel import MOST_SEATS, NOBODY, Compiled, GameKernel
from cardtable.table.kernel.scoring import (
    is_last_of_rounds,
    is_last_round,
    is_only_round,
    note_first,
    note_winners,
    reward_in_points,
    reward_of_leading,
    round_lead,
    round_margin,
)
from cardtable.table.kernel.views import Source, view_writer

ONE = ("phase", "seat", "episode", "turns", "round_number", "last_seat", "last_action")


def game_dtype(**own: Any) -> np.dtype[Any]:
    """Return the record of a game: what the loops read, and its own fields, each a type such as "i8", or a type and its
    shape.
    """
    fields: list[Any] = [("key", "u8"), ("chance", "u8"), *((name, "i8") for name in ONE)]
    fields += [(name, "i8", MOST_SEATS) for name in ("round_scores", "totals")]
    fields += [(name, *kind) if isinstance(kind, tuple) else (name, kind) for name, kind in own.items()]
    return np.dtype((np.record, fields))


def completed(
    kernel: GameKernel,
    over: int,
    lower_is_better: bool,
    rules: Collection[str],
    seen: Sequence[Source],
    compiled: Decorator,
) -> GameKernel:
    """Return the kernel with the usual functions where it has none; `rules` are the fields of the rules' record, and
    `seen` those of an observation.
    """
    is_last = is_only_round
    if "max_rounds" in rules:
        is_last = is_last_round if "target_score" in rules else is_last_of_rounds
    functions = (round_margin, reward_in_points, note_winners), (round_lead, reward_of_leading, note_first)
    margin, reward, note_end = functions[0 if lower_is_better else 1]
    made: dict[str, Any] = {
        "new_game": kernel.new_game or _new_game(kernel.deal_round, compiled),
        "go_on": kernel.go_on or _go_on(kernel.deal_round, is_last, over, note_end, kernel.game_over, compiled),
        "write_view": kernel.write_view or view_writer(seen, compiled),
        "write_mask": kernel.write_mask or _write_mask(kernel.is_legal, compiled),
        "margin": kernel.margin or margin,
        "reward_of": kernel.reward_of or _reward_of(reward, over, compiled),
    }
    return kernel._replace(over=over, **made)


def _new_game(deal_round: Compiled, compiled: Decorator) -> Compiled:
    @compiled
    def new_game(game, rules, seed, deal, episode):
        """Set up a game and deal its first round."""
        game.key, game.episode, game.round_number = game_key(seed, deal), episode, 0
        game.last_seat, game.last_action = NOBODY, NOBODY
        for seat in range(rules.players):
            game.totals[seat] = game.round_scores[seat] = 0
        deal_round(game, rules, None)

    return new_game


def _go_on(
    deal_round: Compiled, is_last: Compiled, over: int, note_end: Compiled, game_over: int, compiled: Decorator
) -> Compiled:
    @compiled
    def go_on(game, rules, log):
        """After a round was scored: deal the next one unless the episode is over. False if the game was stopped."""
        if game.phase == over + 1:
            return False
        if is_last(game, rules):
            game.phase = over
            if game_over >= 0:
                note_end(log, game_over, game, rules)
        else:
            deal_round(game, rules, log)
        return True

    return go_on


def _write_mask(is_legal: Compiled, compiled: Decorator) -> Compiled:
    @compiled
    def write_mask(game, rules, mask):
        """Write 1 for every action that is legal now and 0 for the others; return how many are."""
        legal = 0
        for action in range(len(mask)):
            mask[action] = is_legal(game, rules, action)
            legal += mask[action]
        return legal

    return write_mask


def _reward_of(reward: Compiled, over: int, compiled: Decorator) -> Compiled:
    @compiled
    def reward_of(game, rules, seat, kind, is_scored):
        """A seat's reward for the last decision; `is_scored` says whether it ended a round."""
        return reward(game, rules, seat, kind, is_scored, game.phase == over)

    return reward_of
