"""What a player of Skip-Bo is asked, and what the answer means."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import brief
from cardtable.errors import TableError
from skipbo_env.actions import NUMBERS, card_name
from skipbo_env.kernel.state import DISCARD, PASS, PLACES, PLAY_DISCARD, PLAY_HAND, PLAY_STOCK, WILD
from skipbo_env.observation import spec_of
from skipbo_env.rules import Rules

ACTIONS_HELP = """\
Places and piles are numbered 0 to 3; w is a wild card; tops of piles stand in
brackets. Say on which place to build only if a wild card fits in several ways.
  5, w 2, h 5      play a 5 from your hand; a wild card on place 2; a 5
  s, s 2           play the top card of your stock pile; on place 2
  p 1, p 1 2       play the top card of your discard pile 1; on place 2
  d 9 3            discard a 9 on your pile 3, which ends your turn
  pass             end your turn with an empty hand"""

FORMS = {"stock": "stock to {}", "hand": "hand {} to {}", "pile": "pile {} to {}", "discard": "discard {} on {}"}
FORMS |= {name[0]: form for name, form in FORMS.items()} | {"pass": "pass"}


def question(mask: NDArray[Any]) -> str:
    """What there is to decide: all that can be played now, and how the turn ends."""
    plays = ", ".join(_playable(mask))
    end = "pass" if mask[PASS] else "d CARD PILE to discard" if mask[DISCARD:PASS].any() else ""
    return f"{' or '.join(filter(None, [f'play {plays}' if plays else '', end]))}? "


def read_action(rules: Rules, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
    """The action meant by a name or a short form; TableError if there is none, several, or it is illegal.

    >>> from skipbo_env import OFFICIAL, Game
    >>> game = Game(OFFICIAL)
    >>> [read_action(OFFICIAL, game.observation(), game.mask(), text) for text in ("discard 2 on 0", "d 2 0", "d2 0")]
    [76, 76, 76]
    """
    actions = _meant(text)
    if not actions:
        raise TableError(f"{brief(text)} is not understood; you can {describe_legal(mask)}; ? for help")
    legal = [action for action in actions if mask[action]]
    if not legal:
        raise TableError(f"{text.strip()} is not possible now; you can {describe_legal(mask)}")
    view = spec_of(rules).view(observation)
    if len({_consequence(view, action) for action in legal}) > 1:
        where = "goes on any of your discard piles, 0 to 3" if legal[0] >= DISCARD else f"fits {_fits(view, legal)}"
        raise TableError(f"{text.strip()} {where}; say where, such as {text.strip()} {legal[-1] % PLACES}")
    return legal[0]


def describe_legal(mask: NDArray[Any]) -> str:
    """All legal actions in few words, such as `play s, 5, p 2 or discard 5, 9 (d CARD PILE)`."""
    plays, cards = _playable(mask), _cards(mask[DISCARD:PASS])
    parts = [f"play {', '.join(plays)}"] if plays else []
    parts += [f"discard {', '.join(cards)} (d CARD PILE)"] if cards else []
    parts += ["pass"] if mask[PASS] else []
    return " or ".join(parts)


def _playable(mask: NDArray[Any]) -> list[str]:
    """What can be played, as it is typed."""
    stock = ["s"] if mask[PLAY_STOCK:PLAY_HAND].any() else []
    piles = np.flatnonzero(mask[PLAY_DISCARD:DISCARD].reshape(PLACES, PLACES).any(axis=1)).tolist()
    return [*stock, *_cards(mask[PLAY_HAND:PLAY_DISCARD]), *(f"p {pile}" for pile in piles)]


def _cards(mask: NDArray[Any]) -> list[str]:
    """The hand cards with which something of this part of a mask can be done."""
    return [card_name(card + 1) for card in np.flatnonzero(mask.reshape(WILD, PLACES).any(axis=1)).tolist()]


def _meant(text: str) -> list[int]:
    """The actions that a text can mean: one, or without a place one for every place; none if it means nothing."""
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
    """A card or number as it stands in the names of actions."""
    return str(int(word)) if word.isdigit() else "w" if word == "wild" else word


def _fits(view: Any, plays: list[int]) -> str:
    """Where a wild card can go, and as what."""
    return ", ".join(f"{play % PLACES} as {view.building[play % PLACES] + 1}" for play in plays)


def _consequence(view: Any, action: int) -> Any:
    """What tells actions of one text apart: equal building places are alike, and so are empty discard piles (7.4)."""
    place = action % PLACES
    if action < DISCARD:
        return view.building[place]
    return ("empty",) if view.discard_sizes[0, place] == 0 else place
