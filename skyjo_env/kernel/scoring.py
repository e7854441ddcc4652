"""A round ends: the reveal, the ender's penalty, totals, and the end of the game (sections 7 and 8)."""

from cardtable.table.kernel.events import note, note_list
from skyjo_env.kernel.board import clear_complete, turn_up
from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.state import (
    CLEAR_AUTOMATIC,
    EMPTY,
    ENDER_PENALISED,
    HIDDEN,
    LOWEST,
    PENALTY_OFF,
    PENALTY_STRICT,
    ROUND_SCORED,
    ROUND_STOPPED,
    TRUNCATED,
)


@kernel
def reveal(game, rules, log):
    """Turn up every hidden card, then clear the lines that are complete (7.4)."""
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if game.shown[seat, cell] == HIDDEN:
                turn_up(game, seat, cell, log)
    if rules.reveal_clear:
        least = LOWEST if rules.clear == CLEAR_AUTOMATIC else 1
        for seat in range(rules.players):
            clear_complete(game, rules, seat, least, log)


@kernel
def is_penalised(game, rules):
    """Is the ender's raw score multiplied (7.6, 7.7)?"""
    score = game.open_sum[game.ender]
    if rules.ender_penalty_mode == PENALTY_OFF or (score <= 0 and not rules.penalty_on_negative):
        return False
    for seat in range(rules.players):
        if seat == game.ender:
            continue
        if game.open_sum[seat] < score:
            return True
        if game.open_sum[seat] == score and rules.ender_penalty_mode == PENALTY_STRICT:
            return True
    return False


@kernel
def note_penalty(log, game):
    """Note the ender's penalty, unless 0 points stay 0."""
    points, score = game.open_sum[game.ender], game.round_scores[game.ender]
    if score != points:
        note(log, ENDER_PENALISED, game.ender, points, score)


@kernel
def note_round(log, kind, game, rules):
    """Note that a round is over, with its number, its turns and every board."""
    note(log, kind, game.round_number, game.turns, rules.players)
    for seat in range(rules.players):
        note_list(log, game.shown[seat], rules.cells)


@kernel
def count_cleared(game, rules):
    """The round is over: how many cells of every board are empty."""
    for seat in range(rules.players):
        empty = 0
        for cell in range(rules.cells):
            empty += game.cards[seat, cell] == EMPTY
        game.cleared[seat] = empty


@kernel
def score_round(game, rules, log):
    """Round scores and totals (7.5-7.7, 8.1)."""
    count_cleared(game, rules)
    for seat in range(rules.players):
        game.round_scores[seat] = game.open_sum[seat]
    if is_penalised(game, rules):
        game.round_scores[game.ender] *= rules.penalty_factor
        note_penalty(log, game)
    for seat in range(rules.players):
        game.totals[seat] += game.round_scores[seat]
    note_round(log, ROUND_SCORED, game, rules)
    note(log, game.ender)
    note_list(log, game.round_scores, rules.players)
    note_list(log, game.totals, rules.players)


@kernel
def stop_round(game, rules, log):
    """The round has gone on for too long: nobody's totals change (7.8)."""
    game.phase = TRUNCATED
    count_cleared(game, rules)
    for seat in range(rules.players):
        game.round_scores[seat] = 0
        for cell in range(rules.cells):
            if game.cards[seat, cell] != EMPTY:
                game.round_scores[seat] += game.cards[seat, cell]
    note_round(log, ROUND_STOPPED, game, rules)
    note_list(log, game.totals, rules.players)


@kernel
def note_facts(game, rules, facts):
    """The round is over: how many cells of every board were cleared."""
    for seat in range(rules.players):
        facts[seat, 0] += game.cleared[seat]
