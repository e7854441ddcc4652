"""SKYJO_ACTION: the game, declared once for everything that plays, stores, measures, shows and learns it."""

from cardtable.table.game.card_game import CardGame, Fact
from cardtable.table.kernel.scoring import POINTS, SHAPINGS
from skyjo_action_env.events import Event
from skyjo_action_env.kernel.play import SKYJO_ACTION_KERNEL
from skyjo_action_env.kernel.rounds import HELD_POINTS
from skyjo_action_env.kernel.state import ACTION_DECK, CELLS, FIRST_KIND, GAME_DTYPE, HIGHEST, KINDS, LOWEST, PHASES
from skyjo_action_env.kernel.view import MOST_BONUS
from skyjo_action_env.observation import spec_of
from skyjo_action_env.outcomes import card_array
from skyjo_action_env.position import format_position, parse_position
from skyjo_action_env.rules import Rules, action_names, actions_in_words
from skyjo_action_env.valid_tables import CHECKS

FACTS = (  # in the order of the kernel's `note_facts`
    Fact("cleared", "cells cleared", "cells cleared", 1.0, "Cells of complete columns and rows are cleared."),
    Fact("plays", "cards played", "action cards played", 1.0, "Action cards that the seat held and played."),
    Fact("earned", "cards earned", "action cards earned by stars", 1.0, "A star earns an action card."),
    Fact("kept", "cards kept", "action cards kept", 1.0, "Each one held at the end costs 10 points."),
)
WORST_SCORE = 2 * (HIGHEST * CELLS + HELD_POINTS * ACTION_DECK)  # doubled, with all action cards
BEST_SCORE = LOWEST * CELLS - MOST_BONUS


def illegal_penalty(rules: Rules, reward: str) -> float:
    """The reward for an illegal action: a lower bound of what any round can bring."""
    del rules
    if reward == "win":
        return -1.0
    return -WORST_SCORE / POINTS if reward == "score" else (BEST_SCORE - WORST_SCORE) / POINTS


SKYJO_ACTION = CardGame(
    rules_type=Rules,
    table="skyjo_action_env.game:Game",
    batch="skyjo_action_env.game:GameBatch",
    dtype=GAME_DTYPE,
    kernel=SKYJO_ACTION_KERNEL,
    phases=PHASES,
    spec_of=spec_of,
    named_actions=action_names,
    actions_in_words=actions_in_words,
    example="seat 0: draw, place 3",
    begins_turn=lambda game: bool(game.phase == "turn"),
    text="skyjo_action_env.text:format_table",
    seat_text="skyjo_action_env.text:seat_text",
    scene="skyjo_action_env.pictures:table_scene",
    agents="skyjo_action_agents:AGENTS",
    policies="skyjo_action_agents.skyjo_action_policies:SKYJO_ACTION_POLICIES",
    learning="skyjo_action_env.learning:SKYJO_ACTION_LEARNED",
    yardstick="greedy",
    facts=lambda _: FACTS,
    penalty=illegal_penalty,
    shapings=SHAPINGS,
    card_array=card_array,
    cards=range(LOWEST, FIRST_KIND + len(KINDS)),
    event_type=Event,
    format_position=format_position,
    parse_position=parse_position,
    checks=CHECKS,
)
