"""Plays the kernel and the oracle side by side and compares every field after every step."""

import random
from collections import Counter
from typing import Any

from skipbo_env import NONE, PHASES, UNSEEN, Game, ObservationSpec, Rules
from skipbo_env.kernel.state import ENDINGS
from tests.skipbo_env.oracle import DECK, HAND, PLACES, WILD, Table, together

NUMBERS = {  # the oracle's name and the record's field
    "key": "key",
    "chance": "chance",
    "seat": "seat",
    "starter": "starter",
    "round": "round_number",
    "turns": "turns",
    "recycles": "recycles",
    "still_turns": "still_turns",
    "older_in_hands": "older_held",
}
NOT_TOLD = -1  # what an observation holds in place of what is not counted
COUNTS = ("older", "newer", "doubtful", "completed")
FIRST_DISCARD = 72  # lower numbers play a card (7.1)


def choose(legal: list[int], chance: random.Random, eagerness: float) -> int:
    """A random legal decision; with this probability a card is played if one can be."""
    plays = [action for action in legal if action < FIRST_DISCARD]
    return chance.choice(plays if len(plays) > 0 and chance.random() < eagerness else legal)


def told_by_game(game: Game) -> dict[str, Any]:
    """What the game tells of itself, in the oracle's words."""
    seats = range(game.rules.players)
    return {
        "phase": game.phase,
        "seat": game.seat,
        "hands": [list(game.hand(seat)) for seat in seats],
        "stock_tops": [game.stock_top(seat) for seat in seats],
        "stock_sizes": [game.stock_size(seat) for seat in seats],
        "discards": [[list(game.discard_pile(seat, pile)) for pile in PLACES] for seat in seats],
        "heights": list(game.building_piles()),
        "draw_pile_size": game.draw_pile_size,
        "completed_size": game.completed_size,
        "recycles": game.recycles,
        "ending": game.ending,
        "turns": game.turns,
        "round": game.round,
        "starter": game.starter,
        "totals": list(game.totals),
        "round_scores": list(game.round_scores),
        "winners": list(game.winners),
        "is_over": game.is_over,
        "is_truncated": game.is_truncated,
    }


def told_by_oracle(table: Table) -> dict[str, Any]:
    """The same of the oracle."""
    same = ("phase", "seat", "hands", "discards", "recycles", "ending", "turns", "round", "starter", "totals")
    return {
        **{name: getattr(table, name) for name in (*same, "round_scores")},
        "stock_tops": [stock[-1] if len(stock) > 0 else None for stock in table.stocks],
        "stock_sizes": [len(stock) for stock in table.stocks],
        "heights": [len(pile) for pile in table.building],
        "draw_pile_size": len(table.draw_pile),
        "completed_size": len(table.completed),
        "winners": table.winners(),
        "is_over": table.phase != "turn",
        "is_truncated": table.phase == "truncated",
    }


def kernel_fields(game: Game) -> dict[str, Any]:
    """Everything in the kernel's record that the rules speak of, in the oracle's words."""
    record, rules = game.state[0], game.rules
    seats, size = range(rules.players), rules.stock_size
    stocks, stock_left = record["stocks"].tolist(), record["stock_left"].tolist()
    hands, hand_size = record["hands"].tolist(), record["hand_size"].tolist()
    piles = record["piles"].tolist()
    return {
        "legal": game.legal_actions(),
        "ending": ENDINGS[record["ending"]],
        "stocks": [stocks[size * seat : size * seat + stock_left[seat]] for seat in seats],
        "hands": [hands[seat][: hand_size[seat]] for seat in seats],
        "discards": piles[: record["laid"]],
        "discard_sizes": record["sizes"][: rules.players].ravel().tolist(),
        "draw_pile": piles[len(DECK) - record["draw_left"] :],
        "odds": record["older_odds"][: rules.players].tolist(),
        **{name: int(record[field]) for name, field in NUMBERS.items()},
        **{name: record[name][: rules.players].tolist() for name in ("totals", "round_scores")},
        **{name: record[name].tolist() for name in (*COUNTS, "heights", "wild_ranks")},
    }


def oracle_fields(table: Table) -> dict[str, Any]:
    """The same of the oracle."""
    same = ("key", "chance", "seat", "starter", "round", "turns", "recycles", "still_turns", "older_in_hands")
    discards = together(*table.discards)
    return {
        **{name: getattr(table, name) for name in (*same, "ending", "stocks", "hands", "draw_pile")},
        **{name: getattr(table, name) for name in ("totals", "round_scores")},
        "legal": table.legal_actions(),
        "discards": together(*discards),
        "discard_sizes": [len(pile) for pile in discards],
        "odds": [odds[1:] for odds in table.chances],
        "heights": [len(pile) for pile in table.building],
        "wild_ranks": [wild_ranks(pile) for pile in table.building],
        **{name: by_card(Counter(getattr(table, name))) for name in COUNTS},
    }


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
    return {
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


def assert_same_view(game: Game, table: Table, seat: int) -> None:
    """Fail with the slices that differ."""
    view = ObservationSpec(game.rules).view(game.observation(seat))
    expected = expected_view(table, seat)
    if table.phase == "turn":
        expected["is_still"] = not (table.drew or table.played)
    differing = {
        name: (getattr(view, name).tolist(), expected[name])
        for name in expected
        if getattr(view, name).tolist() != expected[name]
    }
    assert not differing, f"seat {seat} under {game.rules.to_text()!r}: {differing}"


def play_in_lockstep(rules: Rules, seed: int, deal: int, episode: str, chance: random.Random, limit: int) -> int:
    """Play random legal actions on both until the game is over or the limit is reached; return the decisions made."""
    game, table = Game(rules, seed, deal, episode), Table(rules, seed, deal, episode)
    eagerness = chance.choice((0, 0.5, 0.9, 0.97, 1))
    for decisions in range(limit):
        assert_same(game, kernel_fields(game), oracle_fields(table), decisions)
        if decisions % 8 == 0 or game.is_over:
            assert_same(game, told_by_game(game), told_by_oracle(table), decisions)
            assert_same_view(game, table, chance.randrange(rules.players))
        if game.is_over:
            return decisions
        action = choose(game.legal_actions(), chance, eagerness)
        game.apply(action)
        table.apply(action)
    return limit


def assert_same(game: Game, left: dict[str, Any], right: dict[str, Any], decisions: int) -> None:
    """Fail with the rules and the first differing fields."""
    if left != right:
        differing = {name: (left[name], right[name]) for name in left if left[name] != right[name]}
        raise AssertionError(f"after {decisions} decisions under {game.rules.to_text()!r}: kernel, oracle: {differing}")
