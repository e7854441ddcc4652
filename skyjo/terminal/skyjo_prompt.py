"""What a player of Skyjo is asked, and what the answer means."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import brief
from cardtable.errors import TableError
from skyjo_env import PHASES, Rules, action_names
from skyjo_env.observation import spec_of

SHORT = {"d": "draw", "t": "take", "p": "place", "f": "flip", "c": "clear", "k": "keep"}

ACTIONS_HELP = """\
Your cells are numbered; their cards stand in brackets. ? is hidden, even from
you; . is gone.
  d, draw          draw a card
  t, take          take the discard
  p 3, place 3     put the card in hand on cell 3
  f 7, flip 7      turn cell 7 up; with a drawn card in hand, discard that first
  3                the same as p 3 or f 3, if only one of them is possible
  discard          discard the drawn card, under rules that turn no card up then
  c, k             clear your complete lines, or keep them, where the rules ask"""


def question(rules: Rules, observation: NDArray[Any], mask: NDArray[Any]) -> str:
    """What has to be decided."""
    view = spec_of(rules).view(observation)
    legal = {name.partition(" ")[0] for name in _legal_names(rules, mask)}
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


def read_action(rules: Rules, mask: NDArray[Any], text: str) -> int:
    """The action meant by a name, a short form or a cell; TableError if there is none, two, or it is not legal.

    >>> from skyjo_env import OFFICIAL, Game
    >>> game = Game(OFFICIAL)
    >>> [read_action(OFFICIAL, game.mask(), text) for text in ("flip 3", "f3", "3")]
    [17, 17, 17]
    """
    names = action_names(rules)
    found = re.fullmatch(r"([a-z]*) *([0-9]{0,3})", text.strip().lower())
    word, cell = found.groups() if found else ("", "")
    number = str(int(cell)) if cell else ""
    words = [SHORT.get(word, word)] if word or not cell else ["place", "flip"]
    meant = [name for name in (f"{each} {number}".strip() for each in words) if name in names]
    legal = [name for name in meant if mask[names.index(name)]]
    if not meant:
        raise TableError(f"{brief(text)} is not understood; you can {describe_legal(rules, mask)}; ? for help")
    if not legal:
        what = f"{meant[0]} is not possible" if word else f"cell {number} cannot be chosen"
        raise TableError(f"{what} now; you can {describe_legal(rules, mask)}")
    if len(legal) > 1:
        flip = f"or f {number} to discard it and turn cell {number} up"
        raise TableError(f"{number} can mean two things: type p {number} to place the card on cell {number}, {flip}")
    return names.index(legal[0])


def describe_legal(rules: Rules, mask: NDArray[Any]) -> str:
    """All legal actions in few words, such as `place 0-11 or flip 1-4, 9`."""
    cells: dict[str, list[int]] = {}
    for name in _legal_names(rules, mask):
        word, _, cell = name.partition(" ")
        cells.setdefault(word, []).extend([int(cell)] if cell else [])
    return " or ".join(f"{word} {_runs(numbers)}".strip() for word, numbers in cells.items())


def _legal_names(rules: Rules, mask: NDArray[Any]) -> list[str]:
    names = action_names(rules)
    return [names[action] for action in np.flatnonzero(mask)]


def _runs(numbers: list[int]) -> str:
    """Increasing numbers, neighbours drawn together: `1-4, 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
