"""Stored games of every game, for the tests of what is read from them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from cardtable.arena.play.plan import Plan
from cardtable.arena.stored.decisions import about, parts_of
from cardtable.arena.stored.game_search import Chosen, Wanted, matching
from cardtable.arena.stored.pieces import read_pieces
from cardtable.arena.stored.plan_store import store_for
from cardtable.arena.stored.store import Store
from cardtable.arena.workers.local_workers import play_piece
from cardtable.table.game.card_game import Setup
from tests.games.under_test import GameUnderTest


class Played(NamedTuple):
    """Games of a plan, stored."""

    plan: Plan
    store: Store

    def chosen(self, **filters: Any) -> Iterator[Chosen]:
        """The games that match, in parts."""
        for stored in read_pieces(self.store, self.plan):
            found = matching(Wanted(self.plan, **filters), stored)
            yield from parts_of(found) if found is not None else ()

    def facts(self) -> dict[str, Any]:
        return about(self.store, self.plan)


@pytest.fixture(scope="module", params=["round", "game"])
def played(request: Any, game: GameUnderTest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Rounds of different scripts, or whole games, some of them stopped, of three who play at random."""
    text, agents = game.scripted_table
    is_game, folder = request.param == "game", tmp_path_factory.mktemp("games") / "store"
    rules, names = (game.quick, ("random",) * 3) if is_game else (game.card_game.rules(text), agents)
    plan = Plan((names,), (4,), Setup(rules, seed=9, episode=request.param))
    store = store_for(folder, plan, "the command")
    for piece in plan.pieces():
        games = play_piece(plan, piece, with_games=True).games
        assert games is not None
        store.keep(piece.number, games)
    return Played(plan, store)
