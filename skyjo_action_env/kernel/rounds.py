"""A round: it is dealt (section 2), complete lines are cleared in passes (6), and it is scored (9, 10) and rewarded."""

import numpy as np

from cardtable.table.kernel.chance import shuffle, start_round_rng
from cardtable.table.kernel.events import note, note_list
from cardtable.table.kernel.piles import write_counted
from cardtable.table.kernel.scoring import POINTS
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import CARDS, CELLS, EMPTY, HIDDEN, LINES, LOWEST, NOBODY, STAR, cards, kernel
from skyjo_action_env.kernel.cards import cards_left, cell_of, line_length, points, turn_up

OPENED = 2  # cards of every layout in the opening (2.4)


@kernel
def clear_counters(game, rules):
    """Clear the counters at the start of a round."""
    game.ender, game.mover = NOBODY, NOBODY
    game.turns, game.turns_left, game.extra_turns, game.reshuffles = 0, 0, 0, 0
    game.played, game.attacked, game.line = state.NO_KIND, NOBODY, NOBODY
    game.chosen, game.chosen_with, game.picked = NOBODY, NOBODY, NOBODY
    game.accepted, game.is_reveal = 0, 0
    game.fresh[:] = 0
    game.hand[:] = EMPTY
    for seat in range(rules.players):
        game.hidden_left[seat], game.open_sum[seat] = CELLS, 0
        game.claims[seat], game.bonus[seat], game.changed[seat] = 0, 0, 0
        game.plays[seat], game.earned[seat] = 0, 0
        game.held[seat, :] = 0


@kernel
def shuffle_cards(game):
    """Shuffle all playing cards (11.3)."""
    for k in range(CARDS):
        game.unseen[k], game.known_draws[k], game.discards[k] = state.COUNTS[k], 0, 0
    write_counted(game.unseen, LOWEST, game.piles, 0)
    shuffle(game, game.piles, state.DECK)


@kernel
def deal_cards(game, rules):
    """Deal all layouts, hidden, then the first discard; the rest is the draw pile (2.1)."""
    shuffle_cards(game)
    dealt = CELLS * rules.players
    for seat in range(rules.players):
        game.cards[seat, :] = game.piles[CELLS * seat : CELLS * seat + CELLS]
        game.shown[seat, :] = HIDDEN
        game.knowers[seat, :] = 0
    card = game.piles[dealt]
    game.unseen[card - LOWEST] -= 1
    game.discard_size, game.buried = 0, 0
    game.pile_left = state.DECK - dealt - 1
    cards.push_discard(game, card)


@kernel
def deal_actions(game, rules):
    """Deal the action pile, shuffled, and four open cards (2.2, 2.3)."""
    size = state.COPIES * (len(state.KINDS) if rules.action_deck == state.DECK_ALL else state.CERTAIN_KINDS)
    for k in range(size):
        game.action_piles[k] = k // state.COPIES
    cards.pile_up_actions(game, size)
    game.open_actions[:] = state.NO_KIND
    cards.fill_open_places(game, rules, None)
    if rules.action_discard_start == state.START_ONE_CARD:
        cards.lay_action(game, cards.next_action(game, rules, None))


@kernel
def deal_round(game, rules, log):
    """Collect all cards and deal the next round, up to its first decision (2.1 to 2.4)."""
    game.round_number += 1
    game.starter = NOBODY if game.round_number == 1 else game.ender
    clear_counters(game, rules)
    start_round_rng(game)
    deal_cards(game, rules)
    deal_actions(game, rules)
    game.seat, game.phase = 0, state.OPENING
    note(log, state.ROUND_DEALT, game.round_number, cards.discard_top(game))


# The opening


@kernel
def rank_of_opening(game, seat):
    """Return the sum of the open cards of a layout and then the highest one, as one number (2.5)."""
    highest = LOWEST
    for cell in range(CELLS):
        if game.shown[seat, cell] < HIDDEN:
            highest = max(highest, points(game.shown[seat, cell]))
    return CARDS * game.open_sum[seat] + highest


@kernel
def first_starter(game, rules):
    """Return the player with the highest sum of open cards, and among equals with the highest card (2.5)."""
    best = 0
    for seat in range(1, rules.players):
        if rank_of_opening(game, seat) > rank_of_opening(game, best):
            best = seat
    return best


@kernel
def open_card(game, rules, cell, log):
    """Turn up a player's card in the opening (2.4); True after the last card of the last player."""
    turn_up(game, game.seat, cell, state.CARD_TURNED_UP, log)
    if not rules.opening_star:
        game.claims[game.seat] = 0
    if game.hidden_left[game.seat] > CELLS - OPENED:
        return False
    if game.seat + 1 == rules.players:
        return True
    game.seat += 1
    return False


@kernel
def begin_turns(game, rules, log):
    """End the opening and begin the first turn (2.5, 2.6)."""
    if game.starter == NOBODY:
        game.starter = first_starter(game, rules)
    game.mover, game.seat, game.phase = game.starter, game.starter, state.TURN
    game.changed[:] = 0
    note(log, state.TURNS_BEGAN, game.mover)


# Complete lines


INCOMPLETE, NUMBERS, STARRED, STARS = range(4)  # what a line is: numbers alone, with stars, stars alone
BONUS = 5  # a line of stars counts this for each card, and as much again for all but the first (9.5)


@kernel
def counts_as_line(rules, line, cards):
    """Return whether a line of so many cards may be complete (6.1)."""
    return cards == line_length(line) or (
        line >= state.COLUMNS and rules.short_rows != 0 and cards == state.COLUMNS - 1
    )


@kernel
def kind_of_line(shown, rules, line):
    """Return the kind of a complete line, or INCOMPLETE (6.1). `shown` is the public view of the layout."""
    cards, stars, number = 0, 0, EMPTY
    for k in range(line_length(line)):
        card = shown[cell_of(line, k)]
        if card == HIDDEN:
            return INCOMPLETE
        if card == EMPTY:
            continue
        cards += 1
        if card == STAR:
            stars += 1
        elif number == EMPTY:
            number = card
        elif card != number:
            return INCOMPLETE
    if not counts_as_line(rules, line, cards):
        return INCOMPLETE
    if stars == 0:
        return NUMBERS
    return STARS if stars == cards else STARRED


@kernel
def write_kinds(games, rules, kinds):
    """Write the kinds of all lines of many tables, [N, P, LINES]; the rules are an array of one record."""
    for table in range(len(games)):
        for seat in range(rules[0].players):
            for line in range(LINES):
                kinds[table, seat, line] = kind_of_line(games[table].shown[seat], rules[0], line)


@kernel
def star_bonus(shown, line):
    """Return the points of a line of stars alone (9.5): -10 with three cards, -15 with four."""
    stars = 0
    for k in range(line_length(line)):
        stars += shown[cell_of(line, k)] == STAR
    return -BONUS * (stars - 1)


@kernel
def find_lines(shown, rules, looked_at, accepted, asks):
    """Return the lines of a pass (6.7), as bits: those that are to be cleared, and those that their owner is asked
    about. Unless `asks`, all but the accepted ones are declined.
    """
    to_clear, to_ask = 0, 0
    may_discard_stars = asks and rules.star_lines == state.STARS_OWNER_MAY_DISCARD
    for line in range(LINES):
        if line == state.COLUMNS and rules.both_lines == state.BOTH_COLUMN_FIRST and (to_clear | to_ask) != 0:
            break
        if looked_at >> line & 1 == 0:
            continue
        kind = kind_of_line(shown, rules, line)
        if kind == NUMBERS or (kind == STARRED and rules.star_clear == state.CLEAR_AUTOMATIC):
            to_clear |= 1 << line
        elif kind == STARRED or (kind == STARS and may_discard_stars):
            if accepted >> line & 1:
                to_clear |= 1 << line
            elif asks:
                to_ask |= 1 << line
    return to_clear, to_ask


@kernel
def cells_of(shown, lines):
    """Return the cells of these lines that have a card, as bits."""
    cells = 0
    for line in range(LINES):
        if lines >> line & 1:
            for k in range(line_length(line)):
                cell = cell_of(line, k)
                if shown[cell] != EMPTY:
                    cells |= 1 << cell
    return cells


@kernel
def discard_cell(game, seat, cell):
    """Put a card of a cleared line on the discard pile (6.2)."""
    card = game.cards[seat, cell]
    game.cards[seat, cell] = EMPTY
    game.shown[seat, cell] = EMPTY
    game.open_sum[seat] -= points(card)
    cards.touch(game, seat, cell)
    cards.push_discard(game, card)


@kernel
def clear_lines(game, rules, seat, lines, log):
    """Clear these lines together (6.7, 6.9)."""
    for line in range(LINES):
        if lines >> line & 1 and kind_of_line(game.shown[seat], rules, line) == STARS:
            game.bonus[seat] += star_bonus(game.shown[seat], line)
    cells = cells_of(game.shown[seat], lines)
    for cell in range(CELLS):
        if cells >> cell & 1:
            note(log, state.LINES_CLEARED, seat, 1, cell, 1, game.cards[seat, cell])
    if rules.line_order == state.ORDER_STARS_FIRST:
        for cell in range(CELLS):
            if cells >> cell & 1 and game.cards[seat, cell] == STAR:
                discard_cell(game, seat, cell)
                cells &= ~(1 << cell)
    for cell in range(CELLS):
        if cells >> cell & 1:
            discard_cell(game, seat, cell)


@kernel
def clear_layout(game, rules, seat, log):
    """Clear complete lines of a layout, pass by pass, up to a question; return its line, or NOBODY (6.7)."""
    while game.changed[seat] != 0:
        looked_at, accepted = np.int64(game.changed[seat]), np.int64(game.accepted)
        to_clear, to_ask = find_lines(game.shown[seat], rules, looked_at, accepted, True)
        if to_ask != 0:
            line = 0
            while to_ask >> line & 1 == 0:
                line += 1
            return line
        game.accepted = 0
        if to_clear == 0:
            game.changed[seat] = 0
        else:
            clear_lines(game, rules, seat, to_clear, log)
    return NOBODY


# At the end of a round


@kernel
def score_of(shown, rules):
    """Return the points of an open layout and of its lines of stars (9.5)."""
    score = 0
    for cell in range(CELLS):
        if shown[cell] != EMPTY:
            score += points(shown[cell])
    for line in range(LINES):
        if kind_of_line(shown, rules, line) == STARS:
            score += star_bonus(shown, line)
    return score


@kernel
def score_with(shown, rules, accepted):
    """Return the score after all passes with these answers, which change `shown`."""
    while True:
        lines, _ = find_lines(shown, rules, state.ALL_LINES, accepted, False)
        if lines == 0:
            return score_of(shown, rules)
        cells = cells_of(shown, lines)
        for cell in range(CELLS):
            if cells >> cell & 1:
                shown[cell] = EMPTY


@kernel
def best_answers(shown, rules):
    """Return the lines whose owner is to say yes for the lowest score, as bits; among equals rather the lower lines
    (9.4).
    """
    least, best, scratch = 0, NOBODY, np.empty(CELLS, np.int16)
    for accepted in range(state.ALL_LINES + 1):
        scratch[:] = shown
        score = score_with(scratch, rules, accepted)
        if best == NOBODY or score < least:
            least, best = score, accepted
    return best


@kernel
def clear_at_the_end(game, rules, seat, log):
    """Clear the complete lines of an open layout as is best for their owner (9.3, 9.4)."""
    if find_lines(game.shown[seat], rules, state.ALL_LINES, state.ALL_LINES, False)[0] == 0:
        return
    accepted = best_answers(game.shown[seat], rules)
    while True:
        lines, _ = find_lines(game.shown[seat], rules, state.ALL_LINES, accepted, False)
        if lines == 0:
            return
        clear_lines(game, rules, seat, lines, log)


# The end of a round


HELD_POINTS = 10  # of an action card that is held at the end (9.5)


@kernel
def turn_all_up(game, rules, log):
    """Turn up every hidden card (9.3); stars earn nothing any more."""
    for seat in range(rules.players):
        for cell in range(CELLS):
            if game.shown[seat, cell] == HIDDEN:
                turn_up(game, seat, cell, state.CARD_REVEALED, log)
        game.claims[seat] = 0


@kernel
def asks_at_the_end(rules):
    """Return whether the owners of lines are asked at the end of the round (9.4)."""
    has_questions = rules.star_clear == state.CLEAR_OWNER_DECIDES or rules.star_lines == state.STARS_OWNER_MAY_DISCARD
    return rules.reveal_star_clear == state.REVEAL_OWNER_DECIDES and has_questions


@kernel
def reveal(game, rules, log):
    """Turn all cards up (9.3). Then complete lines are cleared, or their owners are asked about all that have stars
    (9.4).
    """
    turn_all_up(game, rules, log)
    game.is_reveal = 1
    for seat in range(rules.players):
        if asks_at_the_end(rules):
            game.changed[seat] = state.ALL_LINES
        else:
            clear_at_the_end(game, rules, seat, log)
            game.changed[seat] = 0


@kernel
def is_doubled(game, rules):
    """Return whether the ender's score is doubled (9.6)."""
    score = game.round_scores[game.ender]
    if score <= 0:
        return False
    for seat in range(rules.players):
        if seat != game.ender and game.round_scores[seat] <= score:
            return True
    return False


@kernel
def note_boards(log, kind, game, rules):
    """Note that a round is over, with its number, its turns and every layout."""
    note(log, kind, game.round_number, game.turns, rules.players)
    for seat in range(rules.players):
        note_list(log, game.shown[seat], CELLS)


@kernel
def score_round(game, rules, log):
    """Round scores and totals (9.5, 9.6, 10.1)."""
    for seat in range(rules.players):
        game.round_scores[seat] = score_of(game.shown[seat], rules) + game.bonus[seat]
        game.round_scores[seat] += HELD_POINTS * game.held[seat].sum()
    if is_doubled(game, rules):
        game.round_scores[game.ender] *= 2
        note(log, state.ENDER_DOUBLED, game.ender, game.round_scores[game.ender])
    game.totals[:] += game.round_scores
    note_boards(log, state.ROUND_SCORED, game, rules)
    note(log, rules.players)
    for seat in range(rules.players):
        note(log, game.held[seat].sum())
    note(log, game.ender)
    note_list(log, game.round_scores, rules.players)
    note_list(log, game.totals, rules.players)


@kernel
def stop_round(game, rules, log):
    """Stop a round that has gone on for too long; no totals change (9.7)."""
    game.phase = state.TRUNCATED
    for seat in range(rules.players):
        game.round_scores[seat] = 0
        for cell in range(CELLS):
            if game.cards[seat, cell] != EMPTY:
                game.round_scores[seat] += points(game.cards[seat, cell])
    note_boards(log, state.ROUND_STOPPED, game, rules)
    note_list(log, game.totals, rules.players)


@kernel
def note_round_stats(game, rules, round_stats):
    """Note the statistics of a round: cells cleared, action cards played, earned by stars, and still held."""
    for seat in range(rules.players):
        round_stats[seat, 0] += CELLS - cards_left(game, seat)
        round_stats[seat, 1] += game.plays[seat]
        round_stats[seat, 2] += game.earned[seat]
        round_stats[seat, 3] += game.held[seat].sum()


# Rewards


@kernel
def mean_unseen_card(game):
    """Return the mean of a hidden card, from public knowledge."""
    cards, total = 0, 0
    for k in range(CARDS):
        cards += game.unseen[k]
        total += game.unseen[k] * points(k + LOWEST)
    return total / cards if cards > 0 else 0.0


@kernel
def expected_margin(game, rules, seat):
    """Return the others' mean expected score minus the seat's own if the round ended now; 0 once the game is over.

    No penalty is expected, and hidden cards count the mean. A game that was stopped is not over: learners estimate how
    it would have gone on.
    """
    if game.phase == state.OVER:
        return 0.0
    mean, own, expected_sum = mean_unseen_card(game), 0.0, 0.0
    for other in range(rules.players):
        held = HELD_POINTS * game.held[other].sum()
        score = game.open_sum[other] + game.hidden_left[other] * mean + held + game.bonus[other]
        own, expected_sum = score if other == seat else own, expected_sum + score
    return ((expected_sum - own) / (rules.players - 1) - own) / POINTS
