"""Two tables that differ only in what a seat may not see: observation, mask and events must be the same at both."""

import random
from typing import Any

import numpy as np

import skipbo_env
import skyjo_action_env
import skyjo_env
from campaign.batch import Batch, Result
from skipbo_env.kernel.state import DISCARD
from skyjo_action_env.kernel.state import OPEN as FIRST_ACTION_CARD
from tests.games.players import random_legal
from tests.skipbo_env import test_leak as skipbo
from tests.skipbo_env.marked import MarkedTable
from tests.skipbo_env.tables import random_rules as random_skipbo_rules
from tests.skyjo_action_env import test_leak as skyjo_action
from tests.skyjo_action_env.lockstep import random_rules as random_action_rules
from tests.skyjo_env import test_leak as skyjo
from tests.skyjo_env.lockstep import random_rules as random_skyjo_rules

COMPARISONS = 3000  # of a batch
MOST = 300  # decisions at a table


def run(batch: Batch, comparisons: int = COMPARISONS) -> Result:
    """One table after another, each looked at every few decisions."""
    chance, result = batch.chance, Result()
    look = {"skyjo": skyjo_table, "skipbo": skipbo_table, "skyjo_action": action_table}[batch.game]
    while result.done < comparisons and not result.failures:
        look(chance, result)
    return result


def skyjo_table(chance: random.Random, result: Result) -> None:
    """All seats of a table of Skyjo; a drawn card is hidden from the others too."""
    table = skyjo_env.Game(random_skyjo_rules(chance), chance.randrange(2**64))
    seats = [*range(table.rules.players)]
    for _ in range(MOST):
        if table.is_over:
            return
        action = chance.choice(table.legal_actions())
        other = skyjo.permuted(table, chance, with_hand=False)
        compare(table, other, seats, result, with_mask=True)
        if table.phase == "drawn":
            others = [seat for seat in seats if seat != table.seat]
            compare(table, skyjo.permuted(table, chance, with_hand=True), others, result, with_mask=False)
        if chance.random() < 0.2:
            compare_drawing(table, seats, chance, result)
        table.apply(action)


def compare_drawing(table: Any, seats: list[int], chance: random.Random, result: Result) -> None:
    """Only its holder learns which card was drawn; the others only that one was drawn."""
    if table.phase != "turn" or 0 not in table.legal_actions():
        return
    one, other = table.copy(), skyjo.permuted(table, chance, with_hand=False)
    told, told_other = one.play(0), other.play(0)
    for seat in seats:
        if seat != table.seat and _is_drawing(told):
            result.done += 1
            if _seen(told, seat) != _seen(told_other, seat):
                result.fail(f"skyjo: seat {seat} is told a drawn card", **described(table))


def _is_drawing(events: tuple[Any, ...]) -> bool:
    """Nothing but a card was drawn: after a reshuffle the piles themselves differ."""
    return len(events) == 1 and type(events[0]).__name__ == "CardDrawn"


def _seen(events: tuple[Any, ...], seat: int) -> list[Any]:
    from skyjo_env.events import seen_by

    return [seen_by(event, seat) for event in events]


def skipbo_table(chance: random.Random, result: Result) -> None:
    """A random seat at a time; hands, stock piles, the draw pile and everything outside its view are hidden."""
    view, stock = chance.choice(("table", "tops", "own")), chance.choice((None, 6))
    rules = random_skipbo_rules(chance).replace(view=view, stock=stock)
    seed = chance.randrange(2**64)
    table, marked = skipbo_env.Game(rules, seed), MarkedTable(rules, seed)
    for decisions in range(2 * MOST):
        if table.is_over:
            return
        if decisions % 4 == 0:
            seat = chance.randrange(rules.players)
            other = skipbo.permuted(table, marked, seat, chance)
            compare(table, other, [seat], result, with_mask=seat == table.seat)
        action = random_legal(table.legal_actions(), chance, DISCARD)
        table.apply(action)
        marked.apply(action)


def action_table(chance: random.Random, result: Result) -> None:
    """A random seat at a time, which may know some of the hidden cards."""
    table = skyjo_action_env.Game(random_action_rules(chance), chance.randrange(2**64))
    for decisions in range(MOST):
        if table.is_over:
            return
        if decisions % 4 == 0:
            seat = chance.randrange(table.rules.players)
            other = skyjo_action.permuted(table, seat, chance)
            compare(table, other, [seat], result, with_mask=seat == table.seat)
        table.apply(random_legal(table.legal_actions(), chance, FIRST_ACTION_CARD, 0.4))


def compare(table: Any, other: Any, seats: list[int], result: Result, with_mask: bool) -> None:
    """Observations of these seats, and what the seat that decides may do."""
    for seat in seats:
        result.done += 1
        if not np.array_equal(table.observation(seat), other.observation(seat)):
            result.fail(f"seat {seat} sees what it may not, in phase {table.phase}", **described(table))
    if with_mask and not np.array_equal(table.mask(), other.mask()):
        result.fail(f"what is legal tells what may not be seen, in phase {table.phase}", **described(table))


def described(table: Any) -> dict[str, str]:
    """The inputs with which a failure can be looked at again."""
    return {"position": table.position()}
