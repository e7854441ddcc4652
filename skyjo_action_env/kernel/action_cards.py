"""What action cards do, decision by decision (section 7). A function that returns True has carried a card out."""

from cardtable.table.kernel.events import note, note_list

from skyjo_action_env.kernel import cards, kernel, state
from skyjo_action_env.kernel.cards import lay, move_cards, watch_hidden
from skyjo_action_env.kernel.lines import cell_of, line_length
from skyjo_action_env.kernel.state import CELLS, EMPTY, HIDDEN, NOBODY
from skyjo_action_env.kernel.view import can_lose_card, seat_after

UNDEFENDED, ASKED, STOPPED = range(3)  # what becomes of an attack
# By kind: what is decided first; nothing where the turn goes on.
FIRST_PHASES = (
    *(state.TURN, state.SWAP_FIRST, state.THREE_CARD, state.TURN, state.LOOK_AT, state.EXCHANGE_FIRST),
    *(state.REMOVE_CARD, state.REPLAY_KIND, state.STEAL_FROM),
)


# Defence (7.4)


@kernel
def defend(game, seat, log):
    """A defence stops an attack and is used up."""
    game.held[seat, state.DEFENCE] -= 1
    cards.lay_action(game, state.DEFENCE)
    note(log, state.ATTACK_STOPPED, seat)


@kernel
def meet_defence(game, rules, seat, log):
    """A player is attacked, who may hold a defence: is there none, is the player asked, or is the attack stopped?"""
    if game.held[seat, state.DEFENCE] == 0:
        return UNDEFENDED
    if rules.defence == state.DEFENCE_AUTOMATIC:
        defend(game, seat, log)
        return STOPPED
    game.attacked, game.seat, game.phase = seat, seat, state.DEFEND_ASKED
    return ASKED


# Exchange (7.6)


@kernel
def attack_owners(game, rules, is_asked, log):
    """The owners of the two chosen cards may be defended; those up to the one who was asked have been."""
    for place in (game.chosen, game.chosen_with):
        owner = place // CELLS
        if is_asked:
            is_asked = owner != game.attacked
            continue
        met = UNDEFENDED if owner == game.mover else meet_defence(game, rules, owner, log)
        if met != UNDEFENDED:
            return met == STOPPED
    first, other = game.chosen, game.chosen_with
    move_cards(game, first // CELLS, first % CELLS, other // CELLS, other % CELLS, log)
    return True


# Remove (7.7)


@kernel
def attack_next(game, rules, log):
    """Go on to the next player who can be attacked and is not defended."""
    seat = seat_after(rules, game.attacked, 1)
    while seat != game.mover:
        if can_lose_card(game, rules, seat):
            met = meet_defence(game, rules, seat, log)
            if met == UNDEFENDED:
                game.attacked, game.seat, game.phase = seat, game.mover, state.REMOVE_CARD
            if met != STOPPED:
                return False
        seat = seat_after(rules, seat, 1)
    return True


@kernel
def remove_card(game, rules, cell, log):
    """A card of the attacked goes under the discard pile, and the next card of the draw pile takes its place, open."""
    seat = game.attacked
    card, is_hidden = game.cards[seat, cell], game.shown[seat, cell] == HIDDEN
    if is_hidden:
        game.hidden_left[seat] -= 1
        game.knowers[seat, cell] = 0
    else:
        game.open_sum[seat] -= cards.points(card)
    game.shown[seat, cell] = EMPTY
    cards.put_under(game, rules, card, is_hidden)
    drawn = cards.draw_card(game, log)
    cards.see_drawn_card(game, drawn)
    lay(game, seat, cell, drawn)
    note(log, state.CARD_REMOVED, seat, cell, HIDDEN if is_hidden else card, drawn)
    return attack_next(game, rules, log)


@kernel
def remove_action(game, rules, kind, log):
    """An action card of the attacked is discarded, and its owner receives the next one."""
    received = state.NO_KIND
    game.held[game.attacked, kind] -= 1
    cards.lay_action(game, kind)
    if cards.has_next_action(game, rules):
        received = cards.next_action(game, rules, log)
        game.held[game.attacked, received] += 1
    note(log, state.ACTION_REMOVED, game.attacked, kind, received)
    return attack_next(game, rules, log)


# Cards are carried out


@kernel
def look(game, seat, line, log):
    """The player looks at the hidden cards of a line (7.5)."""
    for k in range(line_length(line)):
        cell = cell_of(line, k)
        if game.shown[seat, cell] == HIDDEN:
            if game.watching:
                watch_hidden(game, seat, cell)
            game.knowers[seat, cell] |= 1 << game.mover
            note(log, state.CARDS_LOOKED_AT, game.mover, seat, 1, cell, 1, game.cards[seat, cell])


@kernel
def begin(game, rules, kind, log):
    """Carry out an action card that takes no replay, up to its first decision."""
    cards.lay_action(game, kind)
    game.played, game.attacked, game.seat = kind, NOBODY, game.mover
    note(log, state.ACTION_PLAYED, game.mover, kind)
    if kind in (state.DOUBLE, state.DEFENCE):
        game.extra_turns += 2 if kind == state.DOUBLE else 1
        return True
    if kind == state.REMOVE:
        game.attacked = game.mover
        return attack_next(game, rules, log)
    game.phase = FIRST_PHASES[kind]
    if kind == state.THREE:
        for k in range(state.HAND):
            game.hand[k] = cards.draw_card(game, log)
        note(log, state.CARDS_DRAWN, game.mover)
        note_list(log, game.hand, state.HAND)
    return False


@kernel
def replay(game, rules, kind, log):
    """A replay carries out a card of the discard pile (7.8)."""
    cards.take_discarded(game, kind)
    return begin(game, rules, kind, log)


@kernel
def play_card(game, rules, kind, log):
    """The player plays an action card (4.2)."""
    game.held[game.mover, kind] -= 1
    game.plays[game.mover] += 1
    if kind != state.REPLAY:
        return begin(game, rules, kind, log)
    top = cards.top_action(game)
    cards.lay_action(game, state.REPLAY)
    note(log, state.ACTION_PLAYED, game.mover, state.REPLAY)
    if rules.replay != state.REPLAY_ANY:
        return replay(game, rules, top, log)
    game.played, game.phase = state.REPLAY, state.REPLAY_KIND
    return False


@kernel
def attack_holder(game, rules, seat, log):
    """A steal attacks this player (7.9)."""
    met = meet_defence(game, rules, seat, log)
    if met == UNDEFENDED:
        game.attacked, game.phase = seat, state.STEAL_KIND
    return met == STOPPED


@kernel
def answer_attack(game, rules, is_defended, log):
    """The attacked player has decided about their defence."""
    game.seat = game.mover
    if is_defended:
        defend(game, game.attacked, log)
        return game.played != state.REMOVE or attack_next(game, rules, log)
    note(log, state.ATTACK_ALLOWED, game.attacked)
    if game.played == state.EXCHANGE:
        return attack_owners(game, rules, True, log)
    game.phase = state.REMOVE_CARD if game.played == state.REMOVE else state.STEAL_KIND
    return False
