"""The decisions that stars and action cards bring about."""

import numpy as np

from skyjo_action_agents.action_cards import (
    best_loot,
    best_removal,
    best_replay,
    best_victim,
    note_exchange,
    note_gains,
    note_swap,
)
from skyjo_action_agents.layouts import note_changes
from skyjo_action_agents.moves import study_moves
from skyjo_action_agents.player import UNKNOWN, scripted
from skyjo_action_env.kernel.lines import cell_of, line_length
from skyjo_action_env.kernel.state import (
    CELLS,
    CHOOSE,
    DISCARD,
    EMPTY,
    EXCHANGE,
    HAND,
    HIDDEN,
    KINDS,
    LINES,
    LOWEST,
    NO_CARD,
    PLAY,
    REPLAY_KIND,
    STEAL_FROM,
)
from skyjo_action_env.kernel.view import (
    AT_ATTACKED,
    AT_CELLS,
    AT_CHOSEN,
    AT_CHOSEN_WITH,
    AT_HAND,
    AT_LINE,
    AT_PHASE,
    AT_PLAYED,
    at_held,
)

BEARABLE = 1.0  # points that an exchange may cost before a defence is used


@scripted
def clear_or_keep(view, rules, player):
    """Clear a line with stars if its numbers cost something; one of stars alone is safe when it is cleared."""
    points = 0.0
    for k in range(line_length(view[AT_LINE])):
        points += player.costs[player.cards[0, cell_of(view[AT_LINE], k)]]
    return rules.clear_line + (points < 0)


@scripted
def choose_of_three(view, rules, player):
    """Which of three drawn cards to lay; none if turning a hidden card up is worth more."""
    most = study_moves(view, rules, player)
    best = -1 if most == -np.inf else NO_CARD
    for k in range(HAND):
        worth = player.worths[view[AT_HAND + k] - LOWEST]
        if worth > most:
            best, most = k, worth
    return rules.first_card + best


@scripted
def choose_top(view, rules, player):
    """Of the cards that are discarded, the one that the next player likes least goes on top, else the highest."""
    best, least = -1, np.inf
    for k in range(HAND):
        card = view[AT_HAND + k]
        if card != EMPTY:
            gift = player.gifts[card - LOWEST] - 0.001 * player.costs[card - LOWEST]
            if gift < least:
                best, least = k, gift
    return rules.first_card + best


@scripted
def choose_line(view, rules, player):
    """Look at the line with the most unknown cards, rather an own one."""
    best, most = -1, -1.0
    for place in range(rules.players):
        for line in range(LINES):
            unknown, hidden = 0, 0
            for k in range(line_length(line)):
                cell = cell_of(line, k)
                hidden += view[AT_CELLS + place * CELLS + cell] == HIDDEN
                unknown += player.cards[place, cell] == UNKNOWN
            worth = unknown + (0.5 if place == 0 else 0.0)
            if hidden > 0 and worth > most:
                best, most = LINES * place + line, worth
    return rules.first_line + best


@scripted
def swap(view, rules, player, is_first):
    """Choose the cells of a swap."""
    note_swap(player, rules, -1 if is_first else np.int64(view[AT_CHOSEN]))
    return CHOOSE + (player.first if is_first else player.second)


@scripted
def exchange(view, rules, player, is_first):
    """Choose the cells of an exchange."""
    for place in range(1, rules.players):
        note_changes(rules, player, place)
    note_exchange(view, rules, player, -1 if is_first else np.int64(view[AT_CHOSEN]))
    return CHOOSE + (player.first if is_first else player.second)


@scripted
def remove(view, rules, player):
    """Choose what the attacked loses: a card, or without one an action card."""
    place = np.int64(view[AT_ATTACKED])
    note_changes(rules, player, place)
    cell, _ = best_removal(player, place)
    if cell >= 0:
        return CHOOSE + CELLS * place + cell
    kind = 0
    while view[at_held(rules) + len(KINDS) * place + kind] == 0:
        kind += 1
    return DISCARD + kind


@scripted
def choose_kind(view, rules, player):
    """Choose what a replay or a steal carries out, or from whom to steal."""
    note_gains(view, rules, player)
    if view[AT_PHASE] == STEAL_FROM:
        place, _, _ = best_victim(view, rules, player)
        return CHOOSE + CELLS * place
    if view[AT_PHASE] == REPLAY_KIND:
        kind, _ = best_replay(view, rules, player)
    else:
        kind, _ = best_loot(view, rules, player, np.int64(view[AT_ATTACKED]))
    return PLAY + kind


@scripted
def defend(view, rules, player):
    """Use a defence unless an exchange does no harm."""
    one, other = np.int64(view[AT_CHOSEN]), np.int64(view[AT_CHOSEN_WITH])
    if view[AT_PLAYED] == EXCHANGE:
        mine, others = (one, other) if one < CELLS else (other, one)
        if player.changes[0, mine, player.cards[others // CELLS, others % CELLS]] < BEARABLE:
            return rules.defend + 1
    return rules.defend
