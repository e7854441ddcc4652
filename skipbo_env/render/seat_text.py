"""The table as one seat sees it, as text that is made from its observation alone."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from cardtable.table.render.blocks import tally
from cardtable.table.render.terminal_colours import padded, paint
from skipbo_env.actions import card_name
from skipbo_env.kernel.state import CARDS, NONE, PLACES, UNSEEN
from skipbo_env.observation import spec_of
from skipbo_env.render.text import BOLD, COLUMN, NAME_WIDTH, format_card, format_pile
from skipbo_env.rules import Rules


def seat_text(rules: Rules, observation: NDArray[Any], names: Sequence[str]) -> str:
    """All that a seat knows: what `format_view` shows, with every pile in full, and the cards that are not seen."""
    view = spec_of(rules).view(observation)
    text = format_view(rules, observation, names, column=max(COLUMN, 3 * int(view.discard_sizes.max()) + 3))
    if view.older[0] < 0:  # under rules by which nobody can count them
        return text
    cards = map(card_name, range(1, CARDS + 1))
    unseen = view.older + view.newer - view.doubtful  # those in the own hand are counted as doubtful (8.6)
    return f"{text}\n\nnot seen yet: {tally(cards, unseen)}"


def format_view(
    rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False, column: int = COLUMN
) -> str:
    """What a seat sees: the building piles, then the others clockwise, and below them its own cards.

    Discard piles are written from bottom to top, their top cards in brackets; `column` says how much room each has.
    `names` says by seat what to call everybody.
    """
    view = spec_of(rules).view(observation)
    called = [names[(int(view.seat) + place) % rules.players] for place in range(rules.players)]
    others = [_seat_lines(view, place, called[place], colour, column) for place in range(1, rules.players)]
    own = _seat_lines(view, 0, called[0], colour, column)
    hand = " ".join(format_card(int(card), colour) for card in sorted(view.hand) if card != NONE)
    own.append(_row("hand", [hand or "empty"], column))
    lines = [
        _headline(view),
        *_building_lines(view, colour, column),
        *(line for block in others for line in block),
        *own,
    ]
    return "\n".join(line.rstrip() for line in lines)


def _headline(view: Any) -> str:
    completed = "" if view.completed[0] < 0 else f", completed {int(view.completed.sum())}"
    return f"round {view.round}, turn {view.turns + 1} | draw pile {view.draw_pile_size}{completed}"


def _building_lines(view: Any, colour: bool, column: int) -> list[str]:
    """The places by number, as the discard piles below have them, too; the last rank on each, and what comes next."""
    piles = [
        f"{format_card(int(rank), colour) if rank > 0 else 'empty'}, next {rank + 1}" for rank in view.building.tolist()
    ]
    return ["", _row("place", map(str, range(PLACES)), column), _row("building", piles, column)]


def _seat_lines(view: Any, place: int, name: str, colour: bool, column: int) -> list[str]:
    """What is seen of the seat that sits `place` seats clockwise: stock, hand, total; and the discard piles."""
    stock = _seen(view.stock_tops[place], colour)
    hand = [] if place == 0 else [f"{view.hand_sizes[place]} in hand"]
    about = ", ".join([f"stock {stock}", f"{view.stock_sizes[place]} left", *hand, f"total {view.totals[place]}"])
    title = paint(name, BOLD) if colour and place == 0 else name
    piles = _row("discards" if place == 0 else "", _piles(view, place, colour, column), column)
    return ["", f"{title}: {about}", piles]


def _piles(view: Any, place: int, colour: bool, column: int) -> Iterator[str]:
    """The discard piles of a seat, as far as they are seen."""
    sizes = view.discard_sizes
    start = int(sizes[:place].sum())
    for pile, size in enumerate(sizes[place].tolist()):
        cards, top = view.discards[start : start + size].tolist(), view.discard_tops[place, pile]
        start += size
        if size > 0 and cards[0] == UNSEEN:
            below = f"(+{size - 1}) " if size > 1 else ""
            yield f"{below}[{_seen(top, colour)}]"
        else:
            yield format_pile(cards, colour, column)


def _seen(card: int, colour: bool) -> str:
    return "?" if card == UNSEEN else format_card(int(card), colour)


def _row(title: str, entries: Iterable[str], column: int) -> str:
    return padded(title, NAME_WIDTH) + "".join(padded(entry, column) for entry in entries)
