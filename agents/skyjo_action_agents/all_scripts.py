"""All scripts together, so that decisions at many tables and whole rounds are one call of compiled code."""

from cardtable.kernel.rounds import decisions_loop
from skyjo_action_agents.answers import (
    choose_kind,
    choose_line,
    choose_of_three,
    choose_top,
    clear_or_keep,
    defend,
    exchange,
    remove,
    swap,
)
from skyjo_action_agents.moves import best_flip, place_or_flip
from skyjo_action_agents.player import inlined_script, scripted
from skyjo_action_agents.table import study
from skyjo_action_agents.turns import claim, take_turn
from skyjo_action_env.kernel.state import (
    CLAIM,
    DEFEND_ASKED,
    DRAWN,
    EXCHANGE_FIRST,
    EXCHANGE_WITH,
    FLIP,
    LINE,
    LOOK_AT,
    OPENING,
    REMOVE_CARD,
    SWAP_FIRST,
    SWAP_WITH,
    TAKEN,
    THREE_CARD,
    THREE_FLIP,
    THREE_PLACE,
    THREE_TOP,
    TURN,
)
from skyjo_action_env.kernel.view import AT_PHASE


@scripted
def of_three(view, rules, player, phase):
    """The decisions of three."""
    if phase == THREE_CARD:
        return choose_of_three(view, rules, player)
    return choose_top(view, rules, player) if phase == THREE_TOP else place_or_flip(view, rules, player)


@scripted
def answer(view, rules, player, phase):
    """The decisions that stars and action cards bring about, but for those of three."""
    if phase == CLAIM:
        return claim(view, rules, player)
    if phase == LINE:
        return clear_or_keep(view, rules, player)
    if phase in (SWAP_FIRST, SWAP_WITH):
        return swap(view, rules, player, phase == SWAP_FIRST)
    if phase in (EXCHANGE_FIRST, EXCHANGE_WITH):
        return exchange(view, rules, player, phase == EXCHANGE_FIRST)
    if phase == LOOK_AT:
        return choose_line(view, rules, player)
    if phase == REMOVE_CARD:
        return remove(view, rules, player)
    if phase == DEFEND_ASKED:
        return defend(view, rules, player)
    return choose_kind(view, rules, player)


@inlined_script
def decision(view, rules, player):
    """What a player does."""
    phase = view[AT_PHASE]
    study(view, rules, player)
    if phase == TURN:
        return take_turn(view, rules, player)
    if phase in (DRAWN, TAKEN):
        return place_or_flip(view, rules, player)
    if phase in (OPENING, THREE_FLIP):
        return FLIP + best_flip(view, rules, player)[0]
    if phase in (THREE_CARD, THREE_PLACE, THREE_TOP):
        return of_three(view, rules, player, phase)
    return answer(view, rules, player, phase)


decide = decisions_loop(decision, scripted)
