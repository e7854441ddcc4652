"""Written games and positions: what was written is read back, and what is damaged is refused."""

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable.table.errors import RecordError, TableError
from cardtable.table.game.positions import not_checked
from cardtable.table.game.records import RecordFormat, packed, shared_text
from cardtable.table.game.table_game import game_class
from cardtable.testing.moments import OfGame, examples, shown


class RecordTests(OfGame):
    """Records, positions, and games in addresses."""

    def needs_positions(self) -> None:
        """Skip a test of a game without written positions."""
        self.needs(self.game.parse_position is not not_checked, "written positions")

    @examples(15)
    @given(st.data())
    def test_every_written_form_plays_the_same_game_again(self, data: Any) -> None:
        table, _ = self.moment(data, 200)
        record, records = table.record(), RecordFormat(self.game)
        address = "https://example.org/table#" + packed(shared_text(record))
        for written in (record, records.format_record(record), json.dumps(record), address):
            twin = records.replay(written)
            assert shown(twin) == shown(table)
            assert (twin.record(), twin.seed, twin.deal) == (record, table.seed, table.deal)
        assert len([*records.events(record)]) == len(record["actions"])

    @examples(8)
    @given(st.data())
    def test_a_damaged_record_is_refused(self, data: Any) -> None:
        table, _ = self.moment(data)
        record, chance = table.record(), random.Random(1)
        actions: list[int] = record["actions"]
        for name in record:
            with pytest.raises(RecordError, match=f"^{name}: missing"):
                RecordFormat(self.game).replay({other: value for other, value in record.items() if other != name})
        for at in chance.sample(range(len(actions)), min(len(actions), 10)):
            for changed in ([table.rules.actions], [-1], []):
                damaged = record | {"actions": [*actions[:at], *changed, *actions[at + 1 :]]}
                with pytest.raises(RecordError):
                    RecordFormat(self.game).replay(damaged)

    @examples(6)
    @given(st.data())
    def test_no_damage_of_a_written_game_gives_another_one(self, data: Any) -> None:
        table, _ = self.moment(data, 40)
        text, chance = RecordFormat(self.game).format_record(table.record()), random.Random(1)
        for at in chance.sample(range(len(text)), min(len(text), 60)):
            damaged = text[:at] + chance.choice("-90 .|,:;#=x\n") + text[at + 1 :]
            with suppress(RecordError):
                assert shown(RecordFormat(self.game).replay(damaged)) == shown(table)
        for end in range(0, len(text.rstrip()), 7):
            with pytest.raises(RecordError):
                RecordFormat(self.game).replay(text[:end])

    @examples(20)
    @given(st.data())
    def test_a_position_is_read_back_as_the_same_table(self, data: Any) -> None:
        self.needs_positions()
        table, player = self.moment(data, 300)
        twin = game_class(self.game).from_position(table.position())
        assert (shown(twin)["observations"], twin.position()) == (shown(table)["observations"], table.position())
        assert twin.record()["start"] == table.position()
        self.game.checks.check_states(table.rules, table.state)
        for action in player.play(table, 40):
            twin.apply(action)
        assert twin.position() == table.position()
        again = RecordFormat(self.game).replay(twin.record())
        assert (again.position(), again.record()) == (twin.position(), twin.record())

    @examples(8)
    @given(st.data())
    def test_a_damaged_position_is_another_table_or_is_refused(self, data: Any) -> None:
        self.needs_positions()
        table, player = self.moment(data)
        text, chance = table.position(), random.Random(1)
        for at in chance.sample(range(len(text)), min(len(text), 60)):
            try:
                twin = game_class(self.game).from_position(text[:at] + chance.choice("-90 .|,?x\n") + text[at + 1 :])
            except TableError:
                continue
            player_of = type(player)(self.game, twin.rules, at)
            player_of.play(twin, 20)
