"""Game and ObservationSpec: illegal input, copies, what is shown and what is not."""

import copy
import pickle
import random
import re
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_env import (
    EMPTY,
    HIDDEN,
    OFFICIAL,
    Game,
    IllegalActionError,
    ObservationSpec,
    Rules,
    SkyjoError,
    action_names,
    parse_action,
)
from tests.helpers import (
    BOARD,
    GONE,
    REST,
    SEEDED,
    board,
    lines,
    many_rules,
    play,
    play_at_random,
    random_game,
    score_lap,
    seeds,
    seen,
    table,
)

STOPPED = f"rules max_turns=5; turns 5; board {BOARD}; board {BOARD}; discard 3"
CHOICES = "players=3 clear=confirm flip_after_discard=none"
MOMENTS = {
    "opening": f"board 1 ? ? | {REST}; board {BOARD}; discard 3; seat 0 opening",
    "turn": f"rules clear=confirm; board 1 ? ? | {REST}; board {BOARD}; discard 3; seat 1 turn",
    "drawn": f"board 1 . ? | {REST}; board {BOARD}; discard 3; seat 0 drawn 4",
    "taken": f"rules {CHOICES}; board {BOARD}; board {BOARD}; board 1 . ? | {REST}; discard 3; seat 2 taken 4",
    "confirm": f"rules clear=confirm; board 9 9 9 | {REST}; board {BOARD}; discard 3; seat 0 confirm",
    "over": f"{board('1 2')}; {board('5')}; discard 3; seat 1 over",
    "truncated": f"{STOPPED}; seat 0 truncated",
}
NO_ACTIONS: list[Any] = [None, True, False, float("nan"), 1.0, "draw", "0", b"0", [0], (), {}, object, np.array([0])]
NO_ACTIONS += [np.True_, np.float64(0), 0j, -1, -(2**70), 99, 255, 256, 2**31, 2**63, 2**64, 2**70]
COPIES: dict[str, Callable[[Game], Game]] = {
    "copy": Game.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
}


def refusal(game: Game, action: Any) -> str:
    """The message for an illegal action, after which nothing is different."""
    before = (seen(game), game.record(), game.mask().tolist())
    with pytest.raises(IllegalActionError) as caught:
        game.apply(action)
    assert (seen(game), game.record(), game.mask().tolist()) == before
    return str(caught.value)


@pytest.mark.parametrize("phase", MOMENTS)
def test_whatever_is_no_legal_action_is_refused_with_what_is(phase: str) -> None:
    """Clause 9.4: numbers that are legal in another phase, numbers beyond all, and what is no number."""
    game = table(MOMENTS[phase])
    names = action_names(game.rules)
    illegal = sorted(set(range(game.rules.actions)) - set(game.legal_actions()))
    assert game.phase == phase
    for action in [*illegal, game.rules.actions, *NO_ACTIONS]:
        message = refusal(game, action)
        assert message.startswith(f"action {action!r}")
        if game.is_over:
            assert message.endswith(f"the game is {phase}; nothing to decide")
        else:
            legal = ", ".join(f"{number} ({names[number]})" for number in game.legal_actions())
            assert message.endswith(f" of seat {game.seat} is illegal in phase {phase}; legal: {legal}")


def test_an_illegal_action_is_named_where_it_has_a_name() -> None:
    game = table(MOMENTS["taken"])
    assert refusal(game, 0).startswith("action 0 (draw) of seat 2")
    assert refusal(game, 3).startswith("action 3 (place 1) of seat 2")
    assert refusal(game, 16).startswith("action 16 (flip 2) of seat 2")
    assert refusal(game, 26).startswith("action 26 (discard) of seat 2")
    assert refusal(game, 29).startswith("action 29 of seat 2")


@settings(SEEDED, max_examples=30)
@given(many_rules)
def test_every_action_is_found_by_its_name(rules: Rules) -> None:
    assert [parse_action(rules, name) for name in action_names(rules)] == list(range(rules.actions))


@pytest.mark.parametrize("name", ["", "place", "place 12", "flip -1", "Draw", "draw ", "discard", "clear", "0"])
def test_a_name_of_no_action_is_refused_with_the_names_there_are(name: str) -> None:
    there_are = "the actions are draw, take, place 0 to 11 and flip 0 to 11"
    with pytest.raises(SkyjoError, match=re.escape(f"unknown action {name!r}: {there_are}")):
        parse_action(OFFICIAL, name)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64, np.array])
def test_whole_numbers_of_numpy_are_actions(kind: Callable[[int], Any]) -> None:
    game, twin = Game(seed=3), Game(seed=3)
    for action in (17, 14, 20, 25):
        game.apply(kind(action))
        twin.apply(action)
    assert (game.position(), game.record()) == (twin.position(), twin.record())
    assert [type(action) for action in game.record()["actions"]] == [int] * 4


@settings(SEEDED, max_examples=60)
@given(many_rules, seeds, st.integers(0, 80), st.sampled_from(sorted(COPIES)))
def test_a_copy_plays_on_alone_and_alike(rules: Rules, seed: int, before: int, kind: str) -> None:
    game = random_game(rules, seed, before)
    start, record = seen(game), game.record()
    twin = COPIES[kind](game)
    assert (seen(twin), twin.record(), twin.rules) == (start, record, rules)
    made = play_at_random(twin, random.Random(seed), 40)
    assert (seen(game), game.record()) == (start, record)
    for action in made:
        game.apply(action)
    assert (seen(game), game.record(), game.winners) == (seen(twin), twin.record(), twin.winners)


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_keeps_where_the_game_started(kind: str) -> None:
    game = play(table(MOMENTS["turn"]), "draw")
    assert COPIES[kind](game).record() == game.record()
    assert game.record()["start"] == table(MOMENTS["turn"]).position()


def test_playing_on_a_shallow_copy_leaves_the_game_alone() -> None:
    game = Game(seed=1)
    before = seen(game)
    play_at_random(copy.copy(game), random.Random(1), 5)
    assert seen(game) == before


def test_what_a_game_hands_out_is_not_the_game() -> None:
    game = table(MOMENTS["drawn"])
    before = seen(game)
    for array in (game.mask(), game.observation(), game.observation(1), game.board(0)):
        array[...] = 1
    assert seen(game) == before
    assert game.mask().tolist() != [1] * 26


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


def test_the_cards_depend_on_rules_seed_and_deal_alone() -> None:
    """Clause 10.3."""
    assert Game(seed=5, deal=6).position() == Game(OFFICIAL, np.uint64(5), np.int8(6)).position()  # type: ignore[arg-type]
    chosen = [(5, 6), (6, 5), (5, 7), (4, 6), (0, 0), (2**64 - 1, 2**64 - 1), (2**64 - 1, 0), (0, 2**64 - 1)]
    assert len({str(lines(Game(seed=seed, deal=deal), "board")) for seed, deal in chosen}) == len(chosen)
    assert [(game.seed, game.deal) for game in (Game(seed=5, deal=6), Game())] == [(5, 6), (0, 0)]


NO_RULES: list[Any] = [None, 3, {}]
NO_SEEDS: list[Any] = [-1, 2**64, 1.0, "1", None, True]
NO_EPISODES: list[Any] = ["", "match", None, 1, []]
WRONG_ARGUMENTS = [
    *(({"rules": rules}, "rules must be skyjo_env.Rules") for rules in NO_RULES),
    *(({"seed": seed}, f"seed={seed!r} must be a whole number") for seed in NO_SEEDS),
    *(({"deal": deal}, f"deal={deal!r} must be a whole number") for deal in NO_SEEDS),
    *(({"episode": word}, f"episode={word!r} is not one of 'round', 'game'") for word in NO_EPISODES),
]


@pytest.mark.parametrize(("arguments", "reason"), WRONG_ARGUMENTS)
def test_wrong_arguments_are_named(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(SkyjoError, match=re.escape(reason)):
        Game(**arguments)


@pytest.mark.parametrize("seat", [-1, 3, 2**70, None, "0", 1.0, True, [0]])
def test_a_seat_that_does_not_exist_is_named(seat: Any) -> None:
    game = Game(Rules(players=3))
    reason = re.escape(f"seat={seat!r} must be a whole number from 0 to 2")
    with pytest.raises(SkyjoError, match=reason):
        game.board(seat)
    if seat is not None:
        with pytest.raises(SkyjoError, match=reason):
            game.observation(seat)


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


@settings(SEEDED, max_examples=60)
@given(many_rules, seeds, st.integers(0, 80), seeds)
def test_the_table_as_text_shows_nothing_hidden(rules: Rules, seed: int, decisions: int, other_key: int) -> None:
    """The same moment with other hidden cards and another draw pile looks the same."""
    game = random_game(rules, seed, decisions)
    if game.is_over:
        return
    veiled = re.sub(r"\?-?\d+", "?", re.sub(r"(?m)^draw .*", f"draw {'| ' * open_parts(rules)}...", game.position()))
    other = Game.from_position(re.sub(r"(?m)^chance .*", f"chance {other_key:x} 0", veiled))
    shown = re.sub(r"last move: .*\n", "", str(game))  # a position does not tell who decided last
    if rules.cleared_cards == "to_discard" and not rules.draw_streams:
        assert str(other) == shown
    else:  # cards out of play come back to the draw pile, and parts are divided anew: its size is the only difference
        assert re.sub(r"draw pile \d+", "", str(other)) == re.sub(r"draw pile \d+", "", shown)


def open_parts(rules: Rules) -> int:
    return rules.players - 1 if rules.draw_streams else 0


ENDS = [
    (f"{board('1 2')}; {board('5')}; discard 3; scores 3 5; totals 3 5; seat 1 over", "over, won by seat 0 |"),
    (f"{board('1 4')}; {board('5')}; discard 3; scores 5 5; seat 1 over", "over, won by seat 0 and seat 1 |"),
    (MOMENTS["truncated"], "stopped after too many turns |"),
    (f"{board('1 2')}; {board('?5')}; discard 3; ender 0; turns_left 1; seat 1 turn", "ended by seat 0, 1 left"),
    (f"{board('? 2')}; {board('?5')}; discard 3; seat 1 taken 7", "seat 1: taken 7 | discard 3, draw pile"),
    (f"{board('? 2')}; {board('?5')}; discard; seat 1 taken 7", "discard empty"),
]


@pytest.mark.parametrize(("text", "headline"), ENDS)
def test_the_headline_says_what_is_going_on(text: str, headline: str) -> None:
    shown = str(table(text))
    assert headline in shown.splitlines()[0]
    assert ("over" in headline or "stopped" in headline) == (">" not in shown)


def test_the_short_form_names_seed_deal_round_seat_and_phase() -> None:
    assert repr(Game(seed=5, deal=6)) == "<Game seed=5 deal=6 round=1 seat=0 phase=opening>"


@settings(SEEDED, max_examples=15)
@given(many_rules, seeds)
def test_every_observation_keeps_its_bounds_and_its_observer(rules: Rules, seed: int) -> None:
    spec = ObservationSpec(rules)
    game, chance = Game(rules, seed=seed), random.Random(seed)
    for _ in range(80):
        for seat in range(rules.players):
            observation = game.observation(seat)
            assert ((spec.low <= observation) & (observation <= spec.high)).all()
            assert int(spec.view(observation).seat) == seat
        assert game.observation().tolist() == game.observation(game.seat).tolist()
        play_at_random(game, chance, 1)


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


@settings(SEEDED, max_examples=60)
@given(many_rules)
def test_slices_tile_the_observation(rules: Rules) -> None:
    spec = ObservationSpec(rules)
    assert spec.rules == rules
    assert [part.start for part in spec.slices] == [0, *(part.stop for part in spec.slices[:-1])]
    assert all(part.stop - part.start == prod(part.shape) for part in spec.slices)
    assert spec.slices[-1].stop == spec.size == len(Game(rules).observation()) == len(spec.low) == len(spec.high)
    for part in spec.slices:
        assert (spec.low[part.start : part.stop] == part.low).all()
        assert (spec.high[part.start : part.stop] == part.high).all()


@pytest.mark.parametrize("batch", [(), (5,), (2, 3), (0,)])
def test_a_view_shares_memory_and_keeps_the_axes_of_a_batch(batch: tuple[int, ...]) -> None:
    spec = ObservationSpec(OFFICIAL)
    observations = np.arange(prod(batch) * spec.size).reshape(*batch, spec.size)
    view = spec.view(observations)
    assert set(vars(view)) == {part.name for part in spec.slices}
    for part in spec.slices:
        named = getattr(view, part.name)
        flat = observations[..., part.start : part.stop]
        assert (named.shape, named.ravel().tolist()) == (batch + part.shape, flat.ravel().tolist())
        assert np.shares_memory(named, observations) == (prod(batch) > 0)


@pytest.mark.parametrize("shape", [(), (87,), (89,), (88, 2)])
def test_a_view_needs_a_whole_observation(shape: tuple[int, ...]) -> None:
    with pytest.raises(SkyjoError, match=re.escape(f"88 entries, not shape {shape}")):
        ObservationSpec(OFFICIAL).view(np.zeros(shape, np.int16))


@settings(SEEDED, max_examples=20)
@given(many_rules)
def test_the_description_lists_every_slice(rules: Rules) -> None:
    spec = ObservationSpec(rules)
    header, rule, *rows = [[cell.strip() for cell in row[2:-2].split(" | ")] for row in spec.describe().splitlines()]
    assert (header, set(rule)) == (["name", "start", "shape", "low", "high", "meaning"], {"---"})
    assert rows == [
        [
            part.name,
            str(part.start),
            " × ".join(map(str, part.shape)) or "1",
            str(part.low),
            str(part.high),
            part.meaning,
        ]
        for part in spec.slices
    ]
    assert len({part.name for part in spec.slices}) == len(rows)
    assert len({len(row) for row in spec.describe().splitlines()}) == 1


def test_the_last_move_is_remembered_across_seats_and_copies() -> None:
    game = Game(seed=3)
    assert game.last_move is None
    seat, action = game.seat, game.legal_actions()[0]
    game.apply(action)
    assert game.last_move == game.copy().last_move == (seat, action)
    assert Game.from_position(game.position()).last_move is None
