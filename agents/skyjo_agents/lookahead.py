"""The value of every action. Every card that an action may reveal is tried on the kernel's table, one decision ahead or
to the end of the turn. A network values the tables that follow; a finished round is scored.

Values are points of the margin. `label_tables` makes training targets of them.
"""

import numpy as np

from cardtable.table.kernel.chance import next_number, shuffle
from cardtable.table.kernel.game_kernel import ROUND_EPISODE
from cardtable.table.kernel.scoring import POINTS
from skyjo_agents.network_play import seat_values, write_logits
from skyjo_agents.player import scripted
from skyjo_agents.policy_play import may, moved_on
from skyjo_agents.round_ends import expect_end
from skyjo_env.kernel.chance import prepare
from skyjo_env.kernel.play import act
from skyjo_env.kernel.state import (
    DRAW,
    ENDS,
    FIRST_PLACE,
    GAME_DTYPE,
    LOWEST,
    MAX_CELLS,
    MAX_DECK,
    MAX_PLAYERS,
    NOBODY,
    SPAN,
    STOPS,
    TAKE,
    TURN,
)
from skyjo_env.kernel.view import AT_CELLS, AT_ENDER, AT_PHASE, AT_SEAT, sample, write_observation

SCRATCH_DTYPE = np.dtype(
    (
        np.record,
        [
            ("counts", "i8", SPAN),  # of the card that an action brings
            ("unused", "i8", SPAN),
            ("values", "f8", MAX_PLAYERS),
            ("margins", "f8", MAX_PLAYERS),
            ("cells", "i8", MAX_PLAYERS * MAX_CELLS),
            ("pool", "i8", MAX_DECK),
        ],
    ),
    align=True,
)


SLOW_AFTER_TURNS = 25  # turns of a seat after which a round drags on
STOP_PROBABILITY = 0.05  # how likely each further turn is taken to be the last
STOP_PENALTY = 10  # points that a stop costs each seat that is behind then, so that one of them acts


@scripted
def are_alike(view, rules, cell, other):
    """Return whether two own cells hold equal cards, in columns of equal cards."""
    if view[AT_CELLS + cell] != view[AT_CELLS + other]:
        return False
    one, two = AT_CELLS + cell - cell % rules.rows, AT_CELLS + other - other % rules.rows
    for k in range(rules.rows):
        more = 0
        for row in range(rules.rows):
            more += view[one + row] == view[one + k]
            more -= view[two + row] == view[one + k]
        if more != 0:
            return False
    return True


@scripted
def canonical_action(view, rules, action):
    """Return the first action with the effect of this one, on a cell like this one's; -1 if that is itself."""
    first = FIRST_PLACE if action < rules.first_flip else rules.first_flip
    cell = action - first
    if action < FIRST_PLACE or cell >= rules.cells or rules.row_clear:
        return -1
    for other in range(cell):
        if are_alike(view, rules, cell, other):
            return first + other
    return -1


@scripted
def stopped_margins(game, rules, margins):
    """Write the expected result of a round that was stopped: the margins of the cards as they lie, hidden ones counted
    as the mean, and a penalty to each seat that is behind. Without the penalty, two players that are content to wait
    would never end a round.
    """
    cards, points, total = 0, 0, 0.0
    for k in range(SPAN):
        cards += game.hidden_pool[k]
        points += game.hidden_pool[k] * (k + LOWEST)
    mean = points / max(cards, 1)
    for seat in range(rules.players):
        total += game.open_sum[seat] + mean * game.hidden_left[seat]
    for seat in range(rules.players):
        own = game.open_sum[seat] + mean * game.hidden_left[seat]
        margin = (total - own) / (rules.players - 1) - own
        margins[seat] = margin + (STOP_PENALTY if margin > 0 or (margin == 0 and seat == 0) else -STOP_PENALTY)


@scripted
def expected_margins(view, rules, weights, layout, values, margins):
    """Write the margins that the network expects; `values` is room."""
    seat_values(view, rules, weights, layout, values)
    seat = view[AT_SEAT]
    for place in range(rules.players):
        margins[seat] = POINTS * values[place]
        seat = seat + 1 if seat + 1 < rules.players else 0


@scripted
def add_margins(rules, margins, share, worth):
    """Add `share` times these margins."""
    for seat in range(rules.players):
        worth[seat] += share * margins[seat]


@scripted
def add_worth(games, rules, weights, layout, key, share, view, scratch, worth):
    """Add `share` times the value of the table at `games[0]` to every seat; `games[1]` is working space."""
    game = games[0]
    if game.phase == ENDS:
        expect_end(games, rules, scratch.cells, scratch.pool, key, share, worth)
        return
    write_observation(game, rules, game.seat, view)
    drags = game.phase == TURN and game.turns >= SLOW_AFTER_TURNS * rules.players
    stops = 1.0 if game.phase == STOPS else STOP_PROBABILITY if drags else 0.0
    if stops > 0:
        stopped_margins(game, rules, scratch.margins)
        add_margins(rules, scratch.margins, stops * share, worth)
    if stops < 1:
        expected_margins(view, rules, weights, layout, scratch.values, scratch.margins)
        add_margins(rules, scratch.margins, (1 - stops) * share, worth)


@scripted
def count_cards(games, rules, action, scratch):
    """Count the cards that an action at `games[0]` may bring, by value; returns how many. `games[1]` is room."""
    total = 0
    scratch.counts[:] = 0
    games[1] = games[0]
    prepare(games[1], rules, action, np.empty(0, np.int64), scratch.counts)
    for k in range(SPAN):
        total += scratch.counts[k]
    return total


@scripted
def carry_out(games, rules, action, card, scratch):
    """Make `games[1]` the table after an action that brings this card."""
    cards = np.empty(1, np.int64)
    cards[0] = card
    games[1] = games[0]
    prepare(games[1], rules, action, cards, scratch.unused)
    act(games[1], rules, action, None)


@scripted
def weigh(games, rules, action, weights, layout, key, view, scratch, worth):
    """Write the value of a legal action to every seat; `games[0]` is the table, the others are room."""
    worth[:] = 0
    total = count_cards(games, rules, action, scratch)
    if total == 0:
        act(games[1], rules, action, None)
        add_worth(games[1:], rules, weights, layout, key, 1.0, view, scratch, worth)
    for k in range(SPAN):
        if scratch.counts[k] > 0:
            carry_out(games, rules, action, k + LOWEST, scratch)
            add_worth(games[1:], rules, weights, layout, key, scratch.counts[k] / total, view, scratch, worth)


@scripted
def guess(game, rules, observation, key):
    """Return a table that looks like this view; the cards below the top of the discard pile are unknown."""
    sample(game, rules, observation, key, ROUND_EPISODE)
    shuffle(game, game.piles, game.discard_size - 1)


@scripted
def consider_best(view, rules, player, width, considered):
    """Mark the `width` actions that the policy rates highest; of actions that come to the same, only the first.

    All are marked with a width of 0, and in the final lap, which `lookahead` plays perfectly.
    """
    different = 0
    for action in range(rules.actions):
        considered[action] = may(view, rules, action) and canonical_action(view, rules, action) < 0
        different += considered[action]
    if width == 0 or different <= width or view[AT_ENDER] != NOBODY:
        return
    logits = np.empty(rules.actions, np.float32)
    write_logits(view, rules, player.chooser, player.layout, logits)
    for _ in range(different - width):
        worst = -1
        for action in range(rules.actions):
            if considered[action] and (worst < 0 or logits[action] < logits[worst]):
                worst = action
        considered[worst] = False


@scripted
def weigh_all(observation, rules, considered, weights, layout, key, action_values):
    """Write the value of every action to every seat; NaN for those that are illegal or not considered.

    Returns the best one for the seat that decides.
    """
    games, scratch, view = np.empty(3, GAME_DTYPE), np.empty(1, SCRATCH_DTYPE), np.empty_like(observation)
    guess(games[0], rules, observation, key)
    seat, best = games[0].seat, -1
    for action in range(rules.actions):
        action_values[action] = np.nan
        if not may(observation, rules, action):
            continue
        like = canonical_action(observation, rules, action)
        if like >= 0:
            action_values[action] = action_values[like]
            continue
        if not considered[action]:
            continue
        weigh(games, rules, action, weights, layout, key, view, scratch[0], action_values[action])
        if best < 0 or action_values[action, seat] > action_values[best, seat]:
            best = action
    return best


@scripted
def goes_further(view, depth):
    """Return whether the search continues to the end of the turn; always in the final lap, where the seat has no later
    choice.
    """
    return depth > 1 or view[AT_ENDER] != NOBODY


@scripted
def add_best(game, rules, weights, layout, key, share, view, worth):
    """Add `share` times the value of the table to every seat after the best next action."""
    action_values = np.empty((rules.actions, rules.players))
    write_observation(game, rules, game.seat, view)
    best = weigh_all(view, rules, np.ones(rules.actions, np.bool_), weights, layout, key, action_values)
    for seat in range(rules.players):
        worth[seat] += share * action_values[best, seat]


@scripted
def weigh_turn(observation, rules, weights, layout, key, action_values):
    """Write what taking and drawing are worth if the seat then makes the best of every card."""
    games, scratch, view = np.empty(2, GAME_DTYPE), np.empty(1, SCRATCH_DTYPE), np.empty_like(observation)
    guess(games[0], rules, observation, key)
    for action in range(FIRST_PLACE):
        if not may(observation, rules, action):
            continue
        action_values[action] = 0
        total = count_cards(games, rules, action, scratch[0])
        if total == 0:
            act(games[1], rules, action, None)
            add_best(games[1], rules, weights, layout, key, 1.0, view, action_values[action])
        for k in range(SPAN):
            if scratch[0].counts[k] > 0:
                carry_out(games, rules, action, k + LOWEST, scratch[0])
                share = scratch[0].counts[k] / total
                add_best(games[1], rules, weights, layout, key, share, view, action_values[action])


@scripted
def weigh_choices(view, rules, considered, weights, layout, depth, key, action_values):
    """Write the value of every action to every seat, one decision ahead or, with a depth of 2, to the end of the turn.

    Returns the best one for the seat that decides.
    """
    best = weigh_all(view, rules, considered, weights, layout, key, action_values)
    if view[AT_PHASE] != TURN or not goes_further(view, depth):
        return best
    weigh_turn(view, rules, weights, layout, key, action_values)
    seat = view[AT_SEAT]
    return DRAW if not action_values[TAKE, seat] > action_values[DRAW, seat] and may(view, rules, DRAW) else TAKE


@scripted
def look(view, rules, player):
    """Return the decision of a player that looks ahead."""
    action_values, considered = np.empty((rules.actions, rules.players)), np.empty(rules.actions, np.bool_)
    network = player.weights, player.layout
    key = next_number(view, player)
    consider_best(view, rules, player, player.width, considered)
    return moved_on(view, rules, weigh_choices(view, rules, considered, *network, player.depth, key, action_values))


@scripted
def consider_only(view, rules, action, considered):
    """Leave out all actions but this one, or the earlier one that it comes to the same as."""
    like = canonical_action(view, rules, action)
    considered[:] = False
    considered[like if like >= 0 else action] = True


@scripted
def label(view, rules, weights, layout, key, played, is_alone, scratch, action_values, follows, values):
    """Write the worth of every action to the seat that decides, the worth to all seats of the action that is `played`,
    or else of the best one, and the network's own values of the table, all in units of the reward. Returns the best
    action.

    `played` is -1 where nobody has decided yet, `scratch` [actions, seats]. If `is_alone`, that action alone has a
    worth.
    """
    considered, seat = np.ones(rules.actions, np.bool_), view[AT_SEAT]
    if is_alone:
        consider_only(view, rules, played, considered)
    best = weigh_all(view, rules, considered, weights, layout, key, scratch)
    chosen = played if played >= 0 else best
    for action in range(rules.actions):
        action_values[action] = scratch[action, seat] / POINTS
    for place in range(rules.players):
        follows[place] = scratch[chosen, (seat + place) % rules.players] / POINTS
    seat_values(view, rules, weights, layout, values)
    return best


@scripted
def label_tables(views, rules, weights, layout, is_alone, keys, played, action_values, follows, values, actions):
    """Write the values of actions and tables, in units of the reward, and return the best action.

    Every action is valued for the seat that decides. The action that is `played`, or else the best one, is valued for
    all seats, and so is the table, by the network alone.

    `played` is -1 where no seat has decided yet, `scratch` is [actions, seats]. If `is_alone`, only that action is
    valued.
    """
    scratch = np.empty((rules[0].actions, rules[0].players))
    for table in range(len(views)):
        arguments = weights, layout, keys[table], played[table], is_alone, scratch
        actions[table] = label(views[table], rules[0], *arguments, action_values[table], follows[table], values[table])
