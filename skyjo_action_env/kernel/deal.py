"""A round begins: shuffling, dealing, the opening, the starter (section 2). Or the rest of a round is guessed."""

import numpy as np
from cardtable.table.kernel.events import note

from cardtable.table.kernel.chance import GAMMA, game_key, mix, shuffle, start_round_chance
from skyjo_action_env.kernel import kernel, state
from skyjo_action_env.kernel import view as seen
from skyjo_action_env.kernel.cards import (
    discard_top,
    fill_open_places,
    lay_action,
    next_action,
    pile_up_actions,
    points,
    push_discard,
    turn_up,
)
from skyjo_action_env.kernel.state import CARDS, CELLS, DECK, EMPTY, HIDDEN, KINDS, LOWEST, NO_KIND, NOBODY
from skyjo_action_env.kernel.view import relative_cell, relative_seat

OPENED = 2  # cards of every layout in the opening (2.4)


@kernel
def clear_counters(game, rules):
    """Nothing has happened in this round."""
    game.ender, game.mover = NOBODY, NOBODY
    game.turns, game.turns_left, game.extra_turns, game.reshuffles = 0, 0, 0, 0
    game.played, game.attacked, game.line = NO_KIND, NOBODY, NOBODY
    game.chosen, game.chosen_with, game.picked = NOBODY, NOBODY, NOBODY
    game.accepted, game.is_reveal = 0, 0
    game.fresh[:] = 0
    game.hand[:] = EMPTY
    for seat in range(rules.players):
        game.hidden_left[seat], game.open_sum[seat] = CELLS, 0
        game.claims[seat], game.bonus[seat], game.changed[seat] = 0, 0, 0
        game.plays[seat], game.earned[seat], game.cleared[seat], game.kept[seat] = 0, 0, 0, 0
        game.held[seat, :] = 0


@kernel
def shuffle_cards(game):
    """All playing cards, in random order (11.3)."""
    at = 0
    for k in range(CARDS):
        game.unseen[k], game.known_draws[k], game.discards[k] = state.COUNTS[k], 0, 0
        for _ in range(state.COUNTS[k]):
            game.piles[at] = LOWEST + k
            at += 1
    shuffle(game, game.piles, DECK)


@kernel
def deal_cards(game, rules):
    """All layouts, hidden, then the first discard; the rest is the draw pile (2.1)."""
    shuffle_cards(game)
    dealt = CELLS * rules.players
    for seat in range(rules.players):
        game.cards[seat, :] = game.piles[CELLS * seat : CELLS * seat + CELLS]
        game.shown[seat, :] = HIDDEN
        game.knowers[seat, :] = 0
    card = game.piles[dealt]
    game.unseen[card - LOWEST] -= 1
    game.discard_size, game.buried = 0, 0
    game.pile_left = DECK - dealt - 1
    push_discard(game, card)


@kernel
def deal_actions(game, rules):
    """The action pile, shuffled, and four open cards (2.2, 2.3)."""
    size = state.COPIES * (len(KINDS) if rules.action_deck == state.DECK_ALL else state.CERTAIN_KINDS)
    for k in range(size):
        game.action_piles[k] = k // state.COPIES
    pile_up_actions(game, size)
    game.open_actions[:] = NO_KIND
    fill_open_places(game, rules, None)
    if rules.action_discard_start == state.START_ONE_CARD:
        lay_action(game, next_action(game, rules, None))


@kernel
def deal_round(game, rules, log):
    """Collect all cards and deal the next round, up to its first decision (2.1 to 2.4)."""
    game.round_number += 1
    game.starter = NOBODY if game.round_number == 1 else game.ender
    clear_counters(game, rules)
    start_round_chance(game)
    deal_cards(game, rules)
    deal_actions(game, rules)
    game.seat, game.phase = 0, state.OPENING
    note(log, state.ROUND_DEALT, game.round_number, discard_top(game))


@kernel
def new_game(game, rules, seed, deal, episode):
    """Set up a game and deal its first round."""
    game.key = game_key(seed, deal)
    game.episode = episode
    game.round_number = 0
    game.last_seat, game.last_action = NOBODY, NOBODY
    game.watching, game.brought, game.given_size = state.UNWATCHED, 0, 0
    game.totals[:], game.round_scores[:] = 0, 0
    deal_round(game, rules, None)


# The opening


@kernel
def rank_of_opening(game, seat):
    """The sum of the open cards of a layout and then the highest one, as one number (2.5)."""
    highest = LOWEST
    for cell in range(CELLS):
        if game.shown[seat, cell] < HIDDEN:
            highest = max(highest, points(game.shown[seat, cell]))
    return CARDS * game.open_sum[seat] + highest


@kernel
def first_starter(game, rules):
    """The player with the highest sum of open cards, and among equals with the highest card (2.5)."""
    best = 0
    for seat in range(1, rules.players):
        if rank_of_opening(game, seat) > rank_of_opening(game, best):
            best = seat
    return best


@kernel
def open_card(game, rules, cell, log):
    """A player turns up a card in the opening (2.4); True after the last card of the last player."""
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
    """The opening is over: the first turn begins (2.5, 2.6)."""
    if game.starter == NOBODY:
        game.starter = first_starter(game, rules)
    game.mover, game.seat, game.phase = game.starter, game.starter, state.TURN
    game.changed[:] = 0
    note(log, state.TURNS_BEGAN, game.mover)


# A guess at what a seat does not see: a full game consistent with one observation, uniform over the unseen cards. It
# reads nothing but the observation, so a search that starts from here cannot see more than its seat. Other seats keep
# the hidden cards that they know: everybody knows which (12.2).


@kernel
def read_table(game, rules, view):
    """Take over the single numbers of the observation."""
    zero = (rules.players - view[seen.AT_SEAT]) % rules.players  # seat 0, counted from the observer
    game.phase = view[seen.AT_PHASE]
    game.seat = relative_seat(rules, view[seen.AT_DECIDER], zero)
    game.mover = relative_seat(rules, view[seen.AT_MOVER], zero)
    game.ender = relative_seat(rules, view[seen.AT_ENDER], zero)
    game.starter = relative_seat(rules, view[seen.AT_STARTER], zero)
    game.attacked = relative_seat(rules, view[seen.AT_ATTACKED], zero)
    game.chosen = relative_cell(rules, view[seen.AT_CHOSEN], zero)
    game.chosen_with = relative_cell(rules, view[seen.AT_CHOSEN_WITH], zero)
    game.last_seat, game.last_action = NOBODY, NOBODY
    game.turns_left, game.extra_turns = view[seen.AT_TURNS_LEFT], view[seen.AT_EXTRA_TURNS]
    game.played, game.picked = view[seen.AT_PLAYED], view[seen.AT_PICKED]
    game.line, game.accepted, game.is_reveal = view[seen.AT_LINE], view[seen.AT_ACCEPTED], view[seen.AT_IS_REVEAL]
    game.round_number, game.turns, game.reshuffles = view[seen.AT_ROUND], view[seen.AT_TURNS], view[seen.AT_RESHUFFLES]


@kernel
def read_layouts(game, rules, view):
    """Take over what lies open or is known, who knows it, and the counts of every seat."""
    players, observer = rules.players, view[seen.AT_SEAT]
    for place in range(players):
        seat = (observer + place) % players
        for cell in range(CELLS):
            at = CELLS * place + cell
            shown, known = view[seen.AT_CELLS + at], view[seen.at_known(rules) + at]
            bits = view[seen.at_known(rules) + CELLS * players + at]
            game.shown[seat, cell] = shown
            game.cards[seat, cell] = shown if known == EMPTY else known
            game.knowers[seat, cell] = (bits << observer | bits >> players - observer) & (1 << players) - 1
        for kind in range(len(KINDS)):
            game.held[seat, kind] = view[seen.at_held(rules) + len(KINDS) * place + kind]
        at = seen.at_seats(rules) + place
        game.hidden_left[seat], game.open_sum[seat] = view[at], view[at + players]
        game.totals[seat] = view[at + 2 * players]
        game.claims[seat], game.bonus[seat] = view[at + 3 * players], view[at + 4 * players]
        game.changed[seat] = view[at + 5 * players]
        game.round_scores[seat] = 0


@kernel
def count_unseen(game, rules, view):
    """Count as everybody knows it: with what the observer alone knows."""
    game.unseen[:] = view[seen.AT_UNSEEN : seen.AT_KNOWN_DRAWS]
    game.known_draws[:] = view[seen.AT_KNOWN_DRAWS : seen.AT_DISCARDS]
    game.discards[:] = view[seen.AT_DISCARDS : seen.AT_CELLS]
    for at in range(CELLS * rules.players):
        card = view[seen.at_known(rules) + at]
        if card != EMPTY:
            game.unseen[card - LOWEST] += 1
    if seen.is_secret(game.phase) and game.seat == view[seen.AT_SEAT]:
        for k in range(state.HAND):
            card = view[seen.AT_HAND + k]
            if card != EMPTY and view[seen.AT_STRAYS + k]:
                game.unseen[card - LOWEST] += 1
            elif card != EMPTY:
                game.known_draws[card - LOWEST] += 1


@kernel
def write_pool(game, view, at, end):
    """Write the cards that the observer counts to game.piles from `end` on; return where they end."""
    for k in range(CARDS):
        for _ in range(view[at + k]):
            game.piles[end] = LOWEST + k
            end += 1
    return end


@kernel
def deal_hidden(game, rules, end):
    """Give every hidden cell that the observer does not know a card from the end of game.piles[:end]."""
    for seat in range(rules.players):
        for cell in range(CELLS):
            if game.cards[seat, cell] == HIDDEN:
                end -= 1
                game.cards[seat, cell] = game.piles[end]
    return end


@kernel
def deal_draws(game, view, start, end):
    """The cards in game.piles[start:end], shuffled, are in the draw pile and in a hand that is not seen."""
    shuffle(game, game.piles[start:], end - start)
    for k in range(state.HAND):
        game.hand[k] = view[seen.AT_HAND + k]
        if game.hand[k] == HIDDEN:
            end -= 1
            game.hand[k] = game.piles[end]
    game.pile_left = end - start
    for k in range(game.pile_left - 1, -1, -1):
        game.piles[DECK - game.pile_left + k] = game.piles[start + k]


@kernel
def lay_discards(game, top):
    """The discard pile: the first cards of game.piles are the buried ones. Below the top no order ever matters."""
    above = game.piles[game.buried - 1] + state.BURIED if top == HIDDEN else top
    game.discard_size = game.buried - 1 if top == HIDDEN else game.buried
    for k in range(game.discard_size):
        game.piles[k] += state.BURIED
    for k in range(CARDS):
        for _ in range(game.discards[k] - (LOWEST + k == top)):
            game.piles[game.discard_size] = LOWEST + k
            game.discard_size += 1
    if top != EMPTY:
        game.piles[game.discard_size] = above
        game.discard_size += 1


@kernel
def lay_cards(game, rules, view):
    """Deal the playing cards that the observer does not see: buried ones, hidden ones, and the draw pile."""
    game.buried = view[seen.AT_BURIED]
    end = write_pool(game, view, seen.AT_UNSEEN, 0)
    shuffle(game, game.piles, end)
    end = deal_hidden(game, rules, end)
    end = write_pool(game, view, seen.AT_KNOWN_DRAWS, end)
    deal_draws(game, view, np.int64(game.buried), end)
    lay_discards(game, view[seen.AT_DISCARD_TOP])


@kernel
def lay_actions(game, rules, view):
    """The action cards: what lies nowhere else is in the action pile."""
    size, top = 0, view[seen.AT_ACTION_TOP]
    game.open_actions[:] = view[seen.AT_OPEN : seen.AT_FRESH]
    game.fresh[:] = view[seen.AT_FRESH : seen.AT_ACTION_DISCARDS]
    for kind in range(len(KINDS)):
        left = state.COPIES if kind < state.CERTAIN_KINDS or rules.action_deck == state.DECK_ALL else 0
        left -= view[seen.AT_ACTION_DISCARDS + kind]
        for k in range(state.PLACES):
            left -= game.open_actions[k] == kind
        for seat in range(rules.players):
            left -= game.held[seat, kind]
        for _ in range(left):
            game.action_piles[size] = kind
            size += 1
    pile_up_actions(game, size)
    for kind in range(len(KINDS)):
        for _ in range(view[seen.AT_ACTION_DISCARDS + kind] - (kind == top)):
            lay_action(game, kind)
    if top != NO_KIND:
        lay_action(game, top)


@kernel
def sample(game, rules, observation, key, episode):
    """Make `game` a full game that the observation's seat cannot tell from the real one; `key` decides the guess."""
    game.chance = mix(key + GAMMA)
    game.episode = episode
    clear_counters(game, rules)
    read_table(game, rules, observation)
    read_layouts(game, rules, observation)
    count_unseen(game, rules, observation)
    lay_cards(game, rules, observation)
    lay_actions(game, rules, observation)
    game.key = mix(game.chance)
