"""The policy that comes with the package plays by name, and as well as it is said to."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from cardtable.arena.play.pairing import play_paired
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import Setup
from skipbo_env import OFFICIAL, Rules, make_agent


@pytest.mark.slow
def test_it_beats_the_yardstick() -> None:
    played = play_paired(["policy", "greedy:pile=smallest"], Setup(OFFICIAL, 3), range(40))
    assert played.wins[:, 0].mean() > 0.8


def test_at_other_tables_it_says_for_which_it_was_trained() -> None:
    assert make_agent("policy", Rules(symmetric="lowest", next_starter="winner")) is not None
    with pytest.raises(AgentError, match="the package has no policy for players=3"):
        make_agent("policy", Rules(players=3))
