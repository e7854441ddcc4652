"""Written games in the browser: kept, analysed, gone on from; nothing of a game that is not over; stored matches."""

import json
import random
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from skyjo.web.replaying import ReplayedGame
from skyjo.web.requests import MAX_GAME
from starlette.websockets import WebSocketDisconnect

from cardtable.arena.play import plan as plans
from cardtable.arena.stored.pieces import GameId
from cardtable.arena.stored.plan_store import open_games
from cardtable.arena.stored.recheck import record_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat, packed
from cardtable.table.game.table_game import game_class
from skyjo.analysis.analysed_game import analyse, conduct_lines
from skyjo.interfaces import find_interface, interface_names
from skyjo.main import main
from skyjo.web.stored_games import StoredGames
from skyjo_agents.judging import LookAnalyst
from skyjo_agents.policy import LookaheadAgent
from skyjo_env import replay
from tests.skyjo.web_client import HOST, ORIGIN, House, Houses, Seat, Visitor

RULES = {"skyjo": "", "skipbo": "stock=5", "skyjo_action": ""}


def recorded(game: str, seed: int = 1, decisions: int = 10_000) -> str:
    """A round by chance as text, as far as it goes."""
    card_game, chance = find_game(game), random.Random(seed)
    table = game_class(card_game)(card_game.rules(RULES[game]), seed, 0, "round")
    for _ in range(decisions):
        if not table.is_over:
            table.apply(chance.choice(table.legal_actions()))
    return RecordFormat(card_game).format_record(table.record())


def kept(visitor: Visitor, **body: Any) -> str:
    """The number of a game that a browser brings along."""
    answer = visitor.post("/api/games", json=body)
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["id"]
    return number


def test_nothing_is_told_of_a_table_that_is_not_over(house: House, visitor: Visitor, tmp_path: Path) -> None:
    number = visitor.open("you", "open")
    table = house.room.find(number)
    house.play_out(table, 20)
    answer = visitor.post("/api/games", json={"table": number})
    assert (answer.status_code, answer.json()) == (400, {"error": "the game is not over"})
    assert [*tmp_path.glob("*.game"), *tmp_path.glob(".*.game*")] == []
    assert visitor.get("/api/games").json()["tables"] == []
    for guess in (number, str(table.setup.seed), f"{number}.table", f"..%2f{number}"):
        for address in ("", "/views", "/record", "/shared"):
            assert visitor.get(f"/api/games/{guess}{address}").status_code == 404
        assert visitor.post("/api/tables", json={"game": guess, "after": 0, "seats": ["you", "you"]}).status_code == 400


def test_a_game_stands_after_a_restart_and_its_owner_alone_reads_the_file(
    house: House, visitor: Visitor, houses: Houses, tmp_path: Path
) -> None:
    table = house.room.find(visitor.open("you", "random"))
    house.play_out(table)
    number = kept(visitor, table=table.number)
    assert kept(visitor, text=visitor.get(f"/api/tables/{table.number}/record").text) == number
    asked = [f"/api/games/{number}{end}" for end in ("", "/views?first=3&count=5&seat=0", "/record")]
    before = [visitor.get(address).text for address in ("/api/games", *asked)]
    assert stat.S_IMODE((tmp_path / f"{number}.game").stat().st_mode) == 0o600
    visitor.client = houses().client
    assert [visitor.get(address).text for address in ("/api/games", *asked)] == before


TEXTS = {
    "empty": "",
    "another game": recorded("skipbo", decisions=4),
    "cut off": recorded("skyjo", decisions=40)[:-60],
    "deep": "[" * 50_000,
    "nul": "skyjo-record 1\n\0",
    "long": "x" * (MAX_GAME + 1),
    "an address without a game": "http://127.0.0.1:8765/games#<b>x</b>",
    "an address of another game": "http://x.org/#" + packed('{"skipbo_record":1}'),
}
BODIES: tuple[Any, ...] = ({"text": 1}, {"table": ["x"]}, {"store": -1, "number": 0}, {"text": "", "table": ""}, [])
WRONG = {name: json.dumps({"text": text}) for name, text in TEXTS.items()}
WRONG |= {str(body): json.dumps(body) for body in BODIES} | {"a long body": "x" * 1_000_000}


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_what_is_no_game_is_refused_in_a_short_line_and_leaves_nothing(
    body: str, visitor: Visitor, tmp_path: Path
) -> None:
    answer = visitor.post("/api/games", content=body.encode())
    assert answer.status_code == 400, answer.text
    assert set(answer.json()) == {"error"}
    assert "\n" not in answer.json()["error"]
    assert len(answer.json()["error"]) <= 400
    assert [*tmp_path.iterdir()] == []


def test_names_in_an_address_are_read_as_strictly_as_those_that_are_typed(visitor: Visitor, tmp_path: Path) -> None:
    record = RecordFormat(find_game("skyjo")).read_game(recorded("skyjo", decisions=9)).record()
    for names in (["<b>", ""], ["you"], ["Anna\u202e", ""], [""] * 3, [5], "Anna", {"0": "Anna"}, ["seat 2 (you)"]):
        address = f"http://{HOST}/games#{packed(json.dumps(record | {'names': names}))}"
        answer = visitor.post("/api/games", json={"text": address})
        assert answer.status_code == 400, names
        assert "name" in answer.json()["error"]
        assert [*tmp_path.glob("*.game")] == []
    number = kept(visitor, text=f"http://x.org#{packed(json.dumps(record | {'names': ['Anna']}))}")
    assert visitor.get(f"/api/games/{number}").json()["names"] == ["Anna", "seat 2"]


@pytest.mark.parametrize("game", interface_names())
def test_a_game_goes_on_from_any_decision_also_after_a_restart(
    game: str, house: House, visitor: Visitor, houses: Houses
) -> None:
    text = recorded(game, decisions=60)
    number, replayed = kept(visitor, text=text), ReplayedGame(game, text)
    for after in (0, 33, len(replayed.decisions)):
        opened = visitor.post("/api/tables", json={"game": number, "after": after, "seats": ["you", "random"]}).json()
        table = house.room.find(opened["id"])
        assert table.played.game.position() == replayed.game_after(after).position()
        view = visitor.view(opened["id"])
        assert (view["practice"], view["seq"], view["seat"]) == (True, after, 0)
    again = houses(game).room.find(table.number)
    assert again.played.game.position() == table.played.game.position()
    assert again.is_practice


def test_where_a_game_cannot_go_on_it_is_refused(visitor: Visitor, tmp_path: Path) -> None:
    over = recorded("skyjo")
    decisions, number = len(ReplayedGame("skyjo", over).decisions), kept(visitor, text=over)
    files = {*tmp_path.iterdir()}
    for seats, after, words in (
        (["you", "tempo"], decisions, "earlier decision"),
        (["you", "tempo"], decisions + 1, f"{decisions} decisions"),
        (["you", "tempo", "tempo"], 3, "2 seats, not 3"),
        (["you", "oracle"], 3, "may not play"),
        (["you", 1], 3, "text"),
        ("you", 3, "list"),
        (["you", "tempo"], True, "whole number"),
    ):
        answer = visitor.post("/api/tables", json={"game": number, "after": after, "seats": seats})
        assert answer.status_code == 400
        assert words in answer.json()["error"]
    assert {*tmp_path.iterdir()} == files


# Stored matches


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rounds of two agents, each deal from both seats, in pieces of four deals."""
    folder = tmp_path_factory.mktemp("lab") / "small"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "MIN_PIECE", 4)
        assert main(["match", "tempo", "naive", "--deals", "12", "--store", str(folder)], "skyjo") == 0
    return folder


def test_stored_games_are_listed_and_looked_at_under_their_own_game(played: Path, houses: Houses) -> None:
    game, stores = find_game("skyjo"), [StoredGames(played)]
    visitor = houses("skyjo", stores).visitor()
    (store,) = visitor.get("/api/games").json()["stores"]
    assert (store["store"], store["games"]) == (0, 24)
    listed = visitor.get("/api/games/stores/0").json()["games"]
    assert [each["number"] for each in listed] == [*range(24)]
    assert visitor.get("/api/games/stores/0?first=22").json()["games"] == listed[22:]
    written = {
        RecordFormat(game).format_record(record_of(open_games(played, game), GameId(0, deal, turn)))
        for deal in range(12)
        for turn in (0, 1)
    }
    for each in (listed[0], listed[23]):
        number = kept(visitor, store=0, number=each["number"])
        record = visitor.get(f"/api/games/{number}/record").text
        assert record in written
        names, scores = visitor.get(f"/api/games/{number}").json()["names"], replay(record).round_scores
        assert each["words"] == ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    assert visitor.post("/api/games", json={"store": 0, "number": 24}).status_code == 400
    assert visitor.get("/api/games/stores/1").status_code == 400
    assert houses("skipbo", stores).visitor().get("/api/games").json()["stores"] == []


def test_a_damaged_store_is_refused_in_a_line(played: Path, houses: Houses) -> None:
    visitor = houses("skyjo", [StoredGames(played)]).visitor()
    first = min(played.glob("games-*"))
    first.write_bytes(first.read_bytes()[:-9] + b"xxxxxxxxx")
    answer = visitor.get("/api/games/stores/0")
    assert answer.status_code == 400
    assert "damaged" in answer.json()["error"]
    with pytest.raises(TableError, match="damaged"):
        StoredGames(played)


# Analyses


@contextmanager
def analysing(visitor: Visitor, number: str) -> Iterator[Seat]:
    """A connection on which a game is analysed."""
    address = f"ws://{HOST}/api/games/{number}/analysis"
    with visitor.client.websocket_connect(address, headers=visitor.headers | ORIGIN) as socket:
        yield Seat(socket)


def all_told(seat: Seat, ask: str) -> list[Any]:
    """Everything that answers, up to the end."""
    seat.send(ask=ask)
    told = [seat.receive()]
    while told[-1]["kind"] in ("judged", "checked"):
        told.append(seat.receive())
    return told


def test_an_analysis_is_that_of_the_command(visitor: Visitor) -> None:
    text, skyjo = recorded("skyjo", 2), find_interface("skyjo")
    game = analyse(skyjo, replay(text).record(), LookAnalyst(LookaheadAgent(replay(text).rules)), "lookahead", False)
    with analysing(visitor, kept(visitor, text=text)) as seat:
        *judged, ready = all_told(seat, "analyse")
    moves = [move for piece in judged for move in piece["moves"]]
    documents: Any = game.to_document()["moves"]
    for move, each in zip(moves, documents, strict=True):
        for name in ("move", "seat", "action", "forced", "mark"):
            assert move[name] == each[name]
        assert [choice["name"] for choice in move["choices"]] == [choice["name"] for choice in each["choices"]]
        action_values = [choice["worth"] for choice in each["choices"]]
        assert [choice["worth"] for choice in move["choices"]] == pytest.approx(action_values, abs=6e-4)
        assert (move["lost"], *move["luck"]) == pytest.approx((each["lost"], *each["luck"]), abs=6e-4)
    assert ready["worst"] == [told.judged.number for told in game.marked]
    lines = [conduct_lines(f"seat {seat + 1}", each, skyjo.levels) for seat, each in enumerate(game.conducts)]
    assert (ready["kind"], ready["lines"]) == ("ready", lines)


def test_other_messages_are_refused(visitor: Visitor) -> None:
    with analysing(visitor, kept(visitor, text=recorded("skyjo", decisions=3))) as seat:
        for text in ("", "[]", '{"ask":"seed"}', '{"ask":["stop"]}', '{"ask":"stop","x":1}', "x" * 5000):
            seat.socket.send_text(text)
            assert seat.receive()["kind"] == "refused"
        seat.socket.send_bytes(b"\0")
        assert seat.receive()["kind"] == "refused"
        assert all_told(seat, "analyse")[-1]["kind"] == "ready"


@pytest.mark.parametrize("game", ["skyjo", "skyjo_action"])
def test_what_cannot_be_analysed_has_no_socket(game: str, visitor: Visitor) -> None:
    number = "0" * 20 if game == "skyjo" else kept(visitor, text=recorded(game, decisions=3))
    with analysing(visitor, number) as seat, pytest.raises(WebSocketDisconnect) as raised:
        seat.receive()
    assert raised.value.code == 4404
