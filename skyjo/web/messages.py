"""The messages to browsers. A view is made from what everybody knows, what its seat sees, and the seat's legal actions.

Only `_public_state` and `_seat_view` take these from a table. `view`, which makes a message of them, is not given the
game itself, so that nothing hidden can get into it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.slices import Slice
from skyjo.table.described_game import RESULTS, Decision, result_words
from skyjo.table.game_text import GameJson
from skyjo.table.played_game import Choice
from skyjo.table.seating import PEOPLE
from skyjo.web.requests import RequestError
from skyjo.web.tables import WebTable

VERSION = 1  # of the messages
MAX_DECISIONS, MIN_DECISIONS = 12, 4  # in a view
MAX_ROUNDS = 24  # in a view, the last ones
MAX_LETTERS = 400  # of a refusal
ROOMY = 2000  # bytes of a view; a longer one shows fewer decisions
COVERED = 'press "Show my cards" first'


@dataclass(frozen=True)
class PublicSeat:
    """What everybody knows of a seat; only its name depends on who looks."""

    name: str
    person: bool
    here: bool
    total: int


@dataclass(frozen=True)
class PublicState:
    """What everybody at the table knows."""

    seq: int
    game: str
    episode: str
    round: int
    phase: str
    seats: Sequence[PublicSeat]
    decider: int | None
    decisions: Sequence[Decision]
    practice: bool
    words: str  # who has won, if the game is over
    winners: Sequence[int]
    watch: Mapping[str, Any] | None  # how agents alone are paced; "yours" depends on who looks
    pace: float | None = None  # decisions of agents a second, for the browser that may set it
    began: int = 0  # how many decisions had been made when this round began
    substituted: Sequence[int] = ()  # seats of people who have left, for whom an agent decides


def studied_state(
    game: str,
    episode: str,
    round_phase: tuple[int, str],
    seats: Sequence[tuple[str, int]],
    decider: int | None,
    decisions: Sequence[Decision] = (),
    result: tuple[str, Sequence[int]] = ("", ()),
) -> PublicState:
    """Return what everybody knows of a table that is studied and not played at, after some decisions.

    `seats` have a name and points each, `result` says who has won.
    """
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


@dataclass(frozen=True)
class SeatView:
    """What a browser is shown of its seat. Without a seat, that is what everybody sees of an observation."""

    seat: int | None
    observation: NDArray[np.int16]
    legal: Mapping[int, str]  # the names of the legal actions by number; empty unless the seat decides
    is_own: bool  # is the seat's own view shown, or only what all see?
    is_covered: bool  # is the seat's own view hidden until its player presses "Show my cards"?


def view_for(table: WebTable, viewer: str, connected: set[str]) -> str:
    """A browser's view of a table; `connected` are the browsers at it."""
    documents, public = table.played.interface.documents, _public_state(table, viewer, connected)
    return view(documents, table.played.rules, public, _seat_view(table, viewer))


def _public_state(table: WebTable, viewer: str, connected: set[str]) -> PublicState:
    """What everybody knows, in which the viewer's own seats are called "you"."""
    game, setup = table.played.game, table.setup
    names = table.titles(viewer)
    is_over, pacing = table.decider is None, table.pacing
    pace = int(pacing.pace) if pacing.pace.is_integer() else pacing.pace  # as JavaScript writes it, too
    watch = {"pace": pace, "paused": pacing.is_paused, "yours": table.may_pace(viewer)}
    return PublicState(
        seq=table.seq,
        game=setup.game,
        episode=setup.episode,
        round=game.round,
        phase=game.phase,
        seats=[
            PublicSeat(name, setup.seats[seat] in PEOPLE, table.owners[seat] in connected, game.totals[seat])
            for seat, name in enumerate(names)
        ],
        decider=table.decider,
        decisions=table.played.decisions,
        practice=table.is_practice,
        words=_over_words(table, names) if is_over else "",
        winners=game.winners if is_over else (),
        watch=watch if table.is_watched else None,
        pace=pace if table.may_pace(viewer) else None,
        began=sum(decision.round < game.round for decision in table.played.decisions),
        substituted=sorted(table.substituted),
    )


def _over_words(table: WebTable, names: Sequence[str]) -> str:
    """How the game ended."""
    if table.conceded is not None:
        return RESULTS["conceded"].format(name=names[table.conceded])
    return result_words(table.played.game, names)


def _seat_view(table: WebTable, viewer: str) -> SeatView:
    """What the seat that a browser plays now sees; of cards that are covered, nothing."""
    game, seat = table.played.game, table.seat_at(viewer)
    if seat is None or table.is_covered(viewer):
        return SeatView(seat, game.observation(seat or 0), {}, is_own=False, is_covered=seat is not None)
    names = table.played.card_game.action_names(table.played.rules)
    legal = {action: names[action] for action in game.legal_actions()} if table.may_decide(viewer) else {}
    return SeatView(seat, game.observation(seat), legal, is_own=True, is_covered=False)


def view(documents: GameJson, rules: Any, public: PublicState, seen: SeatView) -> str:
    """The view of a browser."""
    scores = [decision.end.scores for decision in public.decisions if hasattr(decision.end, "scores")]
    shown = public.decisions[-MAX_DECISIONS:]
    while True:
        text = encoded(_view(documents, rules, replace(public, decisions=shown), seen, scores[-MAX_ROUNDS:]))
        if len(text) <= ROOMY or len(shown) <= MIN_DECISIONS:
            return text
        shown = shown[1:]


def _view(
    documents: GameJson, rules: Any, public: PublicState, seen: SeatView, scores: Sequence[Any]
) -> dict[str, Any]:
    end = public.decisions[-1].end if public.decisions else None
    is_over = public.decider is None
    return {
        "kind": "view",
        "version": VERSION,
        "seq": public.seq,
        "game": public.game,
        "episode": public.episode,
        "round": public.round,
        "phase": public.phase,
        "seats": [vars(seat) for seat in public.seats],
        "seat": seen.seat,
        "covered": seen.is_covered,
        "decider": public.decider,
        "actions": [*seen.legal],
        "names": seen.legal,
        "told": [_decision(decision) for decision in public.decisions],
        "rounds": scores,
        "practice": public.practice,
        "watch": public.watch,
        "pace": public.pace,
        "began": public.began,
        "over": {"words": public.words, "winners": public.winners} if is_over else None,
        "end": None if end is None else documents.end_document(end),
        "table": documents.view_document(rules, seen.observation, seen.is_own),
        **({"substituted": public.substituted} if public.substituted else {}),
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "seq": decision.number - 1,
        "seat": decision.seat,
        "action": decision.action,
        "words": decision.words,
        "turn_over": decision.ends_turn,
    }


def hint(seq: int, after: int | None, choices: Sequence[Choice]) -> str:
    """A message with what an adviser would do now, or after an action; why, it says of the best choice alone."""
    rows = [
        {
            "action": choice.action,
            "words": choice.words,
            "worth": None if choice.value is None else round(float(choice.value), 2),
        }
        for choice in choices
    ]
    return encoded({"kind": "hint", "seq": seq, "after": after, "choices": rows, "reason": choices[0].reason})


def inspected_by(table: WebTable, viewer: str) -> str:
    """What an agent would be given in place of a browser's seat, and the position as far as the seat can see it.

    RequestError while its cards are covered.
    """
    if table.is_covered(viewer):
        raise RequestError(COVERED)
    game, seen, documents = table.played.game, _seat_view(table, viewer), table.played.interface.documents
    slices = game.card_game.spec_of(game.rules).slices if seen.is_own else ()
    return encoded(
        {
            "kind": "inspected",
            "seq": table.seq,
            "seat": seen.seat,
            "slices": [_slice(part, seen.observation) for part in slices],
            "actions": seen.legal,
            "position": documents.seen_position(game.rules, seen.observation, game.episode, seen.is_own),
        }
    )


def _slice(part: Slice, observation: NDArray[np.int16]) -> dict[str, Any]:
    return {
        "name": part.name,
        "start": part.start,
        "shape": part.shape,
        "values": observation[part.start : part.stop].tolist(),
        "meaning": part.meaning,
    }


def refused(seq: int, words: str) -> str:
    """A message that something was not done, and why, in one line."""
    return encoded({"kind": "refused", "seq": seq, "words": words[:MAX_LETTERS]})


def moved(number: str) -> str:
    """A message that names the table where the same cards are played again."""
    return encoded({"kind": "moved", "id": number})


def encoded(document: Mapping[str, Any]) -> str:
    """JSON without spaces; numbers of numpy become plain ones."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is not for JSON")


def table_document(table: WebTable, viewer: str) -> dict[str, Any]:
    """A table for the list of a browser's tables: who plays, when it was last played at, and how it stands."""
    game = table.played.game
    has_scores = table.decider is None or game.round > 1
    return {
        "id": table.number,
        "words": table_words(table, viewer),
        "names": table.titles(viewer),
        "when": table.written.isoformat(timespec="minutes"),
        "scores": [int(total) for total in game.totals] if has_scores and table.conceded is None else None,
        "round": game.round,
        "over": table.decider is None,
        "yours": table.may_decide(viewer),
        "daily": table.setup.daily,
    }


def table_words(table: WebTable, viewer: str) -> str:
    """A line on a table for the list of a browser's tables."""
    names = table.titles(viewer)
    state = _over_words(table, names) if table.decider is None else f"round {table.played.game.round}"
    return f"{', '.join(names)}; {state}"
