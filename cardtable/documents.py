"""JSON forms of results that several packages share."""

from typing import TypedDict


class EstimateDocument(TypedDict):
    """A `statistics.Estimate`: a mean with half the width of its 95 % interval."""

    mean: float
    half: float
