"""`python -m studies luck-weights`: the weights of every number of players, as a table and as JSON."""

import json
from collections.abc import Sequence

import numpy as np

from studies.luck_weights import WeightsRow, as_text, fit_weights
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import study as study
from tests.typed_documents import mismatch


def test_the_command_prints_the_fit_for_every_number_of_players(study: Skyjo) -> None:
    rows = json.loads(study("luck-weights", "--deals", "40", "--json").out)
    assert mismatch(rows, Sequence[WeightsRow]) is None
    assert [row["players"] for row in rows] == list(range(2, 9))
    weights, left = fit_weights(3, 40)
    assert rows[1]["weights"] == np.round(weights, 3).tolist()
    assert rows[1]["variance_left"] == round(left, 3)
    assert study("luck-weights", "--deals", "40").out == f"{as_text(rows)}\n"
    assert "deals=0 must be a whole number" in complaint(study("luck-weights", "--deals", "0"))
