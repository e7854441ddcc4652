"""A table of Skip-Bo as one seat sees it, from its observation alone; and the end of a round."""

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from cardtable.terminal_colours import padded, paint
from skipbo_env.events import RoundScored
from skipbo_env.kernel.state import NONE, PLACES, UNSEEN
from skipbo_env.observation import spec_of
from skipbo_env.render.text import BOLD, COLUMN, NAME_WIDTH, format_card, format_pile
from skipbo_env.rules import Rules
from skyjo.terminal.skipbo_story import RoundOver, ending_words


def format_view(rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False) -> str:
    """What a seat sees: the building piles, then the others clockwise, and below them its own cards.

    Discard piles are written from bottom to top, their top cards in brackets. `names` says by seat what to call
    everybody.
    """
    view = spec_of(rules).view(observation)
    called = [names[(int(view.seat) + place) % rules.players] for place in range(rules.players)]
    others = [_seat_lines(view, place, called[place], colour) for place in range(1, rules.players)]
    own = _seat_lines(view, 0, called[0], colour)
    own.append(
        _row(
            "hand", [" ".join(format_card(int(card), colour) for card in sorted(view.hand) if card != NONE) or "empty"]
        )
    )
    lines = [_headline(view), *_building_lines(view, colour), *(line for block in others for line in block), *own]
    return "\n".join(line.rstrip() for line in lines)


def round_end(end: RoundOver, names: Sequence[str]) -> str:
    """How a round ended, and for everybody the stock cards left, the score and the total."""
    width = max(map(len, names))
    lines = [ending_words(end, names), ""]
    for seat, name in enumerate(names):
        score = f"round {end.scores[seat]}, " if isinstance(end, RoundScored) else ""
        left = f"{end.stock_left[seat]} left in the stock"
        lines.append(f"{name.ljust(width)}  {left}, {score}total {end.totals[seat]}")
    return "\n".join(lines)


def _headline(view: Any) -> str:
    completed = "" if view.completed[0] < 0 else f", completed {int(view.completed.sum())}"
    return f"round {view.round}, turn {view.turns + 1} | draw pile {view.draw_pile_size}{completed}"


def _building_lines(view: Any, colour: bool) -> list[str]:
    """The numbers of the places, which are those of the discard piles below, too; last ranks, and what comes next."""
    piles = [
        f"{format_card(int(rank), colour) if rank > 0 else 'empty'}, next {rank + 1}" for rank in view.building.tolist()
    ]
    return ["", _row("place", map(str, range(PLACES))), _row("building", piles)]


def _seat_lines(view: Any, place: int, name: str, colour: bool) -> list[str]:
    """What is seen of the seat this many places clockwise: stock, hand, total; and the discard piles."""
    stock = _seen(view.stock_tops[place], colour)
    hand = [] if place == 0 else [f"{view.hand_sizes[place]} in hand"]
    about = ", ".join([f"stock {stock}", f"{view.stock_sizes[place]} left", *hand, f"total {view.totals[place]}"])
    title = paint(name, BOLD) if colour and place == 0 else name
    return ["", f"{title}: {about}", _row("discards" if place == 0 else "", _piles(view, place, colour))]


def _piles(view: Any, place: int, colour: bool) -> Iterator[str]:
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
            yield format_pile(cards, colour)


def _seen(card: int, colour: bool) -> str:
    return "?" if card == UNSEEN else format_card(int(card), colour)


def _row(title: str, columns: Any) -> str:
    return padded(title, NAME_WIDTH) + "".join(padded(column, COLUMN) for column in columns)
