"""Draw what a seat sees: docs/images/GAME-observation.svg, with the number of every place and its slices.

`python docs/observation_pictures.py` writes the pictures again, after a change to the observations.
"""

from html import escape
from pathlib import Path

from cardtable.table.game.card_game import CardGame, find_game

FOLDER = Path(__file__).parent / "images"
WIDTH, EDGE = 680, 16
SHORT = {"draw_pile_size": "size", "action_pile_size": "size", "discard_top": "top", "hand": "hand"}
STYLE = """
text { font-family: system-ui, sans-serif; font-size: 16px; fill: #1f2328; text-anchor: middle }
.number { font-size: 22px; font-weight: 600 }
.name { font-weight: 600 }
.left { text-anchor: start }
.paper { fill: #ffffff } .card { fill: #eef1f4; stroke: #8c959f } .own { fill: #d5e9ff; stroke: #3b82c4 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .paper { fill: #14181d } .card { fill: #262c34; stroke: #7d8590 } .own { fill: #123a5f; stroke: #58a6ff }
}"""


class Picture:
    """A picture of a table with the places of its observation."""

    def __init__(self, game: CardGame) -> None:
        self.title, self.height, self._parts = game.title, 0, list[str]()
        self._slices = {part.name: part for part in game.spec_of(game.official).slices}

    def at(self, name: str, place: int = 0) -> int:
        """Return where the numbers of this place begin in a slice."""
        part = self._slices[name]
        return part.start + place * ((part.stop - part.start) // (part.shape or (1,))[0])

    def span(self, first: str, last: str = "") -> str:
        """Return the first and last place of these slices."""
        start, stop = self._slices[first].start, self._slices[last or first].stop
        return f"{start}" if stop == start + 1 else f"{start}–{stop - 1}"

    def text(self, x: float, y: float, words: object, kind: str = "") -> None:
        """Write words centred at x, or from x on if they are of the kind left."""
        self._parts.append(f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(str(words))}</text>')
        self.height = max(self.height, int(y) + EDGE)

    def card(self, x: float, y: float, number: object, places: object, *, own: bool = False, size: int = 56) -> None:
        """Draw a card with its number in actions, and with its places in the observation."""
        kind = "own" if own else "card"
        self._parts.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{size}" height="58" rx="6"/>')
        self.text(x + size / 2, y + 26, number, "number")
        self.text(x + size / 2, y + 48, places)

    def slices(self, y: int, *groups: tuple[str, str, str]) -> None:
        """List groups of slices, each with its name, in rows."""
        x = EDGE
        for name, first, last in groups:
            width = max(90.0, 24 + 9 * len(name))
            if x + width > WIDTH - EDGE:
                x, y = EDGE, y + 62
            self._parts.append(f'<rect class="card" x="{x:g}" y="{y}" width="{width:g}" height="52" rx="6"/>')
            self.text(x + width / 2, y + 22, name, "name")
            self.text(x + width / 2, y + 43, self.span(first, last))
            x += round(width) + 7
            self.height = y + 52 + EDGE

    def svg(self) -> str:
        """Return the picture as an SVG document, light or dark as the reader's system is."""
        frame = f'viewBox="0 0 {WIDTH} {self.height}" role="img" aria-label="What a seat of {self.title} sees"'
        paper = f'<rect class="paper" width="{WIDTH}" height="{self.height}" rx="8"/>'
        parts = "\n".join([f"<style>{STYLE}</style>", paper, *self._parts])
        return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>\n{parts}\n</svg>\n'


def grid(picture: Picture, left: int, top: int, place: int, lines: bool) -> None:
    """Draw a board of four columns of three cells, with the numbers of its lines if they have any."""
    for cell in range(12):
        column, row = divmod(cell, 3)
        number = picture.at("cells", place) + cell
        picture.card(left + 64 * column, top + 66 * row, cell, number, own=place == 0)
    for line in range(7) if lines else ():
        at = (left + 64 * line + 28, top - 8) if line < 4 else (left - 14, top + 66 * (line - 4) + 34)
        picture.text(*at, line)
    picture.text(left + 124, top - 30, "you: place 0" if place == 0 else "next seat: place 1", "name")
    numbers = ("hidden_left", "open_sums", "totals")
    for row, name in enumerate(numbers):
        picture.text(left + 124, top + 222 + 22 * row, f"{name} {picture.at(name, place)}")


def skyjo(game: CardGame) -> Picture:
    """Draw a table of Skyjo."""
    picture = Picture(game)
    piles = (170, "draw_pile_size", "draw pile"), (300, "discard_top", "discard"), (430, "hand", "your card")
    for x, name, words in piles:
        picture.card(x, 44, SHORT[name], picture.span(name), own=name == "hand", size=80)
        picture.text(x + 40, 30, words, "name")
    for place in range(2):
        grid(picture, 40 + 350 * place, 160, place, lines=False)
    picture.slices(
        450,
        ("table", "phase", "reshuffles"),
        ("cells", "cells", ""),
        ("boards", "hidden_left", "totals"),
        ("hidden_pool", "hidden_pool", ""),
        ("draw_pool", "draw_pool", ""),
        ("discards", "discards", ""),
    )
    return picture


def skipbo(game: CardGame) -> Picture:
    """Draw a table of Skip-Bo."""
    picture = Picture(game)
    picture.text(170, 30, "building places", "name")
    for place in range(4):
        picture.card(40 + 66 * place, 44, place, picture.at("building") + place)
    picture.text(480, 30, "draw pile", "name")
    picture.card(440, 44, SHORT["draw_pile_size"], picture.span("draw_pile_size"), size=80)
    for place in range(2):
        _stock_and_piles(picture, 150 + 156 * place, place)
    picture.slices(
        466,
        ("table", "phase", "older_held"),
        ("building", "building", ""),
        ("building_wilds", "building_wilds", ""),
        ("hand", "hand", "hand_counts"),
        ("counts", "completed", "doubtful"),
        ("stock", "stock_tops", "stock_sizes"),
        ("sizes, totals", "hand_sizes", "totals"),
        ("discard_sizes", "discard_sizes", ""),
        ("discard_tops", "discard_tops", ""),
        ("older_odds", "older_odds", ""),
        ("discards", "discards", ""),
    )
    return picture


def _stock_and_piles(picture: Picture, top: int, place: int) -> None:
    own = place == 0
    picture.text(EDGE, top, "you: place 0" if own else "next seat: place 1", "name left")
    picture.text(80, top + 26, "stock pile")
    picture.card(40, top + 36, "stock", picture.at("stock_tops", place), own=own, size=80)
    picture.text(80, top + 114, f"size {picture.at('stock_sizes', place)}")
    picture.text(288, top + 26, "discard piles")
    for pile in range(4):
        tops, sizes = (picture.at(name, place) + pile for name in ("discard_tops", "discard_sizes"))
        picture.card(160 + 66 * pile, top + 36, pile, tops, own=own)
        picture.text(188 + 66 * pile, top + 114, f"size {sizes}" if pile == 0 else sizes)
    picture.text(555, top + 26, "hand")
    for card in range(5):
        picture.card(
            444 + 45 * card, top + 36, "r" if own else "?", picture.at("hand") + card if own else "", own=own, size=40
        )
    picture.text(555, top + 114, f"size {picture.at('hand_sizes', place)}")


def skyjo_action(game: CardGame) -> Picture:
    """Draw a table of Skyjo Action."""
    picture = Picture(game)
    tops = (
        ("draw pile", "draw_pile_size", 30),
        ("discard", "discard_top", 122),
        ("action pile", "action_pile_size", 214),
    )
    for words, name, x in tops:
        picture.text(x + 38, 30, words, "name")
        picture.card(x, 44, SHORT[name], picture.span(name), size=76)
    picture.text(395, 30, "open action cards", "name")
    for place in range(4):
        picture.card(310 + 44 * place, 44, place, picture.at("open_actions") + place, size=40)
    picture.text(575, 30, "your drawn cards", "name")
    for card in range(3):
        picture.card(510 + 44 * card, 44, card, picture.at("hand") + card, own=True, size=40)
    for place in range(2):
        grid(picture, 50 + 345 * place, 180, place, lines=True)
        picture.text(
            174 + 345 * place, 468, f"action cards held {picture.at('held', place)}–{picture.at('held', place) + 8}"
        )
    picture.slices(
        500,
        ("table", "phase", "action_top"),
        ("hand", "hand", "strays"),
        ("open_actions", "open_actions", ""),
        ("fresh", "fresh", ""),
        ("action_discards", "action_discards", ""),
        ("counts", "unseen", "discards"),
        ("cells", "cells", ""),
        ("known", "known", ""),
        ("knowers", "knowers", ""),
        ("held", "held", ""),
        ("seats", "hidden_left", "changed"),
    )
    return picture


PICTURES = {"skyjo": skyjo, "skipbo": skipbo, "skyjo_action": skyjo_action}


def main() -> None:
    """Write all pictures."""
    for name, draw in PICTURES.items():
        (FOLDER / f"{name.replace('_', '-')}-observation.svg").write_text(draw(find_game(name)).svg(), "utf-8")


if __name__ == "__main__":
    main()
