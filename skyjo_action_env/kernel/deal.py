"""A round begins: shuffling, dealing, the opening, the starter (section 2)."""

from cardtable.table.kernel.chance import game_key, shuffle, start_round_chance
from skyjo_action_env.kernel import piles, state
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.layout import turn_up
from skyjo_action_env.kernel.state import CARDS, CELLS, DECK, EMPTY, HIDDEN, KINDS, LOWEST, NO_KIND, NOBODY

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
    piles.push_discard(game, card)


@kernel
def deal_actions(game, rules):
    """The action pile, shuffled, and four open cards (2.2, 2.3)."""
    size = state.COPIES * (len(KINDS) if rules.action_deck == state.DECK_ALL else state.CERTAIN_KINDS)
    for k in range(size):
        game.action_piles[k] = k // state.COPIES
    piles.pile_up_actions(game, size)
    game.open_actions[:] = NO_KIND
    piles.fill_open_places(game, rules)
    if rules.action_discard_start == state.START_ONE_CARD:
        piles.lay_action(game, piles.next_action(game, rules))


@kernel
def deal_round(game, rules):
    """Collect all cards and deal the next round, up to its first decision (2.1 to 2.4)."""
    game.round_number += 1
    game.starter = NOBODY if game.round_number == 1 else game.ender
    clear_counters(game, rules)
    start_round_chance(game)
    deal_cards(game, rules)
    deal_actions(game, rules)
    game.seat, game.phase = 0, state.OPENING


@kernel
def new_game(game, rules, seed, deal, episode):
    """Set up a game and deal its first round."""
    game.key = game_key(seed, deal)
    game.episode = episode
    game.round_number = 0
    game.last_seat, game.last_action = NOBODY, NOBODY
    game.watching, game.brought, game.given_size = state.UNWATCHED, 0, 0
    game.totals[:], game.round_scores[:] = 0, 0
    deal_round(game, rules)


# The opening


@kernel
def rank_of_opening(game, seat):
    """The sum of the open cards of a layout and then the highest one, as one number (2.5)."""
    highest = LOWEST
    for cell in range(CELLS):
        if game.shown[seat, cell] < HIDDEN:
            highest = max(highest, piles.points(game.shown[seat, cell]))
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
def open_card(game, rules, cell):
    """A player turns up a card in the opening (2.4); True after the last card of the last player."""
    turn_up(game, game.seat, cell)
    if not rules.opening_star:
        game.claims[game.seat] = 0
    if game.hidden_left[game.seat] > CELLS - OPENED:
        return False
    if game.seat + 1 == rules.players:
        return True
    game.seat += 1
    return False


@kernel
def begin_turns(game, rules):
    """The opening is over: the first turn begins (2.5, 2.6)."""
    if game.starter == NOBODY:
        game.starter = first_starter(game, rules)
    game.mover, game.seat, game.phase = game.starter, game.starter, state.TURN
    game.changed[:] = 0
