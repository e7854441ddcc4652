"""Tables as tools, called by the client of the SDK: in memory, and over standard input and output as hosts do."""

import asyncio
import json
import os
import random
import secrets
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from cardtable.arena.exam.analysis import conduct_of
from cardtable.table.errors import AgentError
from skyjo.analysis.judge import analyst_for
from skyjo.interfaces import find_interface, interface_names
from skyjo.table.played_game import SeatedAgent
from skyjo.tools import text_table
from skyjo.tools.text_table import TextTable
from skyjo.tools.tool_server import make_server
from tests.documents import ROOT

SKYJO = find_interface("skyjo")
SEED = 4_611_686_018_427_387_777  # whoever finds this in an answer has found the seed


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards at every run, by a seed that nobody may hear of."""
    monkeypatch.setattr(secrets, "randbits", lambda _: SEED)
    monkeypatch.setattr(secrets, "randbelow", lambda _: 1)


def names_in(text: str) -> list[str]:
    """The legal actions that a text lists."""
    return text.rpartition("legal actions: ")[2].split(", ")


class Player:
    """A client that remembers all that it was told."""

    def __init__(self, client: Client) -> None:
        self.client, self.heard = client, list[str]()

    async def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Whether a call was refused, and the answer."""
        done = await self.client.call_tool(tool, arguments)
        (content,) = done.content
        text = str(getattr(content, "text", ""))
        self.heard.append(f"{text} {done.structured_content}")
        return bool(done.is_error), text

    async def told(self, tool: str, **arguments: Any) -> str:
        """The answer to a call that is not refused."""
        refused, text = await self.call(tool, **arguments)
        assert not refused, text
        return text

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The line that refuses a call."""
        refused, text = await self.call(tool, **arguments)
        assert refused
        (line,) = text.splitlines()
        return line.removeprefix(f"Error executing tool {tool}: ")

    async def finish(self, table: int, text: str, chance: random.Random) -> str:
        """Play on at random to the end; hands back the last answer."""
        while "\nlegal actions: " in text:
            text = await self.told("act", table=table, action=chance.choice(names_in(text)))
        return text


def played(play: Callable[[Player], Awaitable[None]], server: Any = None) -> Player:
    """What the client was told by a server in this process, or by this one."""

    async def session() -> Player:
        async with Client(make_server(SKYJO) if server is None else server) as client:
            player = Player(client)
            await play(player)
            return player

    return asyncio.run(session())


@pytest.mark.parametrize("name", interface_names())
@pytest.mark.usefixtures("seeds")
def test_a_whole_table_is_played_and_judged_without_its_seed(name: str) -> None:
    quick = {"skyjo": "players=3", "skipbo": "players=3 stock=1", "skyjo_action": "players=3"}[name]

    async def play(player: Player) -> None:
        text = await player.told("start_table", game=name, opponents=["random"], rules=quick)
        assert text.startswith("table 1\n\nround 1, ")
        assert text.removeprefix("table 1\n\n") == await player.told("look", table=1)
        assert "not over" in await player.refused("result", table=1)
        assert "answer with one of: " in await player.refused("act", table=1, action="cheat")
        end = await player.finish(1, text, random.Random(1))
        assert "round 1 is over" in end
        assert end.splitlines()[-1].startswith("the round is over, won by ")
        assert "nothing to decide" in await player.refused("act", table=1, action="draw")
        result = json.loads(await player.told("result", table=1))
        assert (result["seat"], len(result["totals"]), result["stopped"]) == (1, 3, False)
        assert result["judge"]
        assert (result["score"] is None) == (result["still_to_judge"] > 0)

    heard = " ".join(played(play).heard)
    assert str(SEED) not in heard
    assert f"{SEED:x}" not in heard.lower()


@pytest.mark.usefixtures("seeds")
def test_the_score_is_the_judges_and_is_worked_out_a_stretch_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_table, "PATIENCE", 0.0)
    table, chance = TextTable(SKYJO, ["expected"], None, "", "round"), random.Random(3)
    while not table.is_over:
        table.act(chance.choice(names_in(table.look())))
    session = table._session
    _, analyst = analyst_for(SKYJO, session.rules)
    conduct = conduct_of(1, list(analyst.decisions(session.game.record())))
    left = len(session.decisions)
    while left > 0:  # every call judges a decision
        left -= 1
        result = table.result()
        assert (result["judge"], result["still_to_judge"]) == (SKYJO.judges[0], left)
        assert (result["score"] is None) == (left > 0)
    score = table.result()["score"]
    assert score is not None
    assert score["lost"] == pytest.approx(conduct.lost, abs=1e-3) != 0
    assert score["lost_a_decision"] == pytest.approx(conduct.lost / conduct.unforced, abs=1e-3)
    assert score["margin"] == pytest.approx(conduct.margin)
    assert score["luck"] == pytest.approx(conduct.luck, abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"game": "chess"}, "no game is called 'chess'; installed: skipbo, skyjo, skyjo_action"),
        ({"opponents": ["oracle"]}, "agent 'oracle' may not play here"),
        ({"opponents": ["policy:path=/etc/passwd"]}, "names a file, a time or threads"),
        ({"opponents": ["rollout:n=100000"]}, "numbers are at most 1000 here"),
        ({"opponents": ["random", "random"], "players": 6}, "opponents: 2 given, but there must be 1 or 5"),
        ({"players": 2, "rules": "players=3"}, "the rules are for players=3: change one of them"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line_and_no_table_is_opened(arguments: Any, words: str) -> None:
    async def play(player: Player) -> None:
        assert words in await player.refused("start_table", **arguments)
        assert await player.refused("look", table=1) == "there is no table 1; open tables: none"

    played(play)


@pytest.mark.usefixtures("seeds")
def test_an_error_that_nobody_foresaw_tells_the_client_and_its_log_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(table: TextTable) -> str:
        raise ValueError(f"{table._session.game} of seed {table._session.game.seed}")

    monkeypatch.setattr(TextTable, "look", fail)

    async def play(player: Player) -> None:
        assert await player.refused("start_table") == "the server failed with a ValueError"

    heard = " ".join([*played(play).heard, *capfd.readouterr(), caplog.text])
    assert str(SEED) not in heard
    assert "draw pile" not in heard


class Talkative:
    """An agent that tells what it sees, by an error or by an illegal action."""

    def __init__(self, raises: bool) -> None:
        self.raises = raises

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:
        del rng_states
        if self.raises:
            raise ValueError(f"I see {observations.tolist()}")
        return masks.argmin(axis=1)


@pytest.mark.parametrize("raises", [True, False])
@pytest.mark.usefixtures("seeds")
def test_an_agent_that_fails_tells_nothing_that_only_its_seat_sees(raises: bool) -> None:
    table = TextTable(find_interface("skipbo"), ["greedy"], None, "", "round")
    bad = SeatedAgent("greedy", Talkative(raises))
    table._session.agents = tuple(each and bad for each in table._session.agents)
    discard = next(name for name in names_in(table.look()) if name.startswith("discard"))
    calls: list[Callable[[], str]] = [lambda: table.act(discard), table.look, lambda: table.act("pass")]
    for again in calls:
        with pytest.raises(AgentError, match=r"^the agent of seat 0 has failed: this table cannot continue$"):
            again()


def test_a_host_starts_the_command_and_plays_over_standard_input_and_output(tmp_path: Path) -> None:
    log = tmp_path / "log"
    here = {"PYTHONPATH": os.pathsep.join(sys.path), "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", "")}
    given = {name: value for name, value in here.items() if value}
    command = StdioServerParameters(command=sys.executable, args=["-m", "skyjo", "mcp"], env=given, cwd=tmp_path)

    async def play(player: Player) -> None:
        text = await player.told("start_table", opponents=["random"])
        await player.finish(1, text, random.Random(1))
        assert json.loads(await player.told("result", table=1))["judge"] == SKYJO.judges[0]
        assert await player.told("rules") == (ROOT / "docs" / "rules" / "skyjo.md").read_text()
        assert "seed" not in str((await player.client.list_tools()).tools)

    with log.open("w") as errors:
        heard = played(play, stdio_client(command, errlog=errors)).heard
    assert len(heard) > 20
    assert "seed" not in log.read_text()
