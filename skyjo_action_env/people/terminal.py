"""Skyjo Action in text: the table as a seat sees it, what a player is asked and may answer, and what happened. See
`skyjo.table.game_text.GameTerminal`.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import TableError
from cardtable.table.render.text import runs, side_by_side
from skyjo.table.game_text import GameTerminal
from skyjo.terminal.console import room
from skyjo_action_env import EMPTY, KINDS, PHASES, Game, Rules, action_names, render
from skyjo_action_env.card_game import spec_of
from skyjo_action_env.events import RoundScored, RoundStopped
from skyjo_action_env.kernel import CELLS, COLUMNS, LINES, ROWS
from skyjo_action_env.render import CARDS, WIDTH, line_name
from skyjo_action_env.rules import card_name

SHORT = {"d": "draw", "t": "take", "p": "place", "f": "flip", "a": "open", "c": "clear", "k": "keep"}

RoundOver = RoundScored | RoundStopped


class Terminal(GameTerminal):
    """Skyjo Action in text."""

    def format_view(self, rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False) -> str:
        """Return the observation of a seat as text, as wide as the terminal allows."""
        return render.format_view(rules, observation, names, colour, room(WIDTH))

    def format_table(self, game: Game, colour: bool, all_cards: bool) -> str:
        """Return the layouts and piles."""
        return render.format_table(game, colour, all_cards, drawn_card=all_cards)

    def format_end(self, rules: Rules, end: RoundOver, names: Sequence[str], colour: bool = False) -> str:
        """Return the layouts at the end of a round with action cards, scores and totals, and the doubled score."""
        del rules
        if isinstance(end, RoundScored):
            points = scored_points(end)[end.ender]
            doubled = f", whose {points} points count twice" if points != end.scores[end.ender] else ""
            head = f"round {end.round} is over, ended by {names[end.ender]}{doubled}"
            kept = [f"{count} action card{'s' * (count != 1)} kept" for count in end.kept]
            below = [[kept[seat], f"round {score}, total {end.totals[seat]}"] for seat, score in enumerate(end.scores)]
        else:
            head = self.stopped(end)
            below = [[f"total {total}"] for total in end.totals]
        blocks = [
            [names[seat], *map(" ".join, CARDS.rows(board, ROWS, colour)), *below[seat]]
            for seat, board in enumerate(end.boards)
        ]
        return f"{head}\n\n{side_by_side(blocks, room(WIDTH))}"

    def question(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """Return the question for a decision."""
        view = spec_of(rules).view(observation)
        legal = _legal(rules, view, mask)
        hand = [card_name(card) for card in view.hand.tolist() if card != EMPTY]
        picked = card_name(int(view.hand[view.picked])) if 0 <= view.picked < len(view.hand) else ""
        about = int(view.line)
        line = ", ".join([line_name(about), " ".join(card_name(int(view.cells[0, cell])) for cell in cells_of(about))])
        mover, attacked = _seat(view, int(view.mover)), _seat(view, int(view.attacked))
        place, cell = divmod(int(view.chosen), CELLS)
        chosen = f"cell {cell}" if place == 0 else f"cell {cell} of seat {_seat(view, place)}"
        kinds, seats = ", ".join(legal.get("play", [])), ", ".join(legal.get("seat", []))
        action = ", discard KIND" if "discard" in legal else ""
        flip = ", f CELL to discard it and flip a card" if "flip" in legal else ""
        questions = {
            "opening": "flip a card (CELL)",
            "turn": _turn_question(view, legal),
            "drawn": f"you drew {' '.join(hand)}: p CELL to place it{flip}",
            "taken": f"you took {' '.join(hand)}: place it (CELL)",
            "claim": f"a star earns you an action card: {_offers(legal)}{', or pass' if 'pass' in legal else ''}",
            "line": f"clear {line} (c), or keep it (k)",
            "swap": "swap which of your cards (CELL)",
            "swap with": f"swap {chosen} with which card (CELL)",
            "three": f"you drew {', '.join(hand)}: lay which one{', or none' if 'none' in legal else ''}",
            "three place": f"place the {picked} (CELL)",
            "three top": f"which goes on top of the discard pile: {' or '.join(legal.get('card', []))}",
            "three flip": "flip a card (CELL)",
            "look": "look at which line (row N, column N, SEAT: row N)",
            "exchange": "exchange which card (CELL, SEAT: CELL)",
            "exchange with": f"exchange {chosen} for which card (CELL, SEAT: CELL)",
            "remove": f"remove which card of seat {attacked} (CELL{action})",
            "replay": f"replay which: {kinds}",
            "steal": f"steal from which seat: {seats}",
            "steal card": f"steal which of {kinds} from seat {attacked}",
            "defence": f"seat {mover} attacks you with {KINDS[view.played]}: defend or allow",
        }
        return f"{questions[PHASES[view.phase]]}? "

    def read_action(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """Return the action that a name or a short form means; TableError if there is none, more than one, or none is
        legal.

        >>> from skyjo_action_env import ACTION, Game
        >>> asked = ACTION, Game(ACTION).observation(), Game(ACTION).mask()
        >>> [Terminal().read_action(*asked, text) for text in ("flip 3", "f3", "3")]
        [17, 17, 17]
        """
        view, names, plain = spec_of(rules).view(observation), action_names(rules), text.strip().lower()
        meant = [names.index(name) for name in _meant(rules, view, plain) if name in names]
        legal = self.legal_among(meant, mask, plain, describe_legal(rules, view, mask))
        if len({names[action].split()[0] for action in legal}) > 1:
            raise TableError(
                f"{plain} can mean two things: type p {plain} to place the card on cell {plain}, "
                f"or f {plain} to discard it and flip cell {plain}"
            )
        return legal[0]


def scored_points(end: RoundScored) -> list[int]:
    """Return the scores before that of the ender was doubled, if it was: then it is not the lowest (9.6)."""
    score, others = end.scores[end.ender], end.scores[: end.ender] + end.scores[end.ender + 1 :]
    is_doubled = score > 0 and score >= min(others)
    return [score // 2 if is_doubled and seat == end.ender else score for seat, score in enumerate(end.scores)]


def _turn_question(view: Any, legal: dict[str, list[str]]) -> str:
    """Return the choices of a turn in words."""
    parts = {
        "draw (d)": "draw" in legal,
        f"take the {card_name(view.discard_top)} (t)": "take" in legal,
        f"an action card ({_offers(legal)})": "open" in legal or "pile" in legal,
        f"play {', '.join(legal.get('play', []))}": "play" in legal,
        f"discard {', '.join(legal.get('discard', []))}": "discard" in legal and "play" not in legal,
        "pass": "pass" in legal,
    }
    return " or ".join(words for words, is_possible in parts.items() if is_possible)


def _offers(legal: dict[str, list[str]]) -> str:
    """Return the action cards that can be taken, as they are typed."""
    return " or ".join(f"a {_which(legal[word]) or word}" for word in ("open", "pile") if word in legal)


def describe_legal(rules: Rules, view: Any, mask: NDArray[Any]) -> str:
    """Return all legal actions in a few words, such as `draw or open 0-3 or play swap`."""
    return " or ".join(f"{word} {_which(which)}".strip() for word, which in _legal(rules, view, mask).items())


def _which(said: list[str]) -> str:
    """Return the words that can follow a word: numbers, or kinds and cards."""
    return runs(map(int, said)) if all(map(str.isdigit, said)) else ", ".join(said)


def _legal(rules: Rules, view: Any, mask: NDArray[Any]) -> dict[str, list[str]]:
    """Return the legal actions as they can be typed: what comes after every word that they begin with."""
    words: dict[str, list[str]] = {}
    for action in np.flatnonzero(mask).tolist():
        word, which, *place = [*action_names(rules)[action].replace(" of", "").split(), ""]
        owner = _seat(view, int(place[0])) if word in ("cell", "line") else int(view.seat)
        whose = "" if owner == view.seat else f"{owner}: "
        if word == "cell":
            word, which = ("seat", str(owner)) if PHASES[view.phase] == "steal" else (f"{whose}cell", which)
        elif word == "line":
            word, which = f"{whose}{line_name(int(which))}".rsplit(" ", 1)
        elif word == "card":
            which = card_name(view.hand[int(which)])
        words.setdefault(word, []).extend([which] if which else [])
    return words


def _meant(rules: Rules, view: Any, text: str) -> list[str]:
    """Return the names of the actions that a text can mean."""
    if not re.fullmatch(r"[a-z0-9 :*-]+", text):
        return []
    words = [str(int(word)) if word[-1].isdigit() else word for word in re.findall(r"[a-z]+|-?[0-9]{1,3}|[*:]", text)]
    place = 0
    if words[1:2] == [":"] and words[0].isdigit() and int(words[0]) < rules.players:
        place, words = (int(words[0]) - int(view.seat)) % rules.players, ["cell", *words[2:]]
    match words:
        case [*_, "row" | "column" as kind, number] if len(words) < 4:
            return [f"line {line} of {place}" for line in range(LINES) if line_name(line) == f"{kind} {number}"]
        case ["cell", *_, cell] if len(words) < 4:
            return [f"cell {cell} of {place}"]
        case ["a" | "open", "pile"]:
            return ["pile"]
        case [kind] if kind in KINDS:
            return [f"play {kind}"]
        case ["seat", number] | [number] if not number.isalpha():
            return _numbered_actions(rules, view, number)
        case [word, *rest]:
            return [" ".join([SHORT.get(word, word), *rest])]
    return []


def _numbered_actions(rules: Rules, view: Any, number: str) -> list[str]:
    """Return the actions that a bare number or a star can mean in this phase."""
    phase = PHASES[view.phase]
    if phase in ("three", "three top"):
        return [f"card {k}" for k, card in enumerate(view.hand.tolist()) if card_name(card) == number]
    if phase == "steal":
        return [f"cell 0 of {(int(number) - int(view.seat)) % rules.players}"] if number in "01234567" else []
    place = max(int(view.attacked), 0) if phase == "remove" else 0
    return [*(f"{word} {number}" for word in ("place", "flip", "open")), f"cell {number} of {place}"]


def _seat(view: Any, place: int) -> int:
    """Return the seat this many places clockwise from the observer."""
    return (int(view.seat) + int(place)) % len(view.cells)


def cells_of(line: int) -> range:
    """Return the cells of a line."""
    return range(line * ROWS, (line + 1) * ROWS) if line < COLUMNS else range(line - COLUMNS, CELLS, ROWS)
