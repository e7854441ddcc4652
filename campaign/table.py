"""The table with which the campaign ends."""

from campaign.parts import PARTS
from campaign.totals import Totals


def table(totals: Totals) -> str:
    """A row for each part: what all runs have done together."""
    heads = ("part", "done", "", "target", "share", "seconds", "a second", "failures")
    rows = [heads]
    for part in PARTS.values():
        total = totals.of(part.name)
        speed = f"{total.done / total.seconds:,.0f}" if total.seconds >= 1 else "-"
        share = f"{total.done / part.target:.1%}"
        seconds = f"{total.seconds:,.0f}"
        rows.append(
            (part.name, f"{total.done:,}", part.unit, f"{part.target:,}", share, seconds, speed, str(total.failures))
        )
    widths = [max(len(row[place]) for row in rows) for place in range(len(heads))]
    return "\n".join(
        "  ".join(_fit(text, width, k) for k, (text, width) in enumerate(zip(row, widths, strict=True))) for row in rows
    )


def _fit(text: str, width: int, place: int) -> str:
    return text.ljust(width) if place in (0, 2) else text.rjust(width)
