"""All games on one site: a request goes to the game that it is about, and each game has pages of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Timer

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from skyjo.programs import find_program, program_names
from skyjo.web import site as web_site
from skyjo.web.access import Guard, Reach
from skyjo.web.server import Server
from skyjo.web.site import Site, Starting
from skyjo.web.table_room import TableRoom
from tests.skyjo.web_client import HOST, ORIGIN, PORT, Visitor

HOME, OTHER = "skyjo", "skipbo"
PATIENCE = 60  # seconds


@contextmanager
def site(folder: Path, wait: Event | None = None) -> Iterator[tuple[TestClient, list[str]]]:
    """A site of all games, at home in Skyjo, and the games that it has loaded since, perhaps after a wait."""
    reach, loaded = Reach(PORT), []
    programs = [find_program(game) for game in program_names()]

    def load(game: str) -> ASGIApp:
        if (folder / "broken").exists():
            raise OSError("the disk is full")
        if wait is not None:
            assert wait.wait(PATIENCE)
        loaded.append(game)
        return Server(TableRoom(game, folder), 0, programs=programs).unguarded(reach)

    home = Starting(Server(TableRoom(HOME, folder), 0, programs=programs).unguarded(reach), "Skyjo")
    home.is_ready.set()
    app = Guard(Site(HOME, home, dict.fromkeys(program_names(), folder), load), reach)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield client, loaded


def opened(visitor: Visitor, game: str, *seats: str) -> str:
    answer = visitor.post(f"/api/tables?game={game}", json={"seats": seats, "episode": "round"})
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["id"]
    return number


@pytest.mark.parametrize("game", program_names())
def test_every_game_has_its_own_pages_and_the_links_on_them_lead_to_each_other(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_site, "SOON", PATIENCE)
    command, title = find_program(game).command, find_program(game).title
    with site(tmp_path) as (client, _):
        for path in ("", "/games", "/ladder"):
            page = client.get(f"/{command}{path}").text
            assert f'<html lang="en" data-game="{game}">' in page
            assert f'<a class="brand" href="/{command}" id="title">{title}</a>' in page
            assert f'href="/{command}/games"' in page
            assert "<!--" not in page
        assert client.get(f"/api/start?game={game}").json()["title"] == title


def test_requests_that_name_no_game_are_for_the_one_at_home(tmp_path: Path) -> None:
    with site(tmp_path) as (client, loaded):
        assert 'data-game="skyjo"' in client.get("/").text
        assert client.get("/api/start").json()["game"] == HOME
        assert client.get("/api/start?game=chess").json()["game"] == HOME
        assert loaded == []


def test_a_table_is_found_by_its_number_whatever_it_is_of(tmp_path: Path) -> None:
    with site(tmp_path) as (client, _):
        visitor = Visitor(client)
        numbers = {game: opened(visitor, game, "you", find_program(game).opponents[0]) for game in program_names()}
        for game, number in numbers.items():
            assert visitor.view(number)["game"] == game
            assert f'data-game="{game}"' in visitor.get(f"/t/{number}").text
            with visitor.at(number) as seat:
                assert seat.receive()["game"] == game


def test_a_game_is_loaded_once_and_only_if_somebody_asks_for_it(tmp_path: Path) -> None:
    with site(tmp_path) as (client, loaded):
        number = opened(Visitor(client), OTHER, "you", "greedy")
        client.get("/api/start?game=skipbo")
    assert loaded == [OTHER]
    with site(tmp_path) as (client, loaded):
        assert client.get(f"/api/tables/{number}").json()["game"] == OTHER
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


def test_a_browser_is_the_same_person_in_all_games(tmp_path: Path) -> None:
    with site(tmp_path) as (client, _):
        visitor = Visitor(client)
        number = opened(visitor, OTHER, "open", "you")
        assert visitor.view(number)["seat"] == 1


UNKNOWN = ["/nothing", "/skipbo/nothing", "/t", "/tables/abc", "/t/abcabcabcabc", "/g/0123456789"]


@pytest.mark.parametrize("path", UNKNOWN)
def test_an_unknown_page_is_a_page_for_people(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_site, "SOON", PATIENCE)
    with site(tmp_path) as (client, _):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/html")
        assert "Nothing here" in answer.text
        assert "/nothing" not in answer.text


def test_an_unknown_address_for_programs_is_answered_in_json(tmp_path: Path) -> None:
    with site(tmp_path) as (client, _):
        answer = client.get("/api/nothing", headers=ORIGIN)
        assert (answer.status_code, answer.json()) == (404, {"error": "Not Found"})
