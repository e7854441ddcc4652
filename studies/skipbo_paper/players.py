"""Who is compared: the players of the paper in every reading, and those they are compared with."""

RANDOM = "random"
PLAYS_FIRST = "random:plays_first=true"
GREEDY = "greedy"
FOUR_PILES = "greedy:pile=smallest"
LITERAL = "hpvp"
FARTHEST = "hpvp:gap=farthest"
AS_ZERO = "hpvp:gap=nearest,empty=as_zero"
FIRST = "hpvp:gap=nearest,empty=first"
SPREAD = "hpvp:gap=farthest,empty=as_zero"
PLANNER = "planner"

PLAYERS = {
    RANDOM: "uniform over the legal actions",
    PLAYS_FIRST: "uniform over the plays, and over the discards once there is no play",
    GREEDY: "stock, hand, discard piles; discards the first hand card, always on the first pile",
    FOUR_PILES: "the same, but discards on the smallest pile: the control that uses four piles",
    LITERAL: "HPVP to the letter: the pile whose top is nearest to 12, empty piles do not count",
    FARTHEST: "HPVP to the letter, the pile whose top is farthest from 12",
    AS_ZERO: "nearest to 12, an empty pile counts as 0: the reading of the published programme",
    FIRST: "an empty pile first, then nearest to 12",
    SPREAD: "farthest from 12, an empty pile counts as 0, so it comes first",
    PLANNER: "searches its turn for the stock card; built to win, not in the paper",
}  # by agent

READINGS = (LITERAL, FARTHEST, AS_ZERO, FIRST, SPREAD)  # of HPVP
FOUR_PILE_READINGS = (AS_ZERO, FIRST, SPREAD)
DETAILS = (
    (f"{FIRST},wild_use=last", FIRST),
    (f"{FIRST},tie=wild", FIRST),
    ("greedy:pile=smallest,hand_order=rank", FOUR_PILES),
    ("greedy:pile=random", FOUR_PILES),
    ("random:plays_first=true,over=slots", PLAYS_FIRST),
)  # what else the paper leaves open, each against the player that leaves it as it is
