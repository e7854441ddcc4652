"""Common parts of kernels: the record of a game, and functions for games that do not replace them."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from cardtable.table.compiling.compiler import Decorator, inlined
from cardtable.table.kernel.chance import game_key
from cardtable.table.kernel.game_kernel import GAME_EPISODE, MAX_SEATS, NOBODY, Compiled, GameKernel
from cardtable.table.kernel.scoring import FEWEST, MOST, margin, note_winners, reward_in_points
from cardtable.table.kernel.views import Source, view_writer

ONE = ("phase", "seat", "episode", "turns", "round_number", "last_seat", "last_action")


def game_dtype(**own: Any) -> np.dtype[Any]:
    """Return the record of a game: what the loops read, and its own fields, each a type such as "i8", or a type and its
    shape.
    """
    fields: list[Any] = [("key", "u8"), ("chance", "u8"), *((name, "i8") for name in ONE)]
    fields += [(name, "i8", MAX_SEATS) for name in ("round_scores", "totals")]
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
    best = FEWEST if lower_is_better else MOST
    made: dict[str, Any] = {
        "new_game": kernel.new_game or _new_game(kernel.deal_round, compiled),
        "start_next_round": kernel.start_next_round or _start_next_round(kernel, over, best, _is_last(rules), compiled),
        "write_observation": kernel.write_observation or view_writer(seen, compiled),
        "write_mask": kernel.write_mask or _write_mask(kernel.is_legal, compiled),
        "margin": kernel.margin or _margin(best, compiled),
        "reward_of": kernel.reward_of or _reward_of(best, over, compiled),
        "act_with": kernel.act_with or _act_with(kernel.act),
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


def _is_last(rules: Collection[str]) -> Compiled:
    """Make the function that says whether the episode is over after this round."""

    @inlined
    def only_round(game, rules):  # noqa: ARG001
        return True

    @inlined
    def last_of_rounds(game, rules):
        return game.episode != GAME_EPISODE or game.round_number >= rules.max_rounds

    @inlined
    def last_or_target(game, rules):
        is_last = last_of_rounds(game, rules)
        for seat in range(rules.players):
            is_last = is_last or game.totals[seat] >= rules.target_score
        return is_last

    if "max_rounds" not in rules:
        return only_round
    return last_or_target if "target_score" in rules else last_of_rounds


def _start_next_round(kernel: GameKernel, over: int, best: int, is_last: Compiled, compiled: Decorator) -> Compiled:
    deal_round, game_over = kernel.deal_round, kernel.game_over

    @compiled
    def start_next_round(game, rules, log):
        """After a round was scored: deal the next one unless the episode is over. False if the game was stopped."""
        if game.phase == over + 1:
            return False
        if is_last(game, rules):
            game.phase = over
            if game_over >= 0:
                note_winners(log, game_over, game, rules, best)
        else:
            deal_round(game, rules, log)
        return True

    return start_next_round


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


def _margin(best: int, compiled: Decorator) -> Compiled:
    @compiled
    def round_margin(game, rules, seat):
        """Return the points that a seat is ahead in the last round."""
        return best * margin(game.round_scores, rules.players, seat)

    return round_margin


def _reward_of(best: int, over: int, compiled: Decorator) -> Compiled:
    @compiled
    def reward_of(game, rules, seat, kind, is_scored):
        """Return a seat's reward for the last decision; `is_scored` says whether it ended a round."""
        return reward_in_points(game, rules, seat, kind, is_scored, game.phase == over, best)

    return reward_of


def _act_with(act: Compiled) -> Compiled:
    """Make the `act_with` of a game in which no cards can be given."""

    @inlined
    def act_with(game, rules, action, cards, counts, log):  # noqa: ARG001
        act(game, rules, action, log)
        return 0

    return act_with
