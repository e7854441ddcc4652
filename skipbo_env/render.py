"""A table as text, in full or as one seat sees it; and a picture of the public table with the mover's hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cardtable.table.render.faces import BOLD, EMPTY_CODE, WHITE, Back, CardLook, Face, plain_look
from cardtable.table.render.scene import Shown, ShownPile
from cardtable.table.render.seating import CARD, GAP, Rect, Size
from cardtable.table.render.svg import Thing, card, ground, words
from cardtable.table.render.text import Telling, last_move_words, padded, paint, tally
from skipbo_env.card_game import spec_of
from skipbo_env.kernel import CARDS, DISCARD, HAND, NONE, PASS, PLACES, RANKS, UNSEEN, WILD
from skipbo_env.rules import card_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from skipbo_env.card_game import Game
    from skipbo_env.rules import Rules

NAME_WIDTH = 10
COLUMN = 17  # of a building place and the discard piles below it, so that four fit beside the name
CARDS_WIDTH = 21  # of a stock pile and of a hand in words

# Terminal codes by class of card: background and ink from the 256 colours.
CARD_CODES = ("48;5;25;38;5;231", "48;5;29;38;5;231", "48;5;166;38;5;16", "48;5;220;38;5;16")


# Cards and piles


def card_class(card: int) -> int:
    """Return the colour of a card: 0 for ranks 1 to 4, 1 to 8, 2 to 12, 3 for a wild card."""
    return (card - 1) // 4


def format_card(card: int, colour: bool) -> str:
    """Return a card in its colour: its rank, or w for a wild card; ? where it is not seen."""
    if card == UNSEEN:
        return "?"
    return paint(card_name(card), CARD_CODES[card_class(card)]) if colour else card_name(card)


def format_pile(cards: Sequence[int], colour: bool, column: int = COLUMN) -> str:
    """Return a discard pile from the bottom up, its top in brackets; bottom cards without room are counted."""
    if not cards:
        return paint(".", EMPTY_CODE) if colour else "."
    below = 0
    while len(_pile_words(cards, below, colour=False)) > column - 2:
        below += 1
    return _pile_words(cards, below, colour)


def _pile_words(cards: Sequence[int], below: int, colour: bool) -> str:
    left_out = [f"(+{below})"] if below > 0 else []
    visible = [format_card(card, colour) for card in cards[below:-1]]
    return " ".join([*left_out, *visible, f"[{format_card(cards[-1], colour)}]"])


def _row(title: str, entries: Iterable[str], column: int = COLUMN) -> str:
    return padded(title, NAME_WIDTH) + "".join(padded(entry, column) for entry in entries)


def _building_row(ranks: Iterable[int], colour: bool, column: int = COLUMN) -> str:
    """Return every building place with its last rank, and the rank that it takes next."""
    lasts = ((format_card(rank, colour) if rank > 0 else "empty", rank + 1) for rank in ranks)
    return _row("building", (f"{last}, next {following}" for last, following in lasts), column)


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(line.rstrip() for line in lines)


# All of the table


def format_table(game: Game, colour: bool = False, hands: bool = True) -> str:
    """Return the table: whose turn it is, last move, building piles, and every seat's stock, hand, discard piles and
    total.

    A discard pile is written from its bottom to its top card, which is in brackets; (+3) stands for three more cards at
    the bottom. Without `hands`, hand cards are shown as ?. With `colour` the text holds terminal codes, and without
    them it is the same text.
    """
    lines = [_headline(game)]
    if game.last_move is not None:
        lines.append(f"last move: {last_move_words(game)}")
    lines += ["", _building_row(game.building_piles(), colour)]
    lines.append(_row("", [f"draw pile {game.draw_pile_size}, completed {game.completed_size}"]))
    for seat in range(game.rules.players):
        lines += ["", *_seat_lines(game, seat, colour, hands)]
    return _joined(lines) + "\n"


def progress_words(game: Game) -> str:
    """Return round and turn, and the end of a game that is over if no seat emptied a stock pile."""
    words = f"round {game.round}, turn {game.turns + (not game.is_over)}"
    reasons = {"blocked": ", blocked", "no_cards": ", no cards left"}
    return words + reasons.get(game.ending or "", "") if game.is_over else words


def _headline(game: Game) -> str:
    state = f"seat {game.seat} to move"
    if game.is_truncated:
        state = "stopped after too many turns"
    elif game.is_over:
        state = f"won by {' and '.join(f'seat {seat}' for seat in game.winners) or 'nobody'}"
    return f"{progress_words(game)} | {state}"


def _seat_lines(game: Game, seat: int, colour: bool, hands: bool) -> list[str]:
    """Return a seat's two lines: stock, hand and total; and the discard piles."""
    is_deciding = seat == game.seat and not game.is_over
    name = f"{'>' if is_deciding else ' '}seat {seat}"
    name = paint(name, BOLD) if colour and is_deciding else name
    top = game.stock_top(seat)
    stock = "stock empty" if top is None else f"stock {format_card(top, colour)}, {game.stock_size(seat)} left"
    hand = " ".join(format_card(card, colour) if hands else "?" for card in game.hand(seat))
    total = f"total {game.totals[seat]}"
    if game.is_over and not game.is_truncated:  # a stopped round has no scores to show
        total = f"round {game.round_scores[seat]}, {total}"
    piles = (format_pile(game.discard_pile(seat, pile), colour) for pile in range(PLACES))
    return [_row(name, [stock, f"hand {hand or 'empty'}"], CARDS_WIDTH) + total, _row("", piles)]


# As one seat sees it: made from its observation alone


def seat_text(rules: Rules, observation: NDArray[Any], names: Sequence[str]) -> str:
    """Return everything that a seat knows: the text of `format_view`, with every pile in full, and the unseen cards."""
    view = spec_of(rules).view(observation)
    text = format_view(rules, observation, names, column=max(COLUMN, 3 * int(view.discard_sizes.max()) + 3))
    if view.older[0] < 0:  # under rules by which no seat can count them
        return text
    cards = map(card_name, range(1, CARDS + 1))
    unseen = view.older + view.newer - view.doubtful  # those in the own hand are counted as doubtful (8.6)
    return f"{text}\n\nnot seen yet: {tally(cards, unseen)}"


def format_view(
    rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False, column: int = COLUMN
) -> str:
    """Return the observation of a seat as text: the building piles, the others clockwise, and below them its own cards.

    Discard piles are written from bottom to top, their top cards in brackets; each has room for `column` columns.
    `names` holds the names of all players by seat.
    """
    view = spec_of(rules).view(observation)
    completed = "" if view.completed[0] < 0 else f", completed {int(view.completed.sum())}"
    lines = [f"round {view.round}, turn {view.turns + 1} | draw pile {view.draw_pile_size}{completed}", ""]
    lines += [_row("place", map(str, range(PLACES)), column), _building_row(view.building.tolist(), colour, column)]
    for place in (*range(1, rules.players), 0):
        lines += ["", *_seen_lines(view, place, names[(int(view.seat) + place) % rules.players], colour, column)]
    hand = " ".join(format_card(card, colour) for card in sorted(view.hand.tolist()) if card != NONE)
    return _joined([*lines, _row("hand", [hand or "empty"], column)])


def _seen_lines(view: Any, place: int, name: str, colour: bool, column: int) -> list[str]:
    """Return lines on the seat that is `place` seats clockwise: stock, hand and total, then the discard piles."""
    stock = format_card(int(view.stock_tops[place]), colour)
    hand = [] if place == 0 else [f"{view.hand_sizes[place]} in hand"]
    about = ", ".join([f"stock {stock}", f"{view.stock_sizes[place]} left", *hand, f"total {view.totals[place]}"])
    title = paint(name, BOLD) if colour and place == 0 else name
    piles = (_seen_pile(view, place, pile, colour, column) for pile in range(PLACES))
    return [f"{title}: {about}", _row("discards" if place == 0 else "", piles, column)]


def _seen_pile(view: Any, place: int, pile: int, colour: bool, column: int) -> str:
    """Return a discard pile of a seat, as far as it is seen."""
    sizes, number = view.discard_sizes.ravel(), PLACES * place + pile
    size, start = int(sizes[number]), int(sizes[:number].sum())
    cards = view.discards[start : start + size].tolist()
    if size > 0 and cards[0] == UNSEEN:
        below = f"(+{size - 1}) " if size > 1 else ""
        return f"{below}[{format_card(int(view.discard_tops[place, pile]), colour)}]"
    return format_pile(cards, colour, column)


# The picture

STRIP, STRIPS = 15, 4  # what is seen of a card below another, and how many are seen
STEP = CARD[0] + GAP
PILE_HEIGHT = CARD[1] + STRIPS * STRIP + GAP
# The hand lies below the piles, or beside them.
SHAPES: tuple[Size, ...] = ((5 * STEP - GAP, PILE_HEIGHT + GAP + CARD[1]), (10 * STEP + GAP, PILE_HEIGHT))

# By class of card: ranks 1 to 4, 5 to 8, 9 to 12. They differ in brightness too, for those who tell few colours apart.
BLUE, GREEN, RED, YELLOW = (0, 84, 158), (0, 148, 108), (206, 76, 10), (240, 196, 40)
NIGHT = (34, 32, 44)
WILD_LOOK = CardLook(NIGHT, (BLUE, GREEN, RED, YELLOW), WHITE, disc=NIGHT)
CARD_LOOKS = (plain_look(BLUE, WHITE), plain_look(GREEN, WHITE), plain_look(RED, WHITE), WILD_LOOK)
BACK = Back((RED, BLUE, GREEN, YELLOW))
WILD_TEXT = "W"
CARD_TEXTS = (str(RANKS), WILD_TEXT)  # the widest


def shown(game: Game, telling: Telling) -> Shown:
    """Return the contents of a table's picture."""
    touched = _touched(game)
    piles = [
        ShownPile(BACK if count > 0 else None, f"{name} {count}")
        for name, count in (("draw", game.draw_pile_size), ("completed", game.completed_size))
    ]
    for place, height in enumerate(game.building_piles()):
        face = _building_face(game, place, height) if height > 0 else None
        piles.append(ShownPile(face, f"next {height + 1}", touched == place))

    def cards(seat: int, shape: int, left: float, top: float) -> Iterator[Thing]:
        yield from _stock(game, seat, left, top)
        for pile in range(PLACES):
            fan = game.discard_pile(seat, pile)
            yield from _fan(fan, left + (pile + 1) * STEP, top, touched == (seat, pile))
        is_open = game.is_over or seat == game.seat
        beside, below = (5 * STEP + 2 * GAP, 0.0) if shape else (0.0, PILE_HEIGHT + GAP)
        for number, held in enumerate(game.hand(seat)[:HAND]):
            yield from card(left + beside + number * STEP, top + below, _face(held) if is_open else BACK)

    has_scores = game.is_over and not game.is_truncated  # a stopped round has none
    notes = [("", f"round {score}" if has_scores else "") for score in game.round_scores]
    return Shown(f"{telling.name(game.seat)} to move", progress_words(game), piles, notes, SHAPES, cards)


def _building_face(game: Game, place: int, height: int) -> Face:
    """Return the last card of a building pile: with its rank also if it is a wild card."""
    is_wild = bool(game.state["wild_ranks"][0, place] >> (height - 1) & 1)
    return Face(WILD_LOOK if is_wild else CARD_LOOKS[card_class(height)], str(height), CARD_TEXTS)


def _stock(game: Game, seat: int, left: float, top: float) -> Iterator[Thing]:
    """Yield the top card, and how many cards there are, on a ground of its own."""
    yield ground(Rect(left - 3, top - 3, CARD[0] + 6, PILE_HEIGHT + 6))
    card_below = game.stock_top(seat)
    yield from card(left, top, None if card_below is None else _face(card_below))
    line = Rect(left, top + CARD[1] + GAP, CARD[0], 20)
    yield from words("stock", line, "dim", 0.5)
    yield from words(str(game.stock_size(seat)), line._replace(top=line.top + line.height), "ink", 0.5, ("stock",))


def _fan(cards: tuple[int, ...], left: float, top: float, is_marked: bool) -> Iterator[Thing]:
    """Yield a discard pile, the top card lowest: of the others so many, and how many more there are."""
    below = cards[:-1]
    if len(below) > STRIPS:
        left_out = len(below) - STRIPS + 1
        yield from words(f"+{left_out}", Rect(left, top, CARD[0], STRIP), "dim", 0.5, ("+00",))
        top, below = top + STRIP, below[left_out:]
    for number in below:
        yield from card(left, top, _face(number)._replace(strip=STRIP))
        top += STRIP
    yield from card(left, top + (GAP if below else 0), _face(cards[-1]) if cards else None, is_marked)


def _touched(game: Game) -> int | tuple[int, int] | None:
    """Return where the last move laid a card: a building place, or (seat, discard pile); None if in another round."""
    is_new_round = game.turns == 0 and not any(game.building_piles()) and not game.state["completed_piles"].any()
    if game.last_move is None or is_new_round or game.last_move[1] == PASS:
        return None
    seat, action = game.last_move
    return (seat, action % PLACES) if action >= DISCARD else action % PLACES


def _face(number: int) -> Face:
    return Face(CARD_LOOKS[card_class(number)], WILD_TEXT if number == WILD else str(number), CARD_TEXTS)
