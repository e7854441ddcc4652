"""Whatever is sent to the server is carried out or refused in one line, and a refusal changes nothing."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import skyjo_action_env
import skyjo_env
from cardtable.arena.play import plan
from skyjo.interfaces import find_interface
from skyjo.main import main
from skyjo.web import python_agents
from skyjo.web.requests import MAX_BYTES
from skyjo.web.stored_games import StoredGames
from tests.games.listed import GAMES, game_id
from tests.games.under_test import GameUnderTest
from tests.helpers import SEEDED
from tests.skyjo.web_client import Browser, Servers

KEYS = ("seq", "action", "ask", "game", "seats", "names", "rules", "episode", "name", "agent", "text")
WORDS = st.sampled_from(["you", "open", "tempo", "skyjo", "substitute", "rematch"]) | st.text(max_size=8)
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | WORDS
FIELDS = st.dictionaries(st.sampled_from(KEYS) | WORDS, VALUES | st.lists(VALUES, max_size=4), max_size=4)
MESSAGES = FIELDS.map(json.dumps) | st.text() | st.integers(0, 500).map("[".__mul__)
AT_ONCE = settings(SEEDED, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@AT_ONCE
@given(text=MESSAGES)
def test_a_message_is_refused_in_a_line_and_changes_nothing(text: str, browser: Browser) -> None:
    number = browser.rooms()[0]["id"] if browser.rooms() else browser.open("you", "open")
    with browser.at(number) as seat:
        seat.socket.send_text(text)
        answer = seat.receive()
        assert answer["kind"] == "refused" or seat.view["seq"] > 0
        assert "\n" not in answer.get("words", "")


@AT_ONCE
@given(body=MESSAGES)
@pytest.mark.parametrize("address", ["rooms", "rooms/x/join", "agents/skyjo", "positions/skipbo", "agents/chess"])
def test_a_request_is_refused_in_a_line(address: str, body: str, browser: Browser) -> None:
    answer = browser.post(f"/api/{address}", content=body.encode(errors="replace"))
    assert answer.status_code in (400, 404)
    assert [*answer.json()] == ["error"]
    assert "\n" not in answer.json()["error"]


WRONG_MESSAGES = {
    '{"seq":7,"action":14}': "the game has moved on",
    '{"seq":0,"action":0}': "action 0 is not legal now",
    '{"action":14}': "this message has seq, and may have action, ask",
    '{"seq":0,"action":14,"seat":1}': "this message has seq, and may have action, ask",
    '{"seq":0,"action":true}': '"action" must be a whole number from 0',
    '{"seq":-1,"action":14}': '"seq" must be a whole number from 0',
    '{"seq":0}': "a message has an action, or something to ask",
    '{"seq":0,"ask":"hint"}': "'hint' is not substitute or rematch",
    '{"seq":0,"ask":"rematch"}': "the game is not over",
    "": "a message is a JSON object",
    "[" * 3000: "a message is a JSON object",
}


def test_refusals_say_what_is_wrong(browser: Browser) -> None:
    with browser.at(browser.open("you", "open")) as seat:
        for text, words in WRONG_MESSAGES.items():
            seat.socket.send_text(text)
            assert seat.receive() == {"kind": "refused", "seq": 0, "words": words}
        seat.socket.send_bytes(b'{"seq":0,"action":14}')
        assert seat.receive()["words"] == "a message is a JSON object"


WRONG_ROOMS: dict[str, dict[str, Any]] = {
    "this game needs 2 to 8 seats, not 0": {"seats": []},
    "a room has a seat for you": {"seats": ["tempo", "open"]},
    "unknown agent 'nobody'": {"seats": ["you", "nobody"]},
    "agent 'oracle' may not play here": {"seats": ["you", "oracle"]},
    "agent 'policy:path=/etc/passwd' names a file": {"seats": ["you", "policy:path=/etc/passwd"]},
    "numbers are at most 1000 here": {"seats": ["you", "rollout:n=1000000000"]},
    "unknown speed; the rules have players": {"seats": ["you", "open"], "rules": "speed=5"},
    "episode='week' is not one of round, game": {"seats": ["you", "open"], "episode": "week"},
    "others for people or agents": {"seats": ["you", 2]},
    "this message has game, seats, and may have names": {"seats": ["you", "open"], "seed": 5},
    "there is no such game here": {"game": "chess", "seats": ["you", "open"]},
    "a name may have at most 20": {"seats": ["you", "open"], "names": ["a\nb"]},
    "at most one name for each": {"seats": ["you", "open"], "names": ["", "", ""]},
    f"a message has at most {MAX_BYTES:,} bytes": {"seats": ["you", "open"], "rules": "x" * MAX_BYTES},
}


@pytest.mark.parametrize("words", WRONG_ROOMS)
def test_a_room_that_cannot_be_is_refused(words: str, browser: Browser) -> None:
    answer = browser.post("/api/rooms", json={"game": "skyjo", **WRONG_ROOMS[words]})
    assert answer.status_code in (400, 404)
    assert words in answer.json()["error"]
    assert browser.rooms() == []


# Agents


def asked(game: GameUnderTest, agent: str, **more: Any) -> dict[str, Any]:
    """Return what a page asks an agent at two tables of a game."""
    batch = game.api.GameBatch(game.card_game.official, n=2, seed=1)
    points = {"observations": batch.observations.tolist(), "masks": batch.masks.tolist()}
    return {"rules": game.card_game.official.to_text(), "agent": agent, **points, **more}


@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_an_agent_decides_for_a_page(game: GameUnderTest, browser: Browser) -> None:
    about = asked(game, "random")
    actions = browser.post(f"/api/agents/{game.name}", json=about).json()["actions"]
    assert all(mask[action] for action, mask in zip(actions, about["masks"], strict=True))
    for changes, words in {
        "masks": (about["masks"][:1], "masks are rows of 0 and 1, one for each observation"),
        "observations": ([about["observations"][0], [0]], "observations must be whole numbers"),
        "agent": ("human", "agent 'human' may not play here"),
    }.items():
        answer = browser.post(f"/api/agents/{game.name}", json={**about, changes: words[0]})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(words[1])
    far = [[30000 for _ in row] for row in about["observations"]]
    answer = browser.post(f"/api/agents/{game.name}", json={**about, "observations": far})
    assert answer.json()["error"].startswith("entry 0 (")


HOWS = {"raises": "cannot decide: ZeroDivisionError: too hard", "cheats": "chose action", "hangs": "has not answered"}


@pytest.mark.parametrize("how", HOWS)
def test_an_agent_that_goes_wrong_is_named(how: str, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_agents, "SECONDS", 0.2 if how == "hangs" else 60)
    agent = f"tests.faulty_agents:Faulty:how={how},odds=1"
    browser, game = Browser(servers(agents={"skyjo": [agent]})), GAMES[0]
    assert agent in browser.get("/data/server.json").json()["agents"]["skyjo"]
    batch = game.api.GameBatch(game.card_game.official, n=8, seed=1)
    for _ in range(3):
        batch.step(batch.masks.argmax(1))
    points = {"observations": batch.observations.tolist(), "masks": batch.masks.tolist()}
    answer = browser.post("/api/agents/skyjo", json=asked(game, agent, **points))
    assert answer.status_code == (503 if how == "hangs" else 400)
    assert answer.json()["error"].startswith(f"agent {agent} {HOWS[how]}")
    refused = Browser(servers()).post("/api/agents/skyjo", json=asked(game, agent))
    assert refused.json()["error"].endswith("may not play here")


# Positions


@pytest.mark.parametrize("game", GAMES, ids=game_id)
def test_a_position_is_read_and_what_a_seat_sees_is_written(game: GameUnderTest, browser: Browser) -> None:
    table = game.played(game.card_game.official, 4, 9)
    read = browser.post(f"/api/positions/{game.name}", json={"text": table.position()}).json()
    assert base64.b64decode(read["state"]) == type(table).from_position(table.position()).state.tobytes()
    assert (read["text"], read["episode"]) == (table.position(), table.episode)
    rules = {"rules": table.rules.to_text(), "players": table.rules.players}
    assert browser.post(f"/api/rules/{game.name}", json=rules).json() == read["rules"]
    seen = {"rules": table.rules.to_text(), "episode": table.episode, "observation": table.observation().tolist()}
    written = browser.post(f"/api/seen/{game.name}", json=seen).json()["position"]
    assert np.array_equal(game.api.Game.from_position(written).observation(), table.observation())
    answer = browser.post(f"/api/positions/{game.name}", json={"text": f"{game.name}-position 1\nnonsense"})
    assert (answer.status_code, "nonsense" in answer.json()["error"]) == (400, True)


def test_after_a_reshuffle_who_knows_all_cards_sees_a_position_and_others_none() -> None:
    """Clause 12.3: a position deals every ? from all unseen cards, though some are known to be in the draw pile."""
    game = skyjo_action_env.Game.from_position("""
        skyjo_action-position 1
        reshuffles 1
        layout 1 1 2 2 | 3 3 4 4 | 5 5 6 ?6@0
        layout 7 7 8 8 | 9 9 10 10 | 11 11 12 ?12@0,1
        discard 0
        strays 5 -1
        seat 0 turn
    """)
    documents, rules, seen = find_interface("skyjo_action").documents, game.rules, game.observation(0)
    text = documents.seen_position(rules, seen, "game")
    assert "strays -1 5" in text
    assert np.array_equal(skyjo_action_env.Game.from_position(text).observation(0), seen)
    for unsure in (game.observation(1), documents.public(rules, seen)):
        assert documents.seen_position(rules, unsure, "game") == ""


# Stored games


def test_stored_games_are_listed_and_read(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "MIN_PIECE", 4)
    folder = tmp_path / "lab" / "small"
    assert main(["match", "tempo", "naive", "--deals", "12", "--store", str(folder)], "skyjo") == 0
    browser = Browser(servers(stores=[StoredGames(folder)]))
    (store,) = browser.get("/data/server.json").json()["stores"]
    assert store == {"number": 0, "game": "skyjo", "name": "lab/small", "games": 24}
    listed = browser.get("/api/stores/0").json()
    assert (listed["count"], [each["number"] for each in listed["games"]]) == (24, [*range(24)])
    assert browser.get("/api/stores/0?first=22").json()["games"] == listed["games"][22:]
    read = browser.get("/api/stores/0/23").json()
    scores = skyjo_env.replay(read["text"]).round_scores
    words = ", ".join(f"{agent} {score}" for agent, score in zip(read["seats"], scores, strict=True))
    assert words == listed["games"][23]["words"]
    assert [browser.get(f"/api/stores/{rest}").status_code for rest in ("1", "0/24", "0?first=x")] == [404, 400, 400]
