"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Here are the two records, a game and its rules. Read `cardtable.table.kernel.chance` (random numbers) first, then
`cards` (piles, hands, dealing, drawing and counting), and `play` (legal actions, their effects, beginnings and ends of
rounds). Then come `unseen` (cards that a seat does not see, and those that a decision may reveal) and `view` (a seat's
observation, and a guess at the table from it). Last, `measures` has rewards, luck and statistics. Rules cite
docs/rules/skipbo.md.

A card is its rank, and WILD for a wild card. Pools count cards at index card − 1. The functions keep to records,
scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of

kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do
single_kernel = compiler_of(__file__, whole=True)  # what Python calls for a single table

MAX_PLAYERS = 6
PLACES = 4  # building places, and discard piles of a seat
HAND = 5  # cards of a full hand
RANKS = 12
WILD = 13
CARDS = 13  # different cards
COPIES, WILDS = 12, 18  # of each rank, and of the wild card
DECK = RANKS * COPIES + WILDS
MAX_STOCK = 135  # cards in all stock piles together
CERTAIN = 32767  # a chance of 1 (8.5)

NONE = 0  # where no card is
UNSEEN = 14  # shown where a card lies that the seat does not see (8.2)
NOBODY = -1  # no seat

PHASES = ("turn", "over", "truncated")  # index = code (7.3)
TURN, OVER, TRUNCATED = range(3)
ENDINGS = (None, "won", "blocked", "no_cards", "stopped")  # of a round; index = code
UNENDED, WON, BLOCKED, NO_CARDS, STOPPED = range(5)

# The widest numbers come first and nothing is left between them: every number lies where the processor reads it in one
# go, and equal games are equal byte by byte. Numbers that are handed to functions are 64 bits wide, so that numba
# compiles every function once.
GAME_DTYPE = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),  # of this game, from seed and deal (9.3)
            ("chance", "u8"),  # state of the generator (9.1)
            ("phase", "i8"),
            ("seat", "i8"),  # who decides; after the end, who decided last
            ("starter", "i2"),  # of this round
            ("episode", "i2"),
            ("round_number", "i2"),  # numpy records have a method called round
            ("turns", "i2"),  # completed in this round
            ("recycles", "i2"),  # in this round
            ("draw_left", "i2"),  # cards in the draw pile
            ("laid", "i2"),  # cards on all discard piles
            ("older_held", "i2"),  # older cards that the hands held at the last recycling (8.6)
            ("last_seat", "i2"),  # who decided last, and what; NOBODY before the first decision
            ("last_action", "i2"),
            ("wilds_discarded", "i2", MAX_PLAYERS),  # in this round, by seat
            ("completed_piles", "i2", MAX_PLAYERS),  # in this round, by the seat that played the 12
            ("totals", "i2", MAX_PLAYERS),
            ("round_scores", "i2", MAX_PLAYERS),  # of the last round that ended
            ("heights", "i2", PLACES),  # last rank of every building pile, 0 for an empty place
            ("wild_ranks", "i2", PLACES),  # of every building pile: bit rank − 1 is set where a wild card lies
            ("older_odds", "i2", (MAX_PLAYERS, HAND)),  # the chances c(1) to c(5) (8.5)
            ("hands", "i1", (MAX_PLAYERS, HAND)),  # in the order in which they were drawn
            ("ending", "i1"),  # how the last round ended
            ("is_still", "i1"),  # nothing has been drawn or played so far in this turn
            ("still_turns", "i1"),  # so many turns in a row have been still (5.2)
            ("hand_size", "i1", MAX_PLAYERS),
            ("stock_left", "i1", MAX_PLAYERS),
            ("sizes", "u1", (MAX_PLAYERS, PLACES)),  # cards on every discard pile
            ("starts", "u1", MAX_PLAYERS),  # where the discard piles of a seat begin in `piles`
            ("completed", "i1", CARDS),  # completed cards, counted
            ("older", "i1", CARDS),  # cards that were never shown, counted (8.4)
            ("newer", "i1", CARDS),  # the known cards of the last recycling that were not shown since
            ("doubtful", "i1", CARDS),  # shown cards that are in one of the two counts; which one is unknown
            # The stock piles one after the other, each with room for as many cards as were dealt, bottom card first.
            ("stocks", "i1", MAX_STOCK),
            # From the front the discard piles, those of seat 0 first, bottom card first; up to the end the draw pile.
            ("piles", "i1", DECK),
        ],
    )
)

# Kinds of events, in the order of their classes in `skipbo_env.events`.
CARD_PLAYED, STOCK_CARD_TURNED_UP, PILE_COMPLETED, PILE_RECYCLED, CARDS_DRAWN, CARD_DISCARDED = range(6)
TURN_PASSED, TURN_BEGAN, ROUND_SCORED, ROUND_STOPPED, ROUND_DEALT, GAME_OVER = range(6, 12)

# Codes of the rules' options: index in this tuple = code in the record, the official default first.
OPTIONS: dict[str, tuple[str, ...]] = {
    "first_starter": ("seat_0", "random"),
    "next_starter": ("rotate", "winner", "loser"),
    "refill": ("at_once", "never"),
    "recycle": ("when_needed", "when_empty", "on_completion"),
    "recycled_wild": ("wild", "as_played"),
    "no_cards": ("play_on", "nobody_wins"),
    "blocked": ("draw", "fewest_stock", "recycle_discards"),
    "view": ("table", "tops", "own"),
    "symmetric": ("all", "lowest"),
}
STARTER_SEAT_0, STARTER_RANDOM = range(2)
NEXT_ROTATE, NEXT_WINNER, NEXT_LOSER = range(3)
REFILL_AT_ONCE, REFILL_NEVER = range(2)
RECYCLE_WHEN_NEEDED, RECYCLE_WHEN_EMPTY, RECYCLE_ON_COMPLETION = range(3)
RECYCLED_WILD, RECYCLED_AS_PLAYED = range(2)
NO_CARDS_PLAY_ON, NO_CARDS_NOBODY_WINS = range(2)
BLOCKED_DRAW, BLOCKED_MIN_STOCK, BLOCKED_RECYCLE_DISCARDS = range(3)
VIEW_TABLE, VIEW_TOPS, VIEW_OWN = range(3)
SYMMETRIC_ALL, SYMMETRIC_LOWEST = range(2)

RULES_DTYPE = np.dtype(
    (
        np.record,
        [
            *((name, "i8") for name in ("players", "stock")),
            *(("visible" if name == "view" else name, "i8") for name in OPTIONS),  # numpy records have a method view
            *((name, "i8") for name in ("compulsory", "discard_wild")),
            *((name, "i8") for name in ("target_score", "max_turns", "max_rounds")),
            ("actions", "i8"),
            ("discard_room", "i8"),  # cards on all discard piles: every seat has a stock card while somebody decides
        ],
    ),
    align=True,
)

# The action numbers (7.1): the first of each group.
PLAY_STOCK, PLAY_HAND, PLAY_DISCARD, DISCARD, PASS = 0, 4, 56, 72, 124
ACTIONS = 125
