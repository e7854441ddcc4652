"""Skyjo in text: the table as a seat sees it, what a player is asked and may answer, and what everybody did. See
`skyjo.table.game_text.GameTerminal`.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.envs.text import legal_names
from cardtable.table.errors import TableError
from cardtable.table.render.text import in_few_words, side_by_side
from skyjo.table.game_text import GameTerminal
from skyjo.terminal.console import room
from skyjo_env import EMPTY, HIDDEN, PHASES, Game, Rules, action_names, render
from skyjo_env.card_game import spec_of
from skyjo_env.events import (
    CardPlaced,
    Event,
    LinesCleared,
    RoundScored,
    RoundStopped,
)
from skyjo_env.render import WIDTH, board_block

SHORT = {"d": "draw", "t": "take", "p": "place", "f": "flip", "c": "clear", "k": "keep"}

RoundOver = RoundScored | RoundStopped

# What is said of decisions, by their events, and of choices; a page without a server reads it, too
PHRASES = {
    "CardDrawn": "drew",
    "DiscardTaken": "took {card}",
    "CardPlaced": "placed {card} on cell {cell} for {replaced}",
    "CardDiscarded": "discarded {card}",
    "CardTurnedUp": "turned up {card} on cell {cell}",
    "LinesKept": "kept complete lines",
    "LinesCleared": "cleared {cards} cards",
    "RoundEnded": "ended the round",
    "taken card": "it",
    "hidden card": "a hidden {card}",
    "a": "a {card}",
    "an": "an {card}",
    "drawn": "a drawn card is worth {mean:.1f} on average",
    "drawn or taken": "a drawn card is worth {mean:.1f} on average, the discard is {card}",
    "turned up": "a hidden card is worth {mean:.1f} on average",
    "completed": "it completes a line of {card}s, which is cleared",
    "placed": "{card} in place of {old}",
    "old hidden": "a hidden card, worth {mean:.1f} on average",
    "beside": ", beside another {card}",
    "ends": ", and it ends the round",
    "two things": "{number} can mean two things: type p {number} to place the card on cell {number}, or f {number} to "
    "discard it and turn cell {number} up",
}
WITH_AN = (8, 11, 18)  # cards


class Terminal(GameTerminal):
    """Skyjo in text."""

    phrases = PHRASES
    ends = (RoundScored, RoundStopped)

    def format_view(self, rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False) -> str:
        """What a seat sees, as wide as the terminal allows."""
        return render.format_view(rules, observation, names, colour, room(WIDTH))

    def format_table(self, game: Game, colour: bool, all_cards: bool) -> str:
        """The boards and piles."""
        return render.format_table(game, colour, all_cards, drawn_card=all_cards)

    def format_end(self, rules: Rules, end: RoundOver, names: Sequence[str], colour: bool = False) -> str:
        """The boards at the end of a round with scores and totals, and whose score was multiplied."""
        if isinstance(end, RoundStopped):
            head = self.stopped(end)
            below = [f"total {total}" for total in end.totals]
        else:
            head = f"round {end.round} is over, ended by {names[end.ender]}"
            points = sum(card for card in end.boards[end.ender] if card != EMPTY)
            if points != end.scores[end.ender]:
                times = "twice" if rules.penalty_factor == 2 else f"{rules.penalty_factor} times"
                head += f", whose {points} points count {times}"
            below = [f"round {score}, total {total}" for score, total in zip(end.scores, end.totals, strict=True)]
        ends = zip(names, end.boards, below, strict=True)
        blocks = [board_block(rules, name, board, points, colour) for name, board, points in ends]
        return f"{head}\n\n{side_by_side(blocks, room(WIDTH))}"

    def question(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """What has to be decided."""
        view = spec_of(rules).view(observation)
        legal = {name.partition(" ")[0] for name in legal_names(rules, mask)}
        flip = ["f CELL to discard it and turn a card up"] if "flip" in legal else []
        discard = ["discard"] if "discard" in legal else []
        questions = {
            "opening": "turn a card up (CELL)",
            "turn": f"{'draw (d) or ' if 'draw' in legal else ''}take the {view.discard_top} (t)",
            "drawn": f"you drew {view.hand}: {', '.join(['p CELL to place it', *flip, *discard])}",
            "taken": f"you took {view.hand}: place it (CELL)",
            "confirm": "clear your complete lines (c) or keep them (k)",
        }
        return f"{questions[PHASES[view.phase]]}? "

    def read_action(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """The action meant by a name, a short form or a cell; TableError if there is none, two, or it is not legal.

        >>> from skyjo_env import OFFICIAL, Game
        >>> asked = OFFICIAL, Game(OFFICIAL).observation(), Game(OFFICIAL).mask()
        >>> [Terminal().read_action(*asked, text) for text in ("flip 3", "f3", "3")]
        [17, 17, 17]
        """
        del observation
        names, possible = action_names(rules), in_few_words(legal_names(rules, mask)).replace("; ", " or ")
        match = re.fullmatch(r"([a-z]*) *([0-9]{0,3})", text.strip().lower())
        word, cell = match.groups() if match else ("", "")
        number = str(int(cell)) if cell else ""
        words = [SHORT.get(word, word)] if word or not cell else ["place", "flip"]
        meant = [name for name in (f"{word} {number}".strip() for word in words) if name in names]
        what = meant[0] if word and meant else f"cell {number}"
        legal = self.legal_among([*map(names.index, meant)], mask, text, possible, what)
        if len(legal) > 1:
            raise TableError(self.said("two things", number=number))
        return legal[0]

    def reason(self, rules: Rules, observation: NDArray[Any], action: int) -> str:
        """What a seat gains by this decision, from its observation alone; empty where there is nothing to say.

        >>> from skyjo_env import OFFICIAL, Game
        >>> Terminal().reason(OFFICIAL, Game(OFFICIAL, seed=1).observation(), 14)
        'a hidden card is worth 5.1 on average'
        """
        view = spec_of(rules).view(observation)
        word, _, cell = action_names(rules)[action].partition(" ")
        end = PHRASES["ends"] if view.hidden_left[0] == 1 and view.ender < 0 else ""
        match word:
            case "draw" | "take":
                phrase = "drawn or taken" if word == "draw" and view.discard_top != EMPTY else "drawn"
                return self.said(phrase, mean=_mean(view.draw_pool, rules), card=self._a(int(view.discard_top)))
            case "flip":
                return f"{self.said('turned up', mean=_mean(view.hidden_pool, rules))}{end}"
            case "place":
                return f"{self._exchange(rules, view, int(cell))}{end if view.cells[0][int(cell)] == HIDDEN else ''}"
            case _:
                return ""

    def _exchange(self, rules: Rules, view: Any, cell: int) -> str:
        """What the card in hand does in a cell."""
        board, card = view.cells[0], int(view.hand)
        others = [[int(board[other]) for other in line if other != cell] for line in _lines(rules) if cell in line]
        if any(set(line) == {card} for line in others):
            return self.said("completed", card=card)
        old = int(board[cell])
        for_what = self.said("old hidden", mean=_mean(view.hidden_pool, rules)) if old == HIDDEN else self._a(old)
        beside = self.said("beside", card=card) if any(card in line for line in others) else ""
        return f"{self.said('placed', card=self._a(card), old=for_what)}{beside}"

    def _a(self, card: int) -> str:
        """A card with its article."""
        return self.said("an" if card in WITH_AN else "a", card=card)

    def words_of(self, event: Event) -> str:
        """What a decision did. A drawn card is not named before it is placed or discarded: only then is it public."""
        values: dict[str, Any] = vars(event)
        match event:
            case CardPlaced():
                card = event.card if event.was_drawn else PHRASES["taken card"]
                replaced = self.said("hidden card", card=event.replaced) if event.was_hidden else event.replaced
                values = {"cell": event.cell, "card": card, "replaced": replaced}
            case LinesCleared(is_reveal=True):
                return ""
            case LinesCleared():
                values = {"cards": len(event.cards)}
        # Of other events everybody at the table sees what happened without being told
        return self.said(type(event).__name__, **values)


def _mean(pool: NDArray[Any], rules: Rules) -> float:
    """What a card of this pool is worth on average."""
    cards, size = np.array(rules.values), pool.sum()
    return float(pool @ cards / size) if size > 0 else 0.0


def _lines(rules: Rules) -> list[range]:
    """The cells of every line that can be cleared."""
    columns = [range(start, start + rules.rows) for start in range(0, rules.cells, rules.rows)]
    rows = [range(row, rules.cells, rules.rows) for row in range(rules.rows)]
    return columns + (rows if rules.row_clear else [])
