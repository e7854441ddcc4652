"""What is checked in Skyjo's saved tables alone; `tests/games` has what every game promises."""

from typing import Any

import pytest

from skyjo_env import GameBatch, PositionError, Rules
from tests.games.test_game_batch import arrays

DAMAGED_PILES = [
    ("", {"discard_size": 126}),  # with 125 draws and 24 cards on the boards one more than the deck
    ("", {"hand": 3}),
    ("", {"pile_left": 124}),
    ("", {"pile_next": [150, *[0] * 7]}),
    ("", {"pile_end": [149, *[0] * 7]}),
    ("draw_streams=true", {"pile_next": [25, 88, *[0] * 6]}),
    ("draw_streams=true", {"pile_next": [25, 86, *[0] * 6]}),
    ("draw_streams=true", {"pile_end": [87, 149, *[0] * 6]}),
    ("draw_streams=true", {"pile_next": [25, 151, *[0] * 6], "pile_end": [151, 150, *[0] * 6]}),
]


@pytest.mark.parametrize(("rules", "damage"), DAMAGED_PILES)
def test_a_state_whose_piles_would_run_into_each_other_is_not_restored(rules: str, damage: dict[str, Any]) -> None:
    batch = GameBatch(Rules.from_text(rules), n=2)
    state, before = batch.state(), arrays(batch)
    for field, value in damage.items():
        state["games"][field][1] = value
    reasons = "piles: not all saved cards|pile_next: not all saved numbers|the cards do not add up to the deck"
    with pytest.raises(PositionError, match=reasons):
        batch.restore(state)
    assert arrays(batch) == before
