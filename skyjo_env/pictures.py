"""The picture of a table: what everybody sees, and the card in hand."""

from collections.abc import Iterator

from cardtable.table.render.faces import POINT_BACK, Image, number_text, point_face
from cardtable.table.render.scene import Shown, ShownPile, cell_corner, grid_size
from cardtable.table.render.svg import Thing, card
from cardtable.table.render.words import Telling, counted
from skyjo_env.card_game import Game
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, TAKE
from skyjo_env.rules import Rules, action_names

PHASE_WORDS = {
    "opening": "turns a card up",
    "turn": "draws or takes",
    "drawn": "has drawn {}",
    "taken": "has taken {}",
    "confirm": "clears or keeps",
}


def shown(game: Game, telling: Telling) -> Shown:
    """Return what the picture of a table shows."""
    rules, touched = game.rules, _touched(game)
    hand = "" if game.hand is None else number_text(game.hand)
    piles = (
        ("draw", HIDDEN if game.draw_pile_size > 0 else None, f"draw {game.draw_pile_size}"),
        ("discard", game.discard_top, f"discard {game.discard_pile_size}"),
        ("hand", game.hand, "in hand"),
    )

    def cells(seat: int, _shape: int, left: float, top: float) -> Iterator[Thing]:
        for cell, value in enumerate(game.board(seat).T.ravel().tolist()):
            yield from card(*cell_corner(cell, rules.rows, left, top), _image(value, rules), touched == (seat, cell))

    return Shown(
        f"{telling.name(game.seat)} {PHASE_WORDS.get(game.phase, '').format(hand)}",
        _details(game, telling),
        [ShownPile(_image(value, rules), caption, touched == name) for name, value, caption in piles],
        [(_note(game, seat), _points(game, seat)) for seat in range(rules.players)],
        (grid_size(rules.rows, rules.columns),),
        cells,
    )


def _details(game: Game, telling: Telling) -> str:
    """Return the round and turn, and who has ended the round."""
    words = f"round {game.round}, turn {game.turns + (not game.is_over)}"
    if game.ender is None:
        return words
    if game.is_over:
        return f"{words}, ended by {telling.seat(game.ender)}"
    return f"{words}, final lap: {telling.seat(game.ender)} ended, {counted(game.turns_left, 'turn')} left"


def _note(game: Game, seat: int) -> str:
    if seat in game.winners:
        return "wins"
    return "ended" if seat == game.ender else ""


def _points(game: Game, seat: int) -> str:
    """Return the score of the round, or the sum of the open cards while there is none, as in a stopped round."""
    if game.winners:
        return f"round {number_text(game.round_scores[seat])}"
    board = game.board(seat)
    return f"open {number_text(int(board[board < HIDDEN].sum()))}"


def _image(value: int | None, rules: Rules) -> Image:
    """Return a card or its back; None for an empty place."""
    if value is None or value == EMPTY:
        return None
    return POINT_BACK if value == HIDDEN else point_face(value, rules.values[0], rules.values[-1])


def _touched(game: Game) -> tuple[int, int] | str | None:
    """Return what the last move touched: (seat, cell), "hand" or "discard"; None if that was in another round."""
    if game.last_move is None or _is_new_round(game):
        return None
    seat, action = game.last_move
    if action in (DRAW, TAKE):
        return "hand"
    if action < FIRST_PLACE + 2 * game.rules.cells:
        return seat, (action - FIRST_PLACE) % game.rules.cells
    return "discard" if action_names(game.rules)[action] == "discard" else None


def _is_new_round(game: Game) -> bool:
    """Return whether nothing has been decided yet in this round."""
    if game.phase == "opening":
        return all((game.board(seat) == HIDDEN).all() for seat in range(game.rules.players))
    is_chosen = game.rules.initial_flip == "choose" and game.rules.opening_flips > 0
    return game.phase == "turn" and game.turns == 0 and not is_chosen
