"""The value of the end of a round before the hidden cards are turned up: the expected margins of all seats.

With up to two hidden cards every case is counted. With more, fair guesses are sampled, the same guesses for all
actions.
"""

from cardtable.table.kernel.chance import below
from cardtable.table.kernel.scoring import margin, whole_margin
from skyjo_agents.player import scripted
from skyjo_env.kernel.play import reveal, score_round
from skyjo_env.kernel.state import HIDDEN, LOWEST

COUNTED = 2  # hidden cards
GUESSES = 200


@scripted
def points_ahead(game, rules, seat):
    """Return a seat's margin in a scored round, times the number of the others."""
    return whole_margin(game.round_scores, rules.players, seat)


@scripted
def write_hidden(game, rules, cells):
    """Note where hidden cards lie, as seat × cells + cell; returns how many."""
    found = 0
    for seat in range(rules.players):
        if game.hidden_left[seat] > 0:
            for cell in range(rules.cells):
                if game.shown[seat, cell] == HIDDEN:
                    cells[found] = seat * rules.cells + cell
                    found += 1
    return found


@scripted
def write_pool(game, rules, pool):
    """Write every card that a hidden one may be; returns how many."""
    size = 0
    for card in range(rules.low, rules.low + rules.values):
        for _ in range(game.hidden_pool[card - LOWEST]):
            pool[size] = card
            size += 1
    return size


@scripted
def add_end(game, rules, share, worth):
    """Reveal and score, and add `share` times the margins."""
    reveal(game, rules, None)
    score_round(game, rules, None)
    for seat in range(rules.players):
        worth[seat] += share * margin(game.round_scores, rules.players, seat)


@scripted
def lay(game, rules, cell, card):
    """Let this card lie in a hidden cell."""
    game.cards[cell // rules.cells, cell % rules.cells] = card


@scripted
def count_cases(games, rules, cells, hidden, share, worth):
    """Add every case with one or two hidden cards; `games[0]` is the table, and `games[1]` room."""
    counts, game, total = games[0].hidden_pool, games[1], 0
    for k in range(len(counts)):
        total += counts[k]
    for one in range(len(counts)):
        if counts[one] == 0:
            continue
        if hidden == 1:
            games[1] = games[0]
            lay(game, rules, cells[0], one + LOWEST)
            add_end(game, rules, share * counts[one] / total, worth)
            continue
        for two in range(len(counts)):
            ways = counts[one] * (counts[two] - (one == two))
            if ways > 0:
                games[1] = games[0]
                lay(game, rules, cells[0], one + LOWEST)
                lay(game, rules, cells[1], two + LOWEST)
                add_end(game, rules, share * ways / (total * (total - 1)), worth)


@scripted
def guess_cases(games, rules, cells, hidden, pool, key, share, worth):
    """Add the mean of fair guesses."""
    size, game = write_pool(games[0], rules, pool), games[1]
    for number in range(GUESSES):
        games[1] = games[0]
        game.chance = key + number
        for k in range(hidden):
            other = k + below(game, size - k)
            pool[k], pool[other] = pool[other], pool[k]
            lay(game, rules, cells[k], pool[k])
        add_end(game, rules, share / GUESSES, worth)


@scripted
def expect_end(games, rules, cells, pool, key, share, worth):
    """Add `share` times what is to be expected. `games[0]` is a table at the end of its round, before the reveal;
    `games[1]`, `cells` and `pool` are room.
    """
    hidden = write_hidden(games[0], rules, cells)
    if hidden == 0:
        games[1] = games[0]
        add_end(games[1], rules, share, worth)
    elif hidden <= COUNTED:
        count_cases(games, rules, cells, hidden, share, worth)
    else:
        guess_cases(games, rules, cells, hidden, pool, key, share, worth)
