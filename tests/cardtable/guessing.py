"""A game in which memory is all: the first seat guesses a hidden card, then the second is shown it.

Every deal carries a mark that both see. Whoever was shown a deal's card, and remembers it when the deal is played
again from the other seat, guesses right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import AgentRegistry
from cardtable.card_game import Setup, Shown
from cardtable.kernel.chance import game_key, mix, share
from cardtable.rounds import Rounds
from tests.cardtable.nim import NimGame, NimTables

CARDS = 5


@dataclass(frozen=True)
class GuessingRules:
    """There is nothing to choose."""

    game: ClassVar[str] = "guessing"

    players: int = 2

    def to_text(self) -> str:
        return ""


class GuessingTables(NimTables):
    """Cards at many tables. Nothing is ever illegal but a number that is no card."""

    def __init__(self, setup: Setup, deals: range) -> None:
        keys = np.array([game_key(np.uint64(setup.seed), np.uint64(deal)) for deal in deals], np.uint64)
        self.setup = setup
        self.card = np.array([share(np.uint64(mix(key)), CARDS) for key in keys])
        self.marks = (keys % np.uint64(30_000)).astype(np.int64)
        self.chances = np.ones((len(deals), 2), np.uint64)
        self.guessed: list[NDArray[np.int64]] = []
        self.playing = np.arange(len(deals))

    def show(self) -> Shown:
        card = self.card if self.guessed else np.full(len(self.card), -1)
        observations = np.stack([self.marks, card], axis=1).astype(np.int16)
        tables = len(self.playing)
        return Shown(observations, np.ones((tables, CARDS), np.int8), np.full(tables, len(self.guessed), np.int8))

    def refusal(self, actions: NDArray[np.int64]) -> tuple[int, str] | None:
        wrong = np.flatnonzero((actions < 0) | (actions >= CARDS))
        return (int(wrong[0]), "no such card") if len(wrong) else None

    def step(self, actions: NDArray[np.int64]) -> None:
        self.guessed.append(actions.copy())
        if len(self.guessed) == 2:
            self.playing = self.playing[:0]

    def rounds(self) -> Rounds:
        deals = len(self.card)
        scores = np.zeros((deals, 2), np.int64)
        scores[:, 0] = self.guessed[0] == self.card
        return Rounds(
            lower_is_better=False,
            scores=scores,
            rounds=np.ones(deals, np.int64),
            turns=np.full(deals, 2),
            is_stopped=np.zeros(deals, np.bool_),
            traces=np.zeros((deals, 2, 0), np.int64),
            luck=np.zeros((deals, 2, 0)),
            decisions=np.full(deals, 2),
            actions=np.stack(self.guessed, axis=1).astype(np.uint16).ravel(),
            round_scores=scores.astype(np.int16),
            seated=np.tile(np.arange(2), (deals, 1)),
        )


class GuessingGame(NimGame):
    """See `cardtable.card_game.CardGame`."""

    name, title, yardstick = "guessing", "Guessing", "blind"
    agents = AgentRegistry("guessing.agents")

    def rules(self, text: str = "", players: int | None = None) -> Any:
        del text, players
        return GuessingRules()

    def traces(self, rules: Any) -> tuple[Any, ...]:
        del rules
        return ()

    def deal(self, setup: Setup, deals: range) -> GuessingTables:
        return GuessingTables(setup, deals)

    def record(self, setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
        raise NotImplementedError


GUESSING = GuessingGame()
