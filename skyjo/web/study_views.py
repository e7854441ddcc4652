"""What everybody knows of a table that is studied and not played at: in a replay, a lesson, or a puzzle."""

from collections.abc import Sequence

from skyjo.table.described_game import Decision
from skyjo.web.messages import PublicSeat, PublicState


def studied_state(
    game: str,
    episode: str,
    round_phase: tuple[int, str],
    seats: Sequence[tuple[str, int]],
    decider: int | None,
    decisions: Sequence[Decision] = (),
    result: tuple[str, Sequence[int]] = ("", ()),
) -> PublicState:
    """The state after some decisions; `seats` have a name and points each, `result` says who has won."""
    words, winners = result
    return PublicState(
        seq=len(decisions),
        game=game,
        episode=episode,
        round=round_phase[0],
        phase=round_phase[1],
        seats=[PublicSeat(name, False, False, total) for name, total in seats],
        decider=decider,
        decisions=decisions,
        practice=False,
        words=words,
        winners=winners,
        watch=None,
    )
