"""What a picture of a table shows: what everybody sees, and the cards in hand. Nothing is drawn here."""

from collections.abc import Iterator

from cardtable.table.render.point_cards import number_text
from cardtable.table.render.scene import (
    UNTOLD,
    Card,
    Scene,
    ShownPile,
    Telling,
    Thing,
    pile_things,
    seat_things,
    word_lines,
)
from cardtable.table.render.words import end_words, happened_words
from skyjo_action_env.actions import action_names
from skyjo_action_env.game import Game
from skyjo_action_env.kernel.lines import cell_of, line_length
from skyjo_action_env.kernel.state import CELLS, HIDDEN, NOBODY
from skyjo_action_env.render.layout import CARDS, OPEN_PLACES, Layout, Panel, arrange
from skyjo_action_env.render.looks import ACTION_BACK, action_image, action_tile, card_image, known_mark
from skyjo_action_env.render.text import decision_words, played_action, progress_words, seat_notes, seat_points

Spot = str | tuple[int, int]  # what bears a mark: a pile, or a seat and a cell


def table_scene(game: Game, size: tuple[int, int], telling: Telling = UNTOLD) -> Scene:
    """The picture of a table at this width and height."""
    layout = arrange(game.rules.players, *size)
    headline = end_words(game, telling) if game.is_over else _decision(game, telling)
    words = headline, progress_words(game, telling), happened_words(game, telling)
    marked, lines = _marked(game), [_lines(game, seat, telling) for seat in range(game.rules.players)]
    bright = game.winners if game.is_over else (game.seat,)
    return Scene(
        size,
        (
            *word_lines((layout.headline, layout.details, layout.last_move), words, telling),
            *_piles(layout, game, marked),
            *seat_things([panel[:3] for panel in layout.seats], lines, bright),
            *(thing for seat, panel in enumerate(layout.seats) for thing in _layout(panel, game, seat, marked)),
        ),
    )


def _decision(game: Game, telling: Telling) -> str:
    words = decision_words(game, telling)
    return words[0].upper() + words[1:] if telling.names is None else words


def _lines(game: Game, seat: int, telling: Telling) -> tuple[tuple[str, str], tuple[str, str]]:
    """What is written above and below a seat's cards."""
    word, points = seat_points(game, seat)
    name = telling.name(seat), seat_notes(game, seat)
    return name, (f"{word} {number_text(points)}", f"total {number_text(game.totals[seat])}")


def _piles(layout: Layout, game: Game, marked: set[Spot]) -> Iterator[Thing]:
    """Both pairs of piles, the cards in hand, the open action cards and what is being carried out."""
    used = game.action_discards
    images = {
        "draw": card_image(HIDDEN if game.draw_pile_size else None),
        "discard": card_image(game.discard_top),
        "action": ACTION_BACK if game.action_pile_size else None,
        "used": action_image(used[-1] if used else None),
        "played": action_image(played_action(game)),
    }
    images |= {name: card_image(card) for name, card in zip(CARDS, game.state["hand"][0].tolist(), strict=True)}
    images |= {name: action_image(kind) for name, kind in zip(OPEN_PLACES, game.open_actions, strict=True)}
    counts = {"draw": game.draw_pile_size, "discard": game.discard_pile_size}
    counts |= {"action": game.action_pile_size, "used": len(used)}
    captions = {name: f"{name} {counts[name]}" if name in counts else name for name in images}
    shown = [ShownPile(layout.piles[name], images[name], captions[name], name in marked) for name in images]
    return pile_things(shown, "discard 100")


def _layout(panel: Panel, game: Game, seat: int, marked: set[Spot]) -> Iterator[Thing]:
    """A seat's cards: the layout and the action cards beside it."""
    knowers = game.state["knowers"][0, seat]
    for cell, (place, card) in enumerate(zip(panel.cells, game.board(seat).T.ravel().tolist(), strict=True)):
        yield Card(place, card_image(card), (seat, cell) in marked)
        if knowers[cell]:
            yield known_mark(place)
    for place, (kind, count) in zip(panel.actions, game.held_actions(seat).items(), strict=False):
        yield Card(place, action_tile(kind, count))


def _marked(game: Game) -> set[Spot]:
    """What the last move touched, unless it was in another round, and the cells that are asked about or chosen."""
    line, *chosen = (int(game.state[name][0]) for name in ("line", "chosen", "chosen_with"))
    marked: set[Spot] = {divmod(place, CELLS) for place in chosen if place != NOBODY}
    if line != NOBODY:
        marked |= _line(game.seat, line)
    is_dealt = game.phase == "opening" and (game.state["hidden_left"][0, : game.rules.players] == CELLS).all()
    if game.last_move is not None and not is_dealt:
        marked |= _touched(game, *game.last_move)
    return marked


def _touched(game: Game, seat: int, action: int) -> set[Spot]:
    """What this move touched."""
    name = action_names(game.rules)[action]
    word, *numbers = name.replace("of ", "").split()
    if word in ("draw", "take"):
        return {CARDS[0]}
    if word in ("play", "discard"):
        return {"played" if word == "play" and played_action(game) else "used"}
    if word in ("place", "flip"):
        return {(seat, int(numbers[0]))}
    if word in ("cell", "line"):
        owner = (seat + int(numbers[1])) % game.rules.players
        return {(owner, int(numbers[0]))} if word == "cell" else _line(owner, int(numbers[0]))
    return {name}


def _line(seat: int, line: int) -> set[Spot]:
    """The cells of a column or a row."""
    return {(seat, int(cell_of(line, k))) for k in range(line_length(line))}
