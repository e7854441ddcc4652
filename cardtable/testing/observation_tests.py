"""Tests of observations: bounds, hidden cards, guesses at them, and cards that a decision may reveal."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from cardtable.table.envs.options import observation_box
from cardtable.table.envs.text import table_text
from cardtable.table.errors import TableError
from cardtable.table.game.table_batch import batch_class
from cardtable.table.game.table_game import game_class
from cardtable.table.kernel.game_kernel import undeclared
from cardtable.testing.moments import OfGame, examples


class ObservationTests(OfGame):
    """Observations, samples and outcomes."""

    def sample(self, table: Any, seat: int, seed: int, times: int = 2) -> Any:
        """Return guesses at a table, from a seat's observation."""
        seen = np.repeat(table.observation(seat)[None], times, axis=0)
        return batch_class(self.game).sample(table.rules, seen, seed=seed, episode=table.episode)

    def needs_samples(self) -> None:
        """Skip a test of a game without guesses at hidden cards."""
        self.needs(self.game.kernel.sample is not undeclared, "samples of the hidden cards")

    @examples(20)
    @given(st.data())
    def test_every_observation_keeps_its_bounds_and_names_its_observer(self, data: Any) -> None:
        table, player = self.moment(data)
        spec = self.game.spec_of(table.rules)
        assert [part.start for part in spec.slices] == [0, *(part.stop for part in spec.slices[:-1])]
        for _ in range(20):
            for seat in range(table.rules.players):
                seen = table.observation(seat)
                assert spec.check_bounds(seen).tolist() == seen.tolist()
                assert int(spec.view(seen).seat) == seat
                assert int(spec.view(seen).phase) == self.game.phases.index(table.phase)
                assert spec.onehot(seen) in observation_box(self.game, table.rules, "onehot")
            assert table.observation().tolist() == table.observation(table.seat).tolist()
            player.play(table, 1)

    @examples(12)
    @given(st.data())
    def test_no_seat_sees_the_same_twice_in_a_game(self, data: Any) -> None:
        """Otherwise players could repeat themselves for ever: their random choices follow from what they see."""
        table, player = self.dealt(data)
        seen = [table.observation().tobytes()]
        while len(seen) < 300 and player.play(table, 1) and not table.is_over:
            seen.append(table.observation().tobytes())
        assert len(set(seen)) == len(seen)

    @examples(20)
    @given(st.data())
    def test_nothing_that_a_seat_is_shown_depends_on_what_it_cannot_see(self, data: Any) -> None:
        """A sampled table has other hidden cards, but shows its seat the same, in numbers, words and legal actions."""
        self.needs_samples()
        table, _ = self.moment(data)
        for seat in range(table.rules.players):
            guesses = self.sample(table, seat, data.draw(st.integers(0, 2**32), "guess"))
            for state in guesses.state()["games"]:
                twin = game_class(self.game).standing(table.rules, np.array([state], self.game.dtype))
                assert twin.observation(seat).tolist() == table.observation(seat).tolist()
                if seat == table.seat:
                    assert twin.mask().tolist() == table.mask().tolist()
                    words = table_text(table.rules, table.observation(), table.mask())
                    assert table_text(table.rules, twin.observation(), twin.mask()) == words

    def test_guesses_follow_from_their_seed_and_differ(self) -> None:
        self.needs_samples()
        table = game_class(self.game)(self.game.official, 4, 0, "game")
        one, again, other = (self.sample(table, 0, seed, 3).state()["games"].tobytes() for seed in (1, 1, 2))
        assert one == again != other

    @examples(8)
    @given(st.data())
    def test_a_sampled_game_is_played_to_its_end(self, data: Any) -> None:
        self.needs_samples()
        table, player = self.dealt(data, is_short=True)
        player.play(table, 30)
        guesses = self.sample(table, table.seat, 1)
        for _ in range(5000):
            if not guesses.masks.any():
                break
            guesses.step(player.choices(guesses.observations, guesses.masks))
        assert (guesses.phases >= self.game.over).all()

    def cards_to_come(self, table: Any, action: int, chance: random.Random) -> list[int]:
        """Return cards that an action may reveal one after the other, to the last; the chances of each sum to 1."""
        cards: list[int] = []
        while outcomes := table.outcomes(action, *cards):
            assert sum(outcomes.values()) == 1
            assert min(outcomes.values()) > 0
            cards.append(chance.choice(list(outcomes)))
        return cards

    @examples(15)
    @given(st.data())
    def test_chosen_cards_come_and_the_chances_of_all_sum_to_one(self, data: Any) -> None:
        self.needs(self.game.card_array is not None or len(self.game.cards) > 0, "chosen cards")
        table, player = self.moment(data)
        for _ in range(15):
            if table.is_over:
                break
            before, action = table.copy(), player.choice(table)
            try:
                cards = self.cards_to_come(table, action, player.chance)
            except TableError:  # under these rules a seat sees too little
                reject()
            given_cards = cards[: player.chance.randrange(4)]
            table.apply(action, *given_cards)
            twin = before.copy()
            twin.play(action, *given_cards)
            assert twin.state.tobytes() == table.state.tobytes()
            with pytest.raises(TableError):
                before.apply(action, *cards, *cards[:1] or [0])
