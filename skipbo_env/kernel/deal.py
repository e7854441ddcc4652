"""A round begins (section 2), and a turn begins (3.1)."""

from cardtable.table.kernel.chance import below, game_key, shuffle, start_round_chance
from skipbo_env.kernel.drawing import fill_hand
from skipbo_env.kernel.jit import inlined_kernel, kernel
from skipbo_env.kernel.knowledge import see_stock_card
from skipbo_env.kernel.piles import stock_top
from skipbo_env.kernel.scoring import end_round
from skipbo_env.kernel.state import (
    CARDS,
    COPIES,
    DECK,
    NEXT_LOSER,
    NEXT_WINNER,
    NO_CARDS,
    NO_CARDS_NOBODY_WINS,
    NOBODY,
    STARTER_RANDOM,
    TURN,
    WILD,
    WILDS,
)


@kernel
def copies_of(card):
    """How many such cards the deck has (1.1)."""
    return WILDS if card == WILD else COPIES


@kernel
def clear_table(game, rules):
    """Collect all cards: nothing lies on the table."""
    game.turns, game.recycles, game.laid, game.still_turns, game.older_held = 0, 0, 0, 0, 0
    game.wilds_discarded[:] = 0
    game.completed_piles[:] = 0
    game.heights[:] = 0
    game.wild_ranks[:] = 0
    game.older_odds[:] = 0
    game.hands[:] = 0
    game.hand_size[:] = 0
    game.stock_left[:] = 0
    game.stock_left[: rules.players] = rules.stock
    game.sizes[:] = 0
    game.starts[:] = 0
    game.completed[:] = 0
    game.newer[:] = 0
    game.doubtful[:] = 0


@kernel
def deal_cards(game, rules):
    """Shuffle and deal (2.1)."""
    clear_table(game, rules)
    start_round_chance(game)
    at = 0
    for card in range(1, CARDS + 1):
        game.older[card - 1] = copies_of(card)
        for _ in range(copies_of(card)):
            game.piles[at] = card
            at += 1
    shuffle(game, game.piles, DECK)
    dealt = rules.players * rules.stock
    for k in range(dealt):  # for slices numba would compile 37 more functions, for an error message
        game.stocks[k] = game.piles[k]
    game.draw_left = DECK - dealt
    for seat in range(rules.players):
        see_stock_card(game, stock_top(game, rules, seat))


@kernel
def winner(game, rules):
    """The seat that has won the last round, or NOBODY."""
    for seat in range(rules.players):
        if game.round_scores[seat] > 0:
            return seat
    return NOBODY


@kernel
def next_starter(game, rules, loser):
    """Who starts the next round (2.3); `loser` is the seat that starts with "loser"."""
    if rules.next_starter == NEXT_LOSER:
        return loser
    if rules.next_starter == NEXT_WINNER and winner(game, rules) != NOBODY:
        return winner(game, rules)
    return (game.starter + 1) % rules.players


@kernel
def most_stock(game, rules):
    """The seat with the most cards in its stock pile, among several the first after the starter (2.3)."""
    most = NOBODY
    for k in range(1, rules.players + 1):
        seat = (game.starter + k) % rules.players
        if most == NOBODY or game.stock_left[seat] > game.stock_left[most]:
            most = seat
    return most


@inlined_kernel
def begin_turn(game, rules):
    """The seat to move draws (3.1); the round may end for want of cards (4.5)."""
    game.is_still = 1
    if not fill_hand(game, rules) and rules.no_cards == NO_CARDS_NOBODY_WINS:
        game.turns += 1
        end_round(game, NO_CARDS)


@kernel
def begin_round(game, rules, starter):
    """Deal a round and let its first turn begin; without a given starter, it is the first round (2.2)."""
    game.phase = TURN
    deal_cards(game, rules)
    if starter == NOBODY:
        starter = below(game, rules.players) if rules.first_starter == STARTER_RANDOM else 0
    game.starter = starter
    game.seat = starter
    begin_turn(game, rules)


@kernel
def new_game(game, rules, seed, deal, episode):
    """Deal the first round of a game (9.3)."""
    game.key = game_key(seed, deal)
    game.episode = episode
    game.ending = 0
    game.round_number = 1
    game.last_seat, game.last_action = NOBODY, NOBODY
    game.totals[:] = 0
    game.round_scores[:] = 0
    begin_round(game, rules, NOBODY)


@kernel
def next_round(game, rules):
    """Deal the round after one that has been scored."""
    starter = next_starter(game, rules, most_stock(game, rules))
    game.round_number += 1
    begin_round(game, rules, starter)
