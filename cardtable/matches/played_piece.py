"""Plays a piece of a plan, in any thread, process or node."""

import time
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from cardtable.play.decisions import NOBODY, PlayError, Watch
from cardtable.play.pairing import paired, play_rotation, seating
from cardtable.play.plan import Piece, Plan
from cardtable.play.tally import Tally
from cardtable.rounds import Rounds


class PlayedPiece(NamedTuple):
    """The result of a piece. Workers return it; the process that started them stores the games."""

    tally: Tally
    games: bytes | None  # as they are stored, if they are to be


Played = tuple[Piece, PlayedPiece | PlayError]


def play_piece(plan: Plan, piece: Piece, with_games: bool, note: Any = None) -> PlayedPiece:
    """Play a piece. If an agent fails, the PlayError has its name in the plan."""
    rotations = [_rotation(plan, piece, rotation, note) for rotation in range(plan.players)]
    games = _packed(plan, piece, rotations) if with_games else None
    return PlayedPiece(Tally.of(paired(plan.setup, rotations)), games)


def _packed(plan: Plan, piece: Piece, rotations: list[Rounds]) -> bytes:
    from cardtable.stored.parquet import pack
    from cardtable.stored.rows import to_rows

    return pack(to_rows(plan, piece, rotations))


def _rotation(plan: Plan, piece: Piece, rotation: int, note: Any) -> Rounds:
    watch = None if note is None else _watch(note, rotation)
    setup = replace(plan.setup, keep=True)
    try:
        with plan.at_table(piece.table) as agents:
            played = play_rotation(agents, rotation, setup, piece.deals, watch=watch)
    except PlayError as error:
        raise failure(plan, piece, rotation, error.seat, error.deal, error.words) from error
    return replace(played, luck=played.luck.astype(np.float32))  # as it is stored


def failure(plan: Plan, piece: Piece, rotation: int, seat: int, deal: int, words: str) -> PlayError:
    """The failure of the agent in a seat, by its name in the plan."""
    agent = seating(plan.players, np.array([deal]), rotation)[0, seat]
    return PlayError(seat, deal, plan.tables[piece.table][agent], words)


def _watch(note: Any, rotation: int) -> Watch:
    """Writes into the note which agent is being waited for, and since when."""

    def watch(seat: int, deal: int) -> None:
        note[:] = [0.0, 0.0, 0.0, 0.0] if seat == NOBODY else [time.monotonic(), seat, deal, rotation]

    return watch
