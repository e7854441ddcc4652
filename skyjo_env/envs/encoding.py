"""The two forms of an observation: "compact", the vector itself, and "onehot", an expansion for plain networks."""

from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardtable.slices import Slice
from skyjo_env.envs.compiled.onehot import ENTRY_DTYPE, KINDS, encode
from skyjo_env.observation import ObservationSpec, spec_of
from skyjo_env.rules import Rules

ENCODINGS = ("compact", "onehot")


class OneHot:
    """How observations under given rules become float32 vectors; `describe()` lists the slices.

    >>> import numpy as np
    >>> from skyjo_env import OFFICIAL, Game
    >>> onehot = OneHot(OFFICIAL)
    >>> vector = onehot.encode(Game(OFFICIAL).observation()[None])[0]
    >>> vector.shape, vector.dtype.name, int(vector[:7].argmax())
    ((516,), 'float32', 0)
    """

    def __init__(self, rules: Rules) -> None:
        spec = spec_of(rules)
        self._spec = spec
        self._entries = np.zeros(spec.size, ENTRY_DTYPE)
        low, high, start = [], [], 0
        for part in spec.slices:
            width, scale = _width(spec, part), _scale(rules, part)
            entries = self._entries[part.start : part.stop]
            entries["kind"], entries["low"] = KINDS.index(part.kind), part.low
            entries["width"], entries["scale"] = width, scale
            entries["start"] = start + width * np.arange(len(entries))
            start += width * len(entries)
            bounds = (part.low / scale, part.high / scale) if part.kind == "number" else (0.0, 1.0)
            low.append(np.full(width * len(entries), bounds[0], np.float32))
            high.append(np.full(width * len(entries), bounds[1], np.float32))
        self.low, self.high, self.size = np.concatenate(low), np.concatenate(high), start

    def encode(self, observations: NDArray[np.int16]) -> NDArray[np.float32]:
        """The encoding of observations [N, D] as [N, E]."""
        encoded = np.empty((len(observations), self.size), np.float32)
        encode(observations, self._entries, encoded)
        return encoded

    def describe(self) -> str:
        """The encoded slices as a Markdown table."""
        rows = ["| name | start | shape | one number for each |", "| --- | --- | --- | --- |"]
        for part in self._spec.slices:
            entry = self._entries[part.start]
            shape = [*part.shape, int(entry["width"])] if part.kind != "number" else list(part.shape or (1,))
            rows.append(f"| {part.name} | {entry['start']} | {' × '.join(map(str, shape))} | {_legend(part, entry)} |")
        return "\n".join(rows)


def _width(spec: ObservationSpec, part: Slice) -> int:
    if part.kind == "card":
        return len(spec.rules.values) + 2
    return part.high - part.low + 1 if part.kind == "choice" else 1


def _scale(rules: Rules, part: Slice) -> float:
    """The divisor that brings a number to about one: its usual size, not its maximum."""
    usual = {"round": 10, "turns": 50, "reshuffles": 1, "totals": rules.target_score, "open_sums": 4 * rules.cells}
    pools = ("hidden_pool", "draw_pool", "discards")
    usual |= dict.fromkeys(pools, max(count for _, count in rules.deck))
    return float(usual.get(part.name, max(abs(part.low), abs(part.high), 1)))


def _legend(part: Slice, entry: Any) -> str:
    if part.kind == "number":
        return f"the number divided by {entry['scale']:g}"
    if part.kind == "choice":
        return f"value from {part.low} to {part.high}"
    return f"card from {part.low} to {part.low + int(entry['width']) - 3}, then hidden, then none"


@lru_cache(maxsize=64)
def onehot_of(rules: Rules) -> OneHot:
    """The one-hot encoding of these rules, made once."""
    return OneHot(rules)


def observation_box(rules: Rules, encoding: str) -> spaces.Box:
    """The space of observations in this form."""
    spec: ObservationSpec | OneHot = spec_of(rules) if encoding == "compact" else onehot_of(rules)
    dtype: Any = np.int16 if encoding == "compact" else np.float32
    return spaces.Box(spec.low, spec.high, dtype=dtype)


def encoded(rules: Rules, encoding: str, observations: NDArray[np.int16]) -> NDArray[Any]:
    """Observations [N, D] in this form; the compact ones are not copied."""
    return observations if encoding == "compact" else onehot_of(rules).encode(observations)
