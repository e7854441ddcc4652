"""The rules of six-card Golf: what lies on the table, what is legal, and what a decision does (README.md)."""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of, inlined
from cardtable.table.kernel.chance import start_round
from cardtable.table.kernel.game_kernel import MAX_SEATS, NOBODY
from cardtable.table.kernel.piles import draw_card, gather, pop_card, push_card, top_card
from cardtable.table.kernel.usual import game_dtype

CELLS, RANKS, SUITS = 6, 13, 4
DECK = np.repeat(np.arange(1, RANKS + 1), SUITS)
SIZE = RANKS * SUITS
TWO, TEN, KING = 2, 10, 13
HIDDEN = NONE = 0  # instead of a rank, on a layout or in the hand
PHASES = ("turn", "drawn", "taken", "over", "truncated")
TURN, DRAWN, TAKEN, OVER, TRUNCATED, ENDS, STOPS = range(7)
DRAW, TAKE, DISCARD, PLACE = range(4)  # actions; the last is that of cell 0, and those of the others follow

LAYOUTS = "i8", (MAX_SEATS, CELLS)  # a column is two cells, 0 and 1, 2 and 3, 4 and 5
GOLF_DTYPE = game_dtype(
    ender="i8", turns_left="i8", hand="i8", pile_left="i8", discard_size="i8", piles=("i8", SIZE),
    cards=LAYOUTS, shown=LAYOUTS, unseen=("i8", RANKS + 1),  # cards of every rank that nobody has seen
)  # fmt: skip
compiled = compiler_of(__file__)


@inlined
def discard_top(game, rules, observer):  # noqa: ARG001
    """Return the top of the discard pile, which is empty while its only card is in hand."""
    return top_card(game, NONE)


@compiled
def points(rank):
    """Return what an open card costs."""
    if rank == KING:
        return 0
    return -2 if rank == TWO else min(rank, TEN)


@compiled
def turn_up(game, seat, cell):
    """Turn up a hidden card."""
    game.shown[seat, cell] = game.cards[seat, cell]
    game.unseen[game.cards[seat, cell]] -= 1


@compiled
def deal_round(game, rules, log):  # noqa: ARG001
    """Deal the next round: six cards to every seat, two of them turned up, and the first discard."""
    start_round(game)
    game.ender, game.turns_left, game.hand = NOBODY, 0, NONE
    gather(game, DECK)
    for seat in range(rules.players):
        for cell in range(CELLS):
            game.cards[seat, cell], game.shown[seat, cell] = draw_card(game, SIZE), HIDDEN
        turn_up(game, seat, 0)
        turn_up(game, seat, 2)
    first = draw_card(game, SIZE)
    game.unseen[first] -= 1
    push_card(game, first)
    game.seat, game.phase = (game.round_number - 1) % rules.players, TURN


@compiled
def is_legal(game, rules, action):  # noqa: ARG001
    """Return whether the seat to move may do this now."""
    if game.phase == TURN:
        return action in (DRAW, TAKE)
    if game.phase == DRAWN and action == DISCARD:
        return True
    return game.phase <= TAKEN and PLACE <= action < PLACE + CELLS


@compiled
def place(game, cell):
    """Put the card in hand in a cell of the own layout; the card that lay there is discarded."""
    if game.shown[game.seat, cell] == HIDDEN:
        turn_up(game, game.seat, cell)
    push_card(game, game.shown[game.seat, cell])
    game.cards[game.seat, cell] = game.shown[game.seat, cell] = game.hand


@compiled
def end_turn(game, rules):
    """Go on to the next seat, or end the round: when all have had a turn since a seat turned up its last card."""
    game.turns += 1
    game.hand = NONE
    if game.ender != NOBODY:
        game.turns_left -= 1
    elif game.shown[game.seat].min() != HIDDEN:
        game.ender, game.turns_left = game.seat, rules.players - 1
    if game.ender != NOBODY and game.turns_left == 0:
        game.phase = ENDS
    elif game.ender == NOBODY and game.turns >= rules.max_turns:
        game.phase = STOPS
    else:
        game.seat, game.phase = (game.seat + 1) % rules.players, TURN


@compiled
def act(game, rules, action, log):  # noqa: ARG001
    """Carry out a legal action."""
    game.last_seat, game.last_action = game.seat, action
    if action == DRAW:
        game.hand, game.phase = draw_card(game, SIZE), DRAWN
        game.unseen[game.hand] -= 1
    elif action == TAKE:
        game.hand, game.phase = pop_card(game), TAKEN
    else:
        if action == DISCARD:
            push_card(game, game.hand)
        else:
            place(game, action - PLACE)
        end_turn(game, rules)


@compiled
def score_round(game, rules, log):  # noqa: ARG001
    """Count all cards; two equal cards in a column count nothing. A stopped round is not scored."""
    game.phase = TRUNCATED if game.phase == STOPS else game.phase
    for seat in range(rules.players):
        game.round_scores[seat] = 0
        for cell in range(0, CELLS if game.phase == ENDS else 0, 2):
            upper, lower = game.cards[seat, cell], game.cards[seat, cell + 1]
            game.round_scores[seat] += 0 if upper == lower else points(upper) + points(lower)
        game.totals[seat] += game.round_scores[seat]
