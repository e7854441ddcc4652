"""GOLF: six-card Golf, declared for everything that plays, stores, measures and shows it; and its environments."""

from dataclasses import dataclass
from typing import ClassVar

from cardtable.table.envs.environments import environments
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.slices import Cards, Numbers, TableView, codes, others, seen
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel.game_kernel import GameKernel
from cardtable.table.kernel.views import SeatOf, observer_seat
from golf_env import kernel as k

NAMES = ("draw", "take", "discard", *(f"place {cell}" for cell in range(k.CELLS)))


@dataclass(frozen=True)
class GolfRules(TableRules):
    """Numbers of players and rounds, and the number of turns after which a round is stopped."""

    game: ClassVar[str] = "golf"
    ranges: ClassVar = {"players": (2, 6), "max_rounds": (1, 100), "max_turns": (1, 10_000)}

    players: int = 2
    max_rounds: int = 9
    max_turns: int = 1000
    actions: ClassVar[int] = len(NAMES)


class View(TableView):
    """All that a seat sees."""

    phase: Numbers = seen("choice", 0, k.TRUNCATED, codes(k.PHASES))
    seat: Numbers = seen("choice", 0, others, "the observer", source=observer_seat)
    decider: Numbers = seen("choice", 0, others, "who decides, in places clockwise", source=SeatOf("seat"))
    round: Numbers = seen("number", 1, "max_rounds", "number of the round", source="round_number")
    turns: Numbers = seen("number", 0, lambda rules: rules.max_turns + rules.players, "turns completed in this round")
    turns_left: Numbers = seen("number", 0, others, "turns left once a layout is turned up")
    hand: Numbers = seen("card", 0, k.RANKS, "the card in hand, or 0")
    discard_top: Numbers = seen("card", 0, k.RANKS, "the top of the discard pile, or 0", source=k.discard_top)
    pile_size: Numbers = seen("number", 0, k.SIZE, "cards in the draw pile", source="pile_left")
    unseen: Numbers = seen("number", 0, k.SUITS, "cards of each rank that nobody has seen", k.RANKS + 1)
    shown: Numbers = seen("card", 0, k.RANKS, "all layouts, the observer's first; 0 is hidden", "players", k.CELLS)
    totals: Numbers = seen("number", -1000, 10_000, "points of the rounds before", "players")


GOLF = CardGame(
    rules_type=GolfRules,
    dtype=k.GOLF_DTYPE,
    kernel=GameKernel(k.is_legal, k.act, k.score_round, deal_round=k.deal_round),
    view=View,
    shown=Cards(tuple(range(k.RANKS + 1)), "none or hidden, then ace to king"),
    named_actions=lambda _: NAMES,
    phases=k.PHASES,
    agents="golf_env.players:AGENTS",
    reference_agent="greedy",
)

RawEnv, Env, ParallelEnv, GolfEnv, GolfTextEnv, GolfVectorEnv = environments(GOLF, __name__)
