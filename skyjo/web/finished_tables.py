"""A finished table in numbers: by how much every seat was ahead in every round, and how much of that was luck.

It is computed from the table's file alone, so it can be done outside the server's event loop.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup, find_playable
from cardtable.errors import IllegalActionError, TableError
from cardtable.kernel.scoring import margins_and_wins
from cardtable.play.luck import advantage, luck_of
from cardtable.table_game import TableGame
from skyjo.web.table_files import Line
from skyjo.web.tables import Opening

SHARPEST = "network"  # the best measure of luck, where it knows the game and the rules

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FinishedTable:
    """The results of a table that was played to the end and is not practice."""

    seats: Sequence[str]  # you, open, or an agent's text
    owners: Sequence[str | None]  # by seat, the browser that held it
    margins: Floats  # [rounds, players], points ahead of the mean of the others
    luck: Floats  # [rounds, players], the points of the margin that the cards brought
    wins: Floats  # [players], 1 for the winner, shared among several


def finished_table(lines: Sequence[Line]) -> FinishedTable | None:
    """The table described by the lines of a file; None if it is not over, was stopped, or is practice.

    TableError if the lines are damaged.
    """
    first, *rest = lines
    opening = Opening.read(first)
    if opening.is_practice or any({"undo", "lent"} & line.keys() for line in rest):
        return None
    setup = _setup(opening)
    actions = np.array([line["action"] for line in rest if "action" in line], setup.game.action_type)
    game = find_playable(opening.game).new_game(setup.rules, opening.seed, 0, opening.episode)
    ends, scores = _play(game, actions)
    if not game.is_over or game.is_truncated:
        return None
    lower = setup.game.lower_is_better
    margins, _ = margins_and_wins(np.array(scores), lower)
    _, wins = margins_and_wins(np.array([np.sum(scores, axis=0)]), lower)
    return FinishedTable(opening.seats, _owners(opening, rest), margins, _luck(setup, actions, ends), wins[0])


def _owners(opening: Opening, lines: Sequence[Line]) -> list[str | None]:
    owners = list(opening.owners)
    for line in lines:
        if "join" in line:
            owners[line["join"]] = line["owner"]
    return owners


def _setup(opening: Opening) -> Setup:
    """What was played, with the best measure of luck."""
    rules = find_playable(opening.game).rules(opening.rules, len(opening.seats))
    setup = Setup(rules, opening.seed, opening.episode, with_luck=True)
    with suppress(TableError):  # nobody offers it for this game, or it does not know these rules
        sharpest = replace(setup, luck_by=SHARPEST)
        luck_of(sharpest)
        return sharpest
    return setup


def _play(game: TableGame[Any], actions: NDArray[Any]) -> tuple[list[int], list[tuple[int, ...]]]:
    """After how many decisions each round ended, and its scores."""
    ends, scores = [], []
    for number, action in enumerate(actions.tolist(), 1):
        current = game.round
        try:
            game.apply(action)
        except IllegalActionError as error:
            raise TableError(f"the file of this table is damaged: {error}") from None
        if game.is_over or game.round != current:
            ends.append(number)
            scores.append(game.round_scores)
    return ends, scores


def _luck(setup: Setup, actions: NDArray[Any], ends: Sequence[int]) -> Floats:
    """The points of the margin that luck brought, [rounds, players]."""
    luck = luck_of(setup)
    if luck.read is None:
        noted = _noted(setup, actions, ends)
    else:
        noted = [luck.read(setup, range(1), np.array([end]), actions[:end])[0] for end in ends]
    by_round = np.diff(np.stack(noted), axis=0, prepend=0)  # [rounds, players, terms]
    points: Floats = advantage(by_round) @ luck.weights
    return points


def _noted(setup: Setup, actions: NDArray[Any], ends: Sequence[int]) -> list[Floats]:
    """The luck terms up to the end of each round, each [players, terms]."""
    tables, noted = setup.game.deal(setup, range(1)), []
    for number, action in enumerate(actions, 1):
        tables.step(np.array([action], np.int64))
        if number in ends:
            noted.append(tables.rounds().luck[0])
    return noted
