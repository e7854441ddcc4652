"""The same seeds give the same numbers as when tests/golden/*.json was written (`python -m tests.golden_numbers`)."""

import copy
import math
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("sb3_contrib")

from tests.golden_numbers import DOCUMENTS, Document, found, golden

SLOW = dict.fromkeys(("train", "compare", "tournament"), pytest.mark.slow)  # 5 to 10 seconds each
LONG = dict.fromkeys(("paper", "skipbo_train"), pytest.mark.long)  # up to a minute

# BLAS and SIMD code differs between processors, so that sums may be rounded differently.
RELATIVE, ABSOLUTE = 1e-9, 1e-12

# Training feeds rounding back into itself, and the file keeps six decimals of a weight; so weights may differ by this
# much. Another processor's code was seen to move one by 1e-6, a twentieth more of a term of the loss by 6e-3.
LEARNED = 1e-4


def differences(was: Any, now: Any, absolute: float = ABSOLUTE, place: str = "") -> Iterator[str]:
    """Where two documents differ: floats beyond tolerance, everything else at all."""
    if type(was) is not type(now):
        yield f"{place}: {was!r} was {type(was).__name__}, now {now!r}"
    elif isinstance(was, dict):
        if was.keys() != now.keys():
            yield f"{place}: names {sorted(was.keys() ^ now.keys())} are in one only"
        for name in was.keys() & now.keys():
            yield from differences(was[name], now[name], absolute, f"{place}/{name}")
    elif isinstance(was, list):
        if len(was) != len(now):
            yield f"{place}: {len(was)} entries, now {len(now)}"
        for number, (old, new) in enumerate(zip(was, now, strict=False)):
            yield from differences(old, new, absolute, f"{place}/{number}")
    elif not _is_same(was, now, absolute):
        yield f"{place}: {was!r}, now {now!r}"


def _is_same(was: Any, now: Any, absolute: float) -> bool:
    if not isinstance(was, float):
        return bool(was == now)
    both_nan = math.isnan(was) and math.isnan(now)
    return both_nan or math.isclose(was, now, rel_tol=RELATIVE, abs_tol=absolute)


@pytest.mark.statistical
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[marks[name] for marks in (SLOW, LONG) if name in marks]) for name in DOCUMENTS]
)
def test_the_numbers_are_the_same(name: str) -> None:
    assert list(differences(golden(name), found(name), LEARNED if name.endswith("train") else ABSOLUTE)) == []


WAS: Document = {"a": [1, 2.0, "x", True, None], "b": {"c": 0.1, "d": math.nan}}


@pytest.mark.parametrize(
    ("place", "now"),
    [(0, 2), (0, 1.0), (0, True), (1, 2.0 + 1e-8), (1, math.nan), (1, 2), (2, "y"), (3, False), (3, 1), (4, 0)],
)
def test_a_changed_number_is_found(place: int, now: Any) -> None:
    changed = copy.deepcopy(WAS)
    changed["a"][place] = now
    (difference,) = differences(WAS, changed)
    assert difference.startswith(f"/a/{place}: ")


@pytest.mark.parametrize("now", [{"a": WAS["a"]}, WAS | {"e": 1}, WAS | {"a": WAS["a"][:4]}, WAS | {"b": {"c": 0.1}}])
def test_a_missing_or_new_entry_is_found(now: Document) -> None:
    assert len(list(differences(WAS, now))) == 1


def test_only_rounding_is_forgiven() -> None:
    rounded = {"a": [1, 2.0 + 1e-9, "x", True, None], "b": {"c": 0.1 - 1e-13, "d": math.nan}}
    assert list(differences(WAS, rounded)) == []
    assert len(list(differences(WAS, rounded | {"b": {"c": 0.1 + 1e-5, "d": math.nan}}))) == 1
    assert list(differences(WAS, rounded | {"b": {"c": 0.1 + 1e-5, "d": math.nan}}, LEARNED)) == []
