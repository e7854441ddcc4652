"""Which game records are tables that play can reach: every condition once, for many records together or for one.

Saved states, written positions and games sampled from observations come through here before compiled code reads them.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.positions import (
    Condition,
    Marks,
    TableChecks,
    count_by_value,
    is_whole_deck,
    matches,
    within,
)
from cardtable.table.kernel.game_kernel import GAME_EPISODE
from skipbo_env.kernel import (
    ACTIONS,
    CARDS,
    CERTAIN,
    COPIES,
    DECK,
    ENDINGS,
    HAND,
    MAX_PLAYERS,
    MOST_STOCK,
    NOBODY,
    OVER,
    RANKS,
    STOPPED,
    TRUNCATED,
    TURN,
    UNENDED,
    WILD,
    WILDS,
    WON,
)
from skipbo_env.kernel.cards import copies_of
from skipbo_env.rules import Rules, card_name

DECK_COUNTS = np.array([copies_of(card) for card in range(1, CARDS + 1)])  # [13], by card − 1 as all counts here
SEATS = {"seat": 0, "starter": 0, "last_seat": NOBODY}  # fields, and their least numbers
CARD_NAMES = tuple(card_name(card) for card in range(1, CARDS + 1))
MOST_COPIES = COPIES + WILDS  # of one card, where wild cards come back as what they were played as (4.4)
MOST_COMPLETED = 2**14  # piles in a round, far more than there can be
LARGEST = 2**15 - 1  # what most numbers of the record can hold

Counts = NDArray[np.int64]  # [N, 13]


# Counting

_count = partial(count_by_value, lowest=1, highest=CARDS)


def _count_stocks(rules: Rules, games: Any) -> tuple[Counts, Counts]:
    """The cards that lie face down in stock piles, and their top cards."""
    seat, height = np.divmod(np.arange(MOST_STOCK), rules.stock_size)
    left = np.where(seat < rules.players, games["stock_left"][:, np.minimum(seat, MAX_PLAYERS - 1)], 0)
    return _count(games["stocks"], height < left - 1), _count(games["stocks"], height == left - 1)


def _count_building(games: Any) -> Counts:
    ranks = np.arange(RANKS)[:, None]
    lying = ranks < games["heights"][:, None]  # [N, 12, 4]
    wild = lying & ((games["wild_ranks"][:, None] >> ranks & 1) > 0)
    return np.concatenate([(lying & ~wild).sum(2), wild.sum((1, 2))[:, None]], axis=1)


def count_cards(rules: Rules, games: Any) -> dict[str, Counts]:
    """What lies where at every table, as counts by card."""
    at = np.arange(DECK)
    hidden, tops = _count_stocks(rules, games)
    hands = games["hands"].reshape(len(games), -1)
    held = (np.arange(HAND) < games["hand_size"][:, :, None]).reshape(hands.shape)
    return {
        "hidden": hidden,
        "tops": tops,
        "hands": _count(hands, held),
        "discards": _count(games["piles"], at < games["laid"][:, None]),
        "draw": _count(games["piles"], at >= DECK - games["draw_left"][:, None]),
        "building": _count_building(games),
        "completed": games["completed"].astype(np.int64),
    }


def missing_cards(rules: Rules, cards: dict[str, Counts]) -> Counts:
    """The deck less the cards that lie somewhere: below 0 where there are too many of a card.

    With `recycled_wild="as_played"` a rank that there is too often was a wild card once (4.4).
    """
    missing: Counts = DECK_COUNTS - np.sum(list(cards.values()), axis=0)
    if rules.recycled_wild == "as_played":
        once_wild = np.maximum(-missing, 0)
        once_wild[:, WILD - 1] = 0
        missing += once_wild
        missing[:, WILD - 1] -= once_wild.sum(1)
    return missing


def _tells_apart(rules: Rules, games: Any) -> Marks:
    """Where there are newer cards beside older ones: not before a recycling, and never with `on_completion` (8.7)."""
    return np.asarray((games["recycles"] > 0) & (rules.recycle != "on_completion"))


def _derived(rules: Rules, games: Any, cards: dict[str, Counts]) -> tuple[Counts, NDArray[np.int64]]:
    """The older cards, and how many of them the hands hold (8.4, 8.6): what is unseen is older, newer, or both."""
    older = cards["hidden"] + cards["hands"] + cards["draw"] - games["newer"] + games["doubtful"]
    held = older.sum(1) - cards["hidden"].sum(1)
    return older, np.where(_tells_apart(rules, games), held, 0)


def derive_counts(rules: Rules, games: Any) -> None:
    """Set the older cards of records by all other cards."""
    games["older"], games["older_held"] = _derived(rules, games, count_cards(rules, games))


def set_default_knowledge(rules: Rules, games: Any) -> None:
    """Let everybody know what they would if nobody had drawn since the last recycling (8.4, 8.5)."""
    tells_apart = _tells_apart(rules, games)
    is_last = np.arange(1, HAND + 1) == games["hand_size"][:, :, None]
    games["newer"] = count_cards(rules, games)["draw"] * tells_apart[:, None]
    games["older_odds"] = CERTAIN * (is_last & tells_apart[:, None, None])
    games["doubtful"] = 0


# Checks


def _bounds(rules: Rules) -> dict[str, tuple[int, int]]:
    """What the numbers of every field lie between."""
    bounds = {"phase": (0, TRUNCATED), "episode": (0, GAME_EPISODE), "ending": (0, STOPPED)}
    bounds |= {"last_action": (NOBODY, ACTIONS - 1), "hand_size": (0, HAND), "stock_left": (0, rules.stock_size)}
    bounds |= {"heights": (0, RANKS - 1), "wild_ranks": (0, 2**RANKS - 1), "older_odds": (0, CERTAIN)}
    bounds |= {"newer": (0, MOST_COPIES), "doubtful": (0, MOST_COPIES), "older_held": (0, MAX_PLAYERS * HAND)}
    bounds |= dict.fromkeys(("hands", "stocks", "piles"), (0, WILD))
    bounds |= dict.fromkeys(("draw_left", "laid", "sizes", "completed"), (0, DECK))
    bounds |= dict.fromkeys(("totals", "round_scores"), (-LARGEST, LARGEST))
    return bounds


def _conditions(rules: Rules, games: Any, is_open: bool) -> Iterator[Condition]:
    cards = count_cards(rules, games)
    for name in ("older_held", "newer", "doubtful", "older_odds"):
        yield games[name] < 0, f"{name}: the unseen cards cannot be those that are counted"
    yield from _places(rules, games)
    yield is_whole_deck(missing_cards(rules, cards), CARD_NAMES, is_open)
    lying = sum(cards[place].sum(1) for place in ("hidden", "tops", "hands", "discards", "draw"))
    places = games["stock_left"].sum(1) + games["hand_size"].sum(1) + games["laid"] + games["draw_left"]
    yield lying != places, "piles: not every place holds a card"
    yield from _numbers(rules, games)
    yield from _knowledge(rules, games, cards)


def _places(rules: Rules, games: Any) -> Iterator[Condition]:
    """Piles have the sizes that they may have, and places beyond their ends, or those of these rules, hold 0."""
    players, is_empty = rules.players, games["stock_left"][:, : rules.players] == 0
    for name in ("hand_size", "sizes"):
        yield games[name][:, players:] > 0, "hand_size, sizes: a seat that does not exist has cards"
    for name in ("totals", "round_scores", "wilds_discarded", "completed_piles", "stock_left", "older_odds"):
        yield matches(name, games[name][:, players:], 0)
    by_seat = games["sizes"].sum(2, dtype=np.int64)
    yield by_seat.sum(1) != games["laid"], "laid: not the number of all cards on the discard piles"
    yield games["starts"] != by_seat.cumsum(1) - by_seat, "starts: not where the discard piles begin"
    text = f"{{game.laid}} cards on the discard piles: there can be {DECK - players} at most"
    yield games["laid"] > DECK - players, text
    is_beyond = np.arange(HAND) >= games["hand_size"][:, :, None]
    yield is_beyond & (games["hands"] != 0), "hands: a card beyond the end of a hand"
    is_over = (games["phase"] == OVER)[:, None]
    yield is_empty & ~is_over, "seat {at[0]} has no stock pile left: the round is over"  # 5.1
    text = "seats {at[0]} and {at[1]} have no stock pile left: the round has one winner"
    yield is_empty & (is_empty.sum(1) > 1)[:, None], text  # 5.1
    text = 'with recycle="on_completion" there are never any completed cards'
    yield (games["completed"] > 0) & (rules.recycle == "on_completion"), text  # 4.3
    text = "wild_ranks: a building pile has wild cards above its last rank"
    yield games["wild_ranks"] >> games["heights"] > 0, text


def _numbers(rules: Rules, games: Any) -> Iterator[Condition]:
    """Rounds and turns are counted within their limits, and a game goes on until there is a reason to end it (5, 6)."""
    phase, ending, turns = games["phase"], games["ending"], games["turns"]
    yield within("round", games["round_number"], 1, rules.max_rounds)  # 6.3
    yield within("turns", turns, 0, rules.max_turns)
    yield within("recycles", games["recycles"], 0, LARGEST)
    yield within("still", games["is_still"], 0, 1)
    yield within("still_turns", games["still_turns"], 0, rules.players)
    for name, most in (("wilds_discarded", turns), ("completed_piles", MOST_COMPLETED)):
        yield games[name] < 0, f"{name} {{value}} is below 0", games[name]
        text = f"{name}: these come to more than {{value}}"
        yield games[name].sum(1, dtype=np.int64) > most, text, np.broadcast_to(most, len(games))
    yield matches("last_action", games["last_action"] == NOBODY, games["last_seat"] == NOBODY)
    text = "a game is truncated when its last round was stopped, and only then"
    yield (phase == TRUNCATED) != (ending == STOPPED), text  # 5.5
    text = "a round is stopped after max_turns={rules.max_turns} turns"
    yield (phase == TRUNCATED) & (turns != rules.max_turns), text  # 5.5
    text = "the game is over, but it does not say how the last round ended"
    yield (phase == OVER) & (ending == UNENDED), text
    has_winner = (games["stock_left"][:, : rules.players] == 0).any(1)
    text = "the last round is {value}: it is won when a stock pile is empty, and only then"
    yield (phase == OVER) & ((ending == WON) != has_winner), text, np.array(ENDINGS)[ending]  # 5.1
    text = "turns {game.turns}: the round is stopped after max_turns={rules.max_turns}"
    yield (phase == TURN) & (turns >= rules.max_turns), text  # 5.5
    text = "still_turns {game.still_turns}: the round is blocked"
    yield (phase == TURN) & (games["still_turns"] == rules.players), text  # 5.2
    highest = games["totals"][:, : rules.players].max(1)
    is_decided = (phase == TURN) & (games["episode"] == GAME_EPISODE) & (highest >= rules.target_score)
    text = "a total of {value} has reached target_score={rules.target_score}: the game is over"
    yield is_decided, text, highest  # 6.2


def _knowledge(rules: Rules, games: Any, cards: dict[str, Counts]) -> Iterator[Condition]:
    """Counts of older, newer and doubtful cards do not contradict where the cards lie (8.4, 8.5)."""
    newer, odds, tells_apart = games["newer"], games["older_odds"], _tells_apart(rules, games)[:, None]
    older, older_held = _derived(rules, games, cards)
    yield games["older"] != older, "older: not the number of all cards that nobody has seen"
    for counted in (newer, games["doubtful"], odds.reshape(len(games), -1)):
        yield (counted != 0) & ~tells_apart, "there are newer cards, doubtful cards and odds only after a recycling"
    is_beyond = (np.arange(HAND) >= games["hand_size"][:, :, None]) & (odds != 0)
    yield is_beyond.any(2), "odds: seat {at[0]} cannot hold more older cards than cards"
    text = "newer: face-down stock cards are older cards, and cards of the draw pile are newer ones"
    yield (older < cards["hidden"]) | (newer < cards["draw"]) & tells_apart, text
    yield matches("older_held", games["older_held"], older_held)


CHECKS = TableChecks(_bounds, SEATS, _conditions)
