"""A round ends: the reveal, scores, totals, and the end of the game (sections 9 and 10)."""

from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.layout import cards_left, turn_up
from skyjo_action_env.kernel.lines import clear_at_the_end, score_of
from skyjo_action_env.kernel.piles import points
from skyjo_action_env.kernel.state import CELLS, EMPTY, HIDDEN

HELD_POINTS = 10  # of an action card that is held at the end (9.5)


@kernel
def turn_all_up(game, rules):
    """Turn up every hidden card (9.3); stars earn nothing any more."""
    for seat in range(rules.players):
        for cell in range(CELLS):
            if game.shown[seat, cell] == HIDDEN:
                turn_up(game, seat, cell)
        game.claims[seat] = 0


@kernel
def asks_at_the_end(rules):
    """Are the owners of lines asked at the end of the round (9.4)?"""
    has_questions = rules.star_clear == state.CLEAR_OWNER_DECIDES or rules.star_lines == state.STARS_OWNER_MAY_DISCARD
    return rules.reveal_star_clear == state.REVEAL_OWNER_DECIDES and has_questions


@kernel
def reveal(game, rules):
    """Turn all cards up (9.3). Then complete lines are cleared, or their owners are asked about all that have stars
    (9.4).
    """
    turn_all_up(game, rules)
    game.is_reveal = 1
    for seat in range(rules.players):
        if asks_at_the_end(rules):
            game.changed[seat] = state.ALL_LINES
        else:
            clear_at_the_end(game, rules, seat)
            game.changed[seat] = 0


@kernel
def note_round(game, rules):
    """The round is over: what is left of every layout, and the action cards that are held."""
    for seat in range(rules.players):
        game.cleared[seat] = CELLS - cards_left(game, seat)
        game.kept[seat] = game.held[seat].sum()


@kernel
def is_doubled(game, rules):
    """Is the ender's score doubled (9.6)?"""
    score = game.round_scores[game.ender]
    if score <= 0:
        return False
    for seat in range(rules.players):
        if seat != game.ender and game.round_scores[seat] <= score:
            return True
    return False


@kernel
def score_round(game, rules):
    """Round scores and totals (9.5, 9.6, 10.1)."""
    for seat in range(rules.players):
        game.round_scores[seat] = score_of(game.shown[seat], rules) + game.bonus[seat]
        game.round_scores[seat] += HELD_POINTS * game.kept[seat]
    if is_doubled(game, rules):
        game.round_scores[game.ender] *= 2
    game.totals[:] += game.round_scores


@kernel
def stop_round(game, rules):
    """The round has gone on for too long: nobody's totals change (9.7)."""
    game.phase = state.TRUNCATED
    for seat in range(rules.players):
        game.round_scores[seat] = 0
        for cell in range(CELLS):
            if game.cards[seat, cell] != EMPTY:
                game.round_scores[seat] += points(game.cards[seat, cell])


@kernel
def note_facts(game, rules, facts):
    """The round is over: cells cleared, action cards played, earned by stars, and still held."""
    for seat in range(rules.players):
        facts[seat, 0] += game.cleared[seat]
        facts[seat, 1] += game.plays[seat]
        facts[seat, 2] += game.earned[seat]
        facts[seat, 3] += game.kept[seat]
