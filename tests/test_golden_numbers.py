"""The same seeds give the same numbers as when tests/golden/*.json was written (`python -m tests.golden_numbers`)."""

import pytest

from tests.golden_numbers import DOCUMENTS, found, golden


@pytest.mark.statistical
@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_numbers_are_the_same(name: str) -> None:
    assert found(name) == golden(name)
