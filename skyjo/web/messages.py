"""The messages to browsers. A view is made from what its seat sees, the public story and the seat's legal actions.

Nothing in this file knows the game itself, so that nothing hidden can get into a message.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.slices import Slice, SliceSpec
from skyjo.table.game_terminal import GameTerminal
from skyjo.table.played_game import Choice
from skyjo.table.story import Decision

VERSION = 1  # of the messages
MOST_TOLD, LEAST_TOLD = 12, 4  # decisions in a view
MOST_ROUNDS = 24  # in a view, the last ones
MOST_LETTERS = 400  # of a refusal
ROOMY = 2000  # bytes of a view; a longer one shows fewer decisions


@dataclass(frozen=True)
class SeatStory:
    """What everybody knows of a seat; only its name depends on who looks."""

    name: str
    person: bool
    here: bool
    total: int


@dataclass(frozen=True)
class PublicStory:
    """What everybody at the table knows."""

    seq: int
    game: str
    episode: str
    round: int
    phase: str
    seats: Sequence[SeatStory]
    decider: int | None
    told: Sequence[Decision]
    practice: bool
    words: str  # who has won, if the game is over
    winners: Sequence[int]
    watch: Mapping[str, Any] | None  # how agents alone are paced; "yours" depends on who looks


@dataclass(frozen=True)
class Seen:
    """What the seat of a browser sees; without a seat, what any seat sees, of which only what all see is shown."""

    seat: int | None
    observation: NDArray[np.int16]
    legal: Mapping[int, str]  # the names of the legal actions by number; empty unless the seat decides
    is_own: bool  # is the seat's own view shown, or only what all see?
    is_covered: bool  # is the seat's own view hidden until its player presses "Show my cards"?


def view(terminal: GameTerminal, rules: Any, public: PublicStory, seen: Seen) -> str:
    """The view of a browser."""
    told = public.told[-MOST_TOLD:]
    text = encoded(_view(terminal, rules, replace(public, told=told), seen, public.told))
    while len(text) > ROOMY and len(told) > LEAST_TOLD:
        told = told[1:]
        text = encoded(_view(terminal, rules, replace(public, told=told), seen, public.told))
    return text


def _view(
    terminal: GameTerminal, rules: Any, public: PublicStory, seen: Seen, all_told: Sequence[Decision]
) -> dict[str, Any]:
    end = public.told[-1].end if public.told else None
    is_over = public.decider is None
    scores = [told.end.scores for told in all_told if hasattr(told.end, "scores")]
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
        "told": [_told(decision) for decision in public.told],
        "rounds": scores[-MOST_ROUNDS:],
        "practice": public.practice,
        "watch": public.watch,
        "over": {"words": public.words, "winners": public.winners} if is_over else None,
        "end": None if end is None else terminal.end_document(end),
        "table": terminal.view_document(rules, seen.observation, seen.is_own),
    }


def _told(decision: Decision) -> dict[str, Any]:
    return {
        "seq": decision.number - 1,
        "seat": decision.seat,
        "action": decision.action,
        "words": decision.words,
        "turn_over": decision.ends_turn,
    }


def hint(seq: int, choices: Sequence[Choice]) -> str:
    """What an adviser would do."""
    told = [
        {
            "action": choice.action,
            "words": choice.words,
            "worth": None if choice.worth is None else round(float(choice.worth), 2),
            "reason": choice.reason,
        }
        for choice in choices
    ]
    return encoded({"kind": "hint", "seq": seq, "choices": told})


def inspected(terminal: GameTerminal, rules: Any, spec: SliceSpec, seq: int, episode: str, seen: Seen) -> str:
    """What an agent would be given in place of the seat, and the position as far as the seat can see it."""
    return encoded(
        {
            "kind": "inspected",
            "seq": seq,
            "seat": seen.seat,
            "slices": [_slice(part, seen.observation) for part in spec.slices] if seen.is_own else [],
            "actions": seen.legal,
            "position": terminal.seen_position(rules, seen.observation, episode, seen.is_own),
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
    """That something was not done, and why, in one line."""
    return encoded({"kind": "refused", "seq": seq, "words": words[:MOST_LETTERS]})


def moved(number: str) -> str:
    """Where the same cards are played again."""
    return encoded({"kind": "moved", "id": number})


def encoded(document: Mapping[str, Any]) -> str:
    """JSON without spaces; numbers of numpy become plain ones."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is not for JSON")
