"""Rounds between agents: compiled or not, in pieces or not, they are the same; paired deals are fair."""

import pickle
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from cardtable.arena.play import rounds
from cardtable.arena.play.rounds import PlayError, SeatedAgents, seating
from cardtable.table.agents import scripted_agent
from cardtable.table.agents.agents import choose
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import DealResults, joined, taken
from skyjo_env import OFFICIAL, AgentError, Game, ObservationSpec, Rules, make_agent
from skyjo_env.events import LinesCleared
from skyjo_env.kernel.state import NOBODY
from tests.skyjo_play import play_paired, play_rounds


class Slow:
    """An agent that is not known to be scripted, so that it is asked from Python."""

    def __init__(self, name: str, rules: Rules) -> None:
        self.agent = make_agent(name, rules)

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:
        return self.agent.act(observations, masks, rng_states)


def same(one: DealResults, other: DealResults) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in (*(field.name for field in fields(DealResults)), "margins", "wins")
    )


def test_a_round_is_the_games_first() -> None:
    names = ["threshold:t=1", "expected"]
    agents, game = [make_agent(name) for name in names], Game(OFFICIAL, seed=9, deal=5, episode="round")
    spec = ObservationSpec(OFFICIAL)
    while not game.is_over:
        seat = game.seat
        game.apply(int(choose(agents[seat], names[seat], spec, game.observation()[None], game.mask()[None])[0]))
    played = play_rounds(agents, OFFICIAL, 9, range(5, 6))
    assert played.scores.tolist() == [list(game.round_scores)]
    assert played.turns.tolist() == [game.turns]


@pytest.mark.parametrize("rules", [OFFICIAL, Rules(players=3, clear="confirm", row_clear=True, max_turns=40)])
def test_what_is_kept_is_the_game_as_it_was_played(rules: Rules) -> None:
    agents = [make_agent("threshold:t=2,columns=true", rules)] * rules.players
    played = play_rounds(agents, rules, 3, range(20, 30), episode="game", record_actions=True)
    ends, round_ends = np.cumsum(played.decisions), np.cumsum(played.rounds)
    for k in range(10):
        game, scores, cleared, turns = Game(rules, 3, 20 + k, "game"), [], np.zeros(rules.players, int), 0
        for action in played.actions[ends[k] - played.decisions[k] : ends[k]]:
            before, number = game.turns, game.round
            for event in game.play(int(action)):
                if isinstance(event, LinesCleared):
                    cleared[event.seat] += len(event.cells)
            if game.is_over or game.round > number:
                scores.append(list(game.round_scores))
                turns += before + 1
        assert game.is_over
        assert played.round_scores[round_ends[k] - played.rounds[k] : round_ends[k]].tolist() == scores
        assert (played.scores[k].tolist(), played.turns[k]) == (list(game.totals), turns)
        assert played.round_stats[k, :, 0].tolist() == cleared.tolist()
    assert played.round_stats.sum() > 0
    assert played.is_stopped.any() == (rules.players == 3)


@pytest.mark.parametrize("wrap", [make_agent, Slow])
def test_pieces_and_threads_change_nothing(wrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [wrap("threshold", OFFICIAL), wrap("naive", OFFICIAL)]
    whole = play_rounds(agents, deals=range(50), record_actions=True)
    monkeypatch.setattr(rounds, "COMPILED", 7)
    monkeypatch.setattr(rounds, "ASKED", 7)
    monkeypatch.setattr(scripted_agent, "ROOM", 40)  # less than a round takes
    assert same(whole, play_rounds(agents, deals=range(50), threads=3, record_actions=True))


def test_margins_are_what_others_have_more_and_equals_share_a_win() -> None:
    scores = np.array([[10, 4, 1], [7, 3, 3], [0, 1, 2]])
    played = play_rounds([make_agent("naive", Rules(players=3))] * 3, Rules(players=3), deals=range(3))
    played = replace(played, scores=scores, is_stopped=np.array([False, False, True]))
    assert played.margins[0].tolist() == [2.5 - 10, 5.5 - 4, 7 - 1]
    assert played.wins.tolist() == [[0, 0, 1], [0, 0.5, 0.5], [0, 0, 0]]


def test_an_agent_is_no_better_than_itself_and_margins_sum_to_nothing() -> None:
    assert play_paired(["expected", "expected"], deals=range(200)).margins.tolist() == np.zeros((200, 2)).tolist()
    three = play_paired(["tempo", "threshold", "naive"], Rules(players=3), deals=range(100)).margins
    assert np.abs(three.sum(axis=1)).max() < 1e-9
    assert three[:, 0].mean() > three[:, 1].mean() > three[:, 2].mean()


def test_wrong_agents_and_deals_are_named() -> None:
    agents = [make_agent("naive"), make_agent("naive")]
    with pytest.raises(TableError, match="1 agents for players=2"):
        play_rounds(agents[:1])
    for deals in (range(0), range(10, 0, -1), range(-3, 3)):
        with pytest.raises(TableError, match="increasing range"):
            play_rounds(agents, deals=deals)
    with pytest.raises(TableError, match="threads=0"):
        play_rounds(agents, threads=0)
    with pytest.raises(TableError, match="seat 1 was made for other rules: players=3, not official"):
        play_rounds([agents[0], make_agent("naive", Rules(players=3))])


class SpeechlessError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class Fails(Slow):
    """An agent that goes wrong at one table only: where it is in seat 1 and a 12 lies on the discard pile."""

    def __init__(self, how: str) -> None:
        super().__init__("naive", OFFICIAL)
        self.how, self.view = how, ObservationSpec(OFFICIAL).view

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:
        actions = super().act(observations, masks, rng_states)
        view = self.view(observations)
        at = (view.discard_top == 12) & (view.seat == 1)
        if self.how == "raises" and at.any():
            raise ZeroDivisionError("too hard")
        if self.how == "cannot count" and at.any():
            return actions[1:]
        if self.how == "cannot even say" and at.any():
            raise SpeechlessError
        return np.where(at, 25 - actions, actions)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("raises", r"ZeroDivisionError: too hard \(test_rounds.py, line \d+\)$"),
        ("cannot count", "must return one whole number for every observation, here 1, not"),
        ("cannot even say", "SpeechlessError: "),
        ("plays what it may not", r"action \d+ \(\w+.*\) of seat 1 is illegal"),
    ],
)
def test_an_agent_that_fails_is_named_with_its_seat_and_deal(how: str, words: str) -> None:
    agents = [make_agent("naive"), Fails(how)]
    with pytest.raises(PlayError, match=words) as caught:
        play_rounds(agents, deals=range(60))
    failure = pickle.loads(pickle.dumps(caught.value))
    assert (failure.seat, failure.agent, str(failure)) == (1, "Fails", str(caught.value))
    assert str(failure).startswith(f"deal {failure.deal}, seat 1, agent Fails: ")
    with pytest.raises(PlayError, match=f"deal {failure.deal}, "):
        play_rounds(agents, deals=range(failure.deal, failure.deal + 1))


def test_a_watch_is_told_whom_is_being_waited_for() -> None:
    told: list[tuple[int, int, int]] = []
    agents, setup = [Slow(name, OFFICIAL) for name in ("naive", "tempo")], Setup(OFFICIAL)
    SeatedAgents.of(agents, setup).play(setup, seating(2, range(5, 7)), lambda *asked: told.append(asked))
    assert {(agent, seat, deal) for agent in (0, 1) for seat in (0, 1) for deal in (5, 6)} >= set(told[::2])
    assert {agent for agent, *_ in told[::2]} == {0, 1}
    assert set(told[1::2]) == {(NOBODY, 0, 0)}


@pytest.mark.slow
def test_peek_wins_where_the_table_is_shown_to_it_and_is_refused_elsewhere() -> None:
    margins = play_paired(["oracle:base=threshold,n=4", "threshold"], deals=range(12), reveal_hidden=True).margins[:, 0]
    assert margins.mean() > 10
    with pytest.raises(TableError, match="hidden cards"):
        play_paired(["oracle", "threshold"])
    game = Game(OFFICIAL)
    with pytest.raises(AgentError, match="hidden cards"):
        make_agent("oracle").act(game.observation()[None], game.mask()[None], np.zeros(1, np.uint64))


def test_from_three_players_on_the_order_around_the_table_changes_from_deal_to_deal() -> None:
    for players in range(2, 9):
        turns = seating(players, range(2 * 120)).seats.reshape(players, -1, players).swapaxes(0, 1)
        everybody = np.broadcast_to(np.arange(players), turns.shape)
        assert np.array_equal(np.sort(turns, axis=2), everybody)  # all sit at the table
        assert np.array_equal(np.sort(turns, axis=1), everybody.swapaxes(1, 2))  # in every seat, deal by deal
    follows = np.zeros((4, 4))
    for seats in seating(4, range(6)).seats[:6]:
        np.add.at(follows, (seats, np.roll(seats, -1)), 1)
    assert follows.tolist() == (2 * (1 - np.eye(4))).tolist()  # everybody comes after everybody equally often
    assert seating(2, range(5)).seats.tolist() == [[0, 1]] * 5 + [[1, 0]] * 5


def test_deals_in_steps_are_those_of_all_deals() -> None:
    rules = Rules(players=3)
    agents, slow = [make_agent("tempo", rules)] * 3, [Slow("tempo", rules)] * 3
    whole = play_rounds(agents, rules, 2, range(30), record_actions=True, with_luck=True)
    thirds = [play_rounds(agents, rules, 2, range(k, 30, 3), record_actions=True, with_luck=True) for k in range(3)]
    order = np.argsort(np.concatenate([np.arange(k, 30, 3) for k in range(3)]))
    assert same(taken(joined(thirds), order), whole)
    steps = [play_rounds(each, rules, 2, range(1, 30, 3), record_actions=True) for each in (agents, slow)]
    assert same(*steps)


def test_peek_plays_at_a_small_table() -> None:
    """Also without compilation, for the coverage."""
    rules = Rules(rows=2, columns=2, opening_flips=1)
    assert (
        len(play_paired(["oracle:base=threshold,n=2", "threshold"], rules, deals=range(2), reveal_hidden=True).margins)
        == 2
    )
