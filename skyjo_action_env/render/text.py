"""A table as text, readable in any terminal, and the words that a picture uses too."""

from __future__ import annotations

from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

from cardtable.render.point_cards import BOLD, CARD_CODES, EMPTY_CODE, HIDDEN_CODE, card_class
from cardtable.render.words import last_move_words
from cardtable.terminal_colours import padded, paint
from skyjo_action_env.kernel.state import CELLS, COLUMNS, EMPTY, HIDDEN, KINDS, NO_KIND, ROWS, STAR

if TYPE_CHECKING:
    from skyjo_action_env.game import Game

SEATS_A_ROW = 2
ROW_WIDTH = 4 * COLUMNS - 1  # of a layout
ACTIONS_WIDTH = 22  # of the action cards beside it: two kinds fit into a line
GAP = "  "
BLOCK_WIDTH = ROW_WIDTH + len(GAP) + ACTIONS_WIDTH
STAR_CODE = "48;5;54;38;5;231"

PHASE_WORDS = {
    "opening": "turns a card up",
    "turn": "draws, takes or plays",
    "drawn": "lays the drawn card",
    "taken": "lays the taken card",
    "claim": "may take an action card",
    "line": "clears or keeps {line}",
    "swap": "chooses a card to swap",
    "swap with": "chooses the other card",
    "three": "chooses one of three cards",
    "three place": "lays one of three cards",
    "three top": "chooses the top discard",
    "three flip": "turns a card up",
    "look": "chooses a line to look at",
    "exchange": "chooses a card to exchange",
    "exchange with": "chooses the other card",
    "remove": "removes a card of seat {attacked}",
    "replay": "chooses a card to replay",
    "steal": "chooses whom to steal from",
    "steal card": "steals from seat {attacked}",
    "defence": "may stop the {played}",
}


def format_table(game: Game, colour: bool = False, all_cards: bool = False, drawn_card: bool = True) -> str:
    """The public table and the cards in hand: piles, layouts, action cards, whose turn, last move, totals, scores.

    Hidden cards are shown as ?, as (?) if a seat knows them, and with `all_cards` as ?7. Of three cards in hand the one
    that is laid is in brackets. Without `drawn_card`, cards that only their holder knows are shown as ?. With `colour`
    the text holds terminal codes, and without them it is the same text.
    """
    head = [progress_words(game), _state(game)]
    if game.last_move is not None:
        head.append(f"last move: {last_move_words(game)}")
    head += ["", _card_piles(game, colour, drawn_card), _action_piles(game)]
    blocks = [_seat_block(game, seat, colour, all_cards) for seat in range(game.rules.players)]
    for first in range(0, len(blocks), SEATS_A_ROW):
        row = zip_longest(*blocks[first : first + SEATS_A_ROW], fillvalue="")
        head += ["", *(GAP.join(padded(part, BLOCK_WIDTH) for part in line).rstrip() for line in row)]
    return "\n".join(head) + "\n"


# Words


def progress_words(game: Game) -> str:
    """Round and turn, extra turns, and who has ended the round."""
    words = f"round {game.round}, turn {game.turns + (not game.is_over)}"
    if game.is_over:
        return words if game.ender is None else f"{words}, ended by seat {game.ender}"
    if game.mover is not None:
        words += f" of seat {game.mover}"
    if game.extra_turns:
        words += f", {_counted(game.extra_turns, 'extra turn')}"
    if game.ender is not None:
        words += f", final lap: seat {game.ender} ended, {_counted(game.turns_left, 'turn')} left"
    return words


def decision_words(game: Game) -> str:
    """Who decides, and about what."""
    line = int(game.state["line"][0])
    words = PHASE_WORDS[game.phase].format(
        line=f"column {line}" if line < COLUMNS else f"row {line - COLUMNS}",
        attacked=game.attacked,
        played=played_action(game),
    )
    return f"seat {game.seat} {words}"


def played_action(game: Game) -> str | None:
    """The action card that is being carried out, or None."""
    kind = int(game.state["played"][0])
    return None if kind == NO_KIND else KINDS[kind]


def seat_notes(game: Game, seat: int) -> str:
    """What is to be said of a seat beside its name: has it the turn, is it attacked, what may it claim?"""
    claims = int(game.state["claims"][0, seat])
    notes = {
        "wins": seat in game.winners,
        "turn": seat == game.mover and not game.is_over,
        "attacked": seat == game.attacked,
        _counted(claims, "claim"): claims > 0,
        "ended": seat == game.ender,
    }
    return ", ".join(note for note, is_so in notes.items() if is_so)


def seat_points(game: Game, seat: int) -> int:
    """The score of the round, or the sum of the open cards while there is none; a stopped round never has one."""
    return game.round_scores[seat] if game.winners else int(game.state["open_sum"][0, seat])


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _state(game: Game) -> str:
    """Who decides and what is being carried out, or how the game has ended."""
    if game.is_over:
        winners = ", ".join(f"seat {seat}" for seat in game.winners)
        return f"over, won by {winners}" if winners else "stopped after too many turns"
    played = played_action(game)
    return decision_words(game) + (f" | carried out: {played}" if played else "")


# Piles


def _card_piles(game: Game, colour: bool, drawn_card: bool) -> str:
    top = "" if game.discard_top is None else f": {format_card(game.discard_top, colour)}"
    is_secret = game.phase != "taken" and not drawn_card
    cards = [HIDDEN if is_secret and card != EMPTY else card for card in game.state["hand"][0].tolist()]
    picked = int(game.state["picked"][0])
    hand = [
        f"[{format_card(card, colour)}]" if k == picked else format_card(card, colour)
        for k, card in enumerate(cards)
        if card != EMPTY
    ]
    in_hand = f" | in hand {' '.join(hand)}" if hand else ""
    return f"draw pile {game.draw_pile_size} | discard pile {game.discard_pile_size}{top}{in_hand}"


def _action_piles(game: Game) -> str:
    used = game.action_discards
    top = f": {used[-1]}" if used else ""
    places = ", ".join(kind or "none" for kind in game.open_actions)
    return f"action pile {game.action_pile_size} | used {len(used)}{top} | open {places}"


# Seats


def _seat_block(game: Game, seat: int, colour: bool, all_cards: bool) -> list[str]:
    """A seat's lines: its name, its layout with the action cards beside it, and its points."""
    is_deciding = seat == game.seat and not game.is_over
    name, notes = f"{'>' if is_deciding else ' '}seat {seat}", seat_notes(game, seat)
    name = paint(name, BOLD) if colour and is_deciding else name
    cells = [_cell(game, seat, cell, colour, all_cards) for cell in range(CELLS)]
    rows = [" ".join(cells[row::ROWS]) for row in range(ROWS)]
    held = ", ".join(kind if n == 1 else f"{kind}_{n}" for kind, n in game.held_actions(seat).items())
    actions = [line.replace("_", " ") for line in wrap(held, ACTIONS_WIDTH)]
    lines = [GAP.join(parts) for parts in zip_longest(rows, actions, fillvalue="")]
    lines[ROWS:] = [GAP.join((" " * ROW_WIDTH, action)) for action in actions[ROWS:]]
    points = f"{'round' if game.winners else 'open'} {seat_points(game, seat)}, total {game.totals[seat]}"
    return [f"{name}: {notes}" if notes else name, *lines, points]


def _cell(game: Game, seat: int, cell: int, colour: bool, all_cards: bool) -> str:
    """A cell of a layout in three characters."""
    card, below = int(game.state["shown"][0, seat, cell]), int(game.state["cards"][0, seat, cell])
    if card == EMPTY:
        return paint("  .", EMPTY_CODE) if colour else "  ."
    if card == HIDDEN:
        text = "(?)" if game.state["knowers"][0, seat, cell] else "  ?"
        text = f"{f'?{card_text(below)}':>3}" if all_cards else text
        return paint(text, HIDDEN_CODE) if colour else text
    return format_card(card, colour, 3)


def card_text(card: int) -> str:
    """A card's number, or * for a star and ? for a hidden card."""
    return {STAR: "*", HIDDEN: "?"}.get(card, str(card))


def format_card(card: int, colour: bool, width: int = 0) -> str:
    """A card in its colour."""
    text = f"{card_text(card):>{width}}"
    code = {STAR: STAR_CODE, HIDDEN: HIDDEN_CODE}.get(card) or CARD_CODES[card_class(card)]
    return paint(text, code) if colour else text
