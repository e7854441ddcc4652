"""Sections 3 and 4, and what HPVP is worth: what it does, how strong that is, and what was there before."""

from skipbo_env.kernel.state import RANKS
from studies.skipbo_paper.claim import (
    CONFIRMED,
    IMPRECISE,
    MEASURED,
    NOT_TESTABLE,
    READ,
    REFUTED,
    Claim,
    Results,
    estimated,
    joined,
    percent,
)
from studies.skipbo_paper.players import (
    FARTHEST,
    FOUR_PILE_READINGS,
    FOUR_PILES,
    GREEDY,
    LITERAL,
    PLANNER,
    READINGS,
)


def player_claims(results: Results) -> list[Claim]:
    """All claims of the sections."""
    return [
        continuation(results),
        extension(),
        positional(results),
        sequences(results),
        hierarchy(results),
        greedy(results),
        deterministic(results),
        several_cards(results),
        baseline(results),
        first_of_its_kind(),
    ]


def continuation(results: Results) -> Claim:
    """Table 1, priority 1."""
    share = results.at_both_seats(LITERAL)["choices"]["stock_choices"]
    return Claim(
        "3.2",
        "Priority 1: the highest pile for the stock card",
        "If several piles can take the stock card, the one with the highest top rank maximises immediate continuation.",
        NOT_TESTABLE,
        "Nothing says what is to be maximised. The piles differ only where the stock card is wild, which leaves a "
        f"choice at {percent(share)} of the decisions of `{LITERAL}` against itself.",
        MEASURED,
    )


def extension() -> Claim:
    """Table 1, priority 2."""
    redundant = all(RANKS - (height + 1) < RANKS - 1 for height in range(1, RANKS))
    return Claim(
        "3.2",
        "Priority 2: extend rather than start, then the smallest gap",
        "Prefer to extend an existing pile rather than start a new one; among several options take the smallest gap "
        "to 12.",
        IMPRECISE if redundant else CONFIRMED,
        f"The second half is enough: a new pile leaves a gap of {RANKS - 1}, larger than every other. Whether a "
        "wild card goes before a natural one that leaves the same gap is not said, nor whether it should be spent "
        "at all.",
        READ,
    )


def positional(results: Results) -> Claim:
    """Table 1, priority 4."""
    literal, found = results.at_both_seats(LITERAL), results.document["literal"]
    first = literal["on_piles"][0]
    return Claim(
        "3.2",
        "Priority 4: a positional discard",
        "The card goes on the pile whose top card is maximally less than 12; if all four piles have top rank 12 or "
        "are empty, on the leftmost.",
        REFUTED if first == 1 and found["differing"] == 0 else IMPRECISE,
        "All piles are empty at first: leftmost. From then on the leftmost is the only pile with a top card; if "
        f"that is below 12 it is the only candidate, and otherwise the exception applies. So {percent(first)} of the "
        f"discards of `{LITERAL}` go on the first pile. “Maximally less” can mean nearest or farthest; `{FARTHEST}` "
        f"played {found['differing']} of {found['games']:,} games otherwise, against {len(found['opponents'])} "
        "players.",
        MEASURED,
    )


def sequences(results: Results) -> Claim:
    """Section 3.1."""
    better = [reading for reading in FOUR_PILE_READINGS if results.is_better(reading, LITERAL)]
    shares = joined([f"`{reading}` {results.taken(reading, LITERAL)}" for reading in FOUR_PILE_READINGS])
    return Claim(
        "3.1",
        "Discard piles that permit sequences",
        "HPVP formalises the advice to play from the stock pile whenever possible and to organise discard piles to "
        "permit future sequences.",
        REFUTED if better else IMPRECISE,
        "The first half is priority 1. The second is not in the rules: with all cards on one pile only the last one "
        f"can be played. Readings that use four piles take from the literal player: {shares}.",
        MEASURED,
    )


def hierarchy(results: Results) -> Claim:
    """Section 5.1: is HPVP better than the greedy player, and by what?"""
    gains = [reading for reading in FOUR_PILE_READINGS if results.is_better(reading, FOUR_PILES)]
    losses = [reading for reading in FOUR_PILE_READINGS if results.is_better(FOUR_PILES, reading)]
    shares = joined([f"`{reading}` {results.taken(reading, FOUR_PILES)}" for reading in FOUR_PILE_READINGS])
    verdict = CONFIRMED if len(gains) == len(FOUR_PILE_READINGS) else REFUTED if not gains else IMPRECISE
    return Claim(
        "5.1",
        "What the hierarchy is worth",
        "Greedy play, without the positional discard, is a baseline for HPVP (so what HPVP takes from it is due to its "
        "hierarchy and its discards).",
        verdict,
        f"With one pile each, `{LITERAL}` takes {results.taken(LITERAL, GREEDY)} from `{GREEDY}`. Greedy play on "
        f"four piles, `{FOUR_PILES}`, takes {results.taken(FOUR_PILES, GREEDY)} from `{GREEDY}` and "
        f"{results.taken(FOUR_PILES, LITERAL)} from `{LITERAL}`. With four piles on both sides, HPVP takes from it: "
        f"{shares}; {len(gains)} of {len(FOUR_PILE_READINGS)} readings are ahead beyond chance, {len(losses)} behind.",
        MEASURED,
    )


def greedy(results: Results) -> Claim:
    """Section 3.3 against section 5.1."""
    same = results.at_both_seats(LITERAL)["choices"]["agreeing"][GREEDY]
    return Claim(
        "3.3",
        "How it differs from greedy play",
        "HPVP differs from greedy play, which takes the first legal card without regard to source, in its hierarchy of "
        "sources and in the positional discard.",
        REFUTED,
        "The greedy player of section 5.1 has the same hierarchy: stock, hand, discard piles. What differs is the "
        f"choice among hand cards, places and discards. `{GREEDY}` would have decided {percent(same)} of the "
        f"decisions of `{LITERAL}` in the same way.",
        MEASURED,
    )


def deterministic(results: Results) -> Claim:
    """Section 3.2."""
    ties = [each for each in results.document["details"] if each["players"][0].startswith("hpvp")]
    words = joined([f"`{each['players'][0]}` takes {estimated(each['share'])}" for each in ties])
    return Claim(
        "3.2",
        "Deterministic",
        "This procedure is deterministic given the current state.",
        IMPRECISE,
        "Only once its ties are decided, as here: equal piles, a wild card and a natural one with the same gap, and "
        f"what rank a wild card counts as. Decided otherwise, from the reading `{ties[0]['players'][1]}`: {words}.",
        MEASURED,
    )


def several_cards(results: Results) -> Claim:
    """Section 3.2."""
    plays = joined(
        [f"`{player}` {results.at_both_seats(player)['plays_a_turn']:.2f}" for player in (LITERAL, GREEDY, PLANNER)]
    )
    return Claim(
        "3.2",
        "Several cards a turn",
        "Because the agent never draws additional cards until its hand is empty, it may use multiple cards per turn.",
        IMPRECISE,
        "By the rules everybody may; what limits it is that drawing waits for an empty hand. Cards played a turn, "
        f"against itself: {plays}.",
        MEASURED,
    )


def baseline(results: Results) -> Claim:
    """Section 3.1."""
    beaten = [reading for reading in READINGS if results.is_better(PLANNER, reading)]
    hardest = min(READINGS, key=lambda reading: results.share(PLANNER, reading)["mean"])
    return Claim(
        "3.1",
        "A baseline, not an optimum",
        "The goal is not to approximate an optimal agent but to provide a transparent baseline.",
        CONFIRMED if len(beaten) == len(READINGS) else IMPRECISE,
        f"`{PLANNER}`, a script too, beats {len(beaten)} of {len(READINGS)} readings; it takes "
        f"{results.taken(PLANNER, hardest)} from the hardest for it, `{hardest}`.",
        MEASURED,
    )


def first_of_its_kind() -> Claim:
    """Sections 1 and 4."""
    return Claim(
        "4",
        "No earlier agent",
        "To our knowledge, no prior work has published an explicit baseline agent or evaluation framework for Skip-Bo.",
        REFUTED,
        "S. Jahnke, “Entwicklung eines TD(λ)-basierten Skip-Bo-Spielers” (Freiburg 2007), has rule-based and "
        "learning agents for two to six players (only its abstract was read here). The programme's own page cites "
        "it.",
        READ,
    )
