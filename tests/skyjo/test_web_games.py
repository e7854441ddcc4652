"""Written games in the browser: kept, shown step by step, gone on from; nothing of a game that is not over."""

import json
import random
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardtable.card_game import find_playable
from skyjo.web.kept_games import KeptGames, Seated
from skyjo.web.replaying import ReplayedGame
from skyjo.web.requests import MOST_GAME
from tests.skyjo.web_client import House, Houses, Visitor
from tests.skyjo.web_client import houses as houses
from tests.skyjo.web_client import unhurried as unhurried

pytestmark = pytest.mark.usefixtures("unhurried")

RULES = {"skyjo": "", "skipbo": "stock=5"}
AT_A_TABLE = ("practice", "seats")  # of a view: what differs between a table and its replay


def recorded(game: str, seed: int = 1, decisions: int = 10_000, episode: str = "round") -> str:
    """A game by chance as text, as far as it goes."""
    card_game, chance = find_playable(game), random.Random(seed)
    table = card_game.new_game(card_game.rules(RULES[game]), seed, 0, episode)
    for _ in range(decisions):
        if not table.is_over:
            table.apply(chance.choice(table.legal_actions()))
    return card_game.format_record(table.record())


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


@pytest.mark.parametrize("game", ["skyjo", "skipbo"])
def test_a_replay_shows_what_the_table_showed(game: str, houses: Houses) -> None:
    house = houses(game)
    visitor = house.visitor()
    table, shown = played(house, visitor)
    number = visitor.post("/api/games", json={"table": table}).json()["id"]
    document = visitor.get(f"/api/games/{number}").json()
    assert document["names"] == ["you", "seat 2"]
    assert len(document["decisions"]) == len(shown) - 1 > 30
    for seat in (0, 1):
        again = [
            view
            for first in range(0, len(shown), 50)
            for view in views(visitor, number, first=first, count=50, seat=seat)
        ]
        assert len(again) == len(shown)
        for view, steps in zip(again, shown, strict=True):
            live = steps[seat]
            differs = {name for name in live if live[name] != view[name]}
            assert differs <= {"seats", "told", "over"}
            assert (
                view["told"] == live["told"][-len(view["told"]) :] or live["told"] == view["told"][-len(live["told"]) :]
            )
            assert [each["total"] for each in view["seats"]] == [each["total"] for each in live["seats"]]
    assert again[-1]["over"]["winners"] == shown[-1][1]["over"]["winners"]


def test_decisions_and_rounds_are_told(houses: Houses) -> None:
    visitor = houses().visitor()
    text = recorded("skyjo", episode="game")
    document = visitor.get(f"/api/games/{kept(visitor, text)}").json()
    replayed = ReplayedGame("skyjo", text)
    assert [each["words"] for each in document["decisions"]] == [told.words for told in replayed.told]
    assert [each["seat"] for each in document["decisions"]] == [told.seat for told in replayed.told]
    firsts = [each["first"] for each in document["rounds"]]
    numbers = [each["round"] for each in document["decisions"]]
    assert firsts == [numbers.index(number) for number in sorted({*numbers})]
    totals = [sum(column) for column in zip(*(each["scores"] for each in document["rounds"]), strict=True)]
    assert totals == list(replayed.game_after(len(replayed.told)).totals)
    assert document["analysis"] is True
    assert document["players"] == 2
    assert document["names"] == ["seat 1", "seat 2"]
