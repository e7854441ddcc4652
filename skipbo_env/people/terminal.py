"""Skip-Bo in text: the table as a seat sees it, the questions to a player and their answers, and the moves. See
`skyjo.table.game_text.GameTerminal`.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import TableError
from skipbo_env import Game, Rules, render
from skipbo_env.card_game import spec_of
from skipbo_env.events import RoundScored, RoundStopped
from skipbo_env.kernel import DISCARD, PASS, PLACES, PLAY_DISCARD, PLAY_HAND, PLAY_STOCK, WILD
from skipbo_env.rules import NUMBERS, card_name
from skyjo.table.game_text import GameTerminal

FORMS = {"stock": "stock to {}", "hand": "hand {} to {}", "pile": "pile {} to {}", "discard": "discard {} on {}"}
FORMS |= {name[0]: form for name, form in FORMS.items()} | {"pass": "pass"}

RoundOver = RoundScored | RoundStopped


class Terminal(GameTerminal):
    """Skip-Bo in text."""

    def format_view(self, rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False) -> str:
        """Return what a seat sees."""
        return render.format_view(rules, observation, names, colour)

    def format_table(self, game: Game, colour: bool, all_cards: bool) -> str:
        """Return the piles; with `all_cards` the hands, too."""
        return render.format_table(game, colour, hands=all_cards)

    def format_end(self, rules: Rules, end: RoundOver, names: Sequence[str], colour: bool = False) -> str:
        """Return the end of a round as text: for every seat the stock cards left, the score and the total."""
        del rules, colour
        width = max(map(len, names))
        lines = [self.stopped(end) if isinstance(end, RoundStopped) else _ending(end, names), ""]
        for seat, name in enumerate(names):
            score = f"round {end.scores[seat]}, " if isinstance(end, RoundScored) else ""
            left = f"{end.stock_left[seat]} left in the stock"
            lines.append(f"{name.ljust(width)}  {left}, {score}total {end.totals[seat]}")
        return "\n".join(lines)

    def question(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """Return the question for a decision: all cards that can be played now, and the ways to end the turn."""
        del rules, observation
        plays = ", ".join(_playable(mask))
        end = "pass" if mask[PASS] else "d CARD PILE to discard" if mask[DISCARD:PASS].any() else ""
        return f"{' or '.join(filter(None, [f'play {plays}' if plays else '', end]))}? "

    def read_action(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """Return the action meant by a name or a short form; TableError if there is none, several, or it is illegal.

        >>> from skipbo_env import OFFICIAL, Game
        >>> asked = OFFICIAL, Game(OFFICIAL).observation(), Game(OFFICIAL).mask()
        >>> [Terminal().read_action(*asked, text) for text in ("discard 2 on 0", "d 2 0", "d2 0")]
        [76, 76, 76]
        """
        legal = self.legal_among(_meant(text), mask, text, describe_legal(mask))
        view = spec_of(rules).view(observation)
        if len({_consequence(view, action) for action in legal}) > 1:
            where = "goes on any of your discard piles, 0 to 3" if legal[0] >= DISCARD else f"fits {_fits(view, legal)}"
            raise TableError(f"{text.strip()} {where}; say where, such as {text.strip()} {legal[-1] % PLACES}")
        return legal[0]


def _ending(end: RoundScored, names: Sequence[str]) -> str:
    """Return a sentence on the end of a round and its winner."""
    winner = "nobody" if end.winner is None else names[end.winner]
    why = {"blocked": ", blocked: nobody can move any more", "no_cards": ", as no card is left to draw"}
    return f"round {end.round} is over after {end.turns} turns{why.get(end.ending, '')}, won by {winner}"


def describe_legal(mask: NDArray[Any]) -> str:
    """Return all legal actions in few words, such as `play s, 5, p 2 or discard 5, 9 (d CARD PILE)`."""
    plays, cards = _playable(mask), _cards(mask[DISCARD:PASS])
    parts = [f"play {', '.join(plays)}"] if plays else []
    parts += [f"discard {', '.join(cards)} (d CARD PILE)"] if cards else []
    parts += ["pass"] if mask[PASS] else []
    return " or ".join(parts)


def _playable(mask: NDArray[Any]) -> list[str]:
    """Return all possible plays, as they are typed."""
    stock = ["s"] if mask[PLAY_STOCK:PLAY_HAND].any() else []
    piles = np.flatnonzero(mask[PLAY_DISCARD:DISCARD].reshape(PLACES, PLACES).any(axis=1)).tolist()
    return [*stock, *_cards(mask[PLAY_HAND:PLAY_DISCARD]), *(f"p {pile}" for pile in piles)]


def _cards(mask: NDArray[Any]) -> list[str]:
    """Return the hand cards that this part of a mask allows to play or to discard."""
    return [card_name(card + 1) for card in np.flatnonzero(mask.reshape(WILD, PLACES).any(axis=1)).tolist()]


def _meant(text: str) -> list[int]:
    """Return the actions that a text can mean: one, or without a place one for every place; [] if it means none."""
    if not re.fullmatch(r"[a-z0-9 ]+", text.lower()):
        return []
    words = [_plain(word) for word in re.findall(r"[a-z]+|[0-9]+", text.lower()) if word not in ("to", "on")]
    form = FORMS[words.pop(0)] if words and words[0] in FORMS else FORMS["hand"]
    if len(words) == form.count("{}") - 1:
        names = [form.format(*words, place) for place in range(PLACES)]
    else:
        names = [form.format(*words)] if len(words) == form.count("{}") else []
    return [NUMBERS[name] for name in names if name in NUMBERS]


def _plain(word: str) -> str:
    """Return a card or number as it stands in the names of actions."""
    return str(int(word)) if word.isdigit() else "w" if word == "wild" else word


def _fits(view: Any, plays: list[int]) -> str:
    """Return the places that take a wild card, and the rank that it has on each."""
    return ", ".join(f"{play % PLACES} as {view.building[play % PLACES] + 1}" for play in plays)


def _consequence(view: Any, action: int) -> Any:
    """Return a label for the effect of an action, the same at equal building piles and empty discard piles (7.4)."""
    place = action % PLACES
    if action < DISCARD:
        return view.building[place]
    return ("empty",) if view.discard_sizes[0, place] == 0 else place
