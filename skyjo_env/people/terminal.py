"""Skyjo in text: the table as a seat sees it, what a player is asked and may answer, and what everybody did. See
`skyjo.table.game_text.GameTerminal`.
"""

import re
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from cardtable.table.envs.text import legal_names
from cardtable.table.errors import TableError
from cardtable.table.render.text import in_few_words, side_by_side
from skyjo.table.game_text import GameTerminal
from skyjo.terminal.console import room
from skyjo_env import EMPTY, PHASES, Game, Rules, action_names, render
from skyjo_env.card_game import spec_of
from skyjo_env.events import RoundScored, RoundStopped
from skyjo_env.render import WIDTH, board_block

SHORT = {"d": "draw", "t": "take", "p": "place", "f": "flip", "c": "clear", "k": "keep"}

RoundOver = RoundScored | RoundStopped


class Terminal(GameTerminal):
    """Skyjo in text."""

    def format_view(self, rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False) -> str:
        """Return the observation of a seat as text, as wide as the terminal allows."""
        return render.format_view(rules, observation, names, colour, room(WIDTH))

    def format_table(self, game: Game, colour: bool, all_cards: bool) -> str:
        """Return the boards and piles."""
        return render.format_table(game, colour, all_cards, drawn_card=all_cards)

    def format_end(self, rules: Rules, end: RoundOver, names: Sequence[str], colour: bool = False) -> str:
        """Return the boards at the end of a round with scores and totals, and whose score was multiplied."""
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
        """Return the question for a decision."""
        view = spec_of(rules).view(observation)
        legal = {name.partition(" ")[0] for name in legal_names(rules, mask)}
        flip = ["f CELL to discard it and flip a card"] if "flip" in legal else []
        discard = ["discard"] if "discard" in legal else []
        questions = {
            "opening": "flip a card (CELL)",
            "turn": f"{'draw (d) or ' if 'draw' in legal else ''}take the {view.discard_top} (t)",
            "drawn": f"you drew {view.hand}: {', '.join(['p CELL to place it', *flip, *discard])}",
            "taken": f"you took {view.hand}: place it (CELL)",
            "confirm": "clear your complete lines (c) or keep them (k)",
        }
        return f"{questions[PHASES[view.phase]]}? "

    def read_action(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """Return the action meant by a name, a short form or a cell; TableError if there is none, two, or it is not
        legal.

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
            raise TableError(
                f"{number} can mean two things: type p {number} to place the card on cell {number}, "
                f"or f {number} to discard it and flip cell {number}"
            )
        return legal[0]
