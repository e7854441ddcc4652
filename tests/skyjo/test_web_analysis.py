"""Analyses in the browser, the same as from the command; and the inspector: what an agent is given for a seat."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.websockets import WebSocketDisconnect

from cardtable.arena.exam import analysis
from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import game_class
from skyjo.analysis.analysed_game import AnalysedGame, analyse, conduct_lines
from skyjo.programs import find_program
from skyjo.table.played_game import PlayedGame, SeatedAgent
from skyjo.web import analysing
from skyjo.web.table_room import TableRoom
from skyjo_agents.judging import LookAnalyst
from skyjo_agents.policy import LookAgent
from skyjo_env import Game, replay
from tests.skyjo.test_web_games import kept, recorded
from tests.skyjo.web_client import HOST, ORIGIN, House, Seat, Visitor

SKYJO = find_program("skyjo")
LEVELS = SKYJO.levels

POSITION = """skyjo-position 1
board 9 9 -1 | ? ? ? | ? ? ? | ? ? ?
board ? ? ? | ? ? ? | ? ? ? | ? ? 5
discard 3
draw 9 ...
seat 0 turn"""


@contextmanager
def analysing_game(visitor: Visitor, number: str) -> Iterator[Seat]:
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


def analysed(text: str, checks: bool = False) -> AnalysedGame:
    record = replay(text).record()
    return analyse(SKYJO, record, LookAnalyst(LookAgent(replay(text).rules)), "look", checks)


def check_moves(moves: list[Any], game: AnalysedGame) -> None:
    """The moves are those of the analysis, rounded."""
    documents: Any = game.to_document()["moves"]
    assert [move["move"] for move in moves] == [each["move"] for each in documents]
    for move, each, told in zip(moves, documents, game.decisions, strict=True):
        for name in ("seat", "action", "forced", "mark"):
            assert move[name] == each[name]
        for name in ("action", "name"):
            assert [choice[name] for choice in move["choices"]] == [choice[name] for choice in each["choices"]]
        worths = [choice["worth"] for choice in each["choices"]]
        assert [choice["worth"] for choice in move["choices"]] == pytest.approx(worths, abs=6e-4)
        assert move["lost"] == pytest.approx(each["lost"], abs=6e-4)
        assert move["luck"] == pytest.approx(each["luck"], abs=6e-4)
        assert move["expected"] == pytest.approx(told.judged.worths[told.judged.best].tolist(), abs=6e-4)
        assert move["chosen"] == pytest.approx(told.judged.worths[told.judged.action].tolist(), abs=6e-4)
        for name in ("margins", "check"):
            assert (move[name] is None) == (each[name] is None)
        if each["check"] is not None:
            assert move["check"] == pytest.approx(each["check"], abs=6e-4)


def test_an_analysis_is_that_of_the_command(visitor: Visitor) -> None:
    text = recorded("skyjo", 2)
    game = analysed(text)
    with analysing_game(visitor, kept(visitor, text)) as seat:
        *judged, ready = all_told(seat, "analyse")
    assert len(judged) > 1
    moves = [move for piece in judged for move in piece["moves"]]
    assert [piece["done"] for piece in judged][-1] == judged[-1]["of"] == len(moves) == len(game.decisions)
    check_moves(moves, game)
    assert ready["kind"] == "ready"
    assert ready["worst"] == [told.judged.number for told in game.marked]
    assert ready["lines"] == [
        conduct_lines(f"seat {seat + 1}", each, LEVELS) for seat, each in enumerate(game.conducts)
    ]
    for player, each in zip(ready["players"], game.to_document()["players"], strict=True):
        assert player == pytest.approx(each, abs=6e-4)


@pytest.mark.slow
def test_checks_are_those_of_the_command_and_change_the_conduct(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "GUESSES", 20)
    monkeypatch.setattr(analysis, "MOST_GUESSES", 40)
    text = recorded("skyjo", 2, 30)
    game = analysed(text, checks=True)
    with analysing_game(visitor, kept(visitor, text)) as seat:
        assert all_told(seat, "check")[0]["kind"] == "refused"
        *judged, _ = all_told(seat, "analyse")
        *checked, ready = all_told(seat, "check")
        assert len(checked) == checked[0]["of"] > 1
        moves = {move["move"]: move for piece in judged for move in piece["moves"]}
        moves |= {piece["move"]["move"]: piece["move"] for piece in checked}
        check_moves([moves[number] for number in sorted(moves)], game)
        assert ready["worst"] == [told.judged.number for told in game.marked]
        again = all_told(seat, "analyse")
    assert [move for piece in again[:-1] for move in piece["moves"]] == [moves[number] for number in sorted(moves)]


def test_an_analysis_stops_and_goes_on(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "MOST_MOVES", 5)
    text = recorded("skyjo", 4)
    made: list[int] = []
    usual = analysis.Analyst._judged

    def counted(self: Any, table: Game, number: int, action: int) -> Any:
        made.append(number)
        return usual(self, table, number, action)

    monkeypatch.setattr(analysis.Analyst, "_judged", counted)
    number = kept(visitor, text)
    with analysing_game(visitor, number) as seat:
        seat.send(ask="analyse")
        first = seat.receive()
        seat.send(ask="stop")
        while (told := seat.receive())["kind"] != "stopped":
            assert told["kind"] == "judged"
        so_far = len(made)
        assert first["done"] <= so_far < first["of"]
    with analysing_game(visitor, number) as seat:
        told = all_told(seat, "analyse")
        assert told[-1]["kind"] == "ready"
        assert sum(len(piece["moves"]) for piece in told[:-1]) == first["of"]
    assert made == list(range(1, first["of"] + 1))


class EndlessMarks(analysis.Marks):
    """Nothing is ever known well enough for these."""

    sure, doubtful = 0.0, 0.25


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks that nothing but a stop ends."""
    monkeypatch.setattr(analysis, "GUESSES", 20)
    monkeypatch.setattr(analysis, "MOST_GUESSES", 10**9)
    monkeypatch.setattr(LookAnalyst, "marks", EndlessMarks(-1e9, 1.0, 2.0, 1.0))


@pytest.mark.usefixtures("endless")
@pytest.mark.slow
def test_a_check_stops(visitor: Visitor) -> None:
    text = recorded("skyjo", 2, 30)
    with analysing_game(visitor, kept(visitor, text)) as seat:
        assert all_told(seat, "analyse")[-1]["kind"] == "ready"
        seat.send(ask="check")
        assert seat.ask(ask="analyse")["kind"] == "refused"
        assert seat.ask(ask="stop") == {"kind": "stopped"}
        assert seat.ask(ask="stop") == {"kind": "stopped"}


@pytest.mark.slow
@pytest.mark.usefixtures("endless")
def test_a_check_ends_when_its_browser_goes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    text = recorded("skyjo", 2, 30)
    one, other = house.visitor(), house.visitor()
    number = kept(one, text)
    with analysing_game(one, number) as seat:
        assert all_told(seat, "analyse")[-1]["kind"] == "ready"
        seat.send(ask="check")
        assert seat.ask(ask="check")["kind"] == "refused"  # by then it is under way
    monkeypatch.setattr(analysis, "MOST_GUESSES", 40)
    with analysing_game(other, number) as seat:
        *checked, ready = all_told(seat, "check")
    assert ready["kind"] == "ready"
    assert {piece["move"]["check"]["guesses"] for piece in checked} == {40}


def test_a_position_is_judged_as_it_stands(visitor: Visitor) -> None:
    with analysing_game(visitor, kept(visitor, POSITION)) as seat:
        (ready,) = all_told(seat, "analyse")
        assert seat.ask(ask="check")["kind"] == "refused"
    game = Game.from_position(POSITION)
    worths = LookAgent(game.rules).worths(game.observation())[:, 0]
    assert ready["kind"] == "ready"
    assert ready["seat"] == 0
    told = {choice["action"]: choice["worth"] for choice in ready["choices"]}
    assert told == pytest.approx({action: worths[action] for action in game.legal_actions()}, abs=6e-4)
    assert [*told.values()] == sorted(told.values(), reverse=True)


@pytest.mark.parametrize(("game", "players", "has_luck"), [("skyjo", 3, True), ("skipbo", 2, False)])
def test_larger_tables_and_skip_bo_are_analysed(game: str, players: int, has_luck: bool, visitor: Visitor) -> None:
    new = game_class(find_game(game))(find_game(game).rules("", players), 1, 0, "round")
    for _ in range(4):
        new.apply(new.legal_actions()[0])
    number = kept(visitor, RecordFormat(find_game(game)).format_record(new.record()))
    assert visitor.get(f"/api/games/{number}").json()["analysis"] is True
    with analysing_game(visitor, number) as seat:
        *judged, ready = all_told(seat, "analyse")
    moves = [move for piece in judged for move in piece["moves"]]
    assert [move["move"] for move in moves] == [1, 2, 3, 4]
    assert [move["luck"] is not None for move in moves] == [has_luck] * 4
    assert [sum(move["chances"]) for move in moves] == pytest.approx([1] * 4, abs=0.01)
    assert all(0 < choice["chance"] < 1 for move in moves for choice in move["choices"])
    assert len(ready["players"]) == players


@pytest.mark.parametrize("text", ["", "[]", '{"ask":"seed"}', '{"ask":["check"]}', '{"ask":"check","x":1}', "x" * 5000])
def test_other_messages_are_refused(text: str, visitor: Visitor) -> None:
    with analysing_game(visitor, kept(visitor, POSITION)) as seat:
        seat.socket.send_text(text)
        assert seat.receive()["kind"] == "refused"
        seat.socket.send_bytes(b"\0")
        assert seat.receive()["kind"] == "refused"
        assert all_told(seat, "analyse")[-1]["kind"] == "ready"


@pytest.mark.parametrize("game", ["skyjo", "skyjo_action"])
def test_what_cannot_be_analysed_has_no_socket(game: str, visitor: Visitor) -> None:
    number = "0" * 20 if game == "skyjo" else kept(visitor, recorded(game, decisions=3))
    with analysing_game(visitor, number) as seat, pytest.raises(WebSocketDisconnect) as raised:
        seat.receive()
    assert raised.value.code == 4404


OPPONENTS = {"skyjo": "expected", "skipbo": "greedy", "skyjo_action": "greedy"}


@pytest.mark.parametrize("game", OPPONENTS)
def test_it_shows_the_observation_as_an_agent_gets_it(game: str, house: House, visitor: Visitor) -> None:
    number = visitor.open("you", OPPONENTS[game])
    with visitor.at(number) as seat:
        for _ in range(4):
            view = seat.until_asked()
            told = seat.ask(seq=view["seq"] + 7, ask="inspect")  # out of date, and that does not matter
            values = [value for part in told["slices"] for value in part["values"]]
            played = house.room.find(number).played.game
            assert values == played.observation(0).tolist()
            spec = played.kind.spec_of(played.rules)
            assert [part["name"] for part in told["slices"]] == [part.name for part in spec.slices]
            assert all(np.prod(part["shape"]) == len(part["values"]) for part in told["slices"])
            assert (told["kind"], told["seq"], told["seat"]) == ("inspected", view["seq"], 0)
            assert told["actions"] == view["names"]
            again = type(played).from_position(told["position"])
            assert np.array_equal(again.observation(0), played.observation(0))
            seat.send(seq=view["seq"], action=view["actions"][0])


@pytest.mark.parametrize("game", OPPONENTS)
def test_who_looks_on_is_shown_what_all_see(game: str, house: House) -> None:
    host, stranger = house.visitor(), house.visitor()
    number = host.open("you", "open")
    table: Any = house.room.find(number)
    while table.played.game.phase in ("opening", "claim", "turn") and table.seq < 12:
        table.act(min(table.played.game.legal_actions()))  # draws a card where there are layouts
    with stranger.at(number) as onlooker:
        view = onlooker.receive()
        told = onlooker.ask(seq=view["seq"], ask="inspect")
        assert (told["seat"], told["slices"], told["actions"]) == (None, [], {})
        lines = [line.split() for line in told["position"].splitlines()]
        hands = [words[1:] for words in lines if words[0] == "hand"]
        if game != "skipbo":
            assert lines[-1][2:] == ["drawn", "?"]
        else:
            assert len(hands) == 2
            assert any(hands)
        assert all(set(hand) <= {"?"} for hand in hands)


@pytest.mark.parametrize("game", ["skipbo", "skyjo_action"])
def test_covered_cards_are_not_inspected(house: House, visitor: Visitor) -> None:
    number = visitor.open("you", "you")
    with visitor.at(number) as seat:
        view = seat.receive()
        assert view["covered"] is True
        refused = seat.ask(seq=0, ask="inspect")
        assert (refused["kind"], refused["words"]) == ("refused", 'press "Show my cards" first')
        seat.ask(seq=0, ask="uncover")
        played = house.room.find(number).played.game
        again = type(played).from_position(seat.ask(seq=0, ask="inspect")["position"])
        assert np.array_equal(again.observation(view["seat"]), played.observation(view["seat"]))


@pytest.mark.parametrize("game", OPPONENTS)
def test_an_agent_acts_once_as_it_would_in_that_seat(game: str, house: House, visitor: Visitor, tmp_path: Path) -> None:
    agent, number = OPPONENTS[game], visitor.open("you", "random")
    with visitor.at(number) as seat:
        view = seat.until_asked()
        for _ in range(3):
            table = house.room.find(number)
            made = SeatedAgent(agent, agents_of(table.played.card_game).make(agent, table.played.rules))
            expected = PlayedGame(table.played.game, [made, None]).question_to_agent()()
            seat.send(seq=view["seq"], ask="lend", agent=agent)
            after = seat.receive()
            assert after["practice"] is True
            assert after["told"][-1]["seq"] == view["seq"]
            assert (after["told"][-1]["seat"], after["told"][-1]["action"]) == (0, expected)
            view = after if after["actions"] else seat.until_asked()
    again = TableRoom(game, tmp_path).find(number)
    assert again.played.actions[: table.seq] == table.played.actions
    assert again.is_practice is True


LENT: dict[str, Any] = {
    "nobody of that name": {"agent": "nobody"},
    "one that sees all": {"agent": "peek"},
    "one that asks at the terminal": {"agent": "human"},
    "a person": {"agent": "you"},
    "a file": {"agent": "policy:path=/etc/passwd"},
    "for ever": {"agent": "rollout:n=1000000000"},
    "a number": {"agent": 5},
    "a line break": {"agent": "tempo\n"},
    "none": {},
    "more": {"agent": "tempo", "action": 3},
}


@pytest.mark.parametrize("asked", LENT.values(), ids=LENT)
def test_an_agent_that_may_not_sit_down_does_not_act(asked: Any, visitor: Visitor, tmp_path: Path) -> None:
    number = visitor.open("you", "random")
    (file,) = tmp_path.iterdir()
    before = file.read_bytes()
    with visitor.at(number) as seat:
        seat.receive()
        answer = seat.ask(seq=0, ask="lend", **asked)
        assert answer["kind"] == "refused"
        assert "\n" not in answer["words"]
    assert file.read_bytes() == before


def test_no_agent_acts_against_people_or_out_of_turn(house: House) -> None:
    host, stranger = house.visitor(), house.visitor()
    number = host.open("you", "open")
    with host.at(number) as seat:
        seat.receive()
        words = seat.ask(seq=0, ask="lend", agent="tempo")["words"]
        assert words == "an agent can act for you only if all other seats are agents"
    number = host.open("you", "random")
    with stranger.at(number) as seat:
        seat.receive()
        assert seat.ask(seq=0, ask="lend", agent="tempo")["words"] == "it is not your turn"
    assert json.loads(host.get(f"/api/tables/{number}").text)["seq"] == 0
