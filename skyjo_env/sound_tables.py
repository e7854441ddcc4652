"""Which of many saved records are certainly tables of their rules, all of them looked at together.

The same conditions as reading a written position (`skyjo_env.position`), which says what is wrong with a record but
takes about a millisecond. What is found sound here would be read there; what is not is left to it to judge.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel.game_kernel import GAME_EPISODE
from skyjo_env.kernel.state import (
    CONFIRM,
    DRAWN,
    EMPTY,
    HIDDEN,
    LOWEST,
    MAX_DECK,
    NOBODY,
    OPENING,
    OVER,
    SPAN,
    TAKEN,
    TRUNCATED,
)
from skyjo_env.position_checks import PLAYING
from skyjo_env.rules import Rules

Verdicts = NDArray[np.bool_]  # [N]
Counts = NDArray[np.int64]  # [N, SPAN], of cards by value


def sound_tables(rules: Rules, games: NDArray[Any]) -> Verdicts:
    """Which of these records are tables of these rules, [N]; `check_records` has looked at all of them before."""
    return (
        _nobody_sits_elsewhere(rules, games)
        & _cards_are_known(rules, games)
        & _counts_are_right(rules, games)
        & _numbers_fit(rules, games)
        & _end_fits(rules, games)
        & _boards_fit(rules, games)
        & _opening_fits(rules, games)
        & _lap_fits(rules, games)
    )


def _is_playing(games: Any) -> Verdicts:
    return np.isin(games["phase"], PLAYING)


def _boards(rules: Rules, games: Any, field: str) -> NDArray[Any]:
    """The cells that there are, [N, P, cells]."""
    return np.asarray(games[field][:, : rules.players, : rules.cells])


def _nobody_sits_elsewhere(rules: Rules, games: Any) -> Verdicts:
    """Places that the rules do not have hold 0."""
    players, parts = rules.players, rules.players if rules.draw_streams else 1
    rest = [games[name][:, players:] for name in ("totals", "round_scores", "hidden_left", "open_sum")]
    rest += [games[name][:, parts:] for name in ("pile_next", "pile_end")]
    for name in ("cards", "shown"):
        rest += [games[name][:, players:], games[name][:, :players, rules.cells :]]
    return np.asarray(np.logical_and.reduce([(part == 0).reshape(len(games), -1).all(1) for part in rest]))


def _cards_are_known(rules: Rules, games: Any) -> Verdicts:
    """Everything that lies somewhere is a card of the deck; boards show what lies there, or that it is hidden."""
    cards, shown, hand = _boards(rules, games, "cards"), _boards(rules, games, "shown"), games["hand"]
    known = list(dict(rules.deck))
    holds = np.isin(games["phase"], (DRAWN, TAKEN))
    return np.asarray(
        (np.isin(cards, [*known, EMPTY]) & ((shown == cards) | (shown == HIDDEN) & (cards != EMPTY))).all((1, 2))
        & (np.isin(games["piles"], known) | ~(_discarded(games) | _drawn(rules, games))).all(1)
        & np.where(holds, np.isin(hand, known), hand == EMPTY)
    )


def _discarded(games: Any) -> NDArray[np.bool_]:
    """Where the piles hold discards, [N, MAX_DECK]."""
    return np.asarray(np.arange(MAX_DECK) < games["discard_size"][:, None])


def _drawn(rules: Rules, games: Any) -> NDArray[np.bool_]:
    """Where they hold the draw pile."""
    at = np.arange(MAX_DECK)
    return np.asarray((at >= rules.deck_size - games["pile_left"][:, None]) & (at < rules.deck_size))


def _count(cards: NDArray[Any], where: NDArray[np.bool_]) -> Counts:
    """Count the cards [N, ...] of every table in the places that are marked."""
    tables = np.nonzero(where)[0]
    counts = np.bincount(tables * SPAN + cards[where].astype(np.int64) - LOWEST, minlength=len(cards) * SPAN)
    return counts.reshape(len(cards), SPAN)


def _counts_are_right(rules: Rules, games: Any) -> Verdicts:
    """Every card of the deck is there once, and what is counted in the record is what lies there."""
    cards, shown = _boards(rules, games, "cards"), _boards(rules, games, "shown")
    is_card = (games["piles"] >= LOWEST) & (games["piles"] < HIDDEN)
    discards, draws = (_count(games["piles"], at & is_card) for at in (_discarded(games), _drawn(rules, games)))
    on_boards, hidden = (_count(cards, at & (cards < HIDDEN)) for at in (cards != EMPTY, shown == HIDDEN))
    held = _count(games["hand"][:, None], games["hand"][:, None] < HIDDEN)
    deck = np.zeros(SPAN, np.int64)
    for card, copies in rules.deck:
        deck[card - LOWEST] += copies
    missing = deck - on_boards - discards - draws - held
    is_whole = (missing >= 0 if rules.cleared_cards == "out_of_play" else missing == 0).all(1)
    draws = draws + held * (games["phase"] == DRAWN)[:, None]
    alike = (games["reshuffles"] == 0)[:, None]  # only a reshuffle tells draws from hidden cards
    counted = {
        "hidden_pool": np.where(alike, hidden + draws, hidden),
        "draw_pool": np.where(alike, hidden + draws, draws),
        "discard_counts": discards,
    }
    sums = np.where(shown < HIDDEN, shown, 0).sum(2, dtype=np.int64)
    right = [is_whole, *((games[name] == counts).all(1) for name, counts in counted.items())]
    right += [(games["hidden_left"][:, : rules.players] == (shown == HIDDEN).sum(2)).all(1)]
    right += [(games["open_sum"][:, : rules.players] == sums).all(1)]
    return np.asarray(np.logical_and.reduce(right))


def _numbers_fit(rules: Rules, games: Any) -> Verdicts:
    others = rules.players - 1
    limits = {
        "round_number": (1, rules.max_rounds),
        "turns": (0, rules.max_turns + others),
        "reshuffles": (0, rules.max_turns + others),
        "turns_left": (0, others),
    }
    fit = np.logical_and.reduce([(games[name] >= low) & (games[name] <= high) for name, (low, high) in limits.items()])
    is_lap = _is_playing(games) & (games["ender"] != NOBODY)
    fit &= (games["turns_left"] > 0) == is_lap
    fit &= (abs(games["totals"].astype(np.int64)) <= 10**9).all(1)
    fit &= (games["round_scores"] > np.iinfo(np.int16).min).all(1)
    return np.asarray(fit & _starter_fits(rules, games))


def _starter_fits(rules: Rules, games: Any) -> Verdicts:
    """Nobody starts only while the opening decides who will (3.1, 3.3)."""
    is_open = np.where(
        games["round_number"] == 1, rules.first_starter != "seat_0", rules.next_starter != "previous_ender"
    )
    return np.asarray((games["starter"] != NOBODY) | ((games["phase"] == OPENING) & is_open))


def _end_fits(rules: Rules, games: Any) -> Verdicts:
    """Over, truncated, or going on: each has its reasons."""
    phase, turns, ender = games["phase"], games["turns"].astype(np.int64), games["ender"]
    hidden = games["hidden_left"][:, : rules.players].any(1)
    reached = games["totals"][:, : rules.players].max(1) >= rules.target_score
    is_over, is_truncated, is_opening = phase == OVER, phase == TRUNCATED, phase == OPENING
    wrong = is_over & hidden
    wrong |= is_truncated & ((ender != NOBODY) | (turns < rules.max_turns))
    wrong |= _is_playing(games) & (ender == NOBODY) & (turns >= rules.max_turns)
    wrong |= is_opening & ((turns > 0) | (games["reshuffles"] > 0))
    wrong |= turns + games["turns_left"] > rules.max_turns + rules.players - 1
    wrong |= ~(is_over | is_truncated) & (games["episode"] == GAME_EPISODE) & reached
    return np.asarray(~wrong)


def _boards_fit(rules: Rules, games: Any) -> Verdicts:
    phase, seat, ender, players = games["phase"], games["seat"], games["ender"], rules.players
    cards, tables = _boards(rules, games, "cards"), np.arange(len(games))
    wrong = (phase != TAKEN) & (games["discard_size"] == 0)
    wrong |= (ender != NOBODY) & (games["hidden_left"][tables, np.maximum(ender, 0)] > 0)
    to_play = np.where(_is_playing(games), np.where(ender == NOBODY, players, games["turns_left"]), 0)
    plays = (np.arange(players) - seat[:, None]) % players < to_play[:, None]  # [N, P]
    wrong |= (plays & (cards == EMPTY).all(2)).any(1)
    complete = _have_complete_line(rules, games)
    if rules.clear == "automatic":
        wrong |= (_is_playing(games) | (phase == OPENING)) & complete.any(1)
    may_confirm = complete[tables, seat] if rules.clear == "confirm" else np.zeros(len(games), np.bool_)
    return np.asarray(~(wrong | (phase == CONFIRM) & ~may_confirm))


def _have_complete_line(rules: Rules, games: Any) -> NDArray[np.bool_]:
    """On which boards a complete line lies (5.1, 5.2), [N, P]."""
    shown = _boards(rules, games, "shown").reshape(len(games), rules.players, rules.columns, rules.rows)
    found = ((shown == shown[..., :1]).all(3) & (shown[..., 0] < HIDDEN)).any(2)
    if rules.row_clear:
        found |= ((shown == shown[:, :, :1]).all(2) & (shown[:, :, 0] < HIDDEN)).any(2)
    return np.asarray(found)


def _opening_fits(rules: Rules, games: Any) -> Verdicts:
    """Seats before the one that decides have opened their cards, those after it none (2.3)."""
    is_opening, flips, seat = games["phase"] == OPENING, rules.opening_flips, games["seat"][:, None]
    left = flips - rules.cells + games["hidden_left"][np.arange(len(games)), games["seat"]]
    if rules.initial_flip == "random":
        return np.asarray(~is_opening & (games["opening_left"] == 0))
    opened, place = rules.cells - games["hidden_left"][:, : rules.players], np.arange(rules.players)
    least = np.where(place < seat, flips, 0)
    most = np.where(place < seat, flips, np.where(place == seat, flips - 1, 0))
    fits = ((opened >= least) & (opened <= most)).all(1)
    return np.asarray(np.where(is_opening, fits & (games["opening_left"] == left), games["opening_left"] == 0))


def _lap_fits(rules: Rules, games: Any) -> Verdicts:
    """The seat to play follows from the ender and the turns left (7.2)."""
    ender, left, players = games["ender"], games["turns_left"].astype(np.int64), rules.players
    length = np.full(len(games), players - 1)
    if rules.final_lap == "complete_current_round":
        length = (games["starter"] - ender - 1) % players
    follows = (left <= length) & ((ender + length - left + 1) % players == games["seat"])
    return np.asarray(~(_is_playing(games) & (ender != NOBODY)) | follows)
