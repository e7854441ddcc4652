"""`act` with cards that are given instead of left to chance."""

from cardtable.table.kernel.game_kernel import IMPOSSIBLE
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.play import ENDS, act
from skyjo_action_env.kernel.scoring import turn_all_up
from skyjo_action_env.kernel.state import CODES, REFUSED, TOLD, UNWATCHED, WATCHING


@kernel
def act_with(game, rules, action, cards, counts):
    """`act` with a legal action that brings these cards to light; further cards stay as dealt. If it ends the round,
    all hidden cards are turned up already.

    Returns how many cards came to light, or IMPOSSIBLE if one cannot come: then the table is no longer valid. Of the
    first card that is not given, `counts` says how likely it was to be each one, by code − LOWEST.
    """
    if len(cards) > len(game.given):
        return IMPOSSIBLE
    game.watching, game.brought, game.given_size = WATCHING, 0, len(cards)
    game.given[: len(cards)] = cards
    act(game, rules, action)
    if game.phase == ENDS and not game.is_reveal:
        turn_all_up(game, rules)
    is_refused = game.watching == REFUSED
    if game.watching == TOLD:
        counts[:CODES] = game.odds
    brought = game.brought
    game.watching, game.brought, game.given_size = UNWATCHED, 0, 0
    game.given[:] = 0
    game.odds[:] = 0
    return IMPOSSIBLE if is_refused else brought
