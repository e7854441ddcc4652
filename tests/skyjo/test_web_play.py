"""The table in the browser, over its socket: whole games, several people at a table, their names and their lists."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from skyjo.web.rivals import ladder_of
from skyjo.web.tables import Pacing

from cardtable.table.errors import TableError
from cardtable.table.game.records import RecordFormat
from skipbo_env import STRITTMATTER
from skyjo.interfaces import find_interface, interface_names
from skyjo.web import live_tables
from skyjo.web.person_names import MAX_LETTERS, read_name
from skyjo_env import REICHEL
from tests.skyjo.web_client import HOST, House, Houses, Visitor

RULES = {"skyjo": ("", "game"), "skipbo": ("stock=4", "round"), "skyjo_action": ("", "round")}
OPPONENTS = {"skyjo": "tempo", "skipbo": "greedy", "skyjo_action": "random"}
TAKEN: dict[str, Any] = {game: random.Random(1).choice for game in RULES}
TAKEN["skipbo"] = min  # the lowest numbers play from the stock


@pytest.mark.parametrize("game", RULES)
def test_a_whole_game_is_played_and_its_record_can_be_replayed(game: str, house: House, visitor: Visitor) -> None:
    rules, episode = RULES[game]
    number = visitor.open("you", OPPONENTS[game], rules=rules, episode=episode)
    with visitor.at(number) as seat:
        view = seat.until_asked()
        while view["over"] is None:
            assert visitor.get(f"/api/tables/{number}/record").status_code == 400
            assert view["seat"] == view["decider"] == 0
            assert [*map(int, view["names"])] == view["actions"]
            seat.send(seq=view["seq"], action=TAKEN[game](view["actions"]))
            view = seat.until_asked()
    played = RecordFormat(house.room.game).replay(visitor.get(f"/api/tables/{number}/record").text)
    assert played.is_over
    assert view["over"]["winners"] == list(played.winners)
    assert [seat["total"] for seat in view["seats"]] == list(played.totals)
    assert [sum(scores) for scores in zip(*view["rounds"], strict=True)] == list(played.totals)
    assert view["end"]["scores"] == view["rounds"][-1]
    assert len(played.record()["actions"]) == view["seq"]


def test_two_browsers_play_at_one_table_and_a_third_looks_on(house: House) -> None:
    chance = random.Random(2)
    players = host, guest = house.visitor(), house.visitor()
    stranger, number = house.visitor(), host.open("you", "open")
    assert guest.join(number) == {"seat": 1}
    assert stranger.join(number) == {"error": "no seat is free at this table"}
    for _ in range(40):
        views = [player.view(number) for player in players]
        decider = views[0]["decider"]
        assert views[1 - decider]["actions"] == []
        assert stranger.view(number)["seat"] is None
        with players[decider].at(number) as seat:
            seq = seat.receive()["seq"]
            assert seat.ask(seq=seq, action=chance.choice(views[decider]["actions"]))["seq"] == seq + 1
    assert [seat["name"] for seat in views[0]["seats"]] == ["you", "seat 2"]
    assert [seat["name"] for seat in views[1]["seats"]] == ["seat 1", "you"]


def test_only_whoever_opened_a_table_paces_its_agents_and_pauses_those_that_play_alone(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    number = host.open("you", "open", "random")
    guest.join(number)
    with host.at(number) as seat, guest.at(number) as other:
        assert seat.receive()["pace"] == 2.0
        seat.receive()
        assert other.receive()["pace"] is None
        assert seat.ask(seq=0, ask="pace", pace=20)["pace"] == 20.0
        other.receive()
        assert other.ask(seq=0, ask="pace", pace=1)["words"].startswith("only the person who opened this table")
        assert seat.ask(seq=0, ask="pause")["words"] == "only a table where agents play alone can be paused or stepped"
    watched = host.open("tempo", "random")
    house.room.find(watched).pacing = Pacing(is_paused=True)
    with guest.at(watched) as other:
        other.receive()
        for ask in ("resume", "step"):
            assert other.ask(seq=0, ask=ask)["words"].startswith("only the person who opened this table")


def test_whoever_has_left_is_waited_for_and_only_players_let_an_agent_play_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest, stranger = (house.visitor() for _ in range(3))
    number = host.open("you", "open", rules="opening_flips=0")
    guest.join(number)
    mover, other = (host, guest) if host.view(number)["decider"] == 0 else (guest, host)
    with other.at(number) as seat:
        seat.receive()
        with mover.at(number):
            seat.receive()
            assert seat.ask(seq=0, ask="substitute")["words"] == "the player to move has not left"
        seat.receive()
        soon = r"the player to move may be back in a moment; ask again in \d+ s"
        assert re.fullmatch(soon, seat.ask(seq=0, ask="substitute")["words"])
        monkeypatch.setattr(live_tables, "GRACE", 0)
        with stranger.at(number) as onlooker:
            seat.receive()
            onlooker.receive()
            assert onlooker.ask(seq=0, ask="substitute")["words"].startswith("only players at this table")
        seat.receive()
        seat.send(seq=0, ask="substitute")
        view = seat.until_asked()
        assert (view["practice"], view["substituted"]) == (True, [1 - view["seat"]])
        with mover.at(number):
            assert "substituted" not in seat.receive()


def test_against_other_people_there_is_no_hint_no_undo_no_giving_up_and_no_agent_that_decides(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    number = host.open("you", "open", rules="opening_flips=0")
    guest.join(number)
    mover = host if host.view(number)["decider"] == 0 else guest
    refusals = {
        "hint": "hints are given only if all other seats are agents",
        "concede": "you can give up only if all other seats are agents",
        "lend": "an agent can act for you only if all other seats are agents",
    }
    with mover.at(number) as seat:
        seat.receive()
        for ask, words in refusals.items():
            assert seat.ask(seq=0, ask=ask, **({"agent": "tempo"} if ask == "lend" else {}))["words"] == words
        seat.ask(seq=0, action=0)
        assert seat.ask(seq=1, ask="undo")["kind"] == "refused"
    view = host.view(number)
    assert (view["seq"], view["over"], view["practice"]) == (1, None, False)


def test_a_rematch_has_the_same_seats_and_rules_and_new_cards(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    number = host.open("you", "open", rules="rows=2 columns=2 opening_flips=0")
    guest.join(number)
    table = house.room.find(number)
    with pytest.raises(TableError, match="the game is not over"):
        house.room.open_rematch(table, "anna")
    house.play_out(table)
    with host.at(number) as seat:
        view = seat.receive()
        moved = seat.ask(seq=view["seq"], ask="rematch")
        assert seat.ask(seq=view["seq"], ask="rematch") == moved
    again = house.room.find(moved["id"])
    assert (again.owners, again.setup.rules, again.is_practice) == (table.owners, table.setup.rules, False)
    assert again.setup.seed != table.setup.seed


def test_presets_are_the_games_own() -> None:
    rules = {game: {preset.name: preset.rules for preset in find_interface(game).presets} for game in interface_names()}
    assert rules["skyjo"]["reichel"] == REICHEL.to_text()
    assert rules["skipbo"]["strittmatter"] == STRITTMATTER.to_text()


@pytest.mark.parametrize("game", RULES)
def test_the_inspector_shows_the_observation_as_an_agent_gets_it(game: str, house: House, visitor: Visitor) -> None:
    number = visitor.open("you", OPPONENTS[game])
    with visitor.at(number) as seat:
        for _ in range(4):
            view = seat.until_asked()
            told = seat.ask(seq=view["seq"] + 7, ask="inspect")  # out of date, and that does not matter
            played = house.room.find(number).played.game
            assert [value for part in told["slices"] for value in part["values"]] == played.observation(0).tolist()
            spec = played.card_game.spec_of(played.rules)
            assert [part["name"] for part in told["slices"]] == [part.name for part in spec.slices]
            assert (told["kind"], told["seq"], told["seat"]) == ("inspected", view["seq"], 0)
            assert told["actions"] == view["names"]
            again = type(played).from_position(told["position"])
            assert again.observation(0).tolist() == played.observation(0).tolist()
            seat.send(seq=view["seq"], action=view["actions"][0])


SMALL = "rows=2 columns=2 opening_flips=1"


def tables_of(visitor: Visitor) -> list[Any]:
    listed: list[Any] = visitor.get("/api/start").json()["tables"]
    return listed


def finished(house: House, visitor: Visitor) -> str:
    """A table that is over."""
    number = visitor.open("you", "tempo", rules=SMALL)
    table = house.room.find(number)
    while table.decider is not None:
        table.act(table.played.game.legal_actions()[0])
    return number


def test_who_deletes_a_table_takes_it_from_nobody_else_and_it_leaves_the_disk_with_the_last(
    houses: Houses, tmp_path: Path
) -> None:
    house = houses()
    anna, ben = house.visitor(), house.visitor()
    number, other = anna.open("you", "open"), anna.open("you", "tempo")
    ben.join(number)
    assert anna.delete(f"/api/tables/{number}").status_code == 200
    again = Visitor(houses().client)
    again.headers = anna.headers
    for visitor, tables in ((anna, [other]), (again, [other]), (ben, [number])):
        assert [table["id"] for table in tables_of(visitor)] == tables
    assert ben.delete(f"/api/tables/{number}").status_code == 200
    assert not house.room.has(number)
    assert [path.name for path in tmp_path.iterdir()] == [f"{other}.table"]
    assert ben.get(f"/api/tables/{number}").status_code == 404


def test_only_whose_table_it_is_can_delete_it_and_only_from_a_page_of_the_server(house: House) -> None:
    visitor, stranger = house.visitor(), house.visitor()
    number = visitor.open("you", "tempo")
    answer = stranger.delete(f"/api/tables/{number}")
    assert (answer.status_code, answer.json()) == (400, {"error": "this table is not in your list"})
    assert visitor.client.delete(f"/api/tables/{number}", headers=visitor.headers).status_code == 403
    assert visitor.delete("/api/tables/abcabcabcabc").status_code == 404
    assert [table["id"] for table in tables_of(visitor)] == [number]


def test_an_invitation_says_how_many_seats_it_is_for_and_how_far_it_reaches(house: House, visitor: Visitor) -> None:
    number = visitor.open("you", "open", "open")
    assert visitor.get(f"/api/tables/{number}/link").json() == {
        "link": f"http://{HOST}/t/{number}", "free": 2, "local": True,
    }  # fmt: skip
    house.visitor().join(number)
    assert visitor.get(f"/api/tables/{number}/link").json()["free"] == 1
    house.visitor().join(number)
    assert visitor.get(f"/api/tables/{number}/link").json()["free"] == 0
    assert visitor.get("/api/start").json()["local"]


# Rivals


@pytest.mark.parametrize("game", interface_names())
def test_four_rivals_with_names_are_offered_the_weakest_first(game: str, houses: Houses) -> None:
    house = houses(game)
    visitor = house.visitor()
    rivals = visitor.get("/api/start").json()["rivals"]
    assert [rival["level"] for rival in rivals] == ["easy", "medium", "hard", "expert"]
    assert len({rival["name"] for rival in rivals}) == 4
    ratings = [rival["rating"] for rival in rivals if rival["rating"] is not None]
    assert ratings == sorted(ratings)
    assert bool(ratings) == (ladder_of(house.room.interface) is not None)
    for rival in rivals:
        assert visitor.open("you", rival["agent"])


SEATS = ("you", "open", "tempo")
GOOD = ["Anna", "Zoë", "Jean-Luc O'Hara", "李小龍", "अमित", "Анна", "Ελένη", "Taro 太郎", "R2D2", "A. B."]
BAD: list[object] = [
    "<b>Anna</b>", "Anna\n", "An\x00na", "\u202eannA", "An\u200bna", "A\u00a0B", "&lt;", '"', "tempo:t=2", "a/b", "You",
    "open seat 2", "Seat 2", "-", "'", "a" * (MAX_LETTERS + 1), "a\u0300\u0301\u0302\u0303", "you.", "-You", "\ud800",
    "Anna\ufe0f", "Ann\u03b1",  # they look like Anna, the second with a Greek letter
    "\u3164",  # looks like nothing
    "y\u00f3u", "\uff59\uff4f\uff55", "y\u043eu",  # they look like you: with an accent, wide, with a Cyrillic letter
    7, None, ["Anna"],
]  # fmt: skip


def seated(visitor: Visitor, *names: object) -> str:
    answer = visitor.post("/api/tables", json={"seats": SEATS, "names": names, "episode": "round"})
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["id"]
    return number


def shown(visitor: Visitor, number: str) -> list[str]:
    return [seat["name"] for seat in visitor.view(number)["seats"]]


def test_everybody_else_sees_the_name_that_a_person_typed_also_after_a_restart(houses: Houses) -> None:
    house = houses()
    anna, ben = house.visitor(), house.visitor()
    number = seated(anna, "Anna", "", "rosa")
    assert shown(anna, number) == ["you", "open seat 2", "rosa"]
    assert shown(ben, number) == ["Anna", "open seat 2", "rosa"]
    assert ben.post(f"/api/tables/{number}/join", json={"name": " ROSA "}).status_code == 200
    assert shown(anna, number) == ["you", "ROSA (seat 2)", "rosa (seat 3)"]  # equal names are told apart
    assert shown(ben, number) == ["Anna", "you", "rosa"]
    assert shown(houses().visitor(), number) == ["Anna", "ROSA (seat 2)", "rosa (seat 3)"]


def test_names_of_all_scripts_are_taken_and_what_is_no_plain_name_is_refused_in_one_line(houses: Houses) -> None:
    for good in GOOD:
        assert read_name(f" {good} ") == good
    visitor = houses().visitor()
    number, other = visitor.open(*SEATS), houses().visitor()
    for bad in BAD:
        with pytest.raises(TableError):
            read_name(bad)
        answer = visitor.post("/api/tables", content=json.dumps({"seats": SEATS, "names": [bad]}))
        assert answer.status_code == 400
        assert "\n" not in answer.json()["error"]
        assert other.post(f"/api/tables/{number}/join", content=json.dumps({"name": bad})).status_code == 400
    for names in ("Anna", {"0": "Anna"}, ["a", "b", "c", "d"]):
        assert visitor.post("/api/tables", json={"seats": SEATS, "names": names}).status_code == 400
    assert shown(visitor, number)[1] == "open seat 2"
