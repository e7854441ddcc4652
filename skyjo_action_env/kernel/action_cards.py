"""What action cards do, decision by decision (section 7). A function that returns True has carried a card out."""

from skyjo_action_env.kernel.giving import watch_hidden
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.layout import cards_left, lay, move_cards
from skyjo_action_env.kernel.lines import cell_of, line_length
from skyjo_action_env.kernel.piles import (
    draw_card,
    has_next_action,
    lay_action,
    next_action,
    points,
    put_under,
    see_drawn_card,
    take_discarded,
    top_action,
)
from skyjo_action_env.kernel.state import (
    CELLS,
    DEFENCE,
    DEFENCE_AUTOMATIC,
    DEFEND_ASKED,
    DOUBLE,
    EMPTY,
    EXCHANGE,
    EXCHANGE_FIRST,
    HAND,
    HIDDEN,
    KINDS,
    LOOK,
    LOOK_AT,
    NOBODY,
    REMOVE,
    REMOVE_CARD,
    REPLAY,
    REPLAY_ANY,
    REPLAY_KIND,
    STEAL,
    STEAL_FROM,
    STEAL_KIND,
    SWAP,
    SWAP_FIRST,
    THREE,
    THREE_CARD,
)


@kernel
def next_seat(rules, seat):
    """The next seat clockwise (1.3)."""
    return seat + 1 if seat + 1 < rules.players else 0


# What can be carried out (4.2)


@kernel
def has_hidden_card(game, rules):
    """Is there a card to look at (7.5)?"""
    for seat in range(rules.players):
        if game.hidden_left[seat] > 0:
            return True
    return False


@kernel
def layouts_with_cards(game, rules):
    """How many layouts have a card (7.6)."""
    count = 0
    for seat in range(rules.players):
        count += cards_left(game, seat) > 0
    return count


@kernel
def held_actions(game, seat):
    """The action cards that a player holds."""
    count = 0
    for kind in range(len(KINDS)):
        count += game.held[seat, kind]
    return count


@kernel
def can_lose_card(game, rules, seat):
    """Can this player be attacked by a remove (7.7)?"""
    return cards_left(game, seat) > 0 or (rules.remove_action_cards != 0 and held_actions(game, seat) > 0)


@kernel
def can_do(game, rules, kind):
    """Can an action card that takes no other one be carried out?"""
    if kind == SWAP:
        return cards_left(game, game.mover) >= 2
    if kind == THREE:
        return cards_left(game, game.mover) > 0 and game.pile_left + game.discard_size > HAND
    if kind == LOOK:
        return has_hidden_card(game, rules)
    if kind == EXCHANGE:
        return layouts_with_cards(game, rules) >= 2
    if kind == REMOVE:
        for seat in range(rules.players):
            if seat != game.mover and can_lose_card(game, rules, seat):
                return True
        return False
    return kind in (DOUBLE, DEFENCE)


@kernel
def can_steal(game, rules, seat, kind):
    """Does this player hold such a card, and can it be carried out when they hold it no more (7.9)?"""
    if game.held[seat, kind] == 0:
        return False
    game.held[seat, kind] -= 1
    is_possible = can_do(game, rules, kind)
    game.held[seat, kind] += 1
    return is_possible


@kernel
def can_steal_from(game, rules, seat):
    """Can this player be attacked by a steal (7.9)?"""
    if seat == game.mover:
        return False
    for kind in range(len(KINDS)):
        if can_steal(game, rules, seat, kind):
            return True
    return False


@kernel
def can_carry_out(game, rules, kind):
    """Can an action card be carried out, unless it is a replay?"""
    if kind == STEAL:
        for seat in range(rules.players):
            if can_steal_from(game, rules, seat):
                return True
        return False
    return kind != REPLAY and can_do(game, rules, kind)


@kernel
def can_replay(game, rules, kind):
    """Is this a card that a replay can carry out (7.8)?"""
    if rules.replay == REPLAY_ANY:
        return game.action_discards[kind] > 0 and can_carry_out(game, rules, kind)
    return top_action(game) == kind and can_carry_out(game, rules, kind)


@kernel
def can_play(game, rules, kind):
    """Can the player carry out an action card of this kind that they hold?"""
    if kind != REPLAY:
        return can_carry_out(game, rules, kind)
    for other in range(len(KINDS)):
        if can_replay(game, rules, other):
            return True
    return False


# Defence (7.4)


@kernel
def defend(game, seat):
    """A defence stops an attack and is used up."""
    game.held[seat, DEFENCE] -= 1
    lay_action(game, DEFENCE)


@kernel
def ask_defence(game, seat):
    """Ask the attacked player."""
    game.attacked = seat
    game.seat, game.phase = seat, DEFEND_ASKED


# Exchange (7.6)


@kernel
def exchange(game):
    """The two chosen cards change places."""
    first, other = game.chosen, game.chosen_with
    move_cards(game, first // CELLS, first % CELLS, other // CELLS, other % CELLS)


@kernel
def attack_owners(game, rules, is_asked):
    """The owners of the two chosen cards may be defended; those up to the one who was asked have been."""
    for k in range(2):
        owner = (game.chosen if k == 0 else game.chosen_with) // CELLS
        if is_asked:
            is_asked = owner != game.attacked
            continue
        if owner == game.mover or game.held[owner, DEFENCE] == 0:
            continue
        if rules.defence != DEFENCE_AUTOMATIC:
            ask_defence(game, owner)
            return False
        defend(game, owner)
        return True
    exchange(game)
    return True


# Remove (7.7)


@kernel
def attack_next(game, rules):
    """Go on to the next player who can be attacked and is not defended."""
    seat = next_seat(rules, game.attacked)
    while seat != game.mover:
        if can_lose_card(game, rules, seat):
            is_defended = game.held[seat, DEFENCE] > 0
            if is_defended and rules.defence != DEFENCE_AUTOMATIC:
                ask_defence(game, seat)
                return False
            if not is_defended:
                game.attacked = seat
                game.seat, game.phase = game.mover, REMOVE_CARD
                return False
            defend(game, seat)
        seat = next_seat(rules, seat)
    return True


@kernel
def remove_card(game, rules, cell):
    """A card of the attacked goes under the discard pile, and the next card of the draw pile takes its place, open."""
    seat = game.attacked
    card, is_hidden = game.cards[seat, cell], game.shown[seat, cell] == HIDDEN
    if is_hidden:
        game.hidden_left[seat] -= 1
        game.knowers[seat, cell] = 0
    else:
        game.open_sum[seat] -= points(card)
    game.shown[seat, cell] = EMPTY
    put_under(game, rules, card, is_hidden)
    drawn = draw_card(game)
    see_drawn_card(game, drawn)
    lay(game, seat, cell, drawn)
    return attack_next(game, rules)


@kernel
def remove_action(game, rules, kind):
    """An action card of the attacked is discarded, and its owner receives the next one."""
    game.held[game.attacked, kind] -= 1
    lay_action(game, kind)
    if has_next_action(game, rules):
        game.held[game.attacked, next_action(game, rules)] += 1
    return attack_next(game, rules)


# Cards are carried out


@kernel
def look(game, seat, line):
    """The player looks at the hidden cards of a line (7.5)."""
    for k in range(line_length(line)):
        cell = cell_of(line, k)
        if game.shown[seat, cell] == HIDDEN:
            if game.watching:
                watch_hidden(game, seat, cell)
            game.knowers[seat, cell] |= 1 << game.mover


@kernel
def begin(game, rules, kind):
    """Carry out an action card that takes no replay, up to its first decision."""
    lay_action(game, kind)
    game.played, game.attacked, game.seat = kind, NOBODY, game.mover
    if kind in (DOUBLE, DEFENCE):
        game.extra_turns += 2 if kind == DOUBLE else 1
        return True
    if kind == REMOVE:
        game.attacked = game.mover
        return attack_next(game, rules)
    if kind == SWAP:
        game.phase = SWAP_FIRST
    elif kind == LOOK:
        game.phase = LOOK_AT
    elif kind == EXCHANGE:
        game.phase = EXCHANGE_FIRST
    elif kind == STEAL:
        game.phase = STEAL_FROM
    else:
        for k in range(HAND):
            game.hand[k] = draw_card(game)
        game.phase = THREE_CARD
    return False


@kernel
def replay(game, rules, kind):
    """A replay carries out a card of the discard pile (7.8)."""
    take_discarded(game, kind)
    return begin(game, rules, kind)


@kernel
def play_card(game, rules, kind):
    """The player plays an action card (4.2)."""
    game.held[game.mover, kind] -= 1
    game.plays[game.mover] += 1
    if kind != REPLAY:
        return begin(game, rules, kind)
    top = top_action(game)
    lay_action(game, REPLAY)
    if rules.replay != REPLAY_ANY:
        return replay(game, rules, top)
    game.played, game.phase = REPLAY, REPLAY_KIND
    return False


@kernel
def attack_holder(game, rules, seat):
    """A steal attacks this player (7.9)."""
    game.attacked = seat
    if game.held[seat, DEFENCE] == 0:
        game.phase = STEAL_KIND
        return False
    if rules.defence != DEFENCE_AUTOMATIC:
        ask_defence(game, seat)
        return False
    defend(game, seat)
    return True


@kernel
def steal(game, rules, kind):
    """The stolen card is carried out."""
    game.held[game.attacked, kind] -= 1
    return begin(game, rules, kind)


@kernel
def answer_attack(game, rules, is_defended):
    """The attacked player has decided about their defence."""
    game.seat = game.mover
    if is_defended:
        defend(game, game.attacked)
        return game.played != REMOVE or attack_next(game, rules)
    if game.played == EXCHANGE:
        return attack_owners(game, rules, True)
    game.phase = REMOVE_CARD if game.played == REMOVE else STEAL_KIND
    return False
