"""Additions to the rules for learners and measuring: rewards, the luck of a round, and its statistics by seat.

Luck is the gain of each seat by its cards over their expected gain, whoever played them. An observer who knows all
hands expects any card of a pile that can be counted with equal probability. Before the first recycling, that pile is
the cards face down in stock piles and in the draw pile. After it, the pile is those face down in stock piles for a
stock card, and those of the draw pile for a drawn card. The gain of a card minus its expected gain has mean 0 under any
strategy, so a share of it can be subtracted from a score without bias.

Three sums are kept for every seat. The first is of the stock cards turned up, by the number of cards that must be
played before they fit. The second is of the drawn cards by the same measure, and the third of the wild cards among
them.
"""

import numpy as np

from cardtable.table.kernel.game_kernel import GAME_EPISODE, final_score
from cardtable.table.kernel.scoring import MOST, margin, share_of_win, win_reward
from skipbo_env import kernel as state
from skipbo_env.kernel import CARDS, DECK, RANKS, WILD, kernel
from skipbo_env.kernel.cards import stock_top

# Rewards: for how the episode ended, and with shaping for the change of the stock margin

REWARDS = ("win", "point", "margin")  # index = code
WIN, POINT, MARGIN = range(3)
SHAPINGS = (None, "stock")


@kernel
def stock_margin(game, rules, seat):
    """Return the mean size of the others' stock piles minus the seat's own, in units of a full stock pile."""
    return margin(game.stock_left, rules.players, seat) / rules.stock


@kernel
def margin_reward(game, rules, seat):
    """Return the stock margin at the end of a round, or the lead in totals at the end of a game, in target scores."""
    if game.episode == GAME_EPISODE:
        return -margin(game.totals, rules.players, seat) / rules.target_score
    return stock_margin(game, rules, seat)


@kernel
def reward_of(game, rules, seat, kind, is_scored):
    """Return a seat's reward for the last decision: 0 unless the episode is over."""
    if not is_scored or game.phase != state.OVER:
        return 0.0
    if kind == MARGIN:
        return margin_reward(game, rules, seat)
    if kind == WIN:
        return win_reward(game, rules, seat, MOST)
    return share_of_win(game, rules, seat, MOST) if final_score(game, seat) > 0 else 0.0


@kernel
def potential(game, rules, seat):
    """Return the stock margin now; 0 once the game is over. A game that was stopped is not over."""
    return 0.0 if game.phase == state.OVER else stock_margin(game, rules, seat)


# Luck

TURNED_UP, DREW, DREW_WILD = range(3)  # the terms
TERMS = 3

# Points of margin for each point of a term: least squares over 24,000 rounds of two players of the scripts greedy and
# hpvp. They explain 24 to 30 % of the variance of the margin.
WEIGHTS = np.array([2.7, 0.2, 1.5])


SCRATCH_DTYPE = np.dtype((np.record, [("counts", "i8", CARDS)]))  # cards, counted


@kernel
def distance(game, card):
    """Return the number of cards to play on the nearest building pile before this one fits; 0 for a wild card."""
    if card == WILD:
        return 0
    nearest = RANKS
    for place in range(state.PLACES):
        nearest = min(nearest, (card - 1 - game.heights[place]) % RANKS)
    return nearest


@kernel
def count_stocks(game, rules, counts):
    """Add the cards that lie face down in stock piles."""
    for seat in range(rules.players):
        for k in range(game.stock_left[seat] - 1):
            counts[game.stocks[seat * rules.stock + k] - 1] += 1


@kernel
def count_draws(game, counts):
    """Add the cards of the draw pile."""
    for k in range(DECK - game.draw_left, DECK):
        counts[game.piles[k] - 1] += 1


@kernel
def expected(game, counts, wilds_only):
    """Return the mean over counted cards of their distance, or of being a wild card."""
    cards, amount = 0, 0
    for k in range(CARDS):
        cards += counts[k]
        amount += counts[k] * ((k + 1 == WILD) if wilds_only else distance(game, k + 1))
    return amount / cards if cards > 0 else 0.0


@kernel
def note_turned_up(before, game, rules, counts, luck):
    """Note that a stock card has been played, and the next one has been turned up."""
    seat = game.last_seat
    card = stock_top(game, rules, seat)
    counts[:] = 0
    counts[card - 1] += 1
    count_stocks(game, rules, counts)
    if before.recycles == 0:
        count_draws(before, counts)
    luck[seat, TURNED_UP] += expected(game, counts, False) - distance(game, card)


@kernel
def note_cards(game, counts, seat, first, last, luck):
    """Note that the seat's hand cards from the first to before the last were drawn from the counted ones."""
    fit, wilds = expected(game, counts, False), expected(game, counts, True)
    for k in range(first, last):
        card = game.hands[seat, k]
        luck[seat, DREW] += fit - distance(game, card)
        luck[seat, DREW_WILD] += (card == WILD) - wilds


@kernel
def note_drawn(before, game, rules, drawn, counts, luck):
    """Note that the seat to move has drawn `drawn` cards, some of them perhaps after a recycling."""
    seat, size = game.seat, game.hand_size[game.seat]
    is_new = game.recycles != before.recycles
    old = 0 if is_new and rules.recycle == state.RECYCLE_ON_COMPLETION else min(drawn, before.draw_left)
    counts[:] = 0
    count_draws(before, counts)
    if before.recycles == 0:
        count_stocks(before, rules, counts)
    note_cards(game, counts, seat, size - drawn, size - drawn + old, luck)
    if old < drawn:
        counts[:] = 0
        count_draws(game, counts)
        for k in range(size - drawn + old, size):
            counts[game.hands[seat, k] - 1] += 1
        note_cards(game, counts, seat, size - drawn + old, size, luck)


@kernel
def cards_drawn(before, game, action):
    """Return the number of cards that the seat to move has drawn, after its last hand card or at the beginning of its
    turn.
    """
    if game.seat != game.last_seat:
        return game.hand_size[game.seat] - before.hand_size[game.seat]
    is_last_card = state.PLAY_HAND <= action < state.PLAY_DISCARD and before.hand_size[game.seat] == 1
    return game.hand_size[game.seat] if is_last_card else 0


@kernel
def note_luck(before, game, rules, action, view, scratch, luck):  # noqa: ARG001 (other games look at the view)
    """Add the luck of an action that has just been carried out."""
    if action < state.PLAY_HAND:
        if game.stock_left[game.last_seat] > 0:
            note_turned_up(before, game, rules, scratch.counts, luck)
        return
    drawn = cards_drawn(before, game, action)
    if 0 < drawn <= state.HAND:
        note_drawn(before, game, rules, drawn, scratch.counts, luck)


# Facts: what a round leaves behind by seat

COMPLETED, WILDS_LAID, STOCK_LEFT, TURNS_TAKEN, IS_BLOCKED = range(5)


@kernel
def turns_taken(game, rules, seat):
    """Return the number of turns of the round that were this seat's."""
    behind = (seat - game.starter) % rules.players
    return (game.turns - behind + rules.players - 1) // rules.players


@kernel
def note_round_stats(game, rules, round_stats):
    """Record the statistics of a round that is over, before the table is cleared."""
    for seat in range(rules.players):
        round_stats[seat, COMPLETED] += game.completed_piles[seat]
        round_stats[seat, WILDS_LAID] += game.wilds_discarded[seat]
        round_stats[seat, STOCK_LEFT] += game.stock_left[seat]
        round_stats[seat, TURNS_TAKEN] += turns_taken(game, rules, seat)
        round_stats[seat, IS_BLOCKED] += game.ending in (state.BLOCKED, state.NO_CARDS)
