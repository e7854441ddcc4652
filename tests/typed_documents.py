"""Compares plain data, such as what --json prints, with the TypedDict that it is declared to be."""

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict


def mismatch(value: Any, kind: Any, where: str = "") -> str | None:
    """Where the value is not of this type, keys that are missing or too many included; None if it is all through."""
    if is_typeddict(kind):
        return _mismatched_entry(value, kind, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        found = [mismatch(value, each, where) for each in arguments]
        return None if None in found else f"{where}: {value!r} is no {kind}"
    if origin is NotRequired:
        return mismatch(value, arguments[0], where)
    if origin is not None and issubclass(origin, Mapping):
        return _first(mismatch(each, arguments[1], f"{where}.{key}") for key, each in value.items())
    if origin is not None and issubclass(origin, Sequence):
        if isinstance(value, str) or not isinstance(value, Sequence):
            return f"{where}: {value!r} is no sequence"
        return _first(mismatch(each, arguments[0], f"{where}[{number}]") for number, each in enumerate(value))
    if kind is Any:
        return None
    allowed: Any = {float: (int, float), None: NoneType}.get(kind, kind)
    is_right = isinstance(value, allowed) and (kind is bool or not isinstance(value, bool))
    return None if is_right else f"{where}: {value!r} is no {kind}"


def _mismatched_entry(value: Any, kind: Any, where: str) -> str | None:
    if not isinstance(value, dict):
        return f"{where}: {value!r} is no dictionary"
    kinds = get_type_hints(kind, include_extras=True)
    required = {key for key, each in kinds.items() if get_origin(each) is not NotRequired}
    missing, unknown = required - value.keys(), value.keys() - kinds.keys()
    if missing or unknown:
        return f"{where}: missing {sorted(missing)}, unknown {sorted(unknown)}"
    return _first(mismatch(each, kinds[key], f"{where}.{key}") for key, each in value.items())


def _first(found: Any) -> str | None:
    return next((each for each in found if each is not None), None)
