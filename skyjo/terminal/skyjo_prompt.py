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
  discard          discard the drawn card, under rules that turn no card up then
  c, k             clear your complete lines, or keep them, where the rules ask
  16               the action of this number (docs/skyjo_v0.md), not the cell"""


def question(rules: Rules, observation: NDArray[Any], mask: NDArray[Any]) -> str:
    """What has to be decided."""
    view = spec_of(rules).view(observation)
    legal = {name.partition(" ")[0] for name in _legal_names(rules, mask)}
    flip = ["f CELL to discard it and turn a card up"] if "flip" in legal else []
    discard = ["discard"] if "discard" in legal else []
    questions = {
        "opening": "turn a card up (f CELL)",
        "turn": f"{'draw (d) or ' if 'draw' in legal else ''}take the {view.discard_top} (t)",
        "drawn": f"you drew {view.hand}: {', '.join(['p CELL to place it', *flip, *discard])}",
        "taken": f"you took {view.hand}: p CELL to place it",
        "confirm": "clear your complete lines (c) or keep them (k)",
    }
    return f"{questions[PHASES[view.phase]]}? "


def read_action(rules: Rules, mask: NDArray[Any], text: str) -> int:
    """The action meant by a name, number or short form; TableError if there is none or it is not legal.

    >>> from skyjo_env import OFFICIAL, Game
    >>> game = Game(OFFICIAL)
    >>> [read_action(OFFICIAL, game.mask(), text) for text in ("flip 3", "f3", "17")]
    [17, 17, 17]
    """
    names = action_names(rules)
    found = re.fullmatch(r"([a-z]*) *([0-9]{0,3})", text.strip().lower())
    word, cell = found.groups() if found else ("", "")
    name = f"{SHORT.get(word, word)} {int(cell) if cell else ''}".strip()
    if cell and not word and int(cell) < len(names):
        action = int(cell)
    elif name in names:
        action = names.index(name)
    else:
        raise TableError(f"{brief(text)} is not understood; you can {describe_legal(rules, mask)}; ? for help")
    if not mask[action]:
        raise TableError(f"{names[action]} is not possible now; you can {describe_legal(rules, mask)}")
    return action


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
