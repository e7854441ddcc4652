"""Legal actions (10.3, 10.4), and the effects of action cards, decision by decision (section 7)."""

from cardtable.table.kernel.events import note, note_list
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import CELLS, EMPTY, HIDDEN, KINDS, LINES, NO_KIND, NOBODY, cards, inlined_kernel, kernel
from skyjo_action_env.kernel.cards import can_draw, cards_left, cell_of, has_next_action, line_length, watch_hidden


@kernel
def seat_after(rules, seat, places):
    """Return the seat that is so many places clockwise from another one (1.3)."""
    return seat + places if seat + places < rules.players else seat + places - rules.players


# What can be carried out (4.2)


@kernel
def can_lose_card(game, rules, seat):
    """Return whether a remove can attack this player (7.7)."""
    return cards_left(game, seat) > 0 or (rules.remove_action_cards != 0 and game.held[seat].sum() > 0)


@kernel
def can_do(game, rules, kind):
    """Return whether an action card that does not use another one can be carried out."""
    if kind == state.SWAP:
        return cards_left(game, game.mover) >= 2
    if kind == state.THREE:
        return cards_left(game, game.mover) > 0 and game.pile_left + game.discard_size > state.HAND
    if kind == state.LOOK:
        return game.hidden_left.max() > 0  # 7.5
    if kind == state.EXCHANGE:
        layouts = 0
        for seat in range(rules.players):
            layouts += cards_left(game, seat) > 0
        return layouts >= 2  # 7.6
    if kind == state.REMOVE:
        for seat in range(rules.players):
            if seat != game.mover and can_lose_card(game, rules, seat):
                return True
        return False
    return kind in (state.DOUBLE, state.DEFENCE)


@kernel
def can_steal(game, rules, seat, kind):
    """Return whether this player holds such a card, and it can be carried out once they no longer hold it (7.9)."""
    if game.held[seat, kind] == 0:
        return False
    game.held[seat, kind] -= 1
    is_possible = can_do(game, rules, kind)
    game.held[seat, kind] += 1
    return is_possible


@kernel
def can_steal_from(game, rules, seat):
    """Return whether a steal can attack this player (7.9)."""
    if seat == game.mover:
        return False
    for kind in range(len(KINDS)):
        if can_steal(game, rules, seat, kind):
            return True
    return False


@kernel
def can_carry_out(game, rules, kind):
    """Return whether an action card can be carried out; False for a replay."""
    if kind == state.STEAL:
        for seat in range(rules.players):
            if can_steal_from(game, rules, seat):
                return True
        return False
    return kind != state.REPLAY and can_do(game, rules, kind)


@kernel
def can_replay(game, rules, kind):
    """Return whether a replay can carry out this card (7.8)."""
    if rules.replay == state.REPLAY_ANY:
        return game.action_discards[kind] > 0 and can_carry_out(game, rules, kind)
    return cards.top_action(game) == kind and can_carry_out(game, rules, kind)


@kernel
def can_play(game, rules, kind):
    """Return whether the player can carry out an action card of this kind that they hold."""
    if kind != state.REPLAY:
        return can_carry_out(game, rules, kind)
    for other in range(len(KINDS)):
        if can_replay(game, rules, other):
            return True
    return False


# What is legal (10.4)


@kernel
def may_place(phase):
    """Return whether a card is to be laid on a cell."""
    return phase in (state.DRAWN, state.TAKEN, state.THREE_PLACE)


@kernel
def may_flip(phase):
    """Return whether a hidden card may be turned up."""
    return phase in (state.OPENING, state.DRAWN, state.THREE_FLIP)


@kernel
def may_take_action(game, rules):
    """Return whether an action card may be taken now, if there is one (4.1, 4.6, 5.4)."""
    if game.phase == state.TURN:
        return game.ender == NOBODY or rules.final_lap_take != 0
    return game.phase == state.CLAIM


@kernel
def is_ready(game, kind):
    """Return whether the player may use an action card of this kind in this turn (4.3, 4.4, 4.6)."""
    return game.phase == state.TURN and game.ender == NOBODY and game.held[game.mover, kind] > game.fresh[kind]


@kernel
def may_play(game, rules, kind):
    """Return whether a card of this kind may be played, or be chosen by a replay or a steal."""
    if game.phase == state.TURN:
        return is_ready(game, kind) and can_play(game, rules, kind)
    if game.phase == state.REPLAY_KIND:
        return can_replay(game, rules, kind)
    return game.phase == state.STEAL_KIND and can_steal(game, rules, game.attacked, kind)


@kernel
def is_later(game, rules, seat, other):
    """Return whether this seat comes after another one, clockwise from the mover (7.11)."""
    players = rules.players
    return (seat - game.mover + players) % players > (other - game.mover + players) % players


@kernel
def has_later(game, rules, seat, cell):
    """Return whether there is another card to choose after this one. It is of the same layout to swap with (7.2), and
    of a later one to exchange with (7.6).
    """
    if game.phase == state.SWAP_FIRST:
        return cell + 1 < CELLS and game.shown[seat, cell + 1 :].min() < EMPTY
    for other in range(rules.players):
        if is_later(game, rules, other, seat) and cards_left(game, other) > 0:
            return True
    return False


@kernel
def may_choose(game, rules, seat, cell):
    """Return whether this cell may be chosen now (7.2, 7.6, 7.7, 7.9)."""
    phase = game.phase
    if phase == state.STEAL_FROM:
        return cell == 0 and can_steal_from(game, rules, seat)
    if game.shown[seat, cell] == EMPTY:
        return False
    if phase == state.SWAP_FIRST:
        return seat == game.mover and has_later(game, rules, seat, cell)
    if phase == state.SWAP_WITH:
        return seat == game.mover and cell > game.chosen % CELLS
    if phase == state.EXCHANGE_FIRST:
        return has_later(game, rules, seat, cell)
    if phase == state.EXCHANGE_WITH:
        return is_later(game, rules, seat, game.chosen // CELLS)
    return phase == state.REMOVE_CARD and seat == game.attacked


@kernel
def may_look(game, seat, line):
    """Return whether this line has a hidden card to look at (7.5)."""
    if game.phase == state.LOOK_AT:
        for k in range(line_length(line)):
            if game.shown[seat, cell_of(line, k)] == HIDDEN:
                return True
    return False


@kernel
def is_legal_choice(game, rules, action):
    """Return whether this cell, line, card or answer may be chosen (10.3)."""
    phase = game.phase
    if action < rules.first_line:
        at = action - state.CHOOSE
        return may_choose(game, rules, seat_after(rules, game.seat, at // CELLS), at % CELLS)
    if action < rules.first_card:
        at = action - rules.first_line
        return may_look(game, seat_after(rules, game.seat, at // LINES), at % LINES)
    if action == rules.first_card + state.NO_CARD:  # none of three is laid (7.3)
        return phase == state.THREE_CARD and game.hidden_left[game.seat] > 0
    if action < rules.clear_line:
        return phase in (state.THREE_CARD, state.THREE_TOP) and game.hand[action - rules.first_card] != EMPTY
    return phase == (state.LINE if action < rules.defend else state.DEFEND_ASKED)


@kernel
def is_legal_card(game, rules, action):
    """Return whether an action card may be taken (4.1, 5.4), played or discarded (4.2), or a claim refused (5.3)."""
    phase, kind = game.phase, (action - state.PLAY) % len(KINDS)
    if action < state.ACTION_PILE:
        return may_take_action(game, rules) and game.open_actions[action - state.OPEN] != NO_KIND
    if action == state.ACTION_PILE:
        is_usable = phase == state.TURN or rules.star_source == state.FROM_OPEN_OR_PILE
        return may_take_action(game, rules) and is_usable and has_next_action(game, rules)
    if action == state.PASS:
        must_pass = phase == state.TURN and cards_left(game, game.seat) == 0  # 3.5
        return must_pass or (phase == state.CLAIM and rules.star_claim == state.CLAIM_MAY)
    if action < state.DISCARD:
        return may_play(game, rules, kind)
    if phase == state.REMOVE_CARD:  # 7.7
        return rules.remove_action_cards != 0 and game.held[game.attacked, kind] > 0
    return is_ready(game, kind)


@kernel
def is_legal(game, rules, action):
    """Return whether the seat that decides may take this action now (10.3, 10.4); False for any other number."""
    if action < 0 or action >= rules.actions:
        return False
    if action < state.PLACE:
        has_cards = cards_left(game, game.seat) > 0
        return game.phase == state.TURN and has_cards and (action == state.TAKE or can_draw(game))
    if action < state.FLIP:
        return may_place(game.phase) and game.shown[game.seat, action - state.PLACE] != EMPTY
    if action < state.OPEN:
        return may_flip(game.phase) and game.shown[game.seat, action - state.FLIP] == HIDDEN
    if action < state.CHOOSE:
        return is_legal_card(game, rules, action)
    return is_legal_choice(game, rules, action)


# What is legal, all at once


@kernel
def mask_turn(game, rules, mask):
    """Write the legal actions of a turn (3.1)."""
    has_cards = cards_left(game, game.seat) > 0
    mask[state.DRAW], mask[state.TAKE], mask[state.PASS] = has_cards and can_draw(game), has_cards, not has_cards
    if may_take_action(game, rules):
        for place in range(state.PLACES):
            mask[state.OPEN + place] = game.open_actions[place] != NO_KIND
        mask[state.ACTION_PILE] = has_next_action(game, rules)
    for kind in range(len(KINDS)):
        if is_ready(game, kind):
            mask[state.PLAY + kind], mask[state.DISCARD + kind] = can_play(game, rules, kind), 1


@kernel
def mask_rest(game, rules, mask):
    """Write the legal actions of any other phase."""
    first, end = state.DISCARD, state.CHOOSE
    if may_place(game.phase) or may_flip(game.phase):
        first, end = state.PLACE, state.OPEN
    elif game.phase == state.LOOK_AT:
        first, end = rules.first_line, rules.first_card
    elif game.phase in (state.LINE, state.THREE_CARD, state.THREE_TOP, state.DEFEND_ASKED):
        first, end = rules.first_card, rules.actions
    elif game.phase in (state.CLAIM, state.REPLAY_KIND, state.STEAL_KIND):
        first, end = state.OPEN, state.DISCARD
    else:
        for at in range(CELLS * rules.players):
            seat = seat_after(rules, game.seat, at // CELLS)
            mask[state.CHOOSE + at] = may_choose(game, rules, seat, at % CELLS)
    for action in range(first, end):
        mask[action] = is_legal(game, rules, action)


@inlined_kernel
def write_mask(game, rules, mask):
    """Write 1 for every action that is legal now and 0 for the others; return how many are."""
    mask[:] = 0
    if game.phase == state.TURN:
        mask_turn(game, rules, mask)
    else:
        mask_rest(game, rules, mask)
    return mask.sum()


@kernel
def write_masks(games, rules, masks):
    """Write the masks of many tables; the rules are an array of one record."""
    for table in range(len(games)):
        write_mask(games[table], rules[0], masks[table])


# What action cards do: a function that returns True has carried a card out


UNDEFENDED, ASKED, STOPPED = range(3)  # what becomes of an attack
# By kind: what is decided first; nothing where the turn goes on.
FIRST_PHASES = (
    *(state.TURN, state.SWAP_FIRST, state.THREE_CARD, state.TURN, state.LOOK_AT, state.EXCHANGE_FIRST),
    *(state.REMOVE_CARD, state.REPLAY_KIND, state.STEAL_FROM),
)


# Defence (7.4)


@kernel
def defend(game, seat, log):
    """Stop an attack by a defence, which is used up."""
    game.held[seat, state.DEFENCE] -= 1
    cards.lay_action(game, state.DEFENCE)
    note(log, state.ATTACK_STOPPED, seat)


@kernel
def meet_defence(game, rules, seat, log):
    """Return UNDEFENDED, ASKED if the attacked player must be asked, or STOPPED if a defence has stopped the attack."""
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
    """Attack the owners of the two chosen cards, who may be defended; those up to the one who was asked have been."""
    for place in (game.chosen, game.chosen_with):
        owner = place // CELLS
        if is_asked:
            is_asked = owner != game.attacked
            continue
        met = UNDEFENDED if owner == game.mover else meet_defence(game, rules, owner, log)
        if met != UNDEFENDED:
            return met == STOPPED
    first, other = game.chosen, game.chosen_with
    cards.move_cards(game, first // CELLS, first % CELLS, other // CELLS, other % CELLS, log)
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
    """Put a card of the attacked under the discard pile; the next card of the draw pile takes its place, open."""
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
    cards.lay(game, seat, cell, drawn)
    note(log, state.CARD_REMOVED, seat, cell, HIDDEN if is_hidden else card, drawn)
    return attack_next(game, rules, log)


@kernel
def remove_action(game, rules, kind, log):
    """Discard an action card of the attacked; its owner receives the next one."""
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
    """Let the player look at the hidden cards of a line (7.5)."""
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
    """Carry out a card of the discard pile for a replay (7.8)."""
    cards.take_discarded(game, kind)
    return begin(game, rules, kind, log)


@kernel
def play_card(game, rules, kind, log):
    """Play an action card (4.2)."""
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
    """Attack this player by a steal (7.9)."""
    met = meet_defence(game, rules, seat, log)
    if met == UNDEFENDED:
        game.attacked, game.phase = seat, state.STEAL_KIND
    return met == STOPPED


@kernel
def answer_attack(game, rules, is_defended, log):
    """Carry out the decision of the attacked player about their defence."""
    game.seat = game.mover
    if is_defended:
        defend(game, game.attacked, log)
        return game.played != state.REMOVE or attack_next(game, rules, log)
    note(log, state.ATTACK_ALLOWED, game.attacked)
    if game.played == state.EXCHANGE:
        return attack_owners(game, rules, True, log)
    game.phase = state.REMOVE_CARD if game.played == state.REMOVE else state.STEAL_KIND
    return False
