"""Sections 6 to 8: the companion programme, limitations, and what is called future work."""

from studies.skipbo_paper.claim import (
    CONFIRMED,
    IMPRECISE,
    MEASURED,
    NOT_TESTABLE,
    READ,
    REFUTED,
    Claim,
    Results,
    against,
    is_significant,
    percent,
)
from studies.skipbo_paper.players import FIRST, PLANNER


def other_claims(results: Results) -> list[Claim]:
    """All claims of the sections."""
    return [programme(results), data(), variants(results), predictable(results)]


def programme(results: Results) -> Claim:
    """Section 6."""
    faults = results.changes(faults=True)
    found = [each for each in faults if is_significant(each["test"])]
    widest = max(faults, key=lambda each: abs(each["difference"]["mean"]))
    errors = results.document["errors"][-1]
    return Claim(
        "6",
        "The programme implements it",
        "The HPVP agent and the evaluation framework are implemented in the repository, with rules and "
        "randomisation as specified.",
        REFUTED,
        "As read in December 2025, it has no strategy of that name, no seeds, no paired deals and no log of "
        "actions; the same player always starts, an emptied hand is not refilled, and wild cards of a completed "
        f"pile come back as naturals. The rules alone change {len(found)} of {len(faults)} win rates beyond chance, "
        f"by up to {100 * abs(widest['difference']['mean']):.1f} percentage points "
        f"({against(widest)}: {widest['words']}). Its χ² test finds equal "
        f"players different in {percent(errors['doubled'])} of the cases instead of {percent(errors['single'])}.",
        MEASURED,
    )


def data() -> Claim:
    """Sections 6 and 7."""
    return Claim(
        "7",
        "Data of thousands of games",
        "The companion web project collects data for thousands of games.",
        NOT_TESTABLE,
        "None have been published that could be played again: one button writes rows that are generated rather than "
        "played, and the figures on its analysis page come from a text without code or data.",
        READ,
    )


def variants(results: Results) -> Claim:
    """Section 7."""
    others = [each for each in results.changes(faults=False) if each["rules"] != "view=table"]
    found = [each for each in others if is_significant(each["test"])]
    turned = [
        each
        for each in found
        if (each["share"]["mean"] - 0.5) * (each["share"]["mean"] - each["difference"]["mean"] - 0.5) < 0
        and abs(each["share"]["mean"] - 0.5) > each["share"]["half"]
    ]
    return Claim(
        "7",
        "Rule variants matter",
        "Variations in stock size or draw-pile replenishment may change optimal strategies.",
        CONFIRMED if turned else IMPRECISE if found else NOT_TESTABLE,
        f"They change {len(found)} of {len(others)} win rates beyond chance, and who is ahead in {len(turned)}. What "
        "optimal strategies would do is not known.",
        MEASURED,
    )


def predictable(results: Results) -> Claim:
    """Section 7."""
    return Claim(
        "7",
        "Predictability can be exploited",
        "Sophisticated strategies could exploit HPVP's predictability.",
        NOT_TESTABLE,
        f"`{PLANNER}` takes {results.taken(PLANNER, FIRST)} from `{FIRST}` without predicting any of its decisions, "
        "so no exploitation is needed to beat it; a player that does exploit them has not been built.",
        MEASURED,
    )
