"""The ladder, a browser's own results, lessons, puzzles and rules; and all games on one site."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Timer
from typing import Any

import numpy as np
import pytest
from skyjo.web.learn_routes import rules_document
from skyjo.web.own_results import finished_table
from skyjo.web.puzzles import SURE, puzzles_of
from skyjo.web.server import Server
from skyjo.web.site import Site, Starting
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import TableSetup, WebTable
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from cardtable.arena.play.luck import advantage, luck_of
from cardtable.arena.play.rounds import play_rounds
from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import Setup, find_game
from skyjo.interfaces import GameInterface, find_interface, interface_names
from skyjo.web import site as web_site
from skyjo.web.access import Guard, Reach
from tests.documents import ROOT
from tests.skyjo.cli import Skyjo
from tests.skyjo.web_client import HOST, ORIGIN, PORT, House, Houses, Visitor

SMALL = "rows=2 columns=2 opening_flips=1"
RATED = ("skyjo", "skipbo")
PAGES = {"skyjo": "ladder.md", "skipbo": "skipbo_ladder.md"}  # in docs

HALF = 0.00050001  # of the last digit that is written


# The ladder


@pytest.mark.slow
def test_the_report_writes_the_ladders_for_the_pages(skyjo: Skyjo, tmp_path: Path) -> None:
    games, file = str(tmp_path / "games"), tmp_path / "skyjo.json"
    assert skyjo("tournament", "tempo", "naive", "random", "--deals", "20", "--luck", "--store", games).status == 0
    done = skyjo("report", games, "--out", str(tmp_path), "--ladder", str(file), "--anchor", "naive", "--json")
    (told,) = json.loads(done.out)["stores"]
    ladder = json.loads(file.read_text())
    assert (ladder["game"], ladder["title"], ladder["made"]["anchor"]) == ("skyjo", "Skyjo", "naive")
    (table,) = ladder["tables"]
    assert (table["players"], table["episode"], table["command"]) == (2, "round", told["manifest"]["command"])
    figures = {"points": "margin", "without_luck": "without_luck", "score": "score", "won": "wins"}
    for row, rung in zip(table["rows"], told["rungs"], strict=True):
        assert (row["agent"], row["rounds"]) == (rung["agent"], rung["games"])
        assert row["rating"] == pytest.approx(rung["rating"]["value"], abs=HALF)
        for name, figure in figures.items():
            assert row[name] == pytest.approx(rung[figure]["mean"], abs=HALF)


@pytest.mark.parametrize("game", RATED)
def test_the_pages_show_the_ladder_that_the_documents_tell(game: str) -> None:
    ladder = json.loads((find_interface(game).path / "ladder.json").read_text())
    told = re.findall(r"^\| \d+ \| `(.+?)` \| (−?\d+)", (ROOT / "docs" / PAGES[game]).read_text(), re.MULTILINE)
    shown = [(row["agent"], row["rating"]) for table in ladder["tables"] for row in table["rows"]]
    assert [agent for agent, _ in told] == [agent for agent, _ in shown]
    assert [int(rating.replace("−", "-")) for _, rating in told] == pytest.approx([one for _, one in shown], abs=0.5)


@pytest.mark.parametrize("game", RATED)
def test_a_table_can_be_opened_with_every_agent_of_the_ladder(game: str, visitor: Visitor) -> None:
    ladder = visitor.get("/api/ladder").json()
    assert ladder["game"] == game
    for table in ladder["tables"]:
        for row in table["rows"]:
            assert row["playable"] is True, row["agent"]
            visitor.open("you", *[row["agent"]] * (table["players"] - 1))


def test_agents_that_may_not_sit_down_cannot_be_played_against(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = ["oracle", "policy:path=x", "rollout:n=5000", "nobody", "tempo"]
    (tmp_path / "ladder.json").write_text(json.dumps({"tables": [{"rows": [{"agent": agent} for agent in agents]}]}))
    monkeypatch.setattr(GameInterface, "path", tmp_path)
    (table,) = visitor.get("/api/ladder").json()["tables"]
    assert [row["playable"] for row in table["rows"]] == [False, False, False, False, True]


# What counts


def played_out(house: House, visitor: Visitor, *seats: str) -> WebTable:
    """A table that was played to the end."""
    table = house.room.find(visitor.open(*seats, rules=SMALL))
    house.play_out(table)
    return table


def own(visitor: Visitor) -> Any:
    return visitor.get("/api/own").json()


def test_games_that_are_over_count_but_no_practice_and_not_several_seats_at_a_browser(house: House) -> None:
    visitor, other = house.visitor(), house.visitor()
    assert own(visitor) == {"version": 1, "most": 200, "fewest": 5, "games": [], "total": None}
    table = played_out(house, visitor, "you", "random", "random")
    you, *others = table.played.game.round_scores
    (game,) = own(visitor)["games"]
    assert (game["table"], game["rounds"], game["margin"]) == (table.number, 1, sum(others) / 2 - you)
    assert game["words"].endswith("against 2 × random")
    played_out(house, visitor, "you", "you")
    played_out(house, visitor, "random", "random")
    owner = str(table.setup.opener)
    house.play_out(house.room.open_again(table, owner))
    house.play_out(house.room.find(visitor.open("you", "random", rules=SMALL)), 1)  # it is not over
    undone = house.room.find(visitor.open("you", "random", rules=SMALL))
    while owner not in {undone.owners[decision.seat] for decision in undone.played.decisions}:
        house.play_out(undone, 1)
    undone.undo(owner)
    house.play_out(undone)
    house.room.find(visitor.open("you", "random", rules=SMALL)).concede(owner)
    assert [game["table"] for game in own(visitor)["games"]] == [table.number]
    shared = house.room.find(visitor.open("you", "open", rules=SMALL))
    other.join(shared.number)
    house.play_out(shared)
    (mine,), (theirs, _) = own(other)["games"], own(visitor)["games"]
    assert mine["margin"] == -theirs["margin"]
    assert mine["luck"] == pytest.approx(-theirs["luck"], abs=0.001)
    assert mine["words"].endswith("against seat 1")


# Margins and luck


@pytest.mark.parametrize(
    ("game", "rules", "agents", "luck_by"),
    [
        ("skyjo", "target_score=60 players=3", ("tempo", "tempo", "expected"), "network"),
        ("skyjo", "target_score=60 columns=3", ("tempo", "expected"), "cards"),
        ("skipbo", "stock=10 target_score=100", ("greedy", "hpvp"), "cards"),
    ],
)
@pytest.mark.slow
def test_margins_and_luck_are_those_of_a_match(game: str, rules: str, agents: Sequence[str], luck_by: str) -> None:
    card_game = find_game(game)
    setup = Setup(card_game.rules(rules), 7, "game", with_luck=True, record_actions=True, luck_by=luck_by)
    match = play_rounds([agents_of(card_game).make(agent, setup.rules) for agent in agents], setup, range(1))
    seats, owners = ["you", *agents[1:]], ["me", *[None] * (len(agents) - 1)]
    first = TableSetup(game, rules, setup.seed, "game", seats, owners).line()
    table = finished_table([first, *({"action": int(action)} for action in match.actions)])
    assert table is not None
    assert len(table.margins) == match.rounds[0] > 1
    assert table.margins.sum(axis=0) == pytest.approx(match.margins[0])
    assert table.luck.sum(axis=0) == pytest.approx(advantage(match.luck)[0] @ luck_of(setup).weights)
    assert table.luck.any(axis=1).all()
    sign = -1 if setup.game.lower_is_better else 1
    points = sign * match.round_scores[0].astype(float)
    assert table.margins[0, 0] == points[0] - points[1:].mean()
    assert np.array_equal(table.wins, match.wins[0])


HOME, OTHER = "skyjo", "skipbo"
PATIENCE = 60  # seconds


@contextmanager
def site(folder: Path, wait: Event | None = None) -> Iterator[tuple[TestClient, list[str]]]:
    """A site of all games, at home in Skyjo, and the games that it has loaded since, perhaps after a wait."""
    reach, loaded = Reach(PORT), []
    interfaces = [find_interface(game) for game in interface_names()]

    def load(game: str) -> ASGIApp:
        if (folder / "broken").exists():
            raise OSError("the disk is full")
        if wait is not None:
            assert wait.wait(PATIENCE)
        loaded.append(game)
        return Server(TableRoom(game, folder), 0, interfaces=interfaces).unguarded(reach)

    home = Starting(Server(TableRoom(HOME, folder), 0, interfaces=interfaces).unguarded(reach), "Skyjo")
    home.is_ready.set()
    app = Guard(Site(HOME, home, dict.fromkeys(interface_names(), folder), load), reach)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield client, loaded


def opened(visitor: Visitor, game: str, *seats: str) -> str:
    answer = visitor.post(f"/api/tables?game={game}", json={"seats": seats, "episode": "round"})
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["id"]
    return number


def test_a_table_is_found_by_its_number_whatever_it_is_of_and_its_game_is_loaded_only_then(tmp_path: Path) -> None:
    with site(tmp_path) as (client, loaded):
        assert client.get("/api/start").json()["game"] == client.get("/api/start?game=chess").json()["game"] == HOME
        assert loaded == []
        visitor = Visitor(client)
        numbers = {game: opened(visitor, game, "open", "you") for game in interface_names()}
        for game, number in numbers.items():
            assert (visitor.view(number)["game"], visitor.view(number)["seat"]) == (game, 1)  # the same person in all
            assert f'data-game="{game}"' in visitor.get(f"/t/{number}").text
            with visitor.at(number) as seat:
                assert seat.receive()["game"] == game
        assert sorted(loaded) == sorted({*numbers} - {HOME})
    with site(tmp_path) as (client, loaded):
        assert client.get(f"/api/tables/{numbers[OTHER]}").json()["game"] == OTHER
        assert loaded == [OTHER]


def test_while_a_game_is_loaded_its_pages_and_requests_say_so_and_other_games_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_site, "SOON", 0.05)
    with site(tmp_path, wait := Event()) as (client, loaded):
        page = client.get("/skipbo")
        assert (page.status_code, "Skip-Bo is starting" in page.text) == (503, True)
        assert client.get("/skyjo").status_code == 200
        assert client.get("/pages/boards/skipbo.js").status_code == 200
        monkeypatch.setattr(web_site, "PATIENCE", 0.05)
        answer = client.get("/api/start?game=skipbo")
        assert (answer.status_code, answer.json()) == (
            503,
            {"error": "Skip-Bo is still starting; try again in a moment"},
        )
        assert "retry-after" in answer.headers
        monkeypatch.undo()
        Timer(0.2, wait.set).start()
        assert client.get("/api/start?game=skipbo").json()["game"] == OTHER
        assert client.get("/skipbo").status_code == 200
    assert loaded == [OTHER]


def test_a_game_that_cannot_be_loaded_says_so_the_others_go_on_and_it_is_tried_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken").touch()
    with site(tmp_path) as (client, _):
        answer = client.get("/api/start?game=skipbo")
        words = "Skip-Bo cannot be played now; the server's own messages say why"
        assert (answer.status_code, answer.json()) == (500, {"error": words})
        assert client.get("/skipbo").text == words
        assert capsys.readouterr().err == 2 * "skipbo cannot be loaded: OSError: the disk is full\n"
        assert client.get("/api/start").status_code == 200
        (tmp_path / "broken").unlink()
        assert client.get("/api/start?game=skipbo").json()["game"] == OTHER


def test_an_unknown_page_is_a_page_for_people_and_one_for_programs_is_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_site, "SOON", PATIENCE)
    with site(tmp_path) as (client, _):
        for path in ("/nothing", "/skipbo/nothing", "/t", "/tables/abc", "/t/abcabcabcabc", "/g/0123456789"):
            answer = client.get(path)
            assert answer.status_code == 404
            assert answer.headers["content-type"].startswith("text/html")
            assert "Nothing here" in answer.text
            assert "/nothing" not in answer.text
        answer = client.get("/api/nothing", headers=ORIGIN)
        assert (answer.status_code, answer.json()) == (404, {"error": "Not Found"})


SOLUTIONS = {
    "skyjo": (("flip 0", "flip 5"), ("take", "place 1"), ("draw", "flip 0"), ("take", "place 2"), ("take", "place 7")),
    "skipbo": (
        ("hand 4 to 0",),
        ("stock to 0",),
        ("hand 6 to 0", "hand w to 0", "stock to 0"),
        ("discard 11 on 0",),
        ("pile 0 to 0", "hand 11 to 0", "stock to 0"),
    ),
    "skyjo_action": (("take", "place 3"), ("take", "place 6"), ("take", "place 2"), ("open 0",), ("play double",)),
}


def lesson(visitor: Visitor, number: int, actions: list[int]) -> Any:
    return visitor.post(f"/api/learn/lessons/{number}", json={"actions": actions}).json()


@pytest.mark.parametrize("game", interface_names())
def test_each_of_five_lessons_is_done_by_what_it_asks_for_and_not_before(game: str, houses: Houses) -> None:
    visitor = houses(game).visitor()
    assert len(visitor.get("/api/learn").json()["lessons"]) == len(SOLUTIONS[game]) == 5
    for number, names in enumerate(SOLUTIONS[game]):
        actions: list[int] = []
        found = lesson(visitor, number, actions)
        for name in names:
            assert not found["state"]["reached"]
            view = found["views"][-1]
            actions.append(next(int(action) for action, other in view["names"].items() if other == name))
            found = lesson(visitor, number, actions)
            assert found["views"][0]["told"][-1]["seat"] == 0
        assert found["state"]["reached"]
        assert found["views"][-1]["decider"] in (0, None)


@pytest.mark.parametrize("game", ["skyjo", "skipbo"])
def test_the_best_answer_of_a_puzzle_is_beyond_doubt(game: str) -> None:
    for puzzle in puzzles_of(game).all:
        others = np.delete(puzzle.action_values, puzzle.best)
        lead = np.nanmax(puzzle.action_values) - np.nanmax(others)
        assert lead == pytest.approx(puzzle.lead)
        assert lead >= SURE * puzzle.error > 0


@pytest.mark.parametrize("game", interface_names())
def test_rules_come_clause_by_clause_with_all_that_options_and_lessons_name(game: str, houses: Houses) -> None:
    interface = find_interface(game)
    found = houses(game).visitor().get("/api/rules").json()
    assert found == rules_document(interface.rules_text)
    numbers = [clause["number"] for section in found["sections"] for clause in section["clauses"] if clause["number"]]
    assert len(numbers) == len({*numbers}) > 40
    assert {words.clause for words in interface.rule_words.values()} <= {*numbers}
    assert {each.clause for each in interface.learning.LESSONS} <= {*numbers}
    assert found["intro"]


def test_nothing_tells_the_cards_while_the_round_runs(house: House) -> None:
    visitor = house.visitor()
    number = visitor.post("/api/daily", json={}).json()["id"]
    assert visitor.post("/api/daily", json={}).json()["id"] == number
    seed = str(house.room.find(number).setup.seed)
    told = [visitor.get(path).text for path in (f"/api/tables/{number}", "/api/daily", "/api/start", f"/t/{number}")]
    assert not any(seed in text for text in told)
    assert visitor.get(f"/api/tables/{number}/record").status_code == 400
    assert visitor.post("/api/games", json={"table": number}).status_code == 400
