"""What holds for all tests."""

import os
import random
import secrets

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: tests run side by side, networks are small
os.environ.setdefault("DEALS", "1")  # every number deals other cards; the weekly run has one of its own


@pytest.fixture(autouse=True)
def _same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that are dealt by chance are the same in every run of a test."""
    chance = random.Random(f"{os.environ['DEALS']} {request.node.nodeid}")
    monkeypatch.setattr(secrets, "randbits", chance.getrandbits)
    monkeypatch.setattr(secrets, "randbelow", chance.randrange)
