"""Many tables at once: they play exactly the games that single tables play."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable.table.errors import IllegalActionError
from cardtable.table.game.table_batch import batch_class
from cardtable.table.game.table_game import game_class
from cardtable.testing.moments import COPIES, EPISODES, SEEDS, OfGame, Player, examples, shortened


class BatchTests(OfGame):
    """`GameBatch`."""

    def batch(self, data: Any, restart: bool = True) -> tuple[Any, Player]:
        """Draw a batch, and a player for it."""
        rules, seed, n = shortened(self.rules(data)), data.draw(SEEDS, "seed"), data.draw(st.integers(1, 6), "tables")
        batch = batch_class(self.game)(rules, n, seed, data.draw(EPISODES, "episode"), restart)
        return batch, Player(self.game, rules, seed)

    def dealt_as(self, batch: Any, deals: Iterable[int]) -> list[Any]:
        """Return single tables with these deals of a batch."""
        return [game_class(self.game)(batch.rules, batch.seed, deal, batch.episode) for deal in deals]

    def assert_same(self, batch: Any, tables: list[Any]) -> None:
        """Fail unless every row of a batch equals the single table."""
        assert batch.observations.tolist() == [table.observation().tolist() for table in tables]
        assert batch.masks.tolist() == [table.mask().tolist() for table in tables]
        assert batch.seats.tolist() == [table.seat for table in tables]
        assert [self.game.phases[phase] for phase in batch.phases] == [table.phase for table in tables]
        assert batch.deals.tolist() == [table.deal for table in tables]

    @examples(12)
    @given(st.data(), st.booleans())
    def test_tables_play_the_games_of_their_deals(self, data: Any, restart: bool) -> None:
        batch, player = self.batch(data, restart)
        tables = self.dealt_as(batch, range(len(batch)))
        for _ in range(60):
            self.assert_same(batch, tables)
            actions = player.choices(batch.observations, batch.masks)
            rewards, terminated, truncated = batch.step(actions)
            for number, table in enumerate(tables):
                if not table.is_over:
                    table.apply(int(actions[number]))
                assert terminated[number] == (table.is_over and not table.is_truncated)
                assert truncated[number] == table.is_truncated
                assert not (table.round == 1 and not table.is_over and rewards[number].any())
            if restart:
                after = self.dealt_as(batch, [table.deal + len(batch) for table in tables])
                tables = [new if table.is_over else table for table, new in zip(tables, after, strict=True)]

    @examples(8)
    @given(st.data())
    def test_an_illegal_action_names_its_table_and_changes_none(self, data: Any) -> None:
        batch, player = self.batch(data)
        for _ in range(data.draw(st.integers(0, 40), "steps")):
            batch.step(player.choices(batch.observations, batch.masks))
        before, wrong = batch.state()["games"].tobytes(), len(batch) - 1
        illegal = {*range(-1, batch.rules.actions + 1)} - {*np.flatnonzero(batch.masks[wrong]).tolist()}
        for action in sorted(illegal):
            actions = batch.masks.argmax(axis=1)
            actions[wrong] = action
            with pytest.raises(IllegalActionError, match=f"^table {wrong}: action {action} "):
                batch.step(actions)
        assert batch.state()["games"].tobytes() == before

    @examples(8)
    @given(st.data())
    def test_copies_selections_and_saved_states_go_on_alike(self, data: Any) -> None:
        batch, player = self.batch(data)
        for _ in range(25):
            batch.step(player.choices(batch.observations, batch.masks))
        twins = [*(make(batch) for make in COPIES.values()), batch.select(range(len(batch)))]
        for _ in range(25):
            actions = player.choices(batch.observations, batch.masks)
            batch.step(actions)
            for twin in twins:
                twin.step(actions)
        for twin in twins:
            assert twin.state()["games"].tobytes() == batch.state()["games"].tobytes()
            assert twin.observations.tolist() == batch.observations.tolist()
        batch.reset()
        self.assert_same(batch, self.dealt_as(batch, range(len(batch))))
