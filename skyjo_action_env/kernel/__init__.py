"""The compiled core: one game is one numpy record, and every function takes a record and plain numbers.

Here are the two records, a game and its rules. Then read in this order: `cards` (places of cards), `rounds` (dealing,
clearing lines, scoring), `view` (a seat's observation), `action_cards` (legal actions and the effects of action cards)
and `play` (the effects of actions). Rules cite docs/rules/skyjo_action.md.

A playing card is its value, or STAR. Pools count cards at index card − LOWEST. An action card is its kind. The
functions keep to records, scalars and fixed arrays; run with NUMBA_DISABLE_JIT=1 they are plain Python.
"""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of

kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do

MAX_PLAYERS = 8
ROWS, COLUMNS, CELLS = 3, 4, 12
LINES = COLUMNS + ROWS  # of a layout: its columns, then its rows (1.5)
ALL_LINES = (1 << LINES) - 1

LOWEST, HIGHEST, STAR = -2, 12, 13
CARDS = 16  # different playing cards
COUNTS = (3, 7, 11, *[7] * 12, 15)  # of each in the deck, lowest first (1.1)
DECK = 120
HIDDEN = 14  # shown where a card lies face down
EMPTY = 15  # shown where no card is
BURIED = 32  # added in `piles` to a discarded card that no seat has seen (8.2)

KINDS = ("double", "swap", "three", "defence", "look", "exchange", "remove", "replay", "steal")  # index = code (1.2)
DOUBLE, SWAP, THREE, DEFENCE, LOOK, EXCHANGE, REMOVE, REPLAY, STEAL = range(9)
NO_KIND = -1  # where no action card is
COPIES = 3  # of each kind
CERTAIN_KINDS = 6  # without remove, replay and steal (1.4)
ACTION_DECK = COPIES * len(KINDS)
PLACES = 4  # of open action cards
FIRST_KIND = 16  # added to a kind where playing cards and action cards are given or told
CODES = FIRST_KIND - LOWEST + len(KINDS)  # of these, from LOWEST on
MAX_GIVEN = 100  # cards that a decision can bring to light
UNWATCHED, WATCHING, TOLD, REFUSED = range(4)
HAND = 3  # drawn cards at most
NOBODY = -1  # no seat, cell or line

PHASES = (
    *("opening", "turn", "drawn", "taken", "claim", "line", "swap", "swap with"),
    *("three", "three place", "three top", "three flip", "look", "exchange", "exchange with"),
    *("remove", "replay", "steal", "steal card", "defence", "over", "truncated"),
)  # index = code (10.5)
OPENING, TURN, DRAWN, TAKEN, CLAIM, LINE, SWAP_FIRST, SWAP_WITH = range(8)
THREE_CARD, THREE_PLACE, THREE_TOP, THREE_FLIP, LOOK_AT, EXCHANGE_FIRST, EXCHANGE_WITH = range(8, 15)
REMOVE_CARD, REPLAY_KIND, STEAL_FROM, STEAL_KIND, DEFEND_ASKED, OVER, TRUNCATED = range(15, 22)

# Numbers that are handed to functions are 64 bits wide, so that numba compiles every function once. What is copied to
# an observation is as wide as that, 16 bits. The widest come first and nothing is left between them: equal games are
# equal byte by byte.
GAME_DTYPE = np.dtype(
    (
        np.record,
        [
            ("key", "u8"),  # of this game, from seed and deal (11.1)
            ("chance", "u8"),  # state of the generator
            ("phase", "i8"),
            ("seat", "i8"),  # who decides; after the end, who decided last
            ("mover", "i8"),  # whose turn it is, or NOBODY in the opening
            ("ender", "i8"),  # of this round, or NOBODY
            ("starter", "i8"),  # of this round, or NOBODY while the opening decides
            ("episode", "i8"),
            ("totals", "i4", MAX_PLAYERS),
            ("turns", "i2"),  # completed in this round
            ("turns_left", "i2"),  # of the others after the round was ended, the current one included; else 0
            ("extra_turns", "i2"),  # that follow the current turn (7.1)
            ("pile_left", "i2"),  # cards in the draw pile
            ("discard_size", "i2"),
            ("buried", "i2"),  # discarded cards that nobody has seen (8.2)
            ("reshuffles", "i2"),  # of playing cards in this round
            ("round_number", "i2"),  # numpy records have a method called round
            ("last_seat", "i2"),  # who decided last, and what; NOBODY before the first decision
            ("last_action", "i2"),
            ("played", "i2"),  # the action card that is being carried out, or NO_KIND
            ("attacked", "i2"),  # the seat that it attacks, or NOBODY
            ("line", "i2"),  # about which its owner is asked, or NOBODY
            ("accepted", "i2"),  # lines that the seat wants to clear in this pass (6.7), as bits
            ("is_reveal", "i2"),  # all cards have been turned up at the end of the round (9.3)
            ("action_pile_left", "i2"),
            ("action_discard_size", "i2"),
            ("chosen", "i2"),  # the first cell of a swap or an exchange, by seat and cell, or NOBODY
            ("chosen_with", "i2"),  # the second while a defence is asked about
            ("picked", "i2"),  # of three drawn cards the one that is laid, NO_CARD for none, NOBODY before that
            ("hand", "i2", HAND),  # the card drawn or taken, or three drawn ones; EMPTY where none is
            ("open_actions", "i2", PLACES),
            ("fresh", "i2", len(KINDS)),  # what the mover cannot play in an extra turn (4.4), by kind
            ("hidden_left", "i2", MAX_PLAYERS),  # hidden cards of each layout
            ("open_sum", "i2", MAX_PLAYERS),  # points of the open cards of each layout
            ("claims", "i2", MAX_PLAYERS),  # action cards that stars have earned and nobody has taken yet
            ("bonus", "i2", MAX_PLAYERS),  # of lines of stars that were cleared (6.4)
            ("changed", "i2", MAX_PLAYERS),  # lines with a card that has changed since they were looked at, as bits
            ("round_scores", "i2", MAX_PLAYERS),  # of the last round that was scored or stopped
            ("plays", "i2", MAX_PLAYERS),  # action cards played in this round
            ("earned", "i2", MAX_PLAYERS),  # action cards earned by stars in this round
            ("held", "i2", (MAX_PLAYERS, len(KINDS))),  # action cards next to each layout
            ("shown", "i2", (MAX_PLAYERS, CELLS)),  # what everybody sees: a card, HIDDEN or EMPTY
            ("knowers", "i2", (MAX_PLAYERS, CELLS)),  # the seats that know a hidden card, as bits (12.2)
            ("unseen", "i2", CARDS),  # cards whose place nobody can name (12.3)
            ("known_draws", "i2", CARDS),  # cards of the draw pile that were known to be there, drawn ones included
            ("discards", "i2", CARDS),  # in the discard pile, without buried ones
            ("action_discards", "i2", len(KINDS)),
            ("odds", "i2", CODES),  # while chance is chosen: how likely the first card is that is not given, by code
            ("cards", "i1", (MAX_PLAYERS, CELLS)),  # what lies there: a card or EMPTY
            ("piles", "i1", DECK),  # from the front the discards, bottom to top; up to the end the draw pile
            ("action_piles", "i1", ACTION_DECK),  # likewise
            # While chance is chosen (kernel/cards.py), else 0: what is watched for, the cards that are given, and how
            # many have come to light.
            ("watching", "i1"),
            ("given_size", "i1"),
            ("brought", "i1"),
            ("given", "i1", MAX_GIVEN),
            ("spare", "i1", 6),  # always 0: fills up the last 64 bits
        ],
    )
)

# Codes of the rules' options: index in this tuple = code in the record, the default first.
OPTIONS: dict[str, tuple[str, ...]] = {
    "action_deck": ("all", "certain"),
    "action_discard_start": ("empty", "one_card"),
    "star_claim": ("may", "must"),
    "star_source": ("open", "open_or_pile"),
    "star_clear": ("owner_decides", "automatic"),
    "star_lines": ("stay", "owner_may_discard"),
    "both_lines": ("union", "column_first"),
    "line_order": ("stars_first", "by_position"),
    "foreign_clear": ("at_once", "end_of_own_turn"),
    "reveal_star_clear": ("best", "owner_decides"),
    "three_order": ("owner_chooses", "as_drawn"),
    "defence": ("automatic", "owner_decides"),
    "removed_to": ("bottom", "below_top"),
    "replay": ("top", "any"),
    "ender": ("who_caused", "owner_of_the_layout"),
    "action_reshuffle": ("keep_top", "all"),
}
DECK_ALL, DECK_CERTAIN = range(2)
START_EMPTY, START_ONE_CARD = range(2)
CLAIM_MAY, CLAIM_MUST = range(2)
FROM_OPEN, FROM_OPEN_OR_PILE = range(2)
CLEAR_OWNER_DECIDES, CLEAR_AUTOMATIC = range(2)
STARS_STAY, STARS_OWNER_MAY_DISCARD = range(2)
BOTH_UNION, BOTH_COLUMN_FIRST = range(2)
ORDER_STARS_FIRST, ORDER_BY_POSITION = range(2)
FOREIGN_AT_ONCE, FOREIGN_END_OF_OWN_TURN = range(2)
REVEAL_BEST, REVEAL_OWNER_DECIDES = range(2)
TOP_OWNER_CHOOSES, TOP_AS_DRAWN = range(2)
DEFENCE_AUTOMATIC, DEFENCE_OWNER_DECIDES = range(2)
REMOVED_TO_BOTTOM, REMOVED_BELOW_TOP = range(2)
REPLAY_TOP, REPLAY_ANY = range(2)
ENDER_WHO_CAUSED, ENDER_OWNER = range(2)
RESHUFFLE_KEEP_TOP, RESHUFFLE_ALL = range(2)

SWITCHES = ("opening_star", "delay_counts_extra_moves", "final_lap_take", "short_rows", "remove_action_cards")

# Actions (10.3): the first of each group whose place depends on the number of players.
GROUPS = ("first_line", "first_card", "clear_line", "defend", "actions")
RULES_FIELDS = ("players", *OPTIONS, *SWITCHES, "target_score", "max_turns", "max_rounds", *GROUPS)
RULES_DTYPE = np.dtype((np.record, [(name, "i8") for name in RULES_FIELDS]), align=True)

# Kinds of events, in the order of their classes in `skyjo_action_env.events`.
PILE_RESHUFFLED, ACTIONS_RESHUFFLED, CARDS_DRAWN, DISCARD_TAKEN, CARD_PLACED, CARD_DISCARDED, CARD_TURNED_UP = range(7)
ACTION_TAKEN, ACTION_TURNED_UP, CLAIM_REFUSED, TURN_PASSED, ACTION_PLAYED, ACTION_DISCARDED = range(7, 13)
ATTACK_STOPPED, ATTACK_ALLOWED, CARDS_MOVED, CARDS_LOOKED_AT, CARD_REMOVED, ACTION_REMOVED = range(13, 19)
LINES_CLEARED, LINE_KEPT, TURNS_BEGAN, ROUND_ENDED, CARD_REVEALED, ENDER_DOUBLED = range(19, 25)
ROUND_SCORED, ROUND_STOPPED, ROUND_DEALT, GAME_OVER = range(25, 29)

# The action numbers that are the same for all numbers of players: the first of each group.
DRAW, TAKE, PLACE, FLIP, OPEN, ACTION_PILE, PASS, PLAY, DISCARD, CHOOSE = 0, 1, 2, 14, 26, 30, 31, 32, 41, 50
NO_CARD = 3  # of the numbers for cards: none
