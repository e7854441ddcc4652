"""SKYJO: the game, declared once for everything that plays, stores, measures, shows and learns it."""

from cardtable.table.game.card_game import CardGame, Fact, Luck
from cardtable.table.kernel.game_kernel import GameKernel
from cardtable.table.kernel.scoring import POINTS, SHAPINGS
from skyjo_env.events import Event
from skyjo_env.kernel.cards import deal_round, new_game
from skyjo_env.kernel.chance import ROOM_DTYPE, WEIGHTS, act_with, note_luck
from skyjo_env.kernel.play import act, end_round, expected_margin, is_legal, note_facts
from skyjo_env.kernel.state import FIRST_PLACE, GAME_DTYPE, GAME_OVER, HIGHEST, LOWEST, PHASES
from skyjo_env.kernel.view import sample, write_mask, write_view
from skyjo_env.observation import spec_of
from skyjo_env.position import CHECKS, format_position, parse_position
from skyjo_env.rules import Rules, action_names

LUCK = Luck(
    terms=("turned_up", "drew", "given"),
    weights=WEIGHTS,
    explained="Every card drawn or turned up is compared with the mean of all cards it could have been.",
    room=ROOM_DTYPE,
)


def facts(rules: Rules) -> tuple[Fact, ...]:
    """The cells that were cleared: whole columns, unless rows are cleared too."""
    if rules.row_clear:
        explained = "A column or row of equal cards is cleared, and then scores nothing."
        return (Fact("cleared", "cells cleared", "cells cleared", 1.0, explained),)
    explained = "A column of equal cards is cleared, and then scores nothing."
    return (Fact("cleared", "cells cleared", "columns cleared", 1 / rules.rows, explained),)


def illegal_penalty(rules: Rules, reward: str) -> float:
    """The reward for an illegal action: a lower bound of what any round can bring."""
    if reward == "win":
        return -1.0
    best, worst = score_bounds(rules)
    return -worst / POINTS if reward == "score" else (best - worst) / POINTS


def score_bounds(rules: Rules) -> tuple[int, int]:
    """The lowest and the highest score that a board can bring, a penalty included."""
    lowest, highest = rules.values[0], rules.values[-1]
    factor = 1 if rules.ender_penalty_mode == "off" else rules.penalty_factor
    best = rules.cells * min(lowest, 0) * (factor if rules.penalty_on_negative else 1)
    return best, rules.cells * max(highest, 0) * factor


def stops_too_soon(rules: Rules) -> bool:
    """May a round be stopped before every seat has decided? Those that open their boards have decided before."""
    return rules.max_turns < rules.players and (rules.initial_flip == "random" or rules.opening_flips == 0)


SKYJO = CardGame(
    rules_type=Rules,
    table="skyjo_env.game:Game",
    batch="skyjo_env.game:GameBatch",
    dtype=GAME_DTYPE,
    kernel=GameKernel(
        deal_round=deal_round,
        new_game=new_game,
        is_legal=is_legal,
        act=act,
        score_round=end_round,
        game_over=GAME_OVER,
        write_mask=write_mask,
        write_view=write_view,
        sample=sample,
        potential=expected_margin,
        act_with=act_with,
        note_luck=note_luck,
        first_compared=FIRST_PLACE,
        note_facts=note_facts,
    ),
    phases=PHASES,
    spec_of=spec_of,
    named_actions=action_names,
    example="seat 0: draw, place 3",
    begins_turn=lambda game: bool(game.phase == "turn"),
    text="skyjo_env.text:format_table",
    seat_text="skyjo_env.text:seat_text",
    scene="skyjo_env.pictures:table_scene",
    agents="skyjo_agents:AGENTS",
    policies="skyjo_agents.network_shapes:SKYJO_POLICIES",
    learning="skyjo_env.learning:SKYJO_LEARNED",
    luck_by={"network": "skyjo_agents.network_luck:network_luck"},
    yardstick="threshold:t=2,columns=true",  # the best player of Reichel (2026)
    facts=facts,
    penalty=illegal_penalty,
    shapings=SHAPINGS,
    stops_too_soon=stops_too_soon,
    luck=LUCK,
    format_position=format_position,
    parse_position=parse_position,
    checks=CHECKS,
    cards=range(LOWEST, HIGHEST + 1),
    event_type=Event,
)
