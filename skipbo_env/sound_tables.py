"""Which of many saved records are certainly tables of their rules, all of them looked at together.

The same conditions as reading a written position (`skipbo_env.position`), which says what is wrong with a record but
takes some milliseconds. What is found sound here would be read there; what is not is left to it to judge.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel.game_kernel import GAME_EPISODE
from skipbo_env.kernel.state import (
    DECK,
    HAND,
    NOBODY,
    OVER,
    STOPPED,
    TRUNCATED,
    TURN,
    UNENDED,
    WON,
)
from skipbo_env.position_checks import MOST_COMPLETED, MOST_COPIES, count_cards
from skipbo_env.rules import Rules

Verdicts = NDArray[np.bool_]  # [N]
BY_SEAT = ("totals", "round_scores", "wilds_discarded", "completed_piles")


def sound_tables(rules: Rules, games: NDArray[Any]) -> Verdicts:
    """Which of these records are tables of these rules, [N]; `check_records` has looked at all of them before."""
    return (
        _numbers_fit(rules, games)
        & _every_place_holds_a_card(games)
        & _end_fits(rules, games)
        & _knowledge_fits(rules, games)
    )


def _numbers_fit(rules: Rules, games: Any) -> Verdicts:
    fit = (games["round_number"] >= 1) & (games["round_number"] <= rules.max_rounds)
    fit &= (games["last_seat"] == NOBODY) == (games["last_action"] == NOBODY)
    for name in BY_SEAT:
        fit &= (games[name][:, rules.players :] == 0).all(1) & (games[name] > np.iinfo(np.int16).min).all(1)
    fit &= (games["older_odds"][:, rules.players :] == 0).all((1, 2))
    fit &= (games["stock_left"][:, rules.players :] == 0).all(1)
    for name, most in (("wilds_discarded", games["turns"]), ("completed_piles", MOST_COMPLETED)):
        fit &= (games[name] >= 0).all(1) & (games[name].sum(1, dtype=np.int64) <= most)
    return np.asarray(fit)


def _every_place_holds_a_card(games: Any) -> Verdicts:
    """As the deck's cards all lie somewhere, no place can hold none if there are no more places than cards."""
    places = [games[name].sum(1, dtype=np.int64) for name in ("stock_left", "hand_size", "heights", "completed")]
    places += [games[name].astype(np.int64) for name in ("laid", "draw_left")]
    return np.asarray(sum(places) == DECK)


def _end_fits(rules: Rules, games: Any) -> Verdicts:
    """Over, truncated, or going on: each has its reasons."""
    phase, ending, turns = games["phase"], games["ending"], games["turns"]
    emptied = (games["stock_left"][:, : rules.players] == 0).sum(1)
    reached = games["totals"][:, : rules.players].max(1) >= rules.target_score
    wrong = (phase == TRUNCATED) != (ending == STOPPED)
    wrong |= (phase == TRUNCATED) & (turns != rules.max_turns)
    wrong |= (phase == OVER) & ((ending == UNENDED) | ((ending == WON) != (emptied > 0)))
    wrong |= emptied > (phase == OVER)
    wrong |= (phase == TURN) & ((turns >= rules.max_turns) | (games["still_turns"] == rules.players))
    wrong |= (phase == TURN) & (games["episode"] == GAME_EPISODE) & reached
    if rules.recycle == "on_completion":
        wrong |= games["completed"].any(1)
    return np.asarray(~wrong)


def _knowledge_fits(rules: Rules, games: Any) -> Verdicts:
    """Counts of older, newer and doubtful cards do not contradict where the cards lie (8.4, 8.5)."""
    newer, doubtful, odds = games["newer"], games["doubtful"], games["older_odds"]
    has_none = ~(newer.any(1) | doubtful.any(1) | odds.any((1, 2))) & (games["older_held"] == 0)
    if rules.recycle == "on_completion":
        return np.asarray(has_none)
    cards = count_cards(rules, games)
    beyond = np.arange(HAND) >= games["hand_size"][:, :, None]
    held = games["older"].sum(1, dtype=np.int64)
    held -= np.maximum(games["stock_left"][:, : rules.players].astype(np.int64) - 1, 0).sum(1)
    agrees = ~(odds * beyond).any((1, 2)) & (games["older_held"] == held)
    agrees &= (games["older"] >= cards["hidden"]).all(1) & (newer >= cards["draw"]).all(1)
    agrees &= (newer <= MOST_COPIES).all(1) & (doubtful <= MOST_COPIES).all(1)
    return np.asarray(np.where(games["recycles"] > 0, agrees, has_none))
