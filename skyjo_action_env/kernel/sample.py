"""A guess at what a seat does not see: a full game consistent with one observation, uniform over the unseen cards.

It reads nothing but the observation, so a search that starts from here cannot see more than its seat. Other seats keep
the hidden cards that they know: everybody knows which (12.2).
"""

import numpy as np

from cardtable.table.kernel.chance import GAMMA, mix, shuffle
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel import view as seen
from skyjo_action_env.kernel.deal import clear_counters
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.piles import lay_action, pile_up_actions
from skyjo_action_env.kernel.state import CARDS, CELLS, DECK, EMPTY, HIDDEN, KINDS, LOWEST, NO_KIND, NOBODY
from skyjo_action_env.kernel.view import relative_cell, relative_seat


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
