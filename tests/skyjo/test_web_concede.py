"""Giving up against agents ends the table, and a table of agents keeps its pace."""

import random
from pathlib import Path

import pytest

from skyjo.web.table_files import TableFile
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import Pacing
from skyjo_env import replay
from tests.skyjo.web_client import House, Visitor, full


def test_who_gives_up_ends_the_table_for_good_and_can_play_the_same_cards_again(
    house: House, visitor: Visitor, tmp_path: Path
) -> None:
    chance, stranger = random.Random(1), house.visitor()
    number = visitor.open("you", "random")
    with visitor.at(number) as seat:
        for _ in range(5):
            view = seat.until_asked()
            seat.send(seq=view["seq"], action=chance.choice(view["actions"]))
        view = seat.until_asked()
        over = seat.ask(seq=view["seq"], ask="concede")
        assert over["over"] == {"words": "over, conceded by you", "winners": []}
        assert (over["decider"], over["actions"], over["end"]) == (None, [], None)
        for ask in ("concede", "undo", "hint"):
            assert seat.ask(seq=view["seq"], ask=ask)["kind"] == "refused"
        assert seat.ask(seq=view["seq"], action=view["actions"][0])["words"] == "it is not your turn"
        moved = seat.ask(seq=view["seq"], ask="again")
    assert stranger.view(number)["over"]["words"] == "over, conceded by seat 1"
    assert len(replay(visitor.get(f"/api/tables/{number}/record").text).record()["actions"]) == view["seq"]
    kept = visitor.post("/api/games", json={"table": number}).json()
    assert len(visitor.get(f"/api/games/{kept['id']}").json()["decisions"]) == view["seq"]
    again = visitor.view(moved["id"])
    assert (again["over"], again["seq"], again["practice"]) == (None, 0, True)
    listed = {table["id"]: table for table in visitor.get("/api/start").json()["tables"]}
    assert (listed[number]["words"], listed[number]["over"]) == ("you, random; over, conceded by you", True)
    after_restart = TableRoom("skyjo", tmp_path).find(number)
    assert (after_restart.decider, after_restart.conceded) == (None, 0)
    assert not after_restart.played.game.is_over
    assert after_restart.is_practice is False


def test_nobody_gives_up_against_people_or_for_others(house: House) -> None:
    host, stranger = house.visitor(), house.visitor()
    for seats, visitor in ((("you", "open"), host), (("you", "random"), stranger), (("random", "random"), host)):
        number = host.open(*seats)
        house.room.find(number).pacing = Pacing(is_paused=True)
        with visitor.at(number) as seat:
            seat.receive()
            answer = seat.ask(seq=0, ask="concede")
            assert answer["words"] == "you can give up only if all other seats are agents"
        assert host.view(number)["over"] is None


def test_of_two_people_at_one_screen_the_one_to_move_gives_up(visitor: Visitor) -> None:
    with visitor.at(visitor.open("you", "you", "random")) as seat:
        view = seat.receive()
        over = seat.ask(seq=0, ask="concede")["over"]
        assert over["words"] == f"over, conceded by you (seat {view['seat'] + 1})"


def test_the_pace_and_the_pause_of_a_watched_table_are_kept(tmp_path: Path, visitor: Visitor) -> None:
    number = visitor.open("random", "random")
    with visitor.at(number) as seat:
        seat.receive()
        seat.send(seq=0, ask="step")
        seat.send(seq=0, ask="pace", pace=7.5)
        while seat.receive()["watch"]["pace"] != 7.5:
            pass
        (file,) = tmp_path.iterdir()
        before = file.read_bytes().count(b"pace")
        assert seat.ask(seq=0, ask="pause")["watch"] == {"pace": 7.5, "paused": True, "yours": True}
        assert file.read_bytes().count(b"pace") == before
    again = TableRoom("skyjo", tmp_path).find(number)
    assert (again.pacing.pace, again.pacing.is_paused, again.pacing.is_stepping) == (7.5, True, False)
    with visitor.at(number) as seat:
        seat.receive()
        assert seat.ask(seq=0, ask="resume")["watch"]["paused"] is False
    assert TableRoom("skyjo", tmp_path).find(number).pacing.is_paused is False


def test_a_pace_that_cannot_be_written_is_not_set(
    house: House, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = visitor.open("random", "random")
    table = house.room.find(number)
    table.pacing = Pacing(is_paused=True)
    with visitor.at(number) as seat:
        seat.receive()
        monkeypatch.setattr(TableFile, "append", full)
        assert seat.ask(seq=0, ask="resume")["kind"] == "refused"
    assert table.pacing.is_paused is True
