"""One table, called from Python with arrays of one record each: what `Game` needs, each in a single call."""

from cardtable.kernel.chance import shuffle
from skipbo_env.kernel.deal import new_game
from skipbo_env.kernel.jit import kernel
from skipbo_env.kernel.play import is_legal, play
from skipbo_env.kernel.view import write_mask, write_view

REFUSED, PLAYED, SCORED = range(3)  # what becomes of a decision; the last ended a round that was scored


@kernel
def show_one(game, rules, mask, observation):
    """Write what the seat to decide sees and may do."""
    write_mask(game, rules, mask)
    write_view(game, rules, game.seat, observation)


@kernel
def start_one(games, rules, seed, deal, dealt, mask, observation):
    """Deal a single table, unless its record is already set up, and show it."""
    if not dealt:
        new_game(games[0], rules[0], seed, deal, games[0].episode)
    show_one(games[0], rules[0], mask, observation)


@kernel
def observe_one(games, rules, seat, observation):
    """Write what a seat sees at a single table."""
    write_view(games[0], rules[0], seat, observation)


@kernel
def play_one(games, rules, action, mask, observation):
    """One decision at a single table, shown afterwards; nothing changes if it is refused as illegal."""
    game = games[0]
    if not is_legal(game, rules[0], action):
        return REFUSED
    is_scored = play(game, rules[0], action)
    show_one(game, rules[0], mask, observation)
    return SCORED if is_scored else PLAYED


@kernel
def shuffle_cards(games, cards):
    """Put cards into random order by a table's generator."""
    shuffle(games[0], cards, len(cards))
