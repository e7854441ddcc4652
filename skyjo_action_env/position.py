"""Checks of game records, and the written position: any table as text, hidden cards and draw order included
(docs/reference/notation.md).
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import PositionError
from cardtable.table.game.positions import (
    POINTS,
    ROUND,
    Fields,
    Form,
    Marks,
    PositionReader,
    Problem,
    TableChecks,
    by_seat,
    count_by_value,
    counted,
    field_lines,
    first_lines,
    has_ended,
    lay_piles,
    plain,
    read_cards,
    read_code,
    read_pile,
    read_whole,
    split_parts,
    usual_bounds,
    words,
    wrong_deck,
    wrong_opening,
)
from cardtable.table.game.slices import slices_of
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import BURIED, CELLS, DECK, EMPTY, HIDDEN, KINDS, LINES, LOWEST, NOBODY, STAR
from skyjo_action_env.kernel.action_cards import write_masks
from skyjo_action_env.kernel.rounds import NUMBERS, OPENED, STARRED, STARS, write_kinds
from skyjo_action_env.kernel.view import View
from skyjo_action_env.rules import Rules, card_name

CARD_NAMES = tuple(map(card_name, range(LOWEST, STAR + 1)))
PHASE_WORDS = tuple(phase.replace(" ", "_") for phase in state.PHASES)
CARRIED_OUT = [word.split("_")[0] for word in PHASE_WORDS]  # by phase, if it is an action card
PLAYED = np.array([KINDS.index(word) if word in {*KINDS} - {"defence"} else state.NO_KIND for word in CARRIED_OUT])
SECRET = "drawn three three_place three_top"  # phases with drawn cards in hand
HELD = {"drawn": 1, "taken": 1, "three": 3, "three_place": 3, "three_top": 3}  # cards in hand, written after the phase
NOTED = ("starter", "ender", "chosen", "chosen_with")  # seats and cells that are usually none
ROWS = np.arange(CELLS).reshape(state.COLUMNS, state.ROWS).T  # the cells of every row
UNKNOWN = len(KINDS)  # an action card that is written as ?; HIDDEN is a playing card that is
# What a card may be written as, and the code: in the draw pile, in hand, on the discard pile, in a layout.
CARDS = {name: LOWEST + at for at, name in enumerate(CARD_NAMES)}
IN_HAND = CARDS | {".": EMPTY, "?": HIDDEN}
DISCARDED = CARDS | {f"?{name}": card + BURIED for name, card in CARDS.items()} | {"?": HIDDEN + BURIED}
LYING = {**IN_HAND, **{f"?{name}": card for name, card in CARDS.items()}}
ACTION_CARDS = {kind: code for code, kind in enumerate(KINDS)}

Counts = NDArray[np.int64]  # [N, CARDS] or [N, KINDS]


def _in(games: Any, phases: str) -> Marks:
    """Return a mark for every table in one of these phases."""
    return np.asarray((games["phase"][:, None] == _codes(phases)).any(axis=1))


@cache
def _codes(phases: str) -> NDArray[np.int64]:
    return np.array([PHASE_WORDS.index(word) for word in phases.split()])


def _of_seat(numbers: NDArray[Any], seats: NDArray[Any]) -> NDArray[Any]:
    """Return the values of one seat at every table, [N, ...] from [N, P, ...]."""
    return np.asarray(numbers[np.arange(len(numbers)), seats])


# Counting

_count = partial(count_by_value, lowest=LOWEST, highest=STAR)
_count_kinds = partial(count_by_value, lowest=0, highest=len(KINDS) - 1)


def count_cards(rules: Rules, games: Any) -> dict[str, Counts]:
    """Count the playing cards of every table, wherever they lie."""
    cards, is_hidden = games["cards"][:, : rules.players], games["shown"][:, : rules.players] == HIDDEN
    at, piles, is_drawn = np.arange(DECK), games["piles"], _in(games, SECRET)[:, None]
    is_discard = at < games["discard_size"][:, None]
    return {
        "open": _count(cards, ~is_hidden),
        "hidden": _count(cards, is_hidden),
        "discards": _count(piles, is_discard),
        "buried": _count(piles - BURIED, is_discard),
        "draws": _count(piles, at >= DECK - games["pile_left"][:, None]),
        "drawn": _count(games["hand"], is_drawn),
        "taken": _count(games["hand"], ~is_drawn),
    }


def count_actions(rules: Rules, games: Any) -> dict[str, Counts]:
    """Count the action cards, by kind."""
    at, piles = np.arange(state.ACTION_DECK), games["action_piles"]
    return {
        "open": _count_kinds(games["open_actions"], np.True_),
        "held": games["held"][:, : rules.players].sum(1, dtype=np.int64),
        "discards": _count_kinds(piles, at < games["action_discard_size"][:, None]),
        "pile": _count_kinds(piles, at >= state.ACTION_DECK - games["action_pile_left"][:, None]),
    }


def missing_cards(cards: dict[str, Counts]) -> Counts:
    """Return the deck minus the cards that lie somewhere: below 0 where there are too many of a card."""
    return np.asarray(np.array(state.COUNTS) - np.sum(list(cards.values()), axis=0))


def missing_actions(rules: Rules, actions: dict[str, Counts]) -> Counts:
    """Return the same for action cards (1.4)."""
    is_in = np.arange(len(KINDS)) < (len(KINDS) if rules.action_deck == "all" else state.CERTAIN_KINDS)
    return np.asarray(state.COPIES * is_in - np.sum(list(actions.values()), axis=0))


def _by_line(rules: Rules, games: Any) -> tuple[Marks, Marks]:
    """Mark the lines that must be cleared, and those whose owners are asked, both [N, P, LINES] (6.1 to 6.4)."""
    kinds = np.zeros((len(games), rules.players, LINES), np.int8)
    write_kinds(games, rules.params, kinds)
    must, may = kinds == NUMBERS, (kinds == STARS) & (rules.star_lines == "owner_may_discard")
    is_starred = kinds == STARRED
    return (must | is_starred, may) if rules.star_clear == "automatic" else (must, may | is_starred)


def _lines_of(bits: NDArray[Any]) -> Marks:
    """Return marks of the lines in these bits, [..., LINES]."""
    return np.asarray(bits[..., None] >> np.arange(LINES) & 1, np.bool_)


# Checks


def _bounds(rules: Rules) -> dict[str, tuple[int, int]]:
    """Return the bounds of what a seat sees by the same name, and of the rest."""
    seen = {part.name: (part.low, part.high) for part in slices_of(View, rules) if part.name != "totals"}
    bounds = seen | usual_bounds(rules, state.TRUNCATED)
    bounds |= dict.fromkeys(("mover", "ender", "attacked"), (NOBODY, rules.players - 1))
    bounds |= dict.fromkeys(("pile_left", "discard_size"), (0, DECK)) | {"piles": (LOWEST, BURIED + STAR)}
    bounds |= dict.fromkeys(("action_pile_left", "action_discard_size"), (0, state.ACTION_DECK))
    bounds |= {"action_piles": (0, len(KINDS) - 1)}
    return bounds | dict.fromkeys(("shown", "cards"), seen["cells"]) | dict.fromkeys(("plays", "earned"), (0, 2**15))


def _complete(rules: Rules, games: Any) -> None:
    """Set what follows from where the cards lie, and what belongs to the phase."""
    for name in ("watching", "given_size", "brought", "given", "odds", "spare"):
        games[name] = 0
    is_hidden = games["shown"] == HIDDEN
    games["shown"] = shown = np.where(is_hidden, HIDDEN, games["cards"])
    games["knowers"] = np.where(is_hidden, games["knowers"], 0)  # 12.2
    games["hidden_left"], games["open_sum"] = is_hidden.sum(2), np.where(shown < STAR, shown, 0).sum(2)
    cards, ender = count_cards(rules, games), games["ender"]
    games["buried"], games["discards"] = cards["buried"].sum(1), cards["discards"]
    games["action_discards"] = count_actions(rules, games)["discards"]
    games["unseen"] = cards["hidden"] + cards["buried"] + cards["draws"] + cards["drawn"] - games["known_draws"]
    is_after = _in(games, "line") & (ender != NOBODY) & (games["turns_left"] == 0)
    games["is_reveal"] = is_after | _in(games, "over")  # 9.3
    _complete_turn(rules, games)
    _complete_action(games)


def _complete_turn(rules: Rules, games: Any) -> None:
    """Set whose turn it is, where that follows from the phase, and the line that is asked about (6.7)."""
    mover, is_asked = games["mover"], _in(games, "line")
    follows = ~_in(games, "opening claim line defence over truncated")
    games["mover"] = mover = np.where(follows, games["seat"], np.where(_in(games, "opening"), NOBODY, mover))
    games["starter"] = np.where((games["starter"] == NOBODY) & (mover != NOBODY), 0, games["starter"])
    games["accepted"] = np.where(is_asked, games["accepted"], 0)
    may_ask = _by_line(rules, games)[1] & _lines_of(games["changed"][:, : rules.players])
    to_ask = _of_seat(may_ask, games["seat"]) & ~_lines_of(games["accepted"]) & is_asked[:, None]
    games["line"] = np.where(to_ask.any(1), to_ask.argmax(1), NOBODY)


def _complete_action(games: Any) -> None:
    """Set what is noted of the action card that is carried out (7.2 to 7.9)."""
    played, is_asked = games["played"], _in(games, "defence")
    has_second = is_asked & (played == state.EXCHANGE)
    games["played"] = np.where(is_asked, played, PLAYED[games["phase"]])
    attacked = np.where(_in(games, "remove steal_card"), games["attacked"], NOBODY)
    games["attacked"] = np.where(is_asked, games["seat"], attacked)
    has_first = _in(games, "swap_with exchange_with") | has_second
    games["chosen"] = np.where(has_first, games["chosen"], NOBODY)
    games["chosen_with"] = np.where(has_second, games["chosen_with"], NOBODY)
    picked = np.where(_in(games, "three_place three_top"), games["picked"], NOBODY)
    games["picked"] = np.where(_in(games, "three_flip"), state.NO_CARD, picked)


def _problems(rules: Rules, games: Any) -> Iterator[Problem]:
    cards = count_cards(rules, games)
    yield wrong_deck(missing_cards(cards), CARD_NAMES)
    yield wrong_deck(missing_actions(rules, count_actions(rules, games)), KINDS)
    yield from _places(games, cards)
    yield from has_ended(rules, games, games["phase"] < state.OVER, games["ender"] != NOBODY)  # 9.7, 10.1
    yield from _turns(rules, games)
    yield from _action_in_play(games)
    yield from _choices(rules, games)


def _places(games: Any, counts: dict[str, Counts]) -> Iterator[Problem]:
    """A place without a card, or a card that belongs elsewhere."""
    size, lying = games["discard_size"], sum(counts[place].sum(1) for place in ("discards", "buried", "draws"))
    is_bare = (counts["hidden"].sum(1) != games["hidden_left"].sum(1)) | (lying != size + games["pile_left"])
    yield is_bare, "not every hidden cell and every place of a pile holds a card"
    is_taken, top = _in(games, "taken"), _of_seat(games["piles"], size - 1)
    yield ~is_taken & (size == 0), "a card must lie on the discard pile, unless the only one has just been taken"
    text = "the top card of the discard pile is one that was removed hidden: it was laid below another one"
    yield ~is_taken & (top > EMPTY), text  # 7.7
    draws = (counts["draws"] + counts["drawn"]) * (games["reshuffles"] > 0)[:, None]
    text = "known_draws: these are cards of the draw pile and drawn ones, after a reshuffle"
    yield games["known_draws"] > draws, text  # 12.3
    at, has_one, has_three = np.arange(state.HAND), _in(games, "drawn taken"), _in(games, "three three_place three_top")
    is_laid = _in(games, "three_top")[:, None] & (at == games["picked"][:, None])
    is_full = has_one[:, None] & (at == 0) | has_three[:, None] & ~is_laid
    text = "cards in hand go with drawn, taken, three, three_place and three_top, as many as the phase needs"
    yield np.where(is_full, games["hand"] >= HIDDEN, games["hand"] != EMPTY), text


def _turns(rules: Rules, games: Any) -> Iterator[Problem]:
    """A phase that does not go with the opening, the turn, the final lap or the end of the round."""
    seat, mover, has_ender = games["seat"], games["mover"], games["ender"] != NOBODY
    hidden_left, is_early = games["hidden_left"][:, : rules.players], mover == NOBODY
    yield is_early & ~_in(games, "opening claim"), "mover: somebody's turn must have begun"
    opening = np.where(_in(games, "opening"), seat, rules.players)
    yield wrong_opening(CELLS - hidden_left, opening, is_early, OPENED)  # 2.4
    is_reveal, is_playing = games["is_reveal"] != 0, games["phase"] < state.OVER
    text = "turns_left goes with an ender while the final lap is played, and only then"
    yield (games["turns_left"] > 0) != has_ender & is_playing & ~is_reveal, text  # 9.2
    yield is_reveal & hidden_left.any(1), "the round is over, but a card is hidden"  # 9.3
    yield _in(games, "claim") & (_of_seat(games["claims"], seat) == 0), "seat {game.seat} has no claim"  # 5.2
    text = "seat {game.seat} is asked about no line: none of its changed lines has stars"
    yield _in(games, "line") & (games["line"] == NOBODY), text  # 6.7


def _action_in_play(games: Any) -> Iterator[Problem]:
    """An attack or a chosen card that cannot be (7.2 to 7.9)."""
    attacked, mover, is_asked = games["attacked"], games["mover"], _in(games, "defence")
    is_attack = is_asked | _in(games, "remove steal_card")
    yield is_attack & ((attacked == NOBODY) | (attacked == mover)), "attacked: the player attacks another seat"
    is_attacking = np.isin(games["played"], (state.EXCHANGE, state.REMOVE, state.STEAL))
    yield is_asked & ~is_attacking, "played: before a defence one of exchange, remove and steal"
    holds = _of_seat(games["held"], attacked)[:, state.DEFENCE] > 0
    yield is_asked & ~holds, "seat {game.seat} has no defence"  # 7.4
    is_none = (games["picked"] == NOBODY) | _in(games, "three_place") & (games["picked"] == state.NO_CARD)
    yield _in(games, "three_place three_top") & is_none, "picked: no card of three"
    first, second, cells = games["chosen"], games["chosen_with"], games["shown"].reshape(len(games), -1) != EMPTY
    has_second = is_asked & (games["played"] == state.EXCHANGE)
    has_first = has_second | _in(games, "swap_with exchange_with")
    is_card = (first != NOBODY) & _of_seat(cells, first) & (~_in(games, "swap_with") | (first // CELLS == mover))
    yield has_first & ~is_card, "chosen: a card, in swap_with an own one"
    is_other = (second != NOBODY) & _of_seat(cells, second) & (second // CELLS != first // CELLS)
    yield has_second & ~is_other, "chosen_with: a card of another layout"


def _choices(rules: Rules, games: Any) -> Iterator[Problem]:
    """Nothing can be chosen, now or next."""
    masks = np.zeros((len(games), rules.actions), np.int8)
    write_masks(games.copy(), rules.params, masks)
    left = (games["cards"] != EMPTY).any(2)
    is_stuck = (games["phase"] < state.OVER) & ~masks.any(1) | _in(games, "three") & ~_of_seat(left, games["seat"])
    is_bare = _of_seat(games["hidden_left"], games["seat"]) == 0
    is_stuck |= _in(games, "three_top") & is_bare & (games["picked"] == state.NO_CARD)
    is_removing = _in(games, "defence") & (games["played"] == state.REMOVE) & (not rules.remove_action_cards)
    is_stuck |= is_removing & ~_of_seat(left, games["attacked"])
    yield is_stuck, "there is nothing to choose in the phase {value}", np.array(PHASE_WORDS)[games["phase"]]


CHECKS = TableChecks(_bounds, _complete, _problems)


# Written positions


def _cell_name(place: int) -> str:
    return f"{place % CELLS} of {place // CELLS}"


LINE_SET = Form(
    lambda bits: " ".join(map(str, np.flatnonzero(_lines_of(bits)))),
    lambda _, text: sum(
        1 << line for line in {read_code(word, tuple(map(str, range(LINES)))) for word in text.split()}
    ),
)
KIND_SET = counted(KINDS)
CELL = words(tuple(map(_cell_name, range(CELLS * state.MAX_PLAYERS))))
FIELDS: Fields = {
    **ROUND,
    **plain("reshuffles", "starter", "ender", "turns_left", "mover", "extra_turns", "attacked", "picked"),
    **POINTS,
    **plain("claims", "bonus", "plays", "earned"),
    "held": ("held", by_seat(KIND_SET)),
    "changed": ("changed", by_seat(LINE_SET)),
    "fresh": ("fresh", KIND_SET),
    "accepted": ("accepted", LINE_SET),
    "played": ("played", words(KINDS)),
    "chosen": ("chosen", CELL),
    "chosen_with": ("chosen_with", CELL),
}
CARD_WORDS = ("layout", "discard", "draw", "strays", "open", "action_discard", "action_pile", "seat")


def _set_usual(rules: Rules, games: Any) -> None:
    """Set all that a position may leave out, from the seat, the phase, the layouts, the cards in hand, and the line."""
    game, phase = games[0], PHASE_WORDS[games[0]["phase"]]
    for field, _ in FIELDS.values():
        game[field] = NOBODY if field in NOTED else 0
    game["round_number"], game["played"] = 1, PLAYED[game["phase"]]
    game["mover"] = NOBODY if phase == "opening" else game["seat"]
    game["attacked"] = game["seat"] if phase == "defence" else NOBODY
    first_empty = [*game["hand"], EMPTY].index(EMPTY)
    game["picked"] = {"three_place": 0, "three_top": first_empty, "three_flip": state.NO_CARD}.get(phase, NOBODY)
    if phase == "opening" and rules.opening_star:
        game["claims"] = (game["shown"] == STAR).sum(1)
    opened = (games["shown"][:, : rules.players] < HIDDEN).reshape(1, rules.players, state.COLUMNS, state.ROWS)
    opened = np.concatenate([opened.any(3), opened.any(2)], axis=2) & (phase == "opening")
    is_asked = (np.arange(rules.players)[:, None] == game["seat"]) & (np.arange(LINES) == game["line"])
    changed = (_by_line(rules, games)[0] | opened | is_asked) << np.arange(LINES)
    game["changed"][: rules.players] = changed.sum(2)[0]


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    usual = np.array([game], state.GAME_DTYPE)
    _set_usual(rules, usual)
    lines = first_lines(rules, game) + field_lines(rules, game, usual[0], FIELDS)
    lines += [f"layout {_format_layout(game, seat)}" for seat in range(rules.players)]
    lines += map(" ".join, _format_piles(rules, game))
    phase = PHASE_WORDS[game["phase"]]
    more = [str(game["line"])] if phase == "line" else map(card_name, game["hand"][: HELD.get(phase, 0)].tolist())
    return "\n".join([*lines, " ".join(["seat", str(game["seat"]), phase, *more])]) + "\n"


def _format_layout(game: Any, seat: int) -> str:
    cards, shown, knowers_of = (game[field][seat].tolist() for field in ("cards", "shown", "knowers"))

    def cell(at: int) -> str:
        hidden = "?" if shown[at] == HIDDEN else ""
        knowers = ",".join(str(knower) for knower in range(state.MAX_PLAYERS) if knowers_of[at] >> knower & 1)
        return f"{hidden}{card_name(cards[at])}{'@' if knowers else ''}{knowers}"

    return " | ".join(" ".join(map(cell, row)) for row in ROWS)


def _format_piles(rules: Rules, game: Any) -> list[list[str]]:
    """Return the discard pile, the draw pile and its strays, then the action cards in the middle."""
    names = [f"?{card_name(card - BURIED)}" if card > EMPTY else card_name(card) for card in game["piles"].tolist()]
    strays = np.maximum(_draws(rules, game) - game["known_draws"], 0)
    kinds = [KINDS[kind] for kind in game["action_piles"].tolist()]
    return [
        ["discard", *names[: game["discard_size"]]],
        ["draw", *names[DECK - game["pile_left"] :]],
        *([["strays", *np.repeat(CARD_NAMES, strays)]] if strays.any() else []),
        ["open", *((*KINDS, ".")[kind] for kind in game["open_actions"].tolist())],
        ["action_discard", *kinds[: game["action_discard_size"]]],
        ["action_pile", *kinds[state.ACTION_DECK - game["action_pile_left"] :]],
    ]


def _draws(rules: Rules, game: Any) -> NDArray[np.int64]:
    """Return the cards of the draw pile and drawn ones that, strays apart, all seats know after a reshuffle (12.3)."""
    cards = count_cards(rules, np.array([game], state.GAME_DTYPE))
    return np.asarray((cards["draws"] + cards["drawn"])[0] * (game["reshuffles"] > 0))


def parse_position(text: str) -> tuple[Rules, NDArray[Any]]:
    """Read a written position: its rules and an array of one game record. Raises PositionError with line and reason."""
    reader = _Reader(text, {*FIELDS, *CARD_WORDS}, Rules, state.GAME_DTYPE)
    game = reader.game
    for seat, layout in enumerate(reader.per_seat("layout", reader.read_layout)):
        game["cards"][seat], game["shown"][seat], game["knowers"][seat] = layout
    game["last_seat"] = game["last_action"] = NOBODY
    reader.read_decider(PHASE_WORDS, reader.read_hand)
    _set_usual(reader.rules, reader.games)
    reader.read_fields(FIELDS)
    reader.read_cards()
    reader.read_actions()
    reader.given |= {"knowers", "line"}
    return reader.finished(CHECKS)


class _Reader(PositionReader):
    """Reads the lines of cards, and deals what was left open."""

    def read_layout(self, text: str) -> NDArray[np.int64]:
        """Return the cards of a layout, what is shown of them, and who knows them."""
        layout, seats = np.zeros((3, CELLS), np.int64), tuple(map(str, range(self.rules.players)))
        rows = split_parts(text, state.ROWS, state.COLUMNS)
        for cell, word in zip(ROWS.ravel(), " ".join(rows).split(), strict=True):
            face, at, knowers = word.partition("@")
            (card,) = read_cards(face or "@", LYING)
            bits = {1 << read_code(knower, seats) for knower in knowers.split(",")} if at else ()
            layout[:, cell] = card, HIDDEN if face.startswith("?") else card, sum(bits)
        return layout

    def read_hand(self, words: list[str]) -> None:
        """Read the cards in hand, or the line that is asked about."""
        phase = PHASE_WORDS[self.game["phase"]]
        if len(words) != HELD.get(phase, phase == "line"):
            raise ValueError(f"cards in hand go with {', '.join(HELD)}, three with three, and a line with line")
        self.game["line"] = read_whole(words[0], LINES) if phase == "line" else NOBODY
        hand = [] if phase == "line" else read_cards(" ".join(words), IN_HAND)
        self.game["hand"] = [*hand, *[EMPTY] * (state.HAND - len(hand))]

    def read_cards(self) -> None:
        """Lay all playing cards."""
        game = self.game
        discards = self.one("discard", partial(read_cards, codes=DISCARDED))
        draws, is_open = self.one("draw", partial(read_pile, codes=CARDS), ([], True))
        game["discard_size"], game["pile_left"] = lay_piles(game["piles"], discards, draws)
        missing = missing_cards(count_cards(self.rules, self.games))
        is_buried = game["piles"] == HIDDEN + BURIED
        unknown = [(game["cards"], HIDDEN), (game["piles"], HIDDEN + BURIED), (game["hand"], HIDDEN)]
        left = self.deal(missing, CARD_NAMES, LOWEST, unknown)
        game["piles"][is_buried] += BURIED
        if is_open:
            game["pile_left"] = lay_piles(game["piles"][len(discards) :], [], draws + left)[1]
        draws_left = _draws(self.rules, game)
        for card in self.one("strays", partial(read_cards, codes=CARDS), []):
            draws_left[card - LOWEST] -= 1
        if draws_left.min() < 0:
            raise PositionError("strays: these are cards of the draw pile or drawn ones, after a reshuffle")
        game["known_draws"] = draws_left

    def read_actions(self) -> None:
        """Lay the action cards in the middle."""
        game = self.game
        game["open_actions"] = self.one("open", _open_places, [UNKNOWN] * state.PLACES)
        discards = self.one("action_discard", partial(read_cards, codes=ACTION_CARDS), [])
        pile, is_open = self.one("action_pile", partial(read_pile, codes=ACTION_CARDS), ([], True))
        sizes = lay_piles(game["action_piles"], discards, pile)
        game["action_discard_size"], game["action_pile_left"] = sizes
        missing = missing_actions(self.rules, count_actions(self.rules, self.games))
        left = self.deal(missing, KINDS, 0, [(game["open_actions"], UNKNOWN)])
        if is_open:
            game["action_pile_left"] = lay_piles(game["action_piles"][len(discards) :], [], pile + left)[1]


def _open_places(text: str) -> list[int]:
    (places,) = split_parts(text, 1, state.PLACES)
    return read_cards(places, {".": state.NO_KIND, **ACTION_CARDS, "?": UNKNOWN})
