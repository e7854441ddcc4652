"""SKIPBO: the game, declared once for everything that plays, stores, measures, shows and learns it."""

from cardtable.table.game.card_game import CardGame, Fact, Luck
from cardtable.table.kernel.game_kernel import GameKernel
from skipbo_env.events import Event
from skipbo_env.kernel import GAME_DTYPE, PHASES
from skipbo_env.kernel.measures import (
    REWARDS,
    ROOM_DTYPE,
    SHAPINGS,
    WEIGHTS,
    note_facts,
    note_luck,
    potential,
    reward_of,
)
from skipbo_env.kernel.play import CARD_POINTS, WIN_POINTS, act, go_on, is_legal, new_game, score_round
from skipbo_env.kernel.unseen import act_with, next_card
from skipbo_env.kernel.view import sample, write_mask, write_view
from skipbo_env.observation import spec_of
from skipbo_env.position import CHECKS, format_position, parse_position
from skipbo_env.rules import Rules, action_names, actions_in_words, card_array

LUCK = Luck(
    terms=("turned_up", "drew", "wilds"),
    weights=WEIGHTS,
    explained=(
        "Every stock card turned up and every card drawn is compared with the mean of all cards it could have been: "
        "how soon it can be played, and whether it is a wild card."
    ),
    room=ROOM_DTYPE,
)
FACTS = (  # in the order of the kernel's `note_facts`
    Fact("completed", "piles", "piles completed", 1.0, "Whoever plays its 12 completes a pile."),
    Fact("wilds", "wilds laid", "wild cards discarded", 1.0, "A discarded wild card stays wild."),
    Fact("stock_left", "stock left", "stock cards left", 1.0, "The stock cards are those left at the end."),
    Fact("turns_taken", "own turns", "turns taken", 1.0, "Turns of this player, including the last one."),
    Fact("blocked", "blocked", "blocked", 1.0, "A round is blocked when nobody can ever move again.", True),
)


def illegal_penalty(rules: Rules, reward: str) -> float:
    """The reward for an illegal action: at most -1, and a lower bound of what any episode can bring."""
    if reward != "margin":
        return -1.0
    most = WIN_POINTS + CARD_POINTS * rules.stock_size * (rules.players - 1)  # in the round that ends a game
    return -(rules.target_score + most) / rules.target_score


SKIPBO = CardGame(
    title="Skip-Bo",
    rules_type=Rules,
    table="skipbo_env.game:Game",
    batch="skipbo_env.game:GameBatch",
    dtype=GAME_DTYPE,
    kernel=GameKernel(
        new_game=new_game,
        is_legal=is_legal,
        act=act,
        score_round=score_round,
        go_on=go_on,
        write_mask=write_mask,
        write_view=write_view,
        reward_of=reward_of,
        sample=sample,
        potential=potential,
        act_with=act_with,
        note_luck=note_luck,
        note_facts=note_facts,
    ),
    phases=PHASES,
    spec_of=spec_of,
    named_actions=action_names,
    actions_in_words=actions_in_words,
    example="seat 0: stock to 1, discard 3 on 0",
    begins_turn=lambda game: bool(game.has_scored),
    text="skipbo_env.text:format_table",
    seat_text="skipbo_env.text:seat_text",
    scene="skipbo_env.pictures:table_scene",
    agents="skipbo_agents:AGENTS",
    policies="skipbo_agents.skipbo_policies:SKIPBO_POLICIES",
    learning="skipbo_env.learning:SKIPBO_LEARNED",
    yardstick="greedy:pile=smallest",  # the simplest player that uses all four discard piles
    lower_is_better=False,
    facts=lambda _: FACTS,
    rewards=REWARDS,
    penalty=illegal_penalty,
    shapings=SHAPINGS,
    stops_too_soon=lambda rules: rules.max_turns < rules.players,
    luck=LUCK,
    format_position=format_position,
    parse_position=parse_position,
    checks=CHECKS,
    card_array=card_array,
    next_card=next_card,
    event_type=Event,
)
