"""The scripted agents of each game: legal under all rules, and the same at one table, at many, and uncompiled."""

import pytest

from cardtable.table.errors import AgentError
from tests.games.listed import cases_of
from tests.games.under_test import GameUnderTest
from tests.processes import printed


@pytest.mark.parametrize(("game", "wrong"), cases_of("bad_agents"))
def test_wrong_parameters_are_named(game: GameUnderTest, wrong: tuple[str, str]) -> None:
    text, reason = wrong
    with pytest.raises(AgentError, match=reason):
        game.api.make_agent(text)


@pytest.mark.slow
def test_the_scripts_play_the_same_rounds_without_compilation(game: GameUnderTest) -> None:
    rules, agents = game.scripted_table
    code = f"""
from cardtable.table.game.card_game import Setup
from cardtable.arena.play.rounds import play_rounds
from {game.api.__name__} import Rules, make_agent
rules = Rules.from_text("{rules}")
agents = [make_agent(name, rules) for name in {agents}]
played = play_rounds(agents, Setup(rules, 3, keep=True), range(2))
print(played.scores.tolist(), played.actions.tolist())
"""
    compiled, plain = (printed("-W", "ignore", "-c", code, NUMBA_DISABLE_JIT=off) for off in ("0", "1"))
    assert compiled == plain
