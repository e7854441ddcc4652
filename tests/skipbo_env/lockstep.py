"""Skip-Bo's kernel and oracle in the same words."""

from collections import Counter
from typing import Any

from skipbo_env import NONE, PHASES, UNSEEN, Game, Rules
from tests.games.lockstep import assert_equal
from tests.skipbo_env.oracle import DECK, HAND, PLACES, WILD, Table, together

NOT_TOLD = -1  # what an observation holds in place of what is not counted
COUNTS = ("older", "newer", "doubtful", "completed")
TOLD = ("phase", "seat", "recycles", "ending", "turns", "round", "starter")
BY_SEAT = ("totals", "round_scores")
HIDDEN = ("key", "chance", "still_turns")  # the record's numbers that a game does not tell


def kernel_fields(game: Game) -> dict[str, Any]:
    """Everything in the kernel's record that the rules speak of, in the oracle's words."""
    record, rules = game.state[0], game.rules
    seats, size = range(rules.players), rules.stock_size
    stocks, stock_left = record["stocks"].tolist(), record["stock_left"].tolist()
    hands, hand_size = record["hands"].tolist(), record["hand_size"].tolist()
    piles = record["piles"].tolist()
    return {
        **{name: getattr(game, name) for name in TOLD},
        **{name: list(getattr(game, name)) for name in BY_SEAT},
        "legal": game.legal_actions(),
        "stocks": [stocks[size * seat : size * seat + stock_left[seat]] for seat in seats],
        "hands": [hands[seat][: hand_size[seat]] for seat in seats],
        "discards": piles[: record["laid"]],
        "discard_sizes": record["sizes"][: rules.players].ravel().tolist(),
        "draw_pile": piles[len(DECK) - record["draw_left"] :],
        "odds": record["older_odds"][: rules.players].tolist(),
        "older_in_hands": int(record["older_held"]),
        **{name: int(record[name]) for name in HIDDEN},
        **{name: record[name].tolist() for name in (*COUNTS, "heights", "wild_ranks")},
    }


def oracle_fields(table: Table) -> dict[str, Any]:
    """The same of the oracle."""
    discards = together(*table.discards)
    same = (*TOLD, *BY_SEAT, *HIDDEN, "older_in_hands", "stocks", "hands", "draw_pile")
    return {
        **{name: getattr(table, name) for name in same},
        "legal": table.legal_actions(),
        "discards": together(*discards),
        "discard_sizes": [len(pile) for pile in discards],
        "odds": [odds[1:] for odds in table.chances],
        "heights": [len(pile) for pile in table.building],
        "wild_ranks": [wild_ranks(pile) for pile in table.building],
        **{name: by_card(Counter(getattr(table, name))) for name in COUNTS},
    }


def told_by_game(game: Game) -> list[Any]:
    """What a game tells beside that: by seat, and of all."""
    seats = [
        (game.hand(seat), game.stock_top(seat), game.stock_size(seat), [game.discard_pile(seat, at) for at in PLACES])
        for seat in range(game.rules.players)
    ]
    piles = game.building_piles(), game.draw_pile_size, game.completed_size
    return [*seats, *piles, game.winners, game.is_over, game.is_truncated]


def told_by_oracle(table: Table) -> list[Any]:
    """The same of the oracle."""
    seats = [
        (tuple(hand), stock[-1] if len(stock) > 0 else None, len(stock), list(map(tuple, piles)))
        for hand, stock, piles in zip(table.hands, table.stocks, table.discards, strict=True)
    ]
    piles = tuple(map(len, table.building)), len(table.draw_pile), len(table.completed)
    return [*seats, *piles, tuple(table.winners()), table.phase != "turn", table.phase == "truncated"]


def wild_ranks(pile: list[int]) -> int:
    """Which cards of a building pile are wild: 1 for its first, 2 for its second, 4 for its third, and so on."""
    return sum(2**place for place, card in enumerate(pile) if card == WILD)


def by_card(counts: Counter[int]) -> list[int]:
    """Counts of the cards from 1 to 12 and of the wild cards."""
    return [counts[card] for card in range(1, WILD + 1)]


def expected_view(table: Table, seat: int) -> dict[str, Any]:
    """The observation's slices as they should be, from the oracle's table as this seat sees it (8.1 to 8.6)."""
    rules, players = table.rules, table.players
    clockwise = [(seat + place) % players for place in range(players)]
    own_hand = Counter(table.hands[seat])
    counts = {name: by_card(Counter(getattr(table, name))) for name in COUNTS}
    counts["doubtful"] = by_card(table.doubtful + own_hand)
    odds = [[0] * HAND if other == seat else table.chances[other][1:] for other in clockwise]
    if rules.view != "table":
        counts = {name: [NOT_TOLD] * WILD for name in COUNTS}
        odds = [[NOT_TOLD] * HAND for _ in clockwise]
    seen = [[seen_pile(pile, rules.view, other == seat) for pile in table.discards[other]] for other in clockwise]
    laid = together(*together(*seen)) if rules.view == "table" else []
    filler = NONE if rules.view == "table" else UNSEEN
    is_still = {"is_still": not (table.drew or table.played)} if table.phase == "turn" else {}
    return is_still | {
        "phase": PHASES.index(table.phase),
        "decider": (table.seat - seat) % players,
        "seat": seat,
        "starter": (table.starter - seat) % players,
        "round": table.round,
        "turns": table.turns,
        "recycles": table.recycles,
        "draw_pile_size": len(table.draw_pile),
        "still_turns": table.still_turns,
        "older_held": table.older_in_hands if rules.view == "table" else NOT_TOLD,
        "building": [len(pile) for pile in table.building],
        "building_wilds": [wild_ranks(pile) for pile in table.building],
        "hand": table.hands[seat] + [NONE] * (HAND - len(table.hands[seat])),
        "hand_counts": by_card(own_hand),
        **counts,
        "stock_tops": [top_of(seen_pile(table.stocks[other], rules.view, other == seat)) for other in clockwise],
        "stock_sizes": [len(table.stocks[other]) for other in clockwise],
        "hand_sizes": [len(table.hands[other]) for other in clockwise],
        "totals": [table.totals[other] for other in clockwise],
        "discard_sizes": [[len(pile) for pile in piles] for piles in seen],
        "discard_tops": [[top_of(pile) for pile in piles] for piles in seen],
        "older_odds": odds,
        "discards": laid + [filler] * (len(DECK) - players - len(laid)),
    }


def seen_pile(pile: list[int], view: str, is_own: bool) -> list[int]:
    """What a seat sees of a pile that lies face up (8.1, 8.2)."""
    if view == "table":
        return pile
    if view == "own" and not is_own:
        return [UNSEEN] * len(pile)
    return [UNSEEN] * len(pile[:-1]) + pile[-1:]


def top_of(pile: list[int]) -> int:
    """The card on top of a pile."""
    return pile[-1] if len(pile) > 0 else NONE


def assert_same(game: Game, table: Table, rules: Rules, decisions: int) -> None:
    """Fail with the rules and the differing fields."""
    left, right = kernel_fields(game), oracle_fields(table)
    if decisions % 8 == 0 or game.is_over:
        left, right = left | {"told": told_by_game(game)}, right | {"told": told_by_oracle(table)}
    assert_equal(left, right, rules, f"after {decisions} decisions")
