"""Written games in the browser: kept, shown step by step, gone on from; nothing of a game that is not over."""

import json
import random
import stat
from pathlib import Path
from typing import Any

import pytest

from cardtable.arena.play import plan as plans
from cardtable.arena.stored.pieces import GameId
from cardtable.arena.stored.plan_store import open_games
from cardtable.arena.stored.recheck import record_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat, packed, shared_names
from cardtable.table.game.table_game import game_class
from skyjo.main import main
from skyjo.web import replaying
from skyjo.web.kept_games import GameText, KeptGames, Seated
from skyjo.web.replaying import ReplayedGame
from skyjo.web.requests import MOST_GAME
from skyjo.web.stored_games import StoredGames
from tests.skyjo.web_client import House, Houses, Visitor, files_up_to

RULES = {"skyjo": "", "skipbo": "stock=5", "skyjo_action": ""}


def recorded(game: str, seed: int = 1, decisions: int = 10_000, episode: str = "round") -> str:
    """A game by chance as text, as far as it goes."""
    card_game, chance = find_game(game), random.Random(seed)
    table = game_class(card_game)(card_game.rules(RULES[game]), seed, 0, episode)
    for _ in range(decisions):
        if not table.is_over:
            table.apply(chance.choice(table.legal_actions()))
    return RecordFormat(card_game).format_record(table.record())


def kept(visitor: Visitor, text: str) -> str:
    """The number of a game that a browser brings along."""
    answer = visitor.post("/api/games", json={"text": text})
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["id"]
    return number


def views(visitor: Visitor, number: str, **asked: int) -> list[Any]:
    """Views of a kept game."""
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    answer = visitor.get(f"/api/games/{number}/views?{query}")
    assert answer.status_code == 200, answer.text
    found: list[Any] = answer.json()["views"]
    return found


def played(house: House, visitor: Visitor, decisions: int = 10_000) -> tuple[str, list[list[Any]]]:
    """A table with two seats of one browser, and its views by seat after every decision."""
    game, chance = house.room.game.name, random.Random(3)
    host, guest = visitor, house.visitor()
    number = host.open("you", "open", rules=RULES[game])
    guest.join(number)
    table, shown = house.room.find(number), []
    while True:
        shown.append([host.view(number), guest.view(number)])
        if table.decider is None or table.seq == decisions:
            return number, shown
        table.act(chance.choice(table.played.game.legal_actions()))


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_a_replay_shows_what_the_table_showed(game: str, house: House, visitor: Visitor) -> None:
    table, shown = played(house, visitor)
    number = visitor.post("/api/games", json={"table": table}).json()["id"]
    document = visitor.get(f"/api/games/{number}").json()
    assert document["names"] == ["you", "seat 2"]
    assert document["analysis"] is (game != "skyjo_action")
    assert len(document["decisions"]) == len(shown) - 1 > 30
    for seat in (0, 1):
        firsts = range(0, len(shown), 50)
        again = [view for first in firsts for view in views(visitor, number, first=first, count=50, seat=seat)]
        assert len(again) == len(shown)
        for view, (*_, live) in zip(again, ((*steps, steps[seat]) for steps in shown), strict=True):
            assert {name for name in live if live[name] != view[name]} <= {"seats", "told", "over"}
            fewest = min(len(live["told"]), len(view["told"]))  # by their size, in which names count
            assert live["told"][len(live["told"]) - fewest :] == view["told"][len(view["told"]) - fewest :]
            assert [each["total"] for each in view["seats"]] == [each["total"] for each in live["seats"]]
        assert again[-1]["over"]["winners"] == shown[-1][seat]["over"]["winners"]


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_who_looks_on_sees_what_everybody_sees_and_all_cards_only_if_asked_for(game: str, house: House) -> None:
    visitor, guest = house.visitor(), house.visitor()
    table, _ = played(house, visitor, 12)
    live = guest.view(table)
    text = RecordFormat(find_game(game)).format_record(house.room.find(table).played.game.record())
    (view,) = views(visitor, kept(visitor, text), first=12, count=1)
    assert view["seat"] is None
    assert view["table"] == live["table"]
    game_now: Any = house.room.find(table).played.game
    (opened,) = views(visitor, kept(visitor, text), first=12, count=1, open=1)
    told = opened["table"].pop("open")
    assert opened == view
    if game == "skyjo":
        assert told == {"boards": game_now.state["cards"][0, :2, :12].tolist(), "hand": game_now.hand}
    elif game == "skyjo_action":
        lying = game_now.state["cards"][0, :2].tolist()
        assert told["boards"] == [[{13: "*", 15: "."}.get(card, card) for card in cards] for cards in lying]
    else:
        assert told == {"hands": [[{13: "w"}.get(card, card) for card in game_now.hand(seat)] for seat in (0, 1)]}


def test_decisions_and_rounds_are_told(visitor: Visitor) -> None:
    text = recorded("skyjo", episode="game")
    document = visitor.get(f"/api/games/{kept(visitor, text)}").json()
    replayed = ReplayedGame("skyjo", text)
    assert [each["words"] for each in document["decisions"]] == [decision.words for decision in replayed.decisions]
    assert [each["seat"] for each in document["decisions"]] == [decision.seat for decision in replayed.decisions]
    firsts = [each["first"] for each in document["rounds"]]
    numbers = [each["round"] for each in document["decisions"]]
    assert firsts == [numbers.index(number) for number in sorted({*numbers})]
    totals = [sum(column) for column in zip(*(each["scores"] for each in document["rounds"]), strict=True)]
    assert totals == list(replayed.game_after(len(replayed.decisions)).totals)
    assert document["analysis"] is True
    assert document["players"] == 2
    assert document["names"] == ["seat 1", "seat 2"]


def test_a_table_that_is_not_over_is_refused(house: House, visitor: Visitor, tmp_path: Path) -> None:
    number, _ = played(house, visitor, 20)
    setup = house.room.find(number).setup
    answer = visitor.post("/api/games", json={"table": number})
    assert answer.status_code == 400
    assert answer.json() == {"error": "the game is not over"}
    assert [*tmp_path.glob("*.game"), *tmp_path.glob(".*.game*")] == []
    assert visitor.get("/api/games").json()["tables"] == []
    for guess in (number, str(setup.seed), f"{number}.table", f"..%2f{number}"):
        for address in ("", "/views", "/record", "/shared"):
            assert visitor.get(f"/api/games/{guess}{address}").status_code == 404
        assert visitor.post("/api/tables", json={"game": guess, "after": 0, "seats": ["you", "you"]}).status_code == 400
    assert visitor.post("/api/games", json={"table": "x" * 12}).status_code == 400


def test_a_finished_table_is_listed_and_kept_under_one_number(house: House, visitor: Visitor) -> None:
    table, _ = played(house, visitor)
    listed = visitor.get("/api/games").json()
    assert [each["id"] for each in listed["tables"]] == [table]
    assert listed["kept"] == []
    number = visitor.post("/api/games", json={"table": table}).json()["id"]
    record = visitor.get(f"/api/tables/{table}/record").text
    assert kept(visitor, record) == number
    assert kept(visitor, json.dumps(house.room.find(table).played.game.record())) == number
    assert visitor.get(f"/api/games/{number}/record").text == record
    assert visitor.get("/api/games").json() == listed  # one line a game
    assert visitor.delete(f"/api/tables/{table}").status_code == 200
    assert [each["id"] for each in visitor.get("/api/games").json()["kept"]] == [number]


def test_games_are_listed_for_those_who_opened_them_the_last_one_first(house: House) -> None:
    one, other = house.visitor(), house.visitor()
    numbers = [kept(one, recorded("skyjo", seed, decisions)) for seed, decisions in ((1, 20), (2, 21))]
    listed = one.get("/api/games").json()["kept"]
    assert [(each["id"], each["words"], each["names"]) for each in listed] == [
        (numbers[1], "2 seats, 1 round, 21 decisions", []),
        (numbers[0], "2 seats, 1 round, 20 decisions", []),
    ]
    assert other.get("/api/games").json()["kept"] == []
    assert other.get(f"/api/games/{numbers[0]}").status_code == 200
    assert [each["id"] for each in other.get("/api/games").json()["kept"]] == [numbers[0]]


def test_a_kept_game_stands_after_a_restart(house: House, visitor: Visitor, houses: Houses, tmp_path: Path) -> None:
    table, _ = played(house, visitor)
    number = visitor.post("/api/games", json={"table": table}).json()["id"]
    asked = [f"/api/games/{number}{end}" for end in ("", "/views?first=3&count=5&seat=1", "/record")]
    before = [visitor.get(address).text for address in ("/api/games", *asked)]
    assert stat.S_IMODE((tmp_path / f"{number}.game").stat().st_mode) == 0o600
    visitor.client = houses().client
    assert [visitor.get(address).text for address in ("/api/games", *asked)] == before


TEXTS = {
    "empty": "",
    "words": "hello",
    "another game": recorded("skipbo", decisions=4),
    "cut off": recorded("skyjo", decisions=40)[:-60],
    "another move": recorded("skyjo", decisions=40).replace("draw", "take", 1),
    "cards that do not come out even": "skyjo-position 1\nboard 9 9\nboard 9 9\ndiscard 3\nseat 0 turn",
    "no number": '{"skyjo_record": 1e999}',
    "long number": "skyjo-record 1\nseed " + "9" * 90_000,
    "deep": "[" * 50_000,
    "deep object": '{"a":' * 19_000,
    "surrogate": "skyjo-record 1\n\ud800",
    "nul": "skyjo-record 1\n\0",
    "long": "x" * (MOST_GAME + 1),
}
BODIES: tuple[Any, ...] = (
    {"text": 1},
    {"table": 1},
    {"table": ["x"]},
    {"store": 0, "number": 0},
    {"store": -1, "number": 0},
    {"store": 0},
    {"text": "", "table": ""},
    {},
    [],
)
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


def test_a_game_that_is_too_long_as_text_is_refused(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = recorded("skyjo")
    monkeypatch.setattr(replaying, "MOST_LETTERS", len(text) - 1)
    answer = visitor.post("/api/games", json={"text": text})
    assert answer.status_code == 400
    assert "more than" in answer.json()["error"]
    assert [*tmp_path.iterdir()] == []


QUERIES = ("first=-1", "first=x", "count=101", "seat=2", "seat=", "open=2", "first=9999999999", "count=1e1", "first=²")


@pytest.mark.parametrize("query", QUERIES)
def test_other_views_are_refused(query: str, visitor: Visitor) -> None:
    number = kept(visitor, recorded("skyjo", decisions=20))
    answer = visitor.get(f"/api/games/{number}/views?{query}")
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


def test_views_end_with_the_game(visitor: Visitor) -> None:
    number = kept(visitor, recorded("skyjo", decisions=20))
    assert [view["seq"] for view in views(visitor, number, first=18, count=9)] == [18, 19, 20]
    assert views(visitor, number, first=21, count=9) == []


def test_kept_games_are_bounded_and_those_opened_long_ago_leave(tmp_path: Path) -> None:
    games = KeptGames("skyjo", tmp_path, most=3)
    texts = [ReplayedGame("skyjo", recorded("skyjo", seed, 9)).written() for seed in range(5)]
    for text in texts[:3]:
        games.keep(text, "me", None)
    games.open(texts[0].number, "you")
    games.keep(texts[3], "me", None)
    games.keep(texts[4], "me", Seated(("you", "tempo"), ("me", None)))
    stay = {texts[number].number for number in (0, 3, 4)}
    assert {path.name for path in tmp_path.iterdir()} == {f"{number}.game" for number in stay}
    assert {*games.opened_by("me")} == stay
    with pytest.raises(TableError, match="no such game"):
        games.find(texts[1].number)
    again = KeptGames("skyjo", tmp_path, most=3)
    assert {*again.opened_by("me")} == stay
    assert [*again.opened_by("you")] == [texts[0].number]
    assert again.find(texts[4].number).names("me") == ["you", "tempo"]
    assert again.find(texts[4].number).names("you") == ["seat 1", "tempo"]


def test_a_game_that_cannot_be_written_is_not_kept_and_drives_no_other_away(tmp_path: Path) -> None:
    games = KeptGames("skyjo", tmp_path, most=1)
    number = games.keep(GameText("one", "", 2), "me", None)
    with files_up_to(50), pytest.raises(OSError, match="too large"):
        games.keep(ReplayedGame("skyjo", recorded("skyjo")).written(), "me", None)
    assert games.find(number).text.text == "one"
    assert [path.name for path in tmp_path.iterdir()] == [f"{number}.game"]
    assert [*games.opened_by("me")] == [number]


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"kept":2}', '{"kept":1,"game":"skyjo"}', "x"])
def test_a_damaged_file_is_no_game_and_hurts_no_other(line: str, tmp_path: Path) -> None:
    games, text = KeptGames("skyjo", tmp_path), ReplayedGame("skyjo", recorded("skyjo")).written()
    number = games.keep(text, "me", None)
    (tmp_path / f"{'0' * 20}.game").write_text(f"{line}\n")
    assert [*KeptGames("skyjo", tmp_path).opened_by("me")] == [number]


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_a_game_goes_on_from_any_decision(game: str, house: House, visitor: Visitor) -> None:
    text = recorded(game, decisions=60)
    number, replayed = kept(visitor, text), ReplayedGame(game, text)
    actions = replayed.record["actions"]
    for after in (0, 1, 33, len(actions)):
        opened = visitor.post("/api/tables", json={"game": number, "after": after, "seats": ["you", "random"]}).json()
        table = house.room.find(opened["id"])
        stands = RecordFormat(find_game(game)).begin(replayed.record)
        for action in actions[:after]:
            stands.apply(action)
        assert table.played.game.position() == stands.position()
        assert table.is_practice
        view = visitor.view(opened["id"])
        assert view["practice"] is True
        assert (view["seq"], view["seat"], view["decider"]) == (after, 0, stands.seat)
        before = views(visitor, number, first=after, count=1, seat=0)[0]
        assert view["table"] == before["table"]
        assert view["phase"] == before["phase"]
        assert view["told"] == before["told"]


def test_a_table_that_goes_on_stands_again_and_its_game_can_be_kept(
    house: House, visitor: Visitor, houses: Houses
) -> None:
    chance = random.Random(2)
    number = kept(visitor, recorded("skyjo", decisions=30))
    asked = {"game": number, "after": 21, "seats": ["you", "tempo"]}
    opened = visitor.post("/api/tables", json=asked).json()["id"]
    table = house.room.find(opened)
    for _ in range(5):
        table.act(chance.choice(table.played.game.legal_actions()))
    again = houses().room.find(opened)
    assert again.played.game.position() == table.played.game.position()
    assert again.played.decisions == table.played.decisions
    assert again.is_practice
    while table.decider is not None:
        table.act(chance.choice(table.played.game.legal_actions()))
    kept_again = visitor.post("/api/games", json={"table": opened}).json()["id"]
    shown = views(visitor, kept_again, first=21, count=1, seat=0)[0]
    assert shown["table"] == views(visitor, number, first=21, count=1, seat=0)[0]["table"]
    assert visitor.get(f"/api/games/{kept_again}").json()["names"] == ["you", "tempo"]
    next_table = house.room.open_again(table, "anna")
    assert next_table.played.actions == table.played.actions[:21]


def test_whoever_keeps_the_seat_keeps_the_name_when_a_game_goes_on(house: House, visitor: Visitor) -> None:
    seats = ["tempo", "you", "naive"]
    body = {"seats": seats, "names": ["Rosa", "Anna", "Pip"], "rules": "rows=2 columns=2 opening_flips=0"}
    table = house.room.find(visitor.post("/api/tables", json=body).json()["id"])
    while table.decider is not None:
        table.act(table.played.game.legal_actions()[0])
    game = visitor.post("/api/games", json={"table": table.number}).json()["id"]
    for who, now, names in (
        (visitor, seats, ["Rosa", "you", "Pip"]),
        (visitor, ["tempo", "you", "tempo"], ["Rosa", "you", "tempo"]),
        (house.visitor(), seats, ["Rosa", "you", "Pip"]),
    ):
        number = who.post("/api/tables", json={"game": game, "after": 0, "seats": now}).json()["id"]
        assert [seat["name"] for seat in who.view(number)["seats"]] == names
        assert house.room.find(number).names[1] == ("Anna" if who is visitor else "")


def test_where_a_game_cannot_go_on_it_is_refused(visitor: Visitor, tmp_path: Path) -> None:
    over = recorded("skyjo")
    decisions = len(ReplayedGame("skyjo", over).decisions)
    number = kept(visitor, over)
    files = {*tmp_path.iterdir()}
    for seats, after, words in (
        (["you", "tempo"], decisions, "earlier decision"),
        (["you", "tempo"], decisions + 1, f"{decisions} decisions"),
        (["you", "tempo", "tempo"], 3, "2 seats, not 3"),
        (["you"], 3, "2 seats, not 1"),
        (["you", "peek"], 3, "may not play"),
        (["you", "nobody"], 3, "nobody"),
        (["you", 1], 3, "text"),
        ("you", 3, "list"),
        (["you", "tempo"], -1, "whole number"),
        (["you", "tempo"], True, "whole number"),
    ):
        answer = visitor.post("/api/tables", json={"game": number, "after": after, "seats": seats})
        assert answer.status_code == 400
        assert words in answer.json()["error"]
    assert {*tmp_path.iterdir()} == files


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Rounds of two agents, each deal from both seats, in pieces of four deals."""
    folder = tmp_path / "lab" / "small"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "SMALLEST", 4)
        assert main(["match", "tempo", "naive", "--deals", "12", "--store", str(folder)], "skyjo") == 0
    return folder


def test_stored_games_are_listed_and_looked_at(store: Path, houses: Houses) -> None:
    game = find_game("skyjo")
    visitor = houses("skyjo", [StoredGames(store)]).visitor()
    assert visitor.get("/api/games").json()["stores"] == [{"store": 0, "name": "lab/small", "games": 24}]
    listed = visitor.get("/api/games/stores/0").json()["games"]
    assert [each["number"] for each in listed] == [*range(24)]
    assert visitor.get("/api/games/stores/0?first=22").json()["games"] == listed[22:]
    assert visitor.get("/api/games/stores/0?first=24").json()["games"] == []
    assert visitor.get("/api/games/stores/1").status_code == 400
    opened = open_games(store, game)
    for each in (listed[0], listed[9], listed[23]):
        number = visitor.post("/api/games", json={"store": 0, "number": each["number"]}).json()["id"]
        document = visitor.get(f"/api/games/{number}").json()
        (last,) = views(visitor, number, first=len(document["decisions"]), count=1)
        scores = last["end"]["scores"]
        assert (
            ", ".join(f"{name} {score}" for name, score in zip(document["names"], scores, strict=True)) == each["words"]
        )
        assert {*document["names"]} == {"tempo", "naive"}
    written = {
        RecordFormat(game).format_record(record_of(opened, GameId(0, deal, turn)))
        for deal in range(12)
        for turn in (0, 1)
    }
    assert visitor.get(f"/api/games/{number}/record").text in written
    assert visitor.post("/api/games", json={"store": 0, "number": 24}).status_code == 400


def test_stored_games_are_shown_under_their_own_game(store: Path, houses: Houses) -> None:
    stores = [StoredGames(store)]
    assert houses("skipbo", stores).visitor().get("/api/games").json()["stores"] == []
    (found,) = houses("skyjo", stores).visitor().get("/api/games").json()["stores"]
    assert found["games"] == 24


def test_a_damaged_store_is_refused_in_a_line(store: Path, houses: Houses) -> None:
    visitor = houses("skyjo", [StoredGames(store)]).visitor()
    first = min(store.glob("games-*"))
    first.write_bytes(first.read_bytes()[:-9] + b"xxxxxxxxx")
    answer = visitor.get("/api/games/stores/0")
    assert answer.status_code == 400
    assert "damaged" in answer.json()["error"]
    with pytest.raises(TableError, match="damaged"):
        StoredGames(store)


# Shared games


def shared(visitor: Visitor, number: str) -> str:
    """The address of a kept game, as its page makes it."""
    answer = visitor.get(f"/api/games/{number}/shared")
    assert answer.status_code == 200, answer.text
    return f"http://127.0.0.1:8765/games#{packed(answer.json()['text'])}"


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_a_shared_game_is_opened_as_the_game_it_is_with_the_names_of_its_players(game: str, house: House) -> None:
    host, friend = house.visitor(), house.visitor()
    asked = {"seats": ["you", "random"], "names": ["Zoë", ""], "rules": RULES[game], "episode": "round"}
    table = host.post("/api/tables", json=asked).json()["id"]
    assert host.post("/api/games", json={"table": table}).json() == {"error": "the game is not over"}
    found, chance = house.room.find(table), random.Random(3)
    while found.decider is not None:
        found.act(chance.choice(found.played.game.legal_actions()))
    own = host.post("/api/games", json={"table": table}).json()["id"]
    address = shared(host, own)
    written = house.client.get(f"/api/games/{own}/record", headers=host.headers).text
    assert (
        RecordFormat(find_game(game)).read_game(address).record()
        == RecordFormat(find_game(game)).read_game(written).record()
    )
    assert shared_names(address) == ["Zoë", "random"]
    assert kept(friend, address) == own
    assert friend.get(f"/api/games/{own}").json()["names"] == ["Zoë", "random"]


def test_names_in_an_address_are_read_as_strictly_as_those_that_are_typed(visitor: Visitor, tmp_path: Path) -> None:
    record = RecordFormat(find_game("skyjo")).read_game(recorded("skyjo", decisions=9)).record()
    for names in (["<b>", ""], ["you"], ["Anna\u202e", ""], [""] * 3, [5], "Anna", {"0": "Anna"}, ["seat 2 (you)"]):
        address = f"http://127.0.0.1:8765/games#{packed(json.dumps(record | {'names': names}))}"
        answer = visitor.post("/api/games", json={"text": address})
        assert answer.status_code == 400, names
        assert "name" in answer.json()["error"]
        assert [*tmp_path.glob("*.game")] == []
    number = kept(visitor, f"http://x.org#{packed(json.dumps(record | {'names': ['Anna']}))}")
    document = visitor.get(f"/api/games/{number}").json()
    assert (document["names"], document["seats"]) == (["Anna", "seat 2"], ["", ""])
    assert json.loads(visitor.get(f"/api/games/{number}/shared").json()["text"])["names"] == ["Anna", ""]


@pytest.mark.parametrize(
    "after", ["", "abc", "A" * 32_001, "<b>x</b>", packed('{"skipbo_record":1}'), packed(" " * 99_999)]
)
def test_an_address_without_a_game_is_refused_in_one_line(after: str, visitor: Visitor, tmp_path: Path) -> None:
    answer = visitor.post("/api/games", json={"text": f"http://127.0.0.1:8765/games#{after}"})
    assert answer.status_code == 400
    assert 10 < len(answer.json()["error"]) < 200
    assert "<" not in answer.json()["error"]
    assert [*tmp_path.glob("*.game")] == []


def test_a_position_is_shared_and_a_game_that_nobody_knows_names_nobody(visitor: Visitor) -> None:
    game = find_game("skyjo")
    position = game_class(game)(game.rules(), 7, 0, "game").position()
    number = kept(visitor, position)
    assert "names" not in json.loads(visitor.get(f"/api/games/{number}/shared").json()["text"])
    assert kept(visitor, shared(visitor, number)) == number
