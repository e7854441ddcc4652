"""The table as one seat sees it, as text that is made from its observation alone."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from numpy.typing import NDArray

from cardtable.table.render.blocks import numbered, side_by_side, tally
from skyjo_action_env.kernel.state import CELLS, COLUMNS, EMPTY, HIDDEN, KINDS, LOWEST, NO_KIND, PHASES, ROWS, STAR
from skyjo_action_env.observation import spec_of
from skyjo_action_env.render.text import format_card, format_cell
from skyjo_action_env.rules import Rules

WIDTH, BLOCK = 80, 18  # columns, of all and of a layout beside others


def seat_text(rules: Rules, observation: NDArray[Any], names: Sequence[str]) -> str:
    """All that a seat knows: what `format_view` shows, the cards that are not seen yet, and what has to be decided."""
    view = spec_of(rules).view(observation)
    cards = [card_name(card) for card in range(LOWEST, STAR + 1)]
    lines = [format_view(rules, observation, names), "", f"not seen yet: {tally(cards, view.unseen)}"]
    if view.known_draws.any():  # after a reshuffle
        lines.append(f"known to be in the draw pile: {tally(cards, view.known_draws)}")
    return "\n".join([*lines, " | ".join(_situation(view, names))])


def _situation(view: Any, names: Sequence[str]) -> Iterator[str]:
    """The phase, and what is being carried out: places are counted clockwise as in the names of actions."""
    yield f"phase: {PHASES[view.phase]}"
    hand = [f"card {k}: {card_name(card)}" for k, card in enumerate(view.hand.tolist()) if card != EMPTY]
    if hand:
        yield f"in hand {', '.join(hand)}"
    if view.picked in range(len(view.hand)):
        yield f"card {view.picked} is laid"
    if view.line >= 0:
        yield f"about {line_name(int(view.line))}"
    chosen = [divmod(int(number), CELLS) for number in (view.chosen, view.chosen_with) if number >= 0]
    if chosen:
        yield f"chosen: {' and '.join(f'cell {cell} of {place}' for place, cell in chosen)}"
    if view.played != NO_KIND:
        mover, attacked = (names[(int(view.seat) + int(place)) % len(names)] for place in (view.mover, view.attacked))
        yield f"{KINDS[view.played]} is played by {mover}{f' against {attacked}' if view.attacked >= 0 else ''}"


def format_view(
    rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False, columns: int = WIDTH
) -> str:
    """What a seat sees: the others clockwise, and below them its own layout with the numbers of its cells.

    A hidden card that only some know is written ?5 for those. `names` says by seat what to call everybody.
    """
    view = spec_of(rules).view(observation)
    called = [names[(int(view.seat) + place) % rules.players] for place in range(rules.players)]
    layouts = [layout_rows(view.cells[place], view.known[place], colour) for place in range(rules.players)]
    others = [
        [called[place], *map(" ".join, layouts[place]), f"total {view.totals[place]}", *wrap(_held(view, place), BLOCK)]
        for place in range(1, rules.players)
    ]
    held = wrap(f"action cards: {_held(view, 0) or 'none'}", WIDTH)
    own = [f"{called[0]}, total {view.totals[0]}", *numbered(layouts[0]), *held]
    return "\n".join([*_head(view, called, colour), "", side_by_side(others, columns), "", *own])


def card_name(card: int) -> str:
    """A card as it is written."""
    return {STAR: "*", HIDDEN: "?", EMPTY: "."}.get(int(card), str(card))


def line_name(line: int) -> str:
    """A line as it is typed."""
    return f"column {line}" if line < COLUMNS else f"row {line - COLUMNS}"


def _head(view: Any, called: Sequence[str], colour: bool) -> list[str]:
    """The piles, the open action cards, and how the round stands."""
    turn = "opening" if view.mover < 0 else f"turn {view.turns + 1}"
    top = "none" if view.action_top == NO_KIND else KINDS[view.action_top]
    piles = f"discard {format_card(int(view.discard_top), colour)}, draw pile {view.draw_pile_size}"
    places = ", ".join(f"{place} {KINDS[kind]}" for place, kind in enumerate(view.open_actions) if kind != NO_KIND)
    return [
        f"round {view.round}, {turn} | {piles} | actions {view.action_pile_size}, discard {top}",
        f"open action cards: {places or 'none'}",
        *([f"extra turns that follow: {view.extra_turns}"] if view.extra_turns > 0 else []),
        *([f"ended by {called[view.ender]}, turns left: {view.turns_left}"] if view.ender >= 0 else []),
    ]


def layout_rows(cells: NDArray[Any], known: NDArray[Any], colour: bool) -> list[list[str]]:
    """The rows of a layout, each cell three characters wide."""
    hidden = ["?" if below == EMPTY else f"?{card_name(below)}" for below in known]  # ?5 is one that the seat knows
    written = [format_cell(int(card), colour, below) for card, below in zip(cells, hidden, strict=True)]
    return [written[row::ROWS] for row in range(ROWS)]


def _held(view: Any, place: int) -> str:
    """The action cards beside a layout, such as `swap, 2 look`."""
    counts = zip(KINDS, view.held[place].tolist(), strict=True)
    return ", ".join(kind if count == 1 else f"{count} {kind}" for kind, count in counts if count)
