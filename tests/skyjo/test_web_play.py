"""The table in the browser, over its socket: games, seats, hints, undo, giving up, and the pace of agents."""

import random
import re
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from cardtable.table.errors import TableError
from skipbo_env import STRITTMATTER
from skipbo_env import replay as skipbo_replay
from skyjo.programs import find_program, program_names
from skyjo.table.played_game import Choice, PlayedGame
from skyjo.web import live_tables
from skyjo.web.table_files import TableFile
from skyjo.web.table_room import TableRoom
from skyjo.web.table_routes import MOST_AGENT_WORDS
from skyjo.web.tables import Pacing
from skyjo_action_env import replay as skyjo_action_replay
from skyjo_env import REICHEL, replay
from tests.skyjo.web_client import House, Houses, Visitor, full

SHORT = {"skyjo": ("", "game"), "skipbo": ("stock=4", "round"), "skyjo_action": ("", "round")}
OPPONENTS = {"skyjo": ["tempo", "expected", "random"], "skipbo": ["greedy", "hpvp", "planner"]}
OPPONENTS["skyjo_action"] = ["random"] * 3
TAKEN: dict[str, Any] = {"skyjo": random.Random(1).choice, "skipbo": min}  # the lowest numbers play from the stock
TAKEN["skyjo_action"] = random.Random(1).choice
REPLAY: dict[str, Any] = {"skyjo": replay, "skipbo": skipbo_replay, "skyjo_action": skyjo_action_replay}


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_a_whole_game_is_played_and_its_record_can_be_replayed(game: str, visitor: Visitor) -> None:
    rules, episode = SHORT[game]
    number = visitor.open("you", OPPONENTS[game][0], rules=rules, episode=episode)
    with visitor.at(number) as seat:
        view = seat.until_asked()
        while view["over"] is None:
            assert visitor.get(f"/api/tables/{number}/record").status_code == 400
            assert view["seat"] == view["decider"] == 0
            assert [*map(int, view["names"])] == view["actions"]
            seat.send(seq=view["seq"], action=TAKEN[game](view["actions"]))
            view = seat.until_asked()
    text = visitor.get(f"/api/tables/{number}/record").text
    played = REPLAY[game](text)
    assert played.is_over
    assert view["over"]["winners"] == list(played.winners)
    assert [seat["total"] for seat in view["seats"]] == list(played.totals)
    assert [sum(scores) for scores in zip(*view["rounds"], strict=True)] == list(played.totals)
    assert view["end"]["scores"] == view["rounds"][-1]
    assert len(played.record()["actions"]) == view["seq"]


def test_two_browsers_play_at_one_table_and_a_third_looks_on(house: House) -> None:
    chance = random.Random(2)
    host, guest, stranger = (house.visitor() for _ in range(3))
    number = host.open("you", "open")
    assert guest.join(number) == {"seat": 1}
    assert stranger.join(number) == {"error": "no seat is free at this table"}
    with host.at(number) as one:
        view = one.receive()
        assert [seat["name"] for seat in view["seats"]] == ["you", "seat 2"]
        for _ in range(40):
            players = [host, guest]
            views = [player.view(number) for player in players]
            decider = views[0]["decider"]
            assert views[1 - decider]["actions"] == []
            assert stranger.view(number)["seat"] is None
            action = chance.choice(views[decider]["actions"])
            _act(players[decider], number, views[decider]["seq"], action)
        assert "seat 1" in [seat["name"] for seat in guest.view(number)["seats"]]


def _act(visitor: Visitor, number: str, seq: int, action: int) -> None:
    with visitor.at(number) as seat:
        seat.receive()
        assert seat.ask(seq=seq, action=action)["seq"] == seq + 1


def test_several_people_sit_at_one_screen(visitor: Visitor) -> None:
    number = visitor.open("you", "you")
    chance, seats = random.Random(0), set()
    with visitor.at(number) as seat:
        view = seat.receive()
        for _ in range(30):
            assert view["seat"] == view["decider"]
            assert view["covered"] is False
            seats.add(view["seat"])
            view = seat.ask(seq=view["seq"], action=chance.choice(view["actions"]))
    assert seats == {0, 1}
    assert [each["name"] for each in view["seats"]] == ["you (seat 1)", "you (seat 2)"]


@pytest.mark.parametrize("game", ["skipbo"])
def test_a_hand_is_covered_until_the_person_whose_turn_it_is_asks_for_it(visitor: Visitor) -> None:
    number = visitor.open("you", "you", "random")
    chance = random.Random(0)
    asked: list[int] = []
    with visitor.at(number) as seat:
        view = seat.until_asked()
        while not (view["covered"] and len(asked) == 4):
            if view["covered"]:
                asked.append(view["seat"])
                assert (view["table"]["hand"], view["actions"], view["names"]) == (None, [], {})
                assert visitor.view(number) == view
                action = seat.ask(seq=view["seq"], action=0)
                hint = seat.ask(seq=view["seq"], ask="hint")
                assert {action["words"], hint["words"]} == {'press "Show my cards" first'}
                view = seat.ask(seq=view["seq"], ask="uncover")
                assert view["covered"] is False
                assert view["table"]["hand"] is not None
                assert seat.ask(seq=view["seq"], ask="uncover")["words"] == "no cards are covered"
            seat.send(seq=view["seq"], action=chance.choice(view["actions"]))
            view = seat.until_asked()
        assert asked == [0, 1, 0, 1]
        seat.ask(seq=view["seq"], ask="uncover")
        seat.send(seq=view["seq"], ask="undo")
        back = seat.until_asked()
        assert (back["seat"], back["covered"]) == (1, True)


def test_who_sits_alone_at_a_screen_finds_no_covered_cards(houses: Houses) -> None:
    house = houses("skipbo")
    host, guest = house.visitor(), house.visitor()
    number = host.open("you", "open")
    guest.join(number)
    for visitor in (host, guest):
        view = visitor.view(number)
        assert view["covered"] is False
        assert view["table"]["hand"] is not None
    assert house.visitor().view(number)["covered"] is False


def test_agents_alone_play_while_somebody_looks_on(visitor: Visitor) -> None:
    number = visitor.open("tempo", "tempo")
    assert visitor.view(number)["seq"] == 0
    with visitor.at(number) as seat:
        view = seat.until_asked()
    assert view["over"]["winners"]
    assert view["seat"] is None
    assert [each["name"] for each in view["seats"]] == ["tempo (seat 1)", "tempo (seat 2)"]


def test_whoever_opened_a_table_of_agents_pauses_it_steps_and_goes_on(house: House) -> None:
    opener, other = house.visitor(), house.visitor()
    number = opener.open("tempo", "random")
    house.room.find(number).pacing = Pacing(is_paused=True)
    with opener.at(number) as seat:
        view = seat.receive()
        assert (view["seq"], view["watch"]) == (0, {"pace": 2.0, "paused": True, "yours": True})
        assert seat.ask(seq=0, ask="pace", pace=7.5)["watch"]["pace"] == 7.5
        for count in (1, 2, 3):
            assert seat.ask(seq=0, ask="step")["seq"] == count - 1  # it is late, and that does not matter
            view = seat.receive()
            assert (view["seq"], view["watch"]["paused"]) == (count, True)
        assert other.view(number)["watch"] == {"pace": 7.5, "paused": True, "yours": False}
        with other.at(number) as onlooker:
            onlooker.receive()
            for ask in ({"ask": "resume"}, {"ask": "step"}, {"ask": "pace", "pace": 1}):
                assert onlooker.ask(seq=3, **ask)["words"].startswith(
                    "only the person who opened this table can set its pace"
                )
            seat.receive()
        seat.receive()
        assert seat.ask(seq=3, ask="view")["seq"] == 3
        assert seat.ask(seq=3, ask="resume")["watch"]["paused"] is False
        assert seat.until_asked()["over"]
    assert [table["id"] for table in opener.get("/api/start").json()["tables"]] == [number]


def test_a_table_with_a_person_has_no_pace_to_set(visitor: Visitor) -> None:
    with visitor.at(visitor.open("you", "open")) as seat:
        assert seat.receive()["watch"] is None
        assert seat.ask(seq=0, ask="pause")["kind"] == "refused"


def test_whoever_opened_a_table_paces_its_agents_and_nobody_else_does(house: House) -> None:
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


def test_whoever_has_just_left_is_waited_for_before_an_agent_plays_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = house.visitor(), house.visitor()
    number = host.open("you", "open", rules="opening_flips=0")
    guest.join(number)
    mover, other = (host, guest) if host.view(number)["decider"] == 0 else (guest, host)
    with other.at(number) as seat:
        seat.receive()
        with mover.at(number):
            seat.receive()
        seat.receive()
        assert re.fullmatch(
            r"the player to move may be back in a moment; ask again in \d+ s",
            seat.ask(seq=0, ask="substitute")["words"],
        )
        monkeypatch.setattr(live_tables, "GRACE", 0)
        assert seat.ask(seq=0, ask="substitute")["substituted"] == [1 - seat.ask(seq=0, ask="view")["seat"]]


def test_nobody_is_waited_for_at_a_seat_that_is_free(house: House) -> None:
    host = house.visitor()
    number = host.open("open", "you", rules="opening_flips=0")
    if host.view(number)["decider"] == 1:
        house.room.find(number).act(0)
        house.room.find(number).act(house.room.find(number).played.game.legal_actions()[0])
    with host.at(number) as seat:
        assert seat.ask(seq=seat.receive()["seq"], ask="substitute")["substituted"] == [0]


def test_an_agent_plays_on_for_somebody_who_has_left_until_they_are_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "GRACE", 0)
    host, guest, stranger = (house.visitor() for _ in range(3))
    number = host.open("you", "open", rules="opening_flips=0")
    guest.join(number)
    mover, other = (host, guest) if host.view(number)["decider"] == 0 else (guest, host)
    with other.at(number) as seat:
        assert "substituted" not in seat.receive()
        with stranger.at(number) as onlooker:
            seat.receive()
            onlooker.receive()
            assert onlooker.ask(seq=0, ask="substitute")["words"].startswith("only players at this table")
        seat.receive()
        seat.send(seq=0, ask="substitute")
        view = seat.until_asked()
        assert view["seq"] > 0
        assert view["practice"] is True
        assert view["substituted"] == [1 - view["seat"]]
        with mover.at(number) as back:
            assert "substituted" not in back.receive()
            assert "substituted" not in seat.receive()
            assert seat.ask(seq=view["seq"], ask="substitute")["words"] == "the player to move has not left"


def test_undo_goes_back_to_the_last_decision_and_makes_the_table_practice(visitor: Visitor) -> None:
    number = visitor.open("you", "expected")
    with visitor.at(number) as seat:
        first = seat.until_asked()
        assert seat.ask(seq=0, ask="undo")["words"] == "you have not decided anything yet"
        assert first["practice"] is False
        seat.send(seq=0, action=first["actions"][0])
        view = seat.until_asked()
        seat.send(seq=view["seq"], ask="undo")
        back = seat.until_asked()
    assert back == {**first, "practice": True}
    assert visitor.view(number)["practice"] is True


def test_nobody_undoes_against_other_people(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    number = host.open("you", "open")
    guest.join(number)
    with host.at(number) as seat:
        view = seat.receive()
        view = seat.ask(seq=0, action=view["actions"][0])
        answer = seat.ask(seq=1, ask="undo")
    assert (answer["kind"], answer["seq"]) == ("refused", 1)
    assert host.view(number)["practice"] is False


@pytest.mark.parametrize("game", ["skyjo", "skipbo", pytest.param("skyjo_action", marks=pytest.mark.long)])
def test_a_hint_names_choices_that_are_legal_the_best_first(visitor: Visitor) -> None:
    number = visitor.open("you", "random")
    with visitor.at(number) as seat:
        view = seat.until_asked()
        hint = seat.ask(seq=view["seq"], ask="hint")
    assert (hint["kind"], hint["seq"]) == ("hint", view["seq"])
    for choice in hint["choices"]:
        assert choice["words"] == view["names"][str(choice["action"])]
    worths = [choice["worth"] for choice in hint["choices"] if choice["worth"] is not None]
    assert worths[1:] == sorted(worths[1:], reverse=True)
    assert visitor.view(number)["seq"] == view["seq"]


@pytest.mark.parametrize("game", ["skyjo", pytest.param("skyjo_action", marks=pytest.mark.long)])
def test_a_hint_looks_beyond_taking_the_discard_and_no_other_action(visitor: Visitor) -> None:
    with visitor.at(visitor.open("you", "random")) as seat:
        while "take" not in (view := seat.until_asked())["names"].values():
            seat.send(seq=view["seq"], action=view["actions"][0])
        draw, take = (view["actions"][[*view["names"].values()].index(word)] for word in ("draw", "take"))
        hint = seat.ask(seq=view["seq"], ask="hint", after=take)
        assert (hint["kind"], hint["after"]) == ("hint", take)
        assert {choice["words"].split()[0] for choice in hint["choices"]} == {"place"}
        for after in (draw, 99):
            assert seat.ask(seq=view["seq"], ask="hint", after=after)["words"].startswith("only taking the discard")


def test_whoever_has_asked_for_a_hint_can_move_before_it_comes(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_wanted = Event()

    def slow(*_: Any, **__: Any) -> Any:
        return lambda: [Choice(0, "draw", None, "") for _ in range(is_wanted.wait(60))]

    monkeypatch.setattr(PlayedGame, "question_to_adviser", slow)
    with visitor.at(visitor.open("you", "random", rules="opening_flips=2")) as seat:
        view = seat.until_asked()
        seat.send(seq=view["seq"], ask="hint")
        assert seat.ask(seq=view["seq"], ask="hint")["words"] == "an agent is already thinking about this table"
        moved = seat.ask(seq=view["seq"], action=view["actions"][0])
        assert moved["seq"] == view["seq"] + 1
        is_wanted.set()
        while (hint := seat.receive())["kind"] == "view":
            pass
        assert (hint["kind"], hint["seq"]) == ("hint", view["seq"])


def test_people_who_play_against_each_other_get_no_hints(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    number = host.open("you", "open")
    guest.join(number)
    mover = host if host.view(number)["decider"] == 0 else guest
    with mover.at(number) as seat:
        seat.receive()
        assert seat.ask(seq=0, ask="hint")["words"] == "hints are given only if all other seats are agents"


def test_a_rematch_has_the_same_seats_and_rules_and_new_cards(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    number = host.open("you", "open", rules="rows=2 columns=2 opening_flips=0")
    guest.join(number)
    table = house.room.find(number)
    with pytest.raises(TableError, match="the game is not over"):
        house.room.open_rematch(table, "anna")
    while table.decider is not None:
        table.act(table.played.game.legal_actions()[0])
    with host.at(number) as seat:
        view = seat.receive()
        moved = seat.ask(seq=view["seq"], ask="rematch")
        assert seat.ask(seq=view["seq"], ask="rematch") == moved
    again = house.room.find(moved["id"])
    assert (again.owners, again.setup.rules, again.is_practice) == (table.owners, table.setup.rules, False)
    assert again.setup.seed != table.setup.seed


def test_the_same_cards_are_played_again_for_practice(visitor: Visitor) -> None:
    number = visitor.open("you", "random")
    opening = visitor.view(number)["table"]
    chance = random.Random(3)
    with visitor.at(number) as seat:
        view = seat.until_asked()
        assert seat.ask(seq=view["seq"], ask="again")["words"] == "the game is not over"
        while view["over"] is None:
            seat.send(seq=view["seq"], action=chance.choice(view["actions"]))
            view = seat.until_asked()
        moved = seat.ask(seq=view["seq"], ask="again")
        assert moved == {"kind": "moved", "id": moved["id"]}
        assert seat.ask(seq=view["seq"], ask="again") == moved
    again = visitor.view(moved["id"])
    assert again["table"] == opening
    assert again["practice"] is True
    assert again["seat"] == 0


def test_the_first_page_lists_what_there_is(house: House, visitor: Visitor) -> None:
    number = visitor.open("you", "tempo")
    start = visitor.get("/api/start").json()
    names = [agent["name"] for agent in start["agents"]]
    assert {"expected", "tempo", "rollout"} <= {*names}
    assert not {"human", "peek"} & {*names}
    assert all(0 < len(agent["words"]) <= MOST_AGENT_WORDS and "(" not in agent["words"] for agent in start["agents"])
    assert [table["id"] for table in start["tables"]] == [number]
    assert start["players"] == [2, 8]
    assert house.visitor().get("/api/start").json()["tables"] == []


def test_presets_are_the_games_own() -> None:
    rules = {game: {preset.name: preset.rules for preset in find_program(game).presets} for game in program_names()}
    assert rules["skyjo"]["reichel"] == REICHEL.to_text()
    assert rules["skipbo"]["strittmatter"] == STRITTMATTER.to_text()


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
