"""From a table to one browser's view of it: the only place that takes from a game what a seat may see."""

from typing import Any

from skyjo.table.story import result_words
from skyjo.web import messages
from skyjo.web.messages import PublicStory, SeatStory, Seen
from skyjo.web.requests import RequestError
from skyjo.web.seating import PEOPLE, seat_titles
from skyjo.web.tables import WebTable

COVERED = 'press "Show my cards" first'


def view_for(table: WebTable, viewer: str, here: set[str]) -> str:
    """The view of a browser; `here` are the browsers that are connected."""
    return messages.view(table.terminal, table.played.rules, public_story(table, viewer, here), seen_by(table, viewer))


def public_story(table: WebTable, viewer: str, here: set[str]) -> PublicStory:
    """What everybody knows, in which the viewer's own seats are called "you"."""
    game, opening = table.played.game, table.opening
    names = seat_titles(opening.seats, table.owners, viewer)
    is_over = table.decider is None
    return PublicStory(
        seq=table.seq,
        game=opening.game,
        episode=opening.episode,
        round=game.round,
        phase=game.phase,
        seats=[
            SeatStory(name, opening.seats[seat] in PEOPLE, table.owners[seat] in here, game.totals[seat])
            for seat, name in enumerate(names)
        ],
        decider=table.decider,
        told=table.played.told,
        practice=table.is_practice,
        words=_over_words(table, names) if is_over else "",
        winners=game.winners if is_over else (),
        watch=_watch(table, viewer) if table.is_watched else None,
    )


def _over_words(table: WebTable, names: list[str]) -> str:
    """How the game ended."""
    if table.conceded is not None:
        return f"over, conceded by {names[table.conceded]}"
    return result_words(table.played.game, names)


def inspected_by(table: WebTable, viewer: str) -> str:
    """What the inspector of a browser shows; RequestError while its cards are covered."""
    if table.is_covered(viewer):
        raise RequestError(COVERED)
    game = table.played.game
    spec = game.kind.spec_of(game.rules)
    return messages.inspected(table.terminal, game.rules, spec, table.seq, game.episode, seen_by(table, viewer))


def _watch(table: WebTable, viewer: str) -> dict[str, Any]:
    pacing = table.pacing
    return {"pace": pacing.pace, "paused": pacing.is_paused, "yours": table.may_pace(viewer)}


def seen_by(table: WebTable, viewer: str) -> Seen:
    """What the seat that a browser plays now sees; of cards that are covered, nothing."""
    game, seat = table.played.game, table.seat_at(viewer)
    if seat is None or table.is_covered(viewer):
        return Seen(seat, game.observation(seat or 0), {}, is_own=False, is_covered=seat is not None)
    legal = game.legal_actions() if table.may_decide(viewer) else []
    names = table.played.card_game.action_names(table.played.rules)
    return Seen(
        seat, game.observation(seat), {action: names[action] for action in legal}, is_own=True, is_covered=False
    )


def table_words(table: WebTable, viewer: str) -> str:
    """A line on a table for the list of a browser's tables."""
    names = seat_titles(table.opening.seats, table.owners, viewer)
    state = _over_words(table, names) if table.decider is None else f"round {table.played.game.round}"
    return f"{', '.join(names)}; {state}"
