"""What a table of Skyjo shows, in words, as text and in an observation, and what is asked of its environments alone."""

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import max_cycles_test
from pettingzoo.utils import BaseWrapper
from pettingzoo.utils.conversions import aec_to_parallel

from cardtable.table.agents.scripted_agent import ScriptedAgent
from skyjo_env import (
    EMPTY,
    HIDDEN,
    OFFICIAL,
    PHASES,
    Game,
    ObservationSpec,
    Rules,
    SkyjoEnv,
    SkyjoError,
    SkyjoTextEnv,
    SkyjoVectorEnv,
    action_names,
    make_agent,
    parse_action,
    skyjo_v0,
)
from tests.helpers import (
    BOARD,
    GONE,
    REST,
    board,
    play,
    score_lap,
    table,
)


@pytest.mark.parametrize("name", ["", "place", "place 12", "flip -1", "Draw", "draw ", "discard", "clear", "0"])
def test_a_name_of_no_action_is_refused_with_the_names_there_are(name: str) -> None:
    there_are = "the actions are draw; take; place 0-11; flip 0-11"
    with pytest.raises(SkyjoError, match=re.escape(f"unknown action {name!r}: {there_are}")):
        parse_action(OFFICIAL, name)


def test_the_board_is_shown_as_rows_and_columns() -> None:
    """Clauses 1.3, 1.4."""
    game = table(f"board 1 2 3 | . ?5 6 | ? ? ? | ? ? -2; board {BOARD}; discard 3; seat 0 turn")
    hidden = [HIDDEN] * 3
    assert game.board(0).T.tolist() == [[1, 2, 3], [EMPTY, HIDDEN, 6], hidden, [HIDDEN, HIDDEN, -2]]
    assert game.board(1).tolist() == [[HIDDEN] * 4] * 3


def test_the_piles_and_the_hand_are_shown_as_they_are() -> None:
    """Clauses 4.1, 4.2, 4.6."""
    game = table(f"board 1 ? ? | {REST}; board {BOARD}; discard 0; draw 9 ...; seat 0 turn")
    shown = [(game.hand, game.discard_top, game.draw_pile_size)]
    for name in ("take", "place 0", "draw", "place 0"):
        play(game, name)
        shown.append((game.hand, game.discard_top, game.draw_pile_size))
    replaced = game.discard_top
    assert shown == [(None, 0, 125), (0, None, 125), (None, 1, 125), (9, 1, 124), (None, replaced, 124)]


def test_scores_ender_and_winners_appear_when_they_are_known() -> None:
    """Clauses 7.1, 8.1, 8.4."""
    game = table(f"totals 50 60; {board('?1')}; {board('?5')}; discard 4; seat 0 turn")
    states = []
    for name in ("take", "place 0", "take", "place 0"):
        play(game, name)
        states.append((game.ender, game.turns_left, game.totals, game.round_scores))
    before, lap = (None, 0, (50, 60), (0, 0)), (0, 1, (50, 60), (0, 0))
    assert states == [before, lap, lap, (None, 0, (58, 61), (8, 1))]
    assert (game.round, game.starter, game.winners) == (2, 0, ())
    over = score_lap("", "1", "5")
    assert (over.seat, over.phase, over.legal_actions(), over.winners, over.ender) == (1, "over", [], (0,), 0)
    assert not over.mask().any()


@pytest.mark.parametrize("seat", [-1, 3, None, "0"])
def test_a_seat_without_a_board_is_named(seat: Any) -> None:
    with pytest.raises(SkyjoError, match=re.escape(f"seat={seat!r} must be a whole number from 0 to 2")):
        Game(Rules(players=3)).board(seat)


def test_the_table_as_text_shows_every_seat_and_what_is_open() -> None:
    text = f"rules players=8; totals 1 2 3 4 5 6 7 88; {'board 11 -2 . | ? ? ? | ? ? ? | ? ? ?; ' * 5}"
    shown = str(table(f"{text}{f'board {BOARD}; ' * 3}discard 7; seat 2 drawn 12"))
    assert re.findall(r"(>?)seat (\d)", "\n".join(shown.splitlines()[1:])) == [
        ("", "0"),
        ("", "1"),
        (">", "2"),
        *(("", str(seat)) for seat in range(3, 8)),
    ]
    assert [shown.count(word) for word in ("11", "-2", " .", "?", "total", "88")] == [5, 5, 5, 81, 8, 1]
    assert "seat 2: drawn 12 | discard 7, draw pile 57" in shown


ENDS = [
    (f"{board('1 2')}; {board('5')}; discard 3; scores 3 5; totals 3 5; seat 1 over", "over, won by seat 0 |"),
    (f"{board('1 4')}; {board('5')}; discard 3; scores 5 5; seat 1 over", "over, won by seat 0 and seat 1 |"),
    (
        f"rules max_turns=5; turns 5; board {BOARD}; board {BOARD}; discard 3; seat 0 truncated",
        "stopped after too many turns |",
    ),
    (f"{board('1 2')}; {board('?5')}; discard 3; ender 0; turns_left 1; seat 1 turn", "ended by seat 0, 1 left"),
    (f"{board('? 2')}; {board('?5')}; discard 3; seat 1 taken 7", "seat 1: taken 7 | discard 3, draw pile"),
    (f"{board('? 2')}; {board('?5')}; discard; seat 1 taken 7", "discard empty"),
]


@pytest.mark.parametrize(("text", "headline"), ENDS)
def test_the_headline_says_what_is_going_on(text: str, headline: str) -> None:
    shown = str(table(text))
    assert headline in shown.splitlines()[0]
    assert ("over" in headline or "stopped" in headline) == (">" not in shown)


def test_bounds_hold_for_enormous_totals() -> None:
    """An observation is 16 bits wide; totals beyond are shown as the greatest that fits."""
    game = table(f"episode round; totals 40000 -40000; board {BOARD}; board {BOARD}; discard 3; seat 0 turn")
    assert ObservationSpec(game.rules).view(game.observation()).totals.tolist() == [32767, -32767]


def test_an_observation_says_what_lies_on_the_table() -> None:
    """Each seat sees itself first and the others clockwise; a drawn card is seen by its holder alone (4.1)."""
    boards = f"board 1 2 ? | {REST}; board 9 . . | {GONE}; board -2 ? ? | {REST}"
    text = f"rules players=3; round 2; turns 8; starter 2; ender 1; turns_left 1; totals 4 5 6; {boards}"
    game = table(f"{text}; discard 3 3 7; seat 0 drawn 12")
    spec = ObservationSpec(game.rules)
    own, other = (spec.view(game.observation(seat)) for seat in (0, 2))
    names = (
        "phase",
        "decider",
        "hand",
        "discard_top",
        "discard_pile_size",
        "ender",
        "turns_left",
        "starter",
        "round",
        "turns",
    )
    assert [int(getattr(own, name)) for name in names] == [2, 0, 12, 7, 3, 1, 1, 2, 2, 8]
    assert [int(getattr(other, name)) for name in names] == [2, 1, HIDDEN, 7, 3, 2, 1, 0, 2, 8]
    assert other.cells[:, :2].tolist() == [[-2, HIDDEN], [1, 2], [9, EMPTY]]
    assert (other.hidden_left.tolist(), other.open_sums.tolist()) == ([11, 10, 0], [-2, 3, 9])
    assert other.totals.tolist() == [6, 4, 5]
    assert {card - 2: count for card, count in enumerate(own.discards.tolist()) if count} == {3: 2, 7: 1}
    assert (other.draw_pool - own.draw_pool).tolist() == [0] * 14 + [1]


def test_the_official_observation_is_laid_out_like_this() -> None:
    """Whoever has trained on these numbers relies on where they stand."""
    numbers = [(part.name, part.low, part.high) for part in ObservationSpec(OFFICIAL).slices if part.shape == ()]
    lists = [(part.name, part.shape, part.low, part.high) for part in ObservationSpec(OFFICIAL).slices[len(numbers) :]]
    assert numbers == [
        *(("phase", 0, 6), ("decider", 0, 1), ("hand", -2, 22), ("discard_top", -2, 22)),
        *(("draw_pile_size", 0, 150), ("discard_pile_size", 0, 150), ("ender", -1, 1), ("turns_left", 0, 1)),
        *(("starter", -1, 1), ("seat", 0, 1), ("round", 1, 1000), ("turns", 0, 1001), ("reshuffles", 0, 1001)),
    ]
    assert lists == [
        ("cells", (2, 12), -2, 22),
        *(("hidden_left", (2,), 0, 12), ("open_sums", (2,), -144, 144), ("totals", (2,), -32767, 32767)),
        *(("hidden_pool", (15,), 0, 150), ("draw_pool", (15,), 0, 150), ("discards", (15,), 0, 150)),
    ]


class WholeTurns(BaseWrapper):  # type: ignore[misc]
    """One step is one turn, whatever action is chosen: what max_cycles_test takes for granted."""

    metadata = {"is_parallelizable": True}  # noqa: RUF012 (PettingZoo's way)

    def step(self, action: int | None) -> None:
        agent, game = self.agent_selection, self.unwrapped.game
        if action is None:
            self.env.step(None)
            return
        turns = game.turns
        while game.turns == turns and not game.is_over:
            assert self.agent_selection == agent
            legal = game.legal_actions()
            self.env.step(legal[action % len(legal)])


def test_pettingzoos_max_cycles_test_counts_turns() -> None:
    def env(max_cycles: int) -> Any:
        rules = Rules(opening_flips=0, first_starter="seat_0", max_turns=2 * max_cycles)
        return WholeTurns(skyjo_v0.env(rules=rules))

    max_cycles_test(SimpleNamespace(env=env, parallel_env=lambda max_cycles: aec_to_parallel(env(max_cycles))))


def test_random_opponents_do_not_repeat_themselves_at_every_table() -> None:
    rules = Rules(first_starter="seat_0")
    env = SkyjoVectorEnv(50, rules, opponents=["random"], seat=1)
    observations, _ = env.reset(seed=0, options={"deal": 3})
    boards = ObservationSpec(rules).view(observations).cells[:, 1]
    assert len({int(np.flatnonzero(board != HIDDEN)[0]) for board in boards}) > 6


MARKS = {"?": HIDDEN, ".": EMPTY}


def first(pattern: str, text: str, otherwise: int = EMPTY) -> int:
    """The number that a pattern finds."""
    found = re.search(pattern, text)
    return int(found[1]) if found else otherwise


def counts(pattern: str, text: str, rules: Rules) -> list[int]:
    """How many there are of each value, in a line that begins like this."""
    line = re.search(f"^{pattern}: (.*)$", text, re.MULTILINE)
    assert line is not None
    found = {int(value): int(count) for value, count in re.findall(r"(-?\d+): (\d+)", line[1])}
    return [found.get(value, 0) for value in rules.values]


def observation_read(text: str, rules: Rules) -> Any:
    """What the text says, where an observation has it; what it does not say stays 0."""
    spec = ObservationSpec(rules)
    observation = np.zeros(spec.size, np.int16)
    view = spec.view(observation)
    phase = re.search(r"^phase: (\w+)", text, re.MULTILINE)
    assert phase is not None
    view.phase[...] = PHASES.index(phase[1])
    view.hand[...] = first(r"(-?\d+) in hand", text)
    view.discard_top[...] = first(r"discard (-?\d+)", text)
    view.draw_pile_size[...] = first(r"draw pile (\d+)", text)
    view.reshuffles[...] = "the next draw is one of" in text
    for cell, card in re.findall(r"(\d+) \[ *([^ \]]+)\]", text):
        view.cells[0, int(cell)] = MARKS[card] if card in MARKS else int(card)
    view.hidden_left[0] = (view.cells[0] == HIDDEN).sum()
    view.hidden_pool[...] = counts("not seen yet", text, rules)
    return observation


class Played:
    """What an agent decides from what it is shown, with the same random numbers whoever shows it."""

    def __init__(self, agent: ScriptedAgent, rules: Rules) -> None:
        self.agent, self.names, self.decided = agent, action_names(rules), list[str]()

    def decide(self, observation: Any, mask: Any) -> int:
        chance = np.array([len(self.decided) + 1], np.uint64)
        action = int(self.agent.act(observation[None], mask[None], chance)[0])
        self.decided.append(self.names[action])
        return action


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", ["threshold:t=2,columns=true", "threshold:t=5"])
def test_the_threshold_player_of_the_paper_needs_only_the_text(name: str, players: int) -> None:
    rules = OFFICIAL.replace(players=players)
    agent = make_agent(name, rules)
    assert isinstance(agent, ScriptedAgent)
    native, reader = Played(agent, rules), Played(agent, rules)
    options: dict[str, Any] = {"rules": rules, "opponents": "tempo"}
    env, words = SkyjoEnv(**options), SkyjoTextEnv(**options)
    for seed in range(8):
        observation, info = env.reset(seed=seed)
        text, _ = words.reset(seed=seed)
        result = text_result = (0.0, False, False)
        while not any(result[1:]):
            observation, *result, info = env.step(native.decide(observation, info["action_mask"]))  # type: ignore[assignment]
        while not any(text_result[1:]):
            legal = text.splitlines()[-1].removeprefix("legal actions: ").split(", ")
            mask = np.array([each in legal for each in reader.names], np.int8)
            text, *text_result, _ = words.step(reader.names[reader.decide(observation_read(text, rules), mask)])  # type: ignore[assignment]
        assert result == text_result
        assert native.decided == reader.decided
    assert len(native.decided) > 100
