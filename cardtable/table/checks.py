"""Checks of values from outside, each with an error that names the wrong value and the allowed ones."""

from collections.abc import Callable, Sequence
from inspect import signature
from math import isfinite
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import TableError

NO_ACTION = -1  # illegal under all rules
MAX_ACTIONS = 256  # more than any rules have, and small enough for the kernel


def brief(value: Any) -> str:
    """Return a value for an error message: never long, and never raising an error itself."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write out numbers of thousands of digits
        return f"a number of {value.bit_length()} bits" if isinstance(value, int) else f"a huge {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def check_int(name: str, value: Any, least: int, greatest: int, error: type[TableError] = TableError) -> int:
    """Return the value as an int, if it is a whole number within these bounds."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= greatest:
        raise error(f"{name}={brief(value)} must be a whole number from {least} to {greatest}")
    return int(value)


def read_number(kind: type[int] | type[float], text: str) -> int | float:
    """Return a finite number in plain digits; ValueError for anything else that Python would accept as one."""
    number = kind(text)
    if not text.isascii() or "_" in text or (kind is float and not isfinite(number)):
        raise ValueError(f"{brief(text)} is not a number")
    return number


def seed_number(name: str, value: Any) -> int:
    """Return a seed or the number of a deal."""
    return check_int(name, value, 0, 2**64 - 1)


def choice_index(name: str, value: Any, choices: tuple[Any, ...]) -> int:
    """Return the index of a choice among the known ones, which is its code in the kernel; TableError lists them."""
    for code, one in enumerate(choices):
        if one is value or (isinstance(value, str) and one == value):
            return code
    raise TableError(f"{name}={brief(value)} is not one of {', '.join(map(repr, choices))}")


def read_records(state: Any, name: str, like: NDArray[Any]) -> NDArray[Any]:
    """Return the bytes of a saved array, as an array of this type and shape."""
    if name not in state:
        raise TableError(f"the saved array {name} is missing")
    saved = np.asarray(state[name])
    if saved.dtype.hasobject or saved.nbytes != like.nbytes:
        raise TableError(f"the saved array {name} is not of this game and its options at {len(like)} tables")
    return np.frombuffer(saved.tobytes(), like.dtype).reshape(like.shape)


def action_number(action: Any) -> int:
    """Return a whole number that the kernel can test, or NO_ACTION for anything that cannot be an action."""
    if isinstance(action, (bool, np.bool_)):  # older numpy takes these for whole numbers
        return NO_ACTION
    try:
        number = index(action)
    except TypeError:
        return NO_ACTION
    return number if 0 <= number < MAX_ACTIONS else NO_ACTION


def other_arguments(function: Callable[..., Any], *arguments: str) -> str | None:
    """Return the names of a function's parameters if these arguments do not fit them by position; else None."""
    try:
        takes = signature(function, follow_wrapped=False)
    except ValueError:  # compiled code may have no signature
        return None
    try:
        takes.bind(*arguments)
    except TypeError:
        return ", ".join(takes.parameters)
    return None


def check_given(cards: Sequence[int], revealed: int) -> None:
    """Raise TableError if a decision that revealed this many cards, or -1, cannot have revealed these."""
    if revealed < 0:
        raise TableError(f"cards {', '.join(map(str, cards))} cannot be revealed by this action in this order")
    if revealed < len(cards):
        raise TableError(f"{len(cards)} cards are given, but this action reveals only {revealed}")


def as_array(numbers: Any) -> NDArray[Any]:
    """Return an array of anything array-like; ragged input gives an array of type object, which no check accepts."""
    try:
        return np.asarray(numbers)
    except (ValueError, OverflowError, RuntimeError, TypeError):  # the last two from tensors of other libraries
        return np.asarray(None)


def actions_for(tables: int, actions: Any, error: type[TableError] = TableError) -> NDArray[np.int64]:
    """Return a copy of one whole number for every table: another thread may write to the original."""
    array = as_array(actions)
    if array.shape != (tables,) or array.dtype.kind not in "iu":
        raise error(
            f"actions must be an array (int64) of one whole number for every table, here {tables}, "
            f"not of shape {array.shape} and type {array.dtype}"
        )
    return np.array(array, np.int64, order="C")
