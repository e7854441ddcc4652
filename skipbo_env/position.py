"""Checks of game records, and the written position: any table as text, hidden cards and draw order included
(docs/reference/notation.md).
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.positions import (
    MAX_NUMBER,
    NUMBERS,
    POINTS,
    ROUND,
    Fields,
    Marks,
    PositionReader,
    Problem,
    TableChecks,
    count_by_value,
    counted,
    field_lines,
    first_lines,
    has_ended,
    lay_piles,
    plain,
    read_cards,
    read_pile,
    read_whole,
    split_parts,
    usual_bounds,
    words,
    wrong_deck,
)
from cardtable.table.render.text import named_action
from skipbo_env.kernel import (
    CARDS,
    CERTAIN,
    COPIES,
    DECK,
    ENDINGS,
    GAME_DTYPE,
    HAND,
    MAX_PLAYERS,
    MAX_STOCK,
    NOBODY,
    OVER,
    PHASES,
    PLACES,
    RANKS,
    STOPPED,
    TRUNCATED,
    TURN,
    WILD,
    WILDS,
)
from skipbo_env.kernel.cards import copies_of
from skipbo_env.rules import ACTION_NAMES, Rules, card_name

DECK_COUNTS = np.array([copies_of(card) for card in range(1, CARDS + 1)])  # [13], by card − 1 as all counts here
CARD_NAMES = tuple(card_name(card) for card in range(1, CARDS + 1))
MAX_COPIES = COPIES + WILDS  # of one card, where wild cards come back as what they were played as (4.4)
UNKNOWN = -1  # a card that is written as ?
KNOWN = {name: card for card, name in enumerate(CARD_NAMES, 1)}
ANY = {"?": UNKNOWN, **KNOWN}

STILL: Fields = {"still": ("is_still", NUMBERS)}
FIELDS: Fields = {**ROUND, **plain("recycles", "starter", "still_turns"), "ending": ("ending", words(ENDINGS))}
MORE: Fields = {**POINTS, **plain("wilds_discarded", "completed_piles")}
COMPLETED: Fields = {"completed": ("completed", counted(CARD_NAMES))}
COUNTS = plain("newer", "doubtful")
CARD_WORDS = ("building", "stock", "hand", "piles", "draw", "odds", "last", "seat")

Counts = NDArray[np.int64]  # [N, 13]


# Counting

_count = partial(count_by_value, lowest=1, highest=CARDS)


def _count_stocks(rules: Rules, games: Any) -> tuple[Counts, Counts]:
    """Return the cards that lie face down in stock piles, and their top cards."""
    seat, height = np.divmod(np.arange(MAX_STOCK), rules.stock_size)
    left = np.where(seat < rules.players, games["stock_left"][:, np.minimum(seat, MAX_PLAYERS - 1)], 0)
    return _count(games["stocks"], height < left - 1), _count(games["stocks"], height == left - 1)


def _count_building(games: Any) -> Counts:
    ranks = np.arange(RANKS)[:, None]
    lying = ranks < games["heights"][:, None]  # [N, 12, 4]
    wild = lying & ((games["wild_ranks"][:, None] >> ranks & 1) > 0)
    return np.concatenate([(lying & ~wild).sum(2), wild.sum((1, 2))[:, None]], axis=1)


def count_cards(rules: Rules, games: Any) -> dict[str, Counts]:
    """Count the cards of every table, wherever they lie."""
    at = np.arange(DECK)
    hidden, tops = _count_stocks(rules, games)
    held = np.arange(HAND) < games["hand_size"][:, :, None]
    return {
        "hidden": hidden,
        "tops": tops,
        "hands": _count(games["hands"], held),
        "discards": _count(games["piles"], at < games["laid"][:, None]),
        "draw": _count(games["piles"], at >= DECK - games["draw_left"][:, None]),
        "building": _count_building(games),
        "completed": games["completed"].astype(np.int64),
    }


def missing_cards(rules: Rules, cards: dict[str, Counts]) -> Counts:
    """Return the deck minus the cards that lie somewhere: below 0 where there are too many of a card.

    With `recycled_wild="as_played"` a rank that there is too often was a wild card once (4.4).
    """
    missing: Counts = DECK_COUNTS - np.sum(list(cards.values()), axis=0)
    if rules.recycled_wild == "as_played":
        once_wild = np.maximum(-missing, 0)
        once_wild[:, WILD - 1] = 0
        missing += once_wild
        missing[:, WILD - 1] -= once_wild.sum(1)
    return missing


# Checks


def _tells_apart(rules: Rules, games: Any) -> Marks:
    """Return where newer cards lie next to older ones: after a recycling, but never with `on_completion` (8.7)."""
    return np.asarray((games["recycles"] > 0) & (rules.recycle != "on_completion"))


def _bounds(rules: Rules) -> dict[str, tuple[int, int]]:
    bounds = usual_bounds(rules, TRUNCATED) | {"starter": (0, rules.players - 1), "ending": (0, STOPPED)}
    bounds |= {"hand_size": (0, HAND), "stock_left": (0, rules.stock_size), "older_odds": (0, CERTAIN)}
    bounds |= {"heights": (0, RANKS - 1), "wild_ranks": (0, 2**RANKS - 1), "older_held": (0, MAX_PLAYERS * HAND)}
    bounds |= {"is_still": (0, 1), "still_turns": (0, rules.players), "laid": (0, DECK - rules.players)}
    bounds |= {"recycles": (0, MAX_NUMBER), "wilds_discarded": (0, rules.max_turns), "completed_piles": (0, MAX_NUMBER)}
    bounds |= dict.fromkeys(("hands", "stocks", "piles"), (0, WILD)) | {"draw_left": (0, DECK), "completed": (0, DECK)}
    return bounds | dict.fromkeys(("older", "newer", "doubtful"), (0, MAX_COPIES))


def _complete(rules: Rules, games: Any) -> None:
    """Set where piles begin, what there is without a card, and the older cards (8.4, 8.6): what is unseen is older,
    newer, or both.
    """
    sizes = games["sizes"].sum(2, dtype=np.int64)
    games["laid"], games["starts"] = sizes.sum(1), sizes.cumsum(1) - sizes
    games["hands"][np.arange(HAND) >= games["hand_size"][:, :, None]] = 0
    games["wild_ranks"] &= (1 << games["heights"]) - 1
    has_decided = (games["last_seat"] != NOBODY) & (games["last_action"] != NOBODY)
    for name in ("last_seat", "last_action"):
        games[name] = np.where(has_decided, games[name], NOBODY)
    cards = count_cards(rules, games)
    games["older"] = older = cards["hidden"] + cards["hands"] + cards["draw"] - games["newer"] + games["doubtful"]
    games["older_held"] = np.where(_tells_apart(rules, games), older.sum(1) - cards["hidden"].sum(1), 0)


def _problems(rules: Rules, games: Any) -> Iterator[Problem]:
    cards, is_turn = count_cards(rules, games), games["phase"] == TURN
    yield wrong_deck(missing_cards(rules, cards), CARD_NAMES)
    lying = sum(cards[place].sum(1) for place in ("hidden", "tops", "hands", "discards", "draw"))
    places = games["stock_left"].sum(1) + games["hand_size"].sum(1) + games["laid"] + games["draw_left"]
    yield lying != places, "piles: not every place holds a card"
    text = f"{{game.laid}} cards on the discard piles: there can be {DECK - rules.players} at most"
    yield games["laid"] > DECK - rules.players, text
    is_empty = games["stock_left"][:, : rules.players] == 0
    yield is_empty & (games["phase"] != OVER)[:, None], "seat {at} has no stock pile left: the round is over"  # 5.1
    yield from has_ended(rules, games, is_turn)  # 5.5, 6.2
    yield is_turn & (games["still_turns"] == rules.players), "still_turns {game.still_turns}: the round is blocked"
    yield from _knowledge(rules, games, cards)


def _knowledge(rules: Rules, games: Any, cards: dict[str, Counts]) -> Iterator[Problem]:
    """Counts of older, newer and doubtful cards contradict where the cards lie (8.4, 8.5)."""
    newer, odds, tells_apart = games["newer"], games["older_odds"], _tells_apart(rules, games)[:, None]
    for counts in (newer, games["doubtful"], odds.reshape(len(games), -1)):
        yield (counts != 0) & ~tells_apart, "there are newer cards, doubtful cards and odds only after a recycling"
    is_beyond = (np.arange(HAND) >= games["hand_size"][:, :, None]) & (odds != 0)
    yield is_beyond.any(2), "odds: seat {at} cannot hold more older cards than cards"
    text = "newer: face-down stock cards are older cards, and cards of the draw pile are newer ones"
    yield (games["older"] < cards["hidden"]) | (newer < cards["draw"]) & tells_apart, text


CHECKS = TableChecks(_bounds, _complete, _problems)


# Written positions


def _set_usual(game: Any) -> None:
    """Set what a position may leave out, apart from what follows from the cards."""
    for name in ("turns", "recycles", "starter", "still_turns", "ending", "wilds_discarded", "completed_piles"):
        game[name] = 0
    game["completed"], game["round_number"] = 0, 1


def _set_usual_knowledge(rules: Rules, games: Any) -> None:
    """Set the knowledge of all seats as if no seat had drawn since the last recycling (8.4, 8.5), nor in this turn."""
    tells_apart = _tells_apart(rules, games)
    is_last = np.arange(1, HAND + 1) == games["hand_size"][:, :, None]
    games["newer"] = count_cards(rules, games)["draw"] * tells_apart[:, None]
    games["older_odds"] = CERTAIN * (is_last & tells_apart[:, None, None])
    games["doubtful"] = 0
    is_empty = (np.arange(MAX_PLAYERS) == games["seat"][:, None]) & (games["hand_size"] == 0)
    games["is_still"] = (games["phase"] == TURN) & is_empty.any(1)


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    games = np.array([game], GAME_DTYPE)
    _set_usual_knowledge(rules, games)
    usual, seats = games[0], range(rules.players)
    _set_usual(usual)
    lines = first_lines(rules, game) + field_lines(rules, game, usual, {**FIELDS, **STILL, **MORE})
    lines.append(" ".join(["building", *map(_format_building, game["heights"].tolist(), game["wild_ranks"].tolist())]))
    lines += field_lines(rules, game, usual, COMPLETED) + _format_cards(rules, game)
    lines += field_lines(rules, game, usual, COUNTS)
    if (game["older_odds"] != usual["older_odds"]).any():
        lines += [f"odds {NUMBERS.write(game['older_odds'][seat])}" for seat in seats]
    if game["last_seat"] != NOBODY:
        lines.append(f"last {game['last_seat']} {ACTION_NAMES[game['last_action']]}")
    lines.append(f"seat {game['seat']} {PHASES[game['phase']]}")
    return "\n".join(lines) + "\n"


def _cards(word: str, cards: Any) -> str:
    return " ".join([word, *map(card_name, cards.tolist())])


def _format_cards(rules: Rules, game: Any) -> list[str]:
    """Write what the seats have, and the draw pile."""
    lines, seats = [], range(rules.players)
    for seat in seats:
        bottom = seat * rules.stock_size
        lines.append(_cards("stock", game["stocks"][bottom : bottom + int(game["stock_left"][seat])]))
    lines += [_cards("hand", game["hands"][seat, : game["hand_size"][seat]]) for seat in seats]
    piles = np.split(game["piles"], np.cumsum(game["sizes"], dtype=np.int64))
    for seat in seats:
        own = piles[PLACES * seat : PLACES * (seat + 1)]
        lines.append("piles" + " |".join(_cards("", cards) for cards in own))
    return [*lines, _cards("draw", game["piles"][DECK - game["draw_left"] :])]


def _format_building(height: int, wild_ranks: int) -> str:
    wild = [str(rank) for rank in range(1, height + 1) if wild_ranks >> (rank - 1) & 1]
    return f"{height}:{','.join(wild)}" if wild else str(height)


def parse_position(text: str) -> tuple[Rules, NDArray[Any]]:
    """Read a written position: its rules and an array of one game record. Raises PositionError with line and reason."""
    reader = _Reader(text, {*FIELDS, *STILL, *MORE, *COMPLETED, *COUNTS, *CARD_WORDS}, Rules, GAME_DTYPE)
    _set_usual(reader.game)
    reader.read_decider(PHASES, reader.read_nothing)
    reader.read_fields({**FIELDS, **MORE, **COMPLETED})
    last, building = reader.one("last", reader.read_last, (NOBODY, NOBODY)), reader.one("building", _building, ())
    reader.game["last_seat"], reader.game["last_action"] = last
    if building:
        reader.game["heights"], reader.game["wild_ranks"] = zip(*building, strict=True)
    reader.read_cards()
    return reader.finished(CHECKS)


class _Reader(PositionReader):
    """Reads the lines of cards, and what can be known of them."""

    def read_nothing(self, words: list[str]) -> None:
        """Nothing follows the phase."""
        if words:
            raise ValueError("write the seat and the phase")

    def read_last(self, text: str) -> tuple[int, int]:
        """Return the seat that decided last, and its action."""
        seat, _, name = text.partition(" ")
        return read_whole(seat, MAX_NUMBER), named_action(name, ACTION_NAMES)

    def read_cards(self) -> None:
        """Lay all cards, and deal those that are not written anywhere."""
        game, size = self.game, self.rules.stock_size
        for seat, cards in enumerate(self.per_seat("stock", partial(read_cards, codes=ANY, room=size))):
            game["stocks"][seat * size : seat * size + len(cards)] = cards
            game["stock_left"][seat] = len(cards)
        for seat, cards in enumerate(self.per_seat("hand", partial(read_cards, codes=ANY, room=HAND), [])):
            game["hands"][seat, : len(cards)] = cards
            game["hand_size"][seat] = len(cards)
        piles = [*chain(*self.per_seat("piles", _piles, [[]] * PLACES))]
        draw, is_open = self.one("draw", partial(read_pile, codes=ANY), ([], True))
        game["laid"], game["draw_left"] = lay_piles(game["piles"], [*chain(*piles)], draw)
        game["sizes"][: self.rules.players] = np.reshape([len(pile) for pile in piles], (-1, PLACES))
        missing = missing_cards(self.rules, count_cards(self.rules, self.games))
        left = self.deal(missing, CARD_NAMES, 1, [(game[name], UNKNOWN) for name in ("stocks", "hands", "piles")])
        if is_open:
            draw = game["piles"][DECK - len(draw) :].tolist() + left
            game["draw_left"] = lay_piles(game["piles"][int(game["laid"]) :], [], draw)[1]
        self.read_knowledge()

    def read_knowledge(self) -> None:
        """Read the countable cards, and whether an action has been taken in this turn."""
        _set_usual_knowledge(self.rules, self.games)
        self.read_fields({**STILL, **COUNTS})
        usual = self.game["older_odds"][: self.rules.players].copy()
        odds = self.per_seat("odds", partial(NUMBERS.read, usual[0]), None)
        for seat, rng_states in enumerate(odds):
            self.game["older_odds"][seat] = usual[seat] if rng_states is None else rng_states


def _building(text: str) -> list[tuple[int, int]]:
    piles = text.split()
    if len(piles) != PLACES:
        raise ValueError(f"write the last rank of {PLACES} places, 0 for an empty one")
    return list(map(_building_pile, piles))


def _building_pile(word: str) -> tuple[int, int]:
    height, colon, ranks = word.partition(":")
    wild = [read_whole(rank, MAX_NUMBER) for rank in ranks.split(",")] if colon else []
    last = read_whole(height, MAX_NUMBER)
    if not 0 <= last < RANKS or not all(1 <= rank <= last for rank in wild):
        text = f"write the last rank, 0 to {RANKS - 1}, and after a colon which ranks are wild cards"
        raise ValueError(f"{word!r}: {text}")
    return last, sum(1 << (rank - 1) for rank in set(wild))


def _piles(text: str) -> list[list[int]]:
    """Return the four discard piles of a seat."""
    return [read_cards(pile, KNOWN) for pile in split_parts(text, PLACES)]
