"""What players can choose from: their games played once more, and every decision looked at."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import Agent, choose
from cardtable.tables import SeatViews
from skipbo_env.kernel.state import ACTIONS, DISCARD, PASS, PLACES, PLAY_HAND
from skipbo_env.observation import View
from studies.skipbo_paper.matchups import Played


@dataclass(frozen=True)
class Choices:
    """The decisions of some games, counted."""

    legal: NDArray[np.int64]  # [ACTIONS + 1], how many decisions had this many legal actions
    discards: int  # legal actions that discard, of all decisions together
    plays: int  # those that play a card
    stock_choices: int  # decisions with the stock card playable on places that need different ranks
    others_holding: int  # decisions at which the other player held cards
    recycled: float  # the share of games in which completed cards were shuffled again
    agreeing: Mapping[str, int]  # decisions on which another agent would have done the same

    @property
    def decisions(self) -> int:
        """How many there were."""
        return int(self.legal.sum())

    @property
    def forced(self) -> float:
        """The share of decisions with one legal action."""
        return float(self.legal[1] / self.decisions)

    @property
    def mean(self) -> float:
        """Legal actions per decision."""
        return float(np.arange(ACTIONS + 1) @ self.legal / self.decisions)

    @property
    def most(self) -> int:
        """The most legal actions at any decision."""
        return int(np.flatnonzero(self.legal).max())

    @property
    def quartiles(self) -> tuple[int, int, int]:
        """Of the legal actions per decision."""
        reached = np.cumsum(self.legal) / self.decisions
        low, median, high = (int(np.searchsorted(reached, share)) for share in (0.25, 0.5, 0.75))
        return low, median, high


def choices_of(played: Played, deals: int, others: Mapping[str, Agent]) -> Choices:
    """The decisions of the first deals, and how often these other agents would have decided alike."""
    tables = played.setup.game.deal(played.setup, played.deals[:deals])
    rounds = played.rounds
    starts = np.cumsum(rounds.decisions) - rounds.decisions
    legal, totals = np.zeros(ACTIONS + 1, np.int64), np.zeros(4, np.int64)
    agreeing, move, recycled = dict.fromkeys(others, 0), 0, np.zeros(deals, np.bool_)
    while len(tables.playing) > 0:
        shown, actions = tables.show(), rounds.actions[starts[tables.playing] + move].astype(np.int64)
        legal += np.bincount(shown.masks.sum(axis=1), minlength=ACTIONS + 1)
        view = tables.spec.view(shown.observations)
        totals += _counted(shown, view)
        recycled[tables.playing] = view.recycles > 0
        for name, agent in others.items():
            chosen = choose(agent, name, tables.spec, shown.observations, shown.masks)
            agreeing[name] += int(np.count_nonzero(chosen == actions))
        tables.step(actions)
        move += 1
    discards, plays, stock_choices, holding = (int(total) for total in totals)
    return Choices(legal, discards, plays, stock_choices, holding, float(recycled.mean()), agreeing)


def _counted(shown: SeatViews, view: View) -> NDArray[np.int64]:
    """Discards, plays, choices for the stock card, and other hands with cards."""
    playable = shown.masks[:, :PLAY_HAND] != 0
    needed = np.where(playable, view.building, -1).max(axis=1)
    least = np.where(playable, view.building, ACTIONS).min(axis=1)
    return np.array(
        [
            shown.masks[:, DISCARD:PASS].sum(),
            shown.masks[:, :DISCARD].sum(),
            np.count_nonzero(playable.any(axis=1) & (needed != least)),
            np.count_nonzero(view.hand_sizes[:, 1] > 0),
        ]
    )


def discarded_on(actions: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many cards were discarded on each of the four piles."""
    cards = actions[(actions >= DISCARD) & (actions < PASS)]
    return np.bincount((cards - DISCARD) % PLACES, minlength=PLACES)


def differing_games(one: Played, other: Played) -> int:
    """How many of the same deals went on differently."""
    ends = np.cumsum(one.rounds.decisions)[:-1], np.cumsum(other.rounds.decisions)[:-1]
    games = zip(np.split(one.rounds.actions, ends[0]), np.split(other.rounds.actions, ends[1]), strict=True)
    return sum(not np.array_equal(mine, theirs) for mine, theirs in games)
