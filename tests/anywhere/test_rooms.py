"""The worker with the server of `skyjo web`: rooms, agents in Python, positions, and stored games."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import uvicorn

from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_game import game_class
from skyjo.table.seating import OPEN, YOU
from skyjo.web import rooms
from skyjo.web.access import Reach
from skyjo.web.python_agents import PythonAgents
from skyjo.web.room_store import RoomStore
from skyjo.web.server import Server
from skyjo.web.serving import bound
from skyjo_agents.network_shapes import SKYJO_POLICIES
from tests.anywhere.worker_client import SOCKETS, Twins, WorkerClient, write_site

GAMES = ("skyjo", "skipbo", "skyjo_action")
AGENTS = {"skyjo": "tempo", "skipbo": "greedy", "skyjo_action": "greedy"}
COOKIES = count(1)
POLICY = f"policy:path={SKYJO_POLICIES.shipped / '2to8p.safetensors'}"


@pytest.fixture(scope="module")
def site(made: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    del made
    return write_site(tmp_path_factory.mktemp("site"), *GAMES)


@pytest.fixture(scope="module")
def address(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a server, which also offers an agent whose text pages do not know."""
    with bound(0, "127.0.0.1") as sock, pytest.MonkeyPatch.context() as patch:
        port = sock.getsockname()[1]
        agents = {"skyjo": ["threshold:t=3", "threshold:t=x", POLICY]}
        store: Any = RoomStore(tmp_path_factory.mktemp("rooms"))
        patch.setattr(rooms, "PAUSE", 0)
        server = Server(site, GAMES, store, Reach(port), agents)
        running = uvicorn.Server(uvicorn.Config(server.app, log_level="critical"))
        sock.listen()
        thread = threading.Thread(target=running.run, kwargs={"sockets": [sock]})
        thread.start()
        yield f"http://127.0.0.1:{port}/"
        running.should_exit = True
        thread.join()


class Browser(WorkerClient):
    """A browser at a room."""

    view: Any = None

    def enter(self, number: str) -> None:
        self.socket = next(SOCKETS)
        self.send({"socket": self.socket, "path": f"/api/tables/{number}/socket"})

    def say(self, **message: Any) -> None:
        self.send({"socket": self.socket, "message": {"seq": self.view["seq"], **message}})

    def until(self, holds: Callable[[Any], Any]) -> Any:
        """Hear views until one is as it should be; other messages are returned at once."""
        while self.view is None or not holds(self.view):
            message = self.hear()
            if message["kind"] != "view":
                return message
            self.view = message
        return self.view


@pytest.fixture
def browsers(site: Path, address: str) -> Iterator[Callable[[], Browser]]:
    opened: list[Browser] = []

    def browser() -> Browser:
        opened.append(Browser(site, SITE=address, COOKIE=f"skyjo_browser={next(COOKIES):032}"))
        return opened[-1]

    yield browser
    for each in opened:
        each.close()


def at_a_room(browsers: Callable[[], Browser], game: str) -> tuple[Browser, Browser, str]:
    """Somebody who has opened a room, somebody who has sat down there, and its number."""
    own, friend = browsers(), browsers()
    seats = [YOU, OPEN, AGENTS[game]]
    asked = {"seats": seats, "names": ["Zoë"], "episode": "round"}
    number = own.answered(f"/api/tables?game={game}", asked)["id"]
    own.enter(number)
    friend.enter(number)
    assert friend.until(bool)["seat"] is None
    assert friend.answered(f"/api/tables/{number}/join", {"name": "Ada"}) == {"seat": 1}
    assert [seat["name"] for seat in friend.until(lambda view: view["seat"] == 1)["seats"]] == ["Zoë", "you", seats[2]]
    own.until(lambda view: view["seats"][1]["name"] == "Ada" and view["seats"][1]["here"])
    return own, friend, number


def play(own: Browser, friend: Browser, chance: random.Random) -> None:
    """Decide at random until the game is over."""
    while own.view["decider"] is not None:
        mover = next((each for each in (own, friend) if each.view["actions"]), None)
        seq = own.view["seq"] + 1
        if mover is not None:
            mover.say(action=chance.choice(mover.view["actions"]))
        for each in (own, friend):
            each.until(lambda view: view["seq"] >= seq)  # noqa: B023 - it is called at once
        top = max(own.view["seq"], friend.view["seq"])
        for each in (own, friend):
            each.until(lambda view: view["seq"] >= top)  # noqa: B023


@pytest.mark.parametrize(("game", "rules"), [("skyjo", "rows=2 deck=1:30,5:60"), ("skipbo", "stock=7 view=own")])
def test_rules_that_pages_cannot_work_out_are_played(game: str, rules: str, browsers: Callable[[], Browser]) -> None:
    own = browsers()
    asked = {"seats": [YOU, AGENTS[game]], "rules": rules, "episode": "round"}
    assert AGENTS[game] not in own.answered(f"/api/unable?game={game}&players=2&rules={quote(rules)}")["unable"]
    number = own.answered(f"/api/tables?game={game}", asked)["id"]
    own.restart("kept")
    twins = Twins(own, number)
    twins.say(ask="pace", pace=20)
    twins.compare()
    play_on(twins, random.Random(2))
    kept = own.answered(f"/api/games?game={game}", {"table": number})["id"]
    assert len(own.answered(f"/api/games/{kept}")["decisions"]) == len(twins.played.decisions)


def play_on(twins: Twins, chance: random.Random) -> None:
    twins.let_agents_decide()
    while not twins.is_over:
        twins.act(chance.choice(twins.played.game.legal_actions()))
        twins.let_agents_decide()


@pytest.mark.parametrize("game", GAMES)
def test_friends_play_to_the_end_and_look_back(game: str, browsers: Callable[[], Browser]) -> None:
    own, friend, number = at_a_room(browsers, game)
    play(own, friend, random.Random(1))
    assert own.view["over"]["winners"] == friend.view["over"]["winners"]
    assert [told["words"] for told in own.view["told"]] == [told["words"] for told in friend.view["told"]]
    assert own.view["end"] == friend.view["end"] != {}
    (listed,) = own.answered(f"/api/start?game={game}")["tables"]
    assert (listed["id"], listed["over"]) == (number, True)
    kept = friend.answered(f"/api/games?game={game}", {"table": number})["id"]
    looked = friend.answered(f"/api/games/{kept}")
    assert (len(looked["decisions"]), looked["seats"]) == (own.view["seq"], ["", YOU, AGENTS[game]])
    assert looked["names"] == ["Zoë", YOU, AGENTS[game]]
    own.say(ask="rematch")
    assert own.until(lambda _: False)["id"] == friend.until(lambda _: False)["id"] != number


def test_players_who_share_a_screen_cover_their_cards(browsers: Callable[[], Browser]) -> None:
    own = browsers()
    number = own.answered("/api/tables?game=skipbo", {"seats": [YOU, YOU, OPEN]})["id"]
    own.enter(number)
    view = own.until(bool)
    if view["decider"] != view["seat"]:
        pytest.skip("the free seat begins")
    assert (view["covered"], view["actions"], view["table"]["hand"]) == (True, [], None)
    own.say(action=0)
    assert "Show my cards" in own.until(lambda _: False)["words"]
    own.say(ask="uncover")
    view = own.until(lambda view: not view["covered"])
    assert len(view["table"]["hand"]) == 5
    assert view["actions"]


def test_agents_in_python_sit_at_tables_of_the_browser(browsers: Callable[[], Browser]) -> None:
    own = browsers()
    start = own.answered("/api/start")
    assert start["served"]
    assert "threshold:t=3" in [agent["name"] for agent in start["agents"]]
    number = own.answered("/api/tables", {"seats": ["threshold:t=3", YOU], "episode": "round"})["id"]
    own.enter(number)
    own.until(bool)
    own.say(ask="pace", pace=20)
    own.until(lambda view: view["actions"])
    own.say(ask="lend", agent="threshold:t=3")
    assert own.until(lambda view: view["practice"])["seq"] > 0
    status, answer = own.ask("/api/tables", {"seats": ["threshold:t=x", YOU]})
    assert (status, answer["error"].partition(":")[0]) == (400, "agent threshold")


def test_pages_play_policies_of_the_server_themselves(
    browsers: Callable[[], Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, ask = list[int](), PythonAgents.decide

    async def decide(self: PythonAgents, rules: Any, text: str, seen: Any, masks: Any) -> list[int]:
        asked.append(len(masks))
        return await ask(self, rules, text, seen, masks)

    monkeypatch.setattr(PythonAgents, "decide", decide)
    own = browsers()
    number = own.answered("/api/tables", {"seats": [YOU, POLICY, "tempo"], "episode": "round"})["id"]
    twins = Twins(own, number)
    twins.say(ask="pace", pace=20)
    twins.compare()
    play_on(twins, random.Random(5))
    assert asked == [0]  # whether it can play by these rules


def test_written_positions_are_opened_and_played_on(browsers: Callable[[], Browser]) -> None:
    own = browsers()
    game: Any = game_class(find_game("skyjo"))(find_game("skyjo").rules("rows=2 columns=2 opening_flips=1"), 7)
    for _ in range(5):
        game.apply(game.legal_actions()[-1])
    number = own.answered("/api/games", {"text": game.position()})["id"]
    document = own.answered(f"/api/games/{number}")
    assert (document["decisions"], document["players"]) == ([], 2)
    record = json.loads(own.answered(f"/api/games/{number}/record"))
    assert record["start"] == game.position()
    assert own.answered("/api/games", {"text": json.dumps(record)})["id"] == number
    table = own.answered("/api/tables", {"game": number, "after": 0, "seats": [YOU, YOU]})["id"]
    own.enter(table)
    view = own.until(bool)
    assert view["actions"] == game.legal_actions()
    assert [*view["names"].values()] == [game.card_game.action_names(game.rules)[each] for each in game.legal_actions()]
    assert own.ask("/api/games", {"text": "skyjo-position 1"})[0] == 400


def test_pages_come_back_to_a_room_unless_there_is_none(site: Path, browsers: Callable[[], Browser]) -> None:
    own = browsers()
    own.enter("room-zzzzzzzzzzzz")
    told = own.read()
    assert (told["socket"], told["closed"], told["isFinal"]) == (own.socket, True, True)
    assert told["reason"]
    alone = Browser(site)
    alone.enter("room-zzzzzzzzzzzz")
    assert alone.read() == {"socket": alone.socket, "closed": True, "reason": "", "isFinal": False}
    assert alone.answered("/api/start")["tables"] == []
    assert "on a server" in alone.ask("/api/tables", {"seats": [YOU, OPEN]})[1]["error"]
    alone.close()
