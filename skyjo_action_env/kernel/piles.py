"""The piles of playing cards and of action cards (section 8)."""

from cardtable.table.kernel.chance import shuffle
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.giving import watch_action, watch_draw
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.state import DECK, EMPTY, HIDDEN, LOWEST, NO_KIND, STAR


@kernel
def points(card):
    """What a card counts (1.1)."""
    return 0 if card == STAR else card


@kernel
def see_drawn_card(game, card):
    """All now know a card that came from the draw pile: one that was known to be there, or a stray (12.4)."""
    if game.known_draws[card - LOWEST] > 0:
        game.known_draws[card - LOWEST] -= 1
    else:
        game.unseen[card - LOWEST] -= 1


@kernel
def push_discard(game, card):
    """Lay a card on the discard pile, open."""
    game.piles[game.discard_size] = card
    game.discard_size += 1
    game.discards[card - LOWEST] += 1


@kernel
def pop_discard(game):
    """Take the top card of the discard pile, which is open."""
    game.discard_size -= 1
    card = game.piles[game.discard_size]
    game.discards[card - LOWEST] -= 1
    return card


@kernel
def discard_top(game):
    """What everybody sees on the discard pile."""
    if game.discard_size == 0:
        return EMPTY
    return HIDDEN if game.piles[game.discard_size - 1] >= state.BURIED + LOWEST else game.piles[game.discard_size - 1]


@kernel
def put_under(game, rules, card, is_hidden):
    """Put a removed card into the discard pile (7.7): to its bottom, or below its top card."""
    at = 0 if rules.removed_to == state.REMOVED_TO_BOTTOM else game.discard_size - 1
    for k in range(game.discard_size, at, -1):
        game.piles[k] = game.piles[k - 1]
    game.piles[at] = card + state.BURIED if is_hidden else card
    game.discard_size += 1
    if is_hidden:
        game.buried += 1
    else:
        game.discards[card - LOWEST] += 1


@kernel
def reshuffle(game):
    """The discard pile without its top card becomes the draw pile (8.1); all know most of its cards (12.3)."""
    size = game.discard_size - 1
    top = game.piles[size]
    game.discards[top - LOWEST] -= 1
    game.known_draws[:] += game.discards  # beside cards that have just been drawn, as three takes them
    game.discards[:] = 0
    for k in range(size):
        if game.piles[k] >= state.BURIED + LOWEST:
            game.piles[k] -= state.BURIED
    game.reshuffles += 1
    game.buried, game.discard_size, game.pile_left = 0, 0, size
    shuffle(game, game.piles, size)
    for k in range(size - 1, -1, -1):
        game.piles[DECK - size + k] = game.piles[k]
    push_discard(game, top)


@kernel
def can_draw(game):
    """Is there a card to draw, after a reshuffle if need be (3.4)?"""
    return game.pile_left > 0 or game.discard_size >= 2


@kernel
def draw_card(game):
    """The next card of the draw pile."""
    if game.pile_left == 0:
        reshuffle(game)
    if game.watching:
        watch_draw(game)
    card = game.piles[DECK - game.pile_left]
    game.pile_left -= 1
    return card


# Action cards


@kernel
def lay_action(game, kind):
    """Lay an action card on its discard pile."""
    game.action_piles[game.action_discard_size] = kind
    game.action_discard_size += 1
    game.action_discards[kind] += 1


@kernel
def top_action(game):
    """The top card of the discard pile of action cards, or NO_KIND."""
    return game.action_piles[game.action_discard_size - 1] if game.action_discard_size > 0 else NO_KIND


@kernel
def take_discarded(game, kind):
    """Take the topmost action card of this kind from the discard pile (7.8)."""
    at = game.action_discard_size - 1
    while game.action_piles[at] != kind:
        at -= 1
    game.action_discard_size -= 1
    game.action_discards[kind] -= 1
    for k in range(at, game.action_discard_size):
        game.action_piles[k] = game.action_piles[k + 1]


@kernel
def has_next_action(game, rules):
    """Is there a card in the action pile, after a reshuffle if need be (8.3)?"""
    kept = rules.action_reshuffle == state.RESHUFFLE_KEEP_TOP
    return game.action_pile_left > 0 or game.action_discard_size > kept


@kernel
def pile_up_actions(game, size):
    """Shuffle the first cards of `action_piles`, so many, into the action pile; then none is discarded."""
    shuffle(game, game.action_piles, size)
    for k in range(size - 1, -1, -1):
        game.action_piles[state.ACTION_DECK - size + k] = game.action_piles[k]
    game.action_pile_left, game.action_discard_size = size, 0
    game.action_discards[:] = 0


@kernel
def reshuffle_actions(game, rules):
    """The discarded action cards become the action pile (8.3)."""
    top, keeps_top = top_action(game), rules.action_reshuffle == state.RESHUFFLE_KEEP_TOP
    pile_up_actions(game, game.action_discard_size - keeps_top)
    if keeps_top:
        lay_action(game, top)


@kernel
def next_action(game, rules):
    """The top card of the action pile, which there must be."""
    if game.action_pile_left == 0:
        reshuffle_actions(game, rules)
    if game.watching:
        watch_action(game)
    kind = game.action_piles[state.ACTION_DECK - game.action_pile_left]
    game.action_pile_left -= 1
    return kind


@kernel
def fill_open_place(game, rules, place):
    """Lay the next action card in an open place, if there is one (4.5)."""
    game.open_actions[place] = next_action(game, rules) if has_next_action(game, rules) else NO_KIND


@kernel
def fill_open_places(game, rules):
    """Fill the places that are empty, lowest first (4.5)."""
    for place in range(state.PLACES):
        if game.open_actions[place] == NO_KIND:
            fill_open_place(game, rules, place)
