"""The inspector: what an agent would be given in place of the seat, and an agent that acts once for a person."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import agents_of
from skyjo.table.played_game import PlayedGame, SeatedAgent
from skyjo.web.table_room import TableRoom
from tests.skyjo.web_client import House, Visitor

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
