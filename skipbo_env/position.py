"""Which game records are tables that play can reach, and the written position: any of them as text (docs/notation.md).

Saved states, written positions and games sampled from observations come through the checks before compiled code reads
them. A position has everything, hidden cards and draw order included.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import named_action
from cardtable.table.errors import PositionError
from cardtable.table.game.positions import (
    Condition,
    Marks,
    PositionReader,
    TableChecks,
    count_by_value,
    first_lines,
    is_whole_deck,
    matches,
    read_code,
    read_numbers,
    read_whole,
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
    GAME_DTYPE,
    HAND,
    MAX_PLAYERS,
    MOST_STOCK,
    NOBODY,
    OVER,
    PHASES,
    PLACES,
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
from skipbo_env.rules import ACTION_NAMES, Rules, actions_in_words, card_name, card_number

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


# Written positions

HEADER = "skipbo-position 1"
UNKNOWN = -1  # a card that is written as ?
# The word of a line with one number: the record's field, and the number where the line is left out.
NUMBERS = {"round": ("round_number", 1)} | {name: (name, 0) for name in ("turns", "recycles", "starter", "still_turns")}
# The word of a line with a number for every seat, and the record's field; zeros where the line is left out.
BY_SEAT = {"totals": "totals", "scores": "round_scores"}
BY_SEAT |= {name: name for name in ("wilds_discarded", "completed_piles")}
COUNTS = ("newer", "doubtful")  # lines with a number for every card, 1 to 12 and wild
WORDS = {*NUMBERS, "ending", "still", *BY_SEAT, "building", "completed"}
WORDS |= {"stock", "hand", "piles", "draw", *COUNTS, "odds", "last", "seat"}


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    lines = first_lines(HEADER, rules, game)
    lines += [f"{word} {game[field]}" for word, (field, default) in NUMBERS.items() if game[field] != default]
    if game["ending"] != 0:
        lines.append(f"ending {ENDINGS[game['ending']]}")
    if game["is_still"] != _is_still(game):
        lines.append(f"still {game['is_still']}")
    for word, field in BY_SEAT.items():
        if word in ("totals", "scores") or game[field].any():
            lines.append(f"{word} {_join(game[field][: rules.players])}")
    lines += _format_cards(rules, game)
    lines += _format_knowledge(rules, game)
    if game["last_seat"] != NOBODY:
        lines.append(f"last {game['last_seat']} {ACTION_NAMES[game['last_action']]}")
    lines.append(f"seat {game['seat']} {PHASES[game['phase']]}")
    return "\n".join(lines) + "\n"


def _join(numbers: Iterable[Any]) -> str:
    return " ".join(str(number) for number in numbers)


def _cards(word: str, cards: Any) -> str:
    return " ".join([word, *map(card_name, cards.tolist())])


def _is_still(game: Any) -> bool:
    """Whether nothing has happened in this turn where that is not written: a seat without hand cards drew none."""
    return bool(game["phase"] == TURN and game["hand_size"][game["seat"]] == 0)


def _format_cards(rules: Rules, game: Any) -> list[str]:
    """Where all cards lie."""
    lines = [f"building {_join(map(_format_building, game['heights'].tolist(), game['wild_ranks'].tolist()))}"]
    if game["completed"].any():
        lines.append(_cards("completed", np.repeat(np.arange(1, CARDS + 1), game["completed"])))
    seats = range(rules.players)
    for seat in seats:
        bottom = seat * rules.stock_size
        lines.append(_cards("stock", game["stocks"][bottom : bottom + int(game["stock_left"][seat])]))
    lines += [_cards("hand", game["hands"][seat, : game["hand_size"][seat]]) for seat in seats]
    ends = np.cumsum(game["sizes"], dtype=np.int64).reshape(game["sizes"].shape)
    for seat in seats:
        piles = [game["piles"][end - size : end] for end, size in zip(ends[seat], game["sizes"][seat], strict=True)]
        lines.append("piles" + " |".join(_cards("", cards) for cards in piles))
    lines.append(_cards("draw", game["piles"][DECK - game["draw_left"] :]))
    return lines


def _format_building(height: int, wild_ranks: int) -> str:
    wild = [str(rank) for rank in range(1, height + 1) if wild_ranks >> (rank - 1) & 1]
    return f"{height}:{','.join(wild)}" if wild else str(height)


def _format_knowledge(rules: Rules, game: Any) -> list[str]:
    """What whoever watches can count, as far as it is not what everybody knows by default."""
    default = np.array([game], GAME_DTYPE)
    set_default_knowledge(rules, default)
    lines = [f"{word} {_join(game[word])}" for word in COUNTS if (game[word] != default[word][0]).any()]
    if (game["older_odds"] != default["older_odds"][0]).any():
        lines += [f"odds {_join(game['older_odds'][seat])}" for seat in range(rules.players)]
    return lines


def parse_position(text: str) -> tuple[Rules, NDArray[Any]]:
    """Read a written position: its rules and an array of one game record. Raises PositionError with line and reason."""
    return _Reader(text, HEADER, WORDS, Rules, GAME_DTYPE).read()


class _Reader(PositionReader):
    """Reads the lines one by one, deals what was left open, and lays all cards into a game record."""

    def read(self) -> tuple[Rules, NDArray[Any]]:
        self.read_numbers(NUMBERS)
        self.read_seats(BY_SEAT)
        self.game["ending"] = self.lines.one("ending", partial(read_code, known=ENDINGS), 0)
        self.game["seat"], self.game["phase"] = self.lines.one("seat", _decider)
        self.game["last_seat"], self.game["last_action"] = self.lines.one("last", self.read_last, (NOBODY, NOBODY))
        self.read_building()
        is_open = self.read_cards()
        self.read_knowledge()
        CHECKS.check_records(self.rules, self.games)
        self.game["is_still"] = self.lines.one("still", partial(read_whole, limit=1), _is_still(self.game))
        derive_counts(self.rules, self.games)
        CHECKS.check_tables(self.rules, self.games, is_open)
        return self.rules, self.games

    def read_last(self, text: str) -> tuple[int, int]:
        seat, _, name = text.partition(" ")
        return read_whole(seat, LARGEST), named_action(name, ACTION_NAMES, actions_in_words(self.rules))

    def read_building(self) -> None:
        piles = self.lines.one("building", _building, [(0, 0)] * PLACES)
        self.game["heights"], self.game["wild_ranks"] = zip(*piles, strict=True)
        for card in self.lines.one("completed", _known_cards, []):
            self.game["completed"][card - 1] += 1

    def read_cards(self) -> bool:
        """Lay all cards; return whether the draw pile is left open."""
        stocks = self.read_each("stock", partial(_some_cards, most=self.rules.stock_size))
        hands = self.read_each("hand", partial(_some_cards, most=HAND), [])
        piles = self.read_each("piles", _piles, [[]] * PLACES)
        draw, is_open = self.lines.one("draw", _draw_pile, ([], True))
        self.check_size(cards for seat in (stocks, hands, [draw], *piles) for cards in seat)
        self.lay(stocks, hands, piles)
        self.lay_draws(draw)
        missing = missing_cards(self.rules, count_cards(self.rules, self.games))
        left = self.deal(missing, CARD_NAMES, 1, [(self.game[name], UNKNOWN) for name in ("stocks", "hands", "piles")])
        if is_open:
            self.lay_draws(self.game["piles"][DECK - len(draw) :].tolist() + left)
        return bool(is_open)

    def check_size(self, places: Iterable[list[int]]) -> None:
        built = self.game["heights"].sum() + self.game["completed"].sum(dtype=np.int64)
        if sum(map(len, places)) + built > DECK:
            raise PositionError(f"there are more cards than the deck's {DECK}")

    def lay(self, stocks: list[list[int]], hands: list[list[int]], piles: list[list[list[int]]]) -> None:
        """Put the cards of the seats into the record."""
        game, at = self.game, 0
        game["starts"] = 0
        for seat in range(self.rules.players):
            game["starts"][seat] = at
            bottom = seat * self.rules.stock_size
            game["stock_left"][seat], game["hand_size"][seat] = len(stocks[seat]), len(hands[seat])
            game["stocks"][bottom : bottom + len(stocks[seat])] = stocks[seat]
            game["hands"][seat, : len(hands[seat])] = hands[seat]
            for pile, cards in enumerate(piles[seat]):
                game["sizes"][seat, pile] = len(cards)
                game["piles"][at : at + len(cards)] = cards
                at += len(cards)
        game["starts"][self.rules.players :] = game["laid"] = at

    def lay_draws(self, cards: list[int]) -> None:
        """Make these the draw pile."""
        self.game["draw_left"] = len(cards)
        self.game["piles"][DECK - len(cards) :] = cards

    def read_knowledge(self) -> None:
        set_default_knowledge(self.rules, self.games)
        for word in COUNTS:
            self.game[word] = self.lines.one(word, partial(read_numbers, count=CARDS, limit=LARGEST), self.game[word])
        if self.lines.find("odds"):
            odds = self.read_each("odds", partial(read_numbers, count=HAND, limit=LARGEST))
            self.game["older_odds"][: self.rules.players] = odds


def _decider(text: str) -> tuple[int, int]:
    words = text.split()
    if len(words) != 2:
        raise ValueError("write the seat and the phase")
    return read_whole(words[0], LARGEST), read_code(words[1], PHASES)


def _building(text: str) -> list[tuple[int, int]]:
    words = text.split()
    if len(words) != PLACES:
        raise ValueError(f"write the last rank of {PLACES} places, 0 for an empty one")
    return list(map(_building_pile, words))


def _building_pile(word: str) -> tuple[int, int]:
    height, colon, ranks = word.partition(":")
    wild = [read_whole(rank, LARGEST) for rank in ranks.split(",")] if colon else []
    last = read_whole(height, LARGEST)
    if not 0 <= last < RANKS or not all(1 <= rank <= last for rank in wild):
        raise ValueError(
            f"{word!r}: write the last rank, 0 to {RANKS - 1}, and after a colon which ranks are wild cards"
        )
    return last, sum(1 << (rank - 1) for rank in set(wild))


def _known_cards(text: str) -> list[int]:
    return list(map(card_number, text.split()))


def _some_cards(text: str, most: int) -> list[int]:
    cards = [UNKNOWN if word == "?" else card_number(word) for word in text.split()]
    if len(cards) > most:
        raise ValueError(f"there is room for {most} cards")
    return cards


def _piles(text: str) -> list[list[int]]:
    piles = [_known_cards(pile) for pile in text.split("|")]
    if len(piles) != PLACES:
        raise ValueError(f"write {PLACES} piles, bottom card first, with | between piles")
    return piles


def _draw_pile(text: str) -> tuple[list[int], bool]:
    return _some_cards(text.removesuffix("..."), DECK), text.endswith("...")
