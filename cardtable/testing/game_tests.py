"""A single game: what is legal, how it begins and ends, copies, and events."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable.table.errors import MAX_LETTERS, IllegalActionError
from cardtable.table.game.table_game import game_class
from cardtable.testing.moments import COPIES, OfGame, examples, shown

NO_ACTIONS: list[Any] = [None, True, 1.0, "draw", [0], -1, 255, 2**70, np.float64(0)]


class GameTests(OfGame):
    """Tests of `Game` and its parts."""

    @examples(20)
    @given(st.data())
    def test_exactly_the_legal_actions_are_carried_out(self, data: Any) -> None:
        """All others are refused with the legal actions, and change nothing."""
        table, _ = self.moment(data, 300)
        legal, names = table.legal_actions(), self.game.action_names(table.rules)
        before = shown(table), table.record()
        assert table.mask().tolist() == [action in legal for action in range(table.rules.actions)]
        assert (len(legal) == 0) == table.is_over
        for action in legal:
            table.copy().apply(action)
        listed = ", ".join(f"{action} ({names[action]})" for action in legal)
        for action in [*(set(range(table.rules.actions + 1)) - set(legal)), *NO_ACTIONS]:
            with pytest.raises(IllegalActionError) as caught:
                table.apply(action)
            message = str(caught.value)
            told = message.partition("; legal: ")[2]
            if table.is_over:
                assert message.endswith("nothing to decide")
            elif len(message) == MAX_LETTERS:  # a longer one is cut off
                assert told.endswith(" ...")
                assert listed.startswith(told.removesuffix(" ..."))
            else:
                assert told == listed
        assert (shown(table), table.record()) == before

    @examples(10)
    @given(st.data())
    def test_every_action_is_found_by_its_name(self, data: Any) -> None:
        rules = self.rules(data)
        names = self.game.action_names(rules)
        assert [self.game.parse_action(rules, name) for name in names] == list(range(rules.actions))

    @examples(15)
    @given(st.data())
    def test_rules_are_read_back_from_their_text(self, data: Any) -> None:
        rules = self.rules(data)
        assert self.game.rules(rules.to_text()) == rules == rules.replace()

    @examples(15)
    @given(st.data())
    def test_a_game_ends_and_has_winners_unless_it_was_stopped(self, data: Any) -> None:
        table, player = self.dealt(data, is_short=True)
        player.play(table)
        assert table.phase in ("over", "truncated")
        assert (table.legal_actions(), table.mask().any()) == ([], False)
        assert table.has_scored != table.is_truncated, "`act` must leave the phase over to what follows the scoring"
        assert table.turns > 0
        scores = table.totals if table.episode == "game" else table.round_scores
        assert table.winners == (() if table.is_truncated else self.game.winners(scores))

    @examples(10)
    @given(st.data())
    def test_the_cards_depend_on_rules_seed_and_deal_alone(self, data: Any) -> None:
        table, player = self.dealt(data)
        actions = player.play(table, 60)
        twin = game_class(self.game)(table.rules, table.seed, table.deal, table.episode)
        for action in actions:
            twin.apply(action)
        assert shown(twin) == shown(table)
        others = [game_class(self.game)(table.rules, table.seed, deal, "round") for deal in range(8)]
        assert len({other.state["key"].item() for other in others}) == 8

    @examples(15)
    @given(st.data())
    def test_copies_pickles_and_states_go_on_alike_and_apart(self, data: Any) -> None:
        table, player = self.moment(data)
        twins, before = [make(table) for make in COPIES.values()], shown(table)
        twins.append(game_class(self.game).standing(table.rules, table.state))
        actions = player.play(table, 30)
        for twin in twins:
            assert shown(twin) == before
            for action in actions:
                twin.apply(action)
            assert shown(twin) == shown(table)

    @examples(15)
    @given(st.data())
    def test_playing_with_events_carries_out_what_apply_does(self, data: Any) -> None:
        table, player = self.moment(data)
        twin = table.copy()
        for _ in range(40):
            if not table.is_over:
                action, seat = player.choice(table), table.seat
                table.play(action)
                twin.apply(action)
                assert table.last_move == (seat, action)
                assert (shown(twin), twin.has_scored) == (shown(table), table.has_scored)
        assert twin.record() == table.record()

    def test_what_is_handed_out_is_not_the_game(self) -> None:
        table = game_class(self.game)(self.game.official, 3, 0, "game")
        before = shown(table)
        for array in (table.mask(), table.observation(), table.observation(1)):
            array[...] = 1
        assert shown(table) == before

    def test_a_record_has_no_gaps(self) -> None:
        """States are compared byte by byte, and bytes between the fields of a record are not copied with it."""
        record = self.game.dtype
        assert sum(record[name].itemsize for name in record.names or ()) == record.itemsize

    @examples(15)
    @given(st.data())
    def test_coloured_text_is_the_plain_text_with_colours(self, data: Any) -> None:
        table, _ = self.moment(data)
        plain, coloured = self.game.text_of(table), self.game.text_of(table, colour=True)
        assert "\033" not in plain == str(table)
        assert re.sub(r"\033\[[0-9;]*m", "", coloured) == plain
