"""One-card Nim, a game of a dozen rules: the proof that everything that measures knows no game but by its contract.

A card says how many stones lie on the table. In turn everybody takes one to `most` of them; whoever takes the last wins
all stones as points. Actions are stored as two bytes, most points win, and a round leaves behind how often each moved,
and whether the card was a high one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import AgentRegistry
from cardtable.card_game import Luck, Setup, Shown, Trace
from cardtable.errors import IllegalActionError, RulesError
from cardtable.kernel.chance import game_key, mix, share
from cardtable.rounds import Rounds

REGISTRY = AgentRegistry("nim.agents")
FEWEST, MOST = 5, 30  # stones
HIGH = 20


@dataclass(frozen=True)
class NimRules:
    """How many play, and how many stones may be taken at once."""

    game: ClassVar[str] = "nim"

    players: int = 2
    most: int = 3

    def to_text(self) -> str:
        usual = NimRules()
        changed = {"players": self.players} if self.players != usual.players else {}
        changed |= {"most": self.most} if self.most != usual.most else {}
        return " ".join(f"{name}={value}" for name, value in changed.items())


class NimTables:
    """Stones at many tables."""

    def __init__(self, setup: Setup, deals: range) -> None:
        self.rules: Any = setup.rules
        self.setup = setup
        keys = np.array([game_key(np.uint64(setup.seed), np.uint64(deal)) for deal in deals], np.uint64)
        self.card = np.array([FEWEST + share(np.uint64(mix(key)), MOST - FEWEST + 1) for key in keys])
        self.left, self.seats = self.card.copy(), np.zeros(len(deals), np.int8)
        self.moves: list[list[int]] = [[] for _ in deals]
        self.playing = np.arange(len(deals))

    def show(self) -> Shown:
        left = self.left[self.playing]
        masks = (np.arange(1, self.rules.most + 1) <= left[:, None]).astype(np.int8)
        return Shown(left[:, None].astype(np.int16), masks, self.seats[self.playing])

    def states(self) -> NDArray[Any]:
        return self.left[self.playing]

    def refusal(self, actions: NDArray[np.int64]) -> tuple[int, str] | None:
        left = self.left[self.playing]
        wrong = np.flatnonzero((actions < 0) | (actions >= np.minimum(self.rules.most, left)))
        return (int(wrong[0]), f"there are {left[wrong[0]]} stones") if len(wrong) else None

    def step(self, actions: NDArray[np.int64]) -> None:
        for table, action in zip(self.playing, actions.tolist(), strict=True):
            self.left[table] -= action + 1
            self.moves[table].append(action)
            if self.left[table] > 0:
                self.seats[table] = (self.seats[table] + 1) % self.rules.players
        self.playing = self.playing[self.left[self.playing] > 0]

    def rounds(self) -> Rounds:
        deals, players = len(self.card), self.rules.players
        scores, moved = np.zeros((deals, players), np.int64), np.zeros((deals, players, 2), np.int64)
        scores[np.arange(deals), self.seats] = self.card
        for deal, moves in enumerate(self.moves):
            np.add.at(moved[deal, :, 0], np.arange(len(moves)) % players, 1)
        moved[:, :, 1] = (self.card > HIGH)[:, None]
        lengths = np.array([len(moves) for moves in self.moves])
        kept = None if self.setup.keep else 0
        return Rounds(
            lower_is_better=False,
            scores=scores,
            rounds=np.ones(deals, np.int64),
            turns=lengths,
            is_stopped=np.zeros(deals, np.bool_),
            traces=moved,
            luck=np.zeros((deals, players, 0)),
            decisions=lengths.copy(),
            actions=np.array([action for moves in self.moves for action in moves], np.uint16)[:kept],
            round_scores=scores.astype(np.int16)[:kept],
            seated=np.tile(np.arange(players), (deals, 1)),
        )


class NimGame:
    """See `cardtable.card_game.CardGame`."""

    name, title = "nim", "Nim"
    episodes: tuple[str, ...] = ("round",)
    lower_is_better = False
    yardstick = "greedy"
    agents = REGISTRY
    luck: Luck | None = None
    action_type: np.dtype[Any] = np.dtype(np.uint16)
    sources: tuple[Path, ...] = ()

    def rules(self, text: str = "", players: int | None = None) -> NimRules:
        found = {name: int(value) for name, _, value in (word.partition("=") for word in text.split())}
        if set(found) - {"players", "most"}:
            raise RulesError(f"{text!r}: the rules have players and most")
        return NimRules(**found | ({} if players is None else {"players": players}))

    def traces(self, rules: NimRules) -> tuple[Trace, ...]:
        del rules
        high = Trace("high", "high", "high rounds", 1.0, True, f"High is a card above {HIGH}.", of_table=True)
        return Trace("moved", "moves", "moves", 1.0, True, "A move takes stones."), high

    def stopped(self, rules: NimRules) -> str:
        return f"never: {rules.players} players take at least a stone each"

    def deal(self, setup: Setup, deals: range) -> NimTables:
        return NimTables(setup, deals)

    def replay(self, setup: Setup, deals: range, lengths: NDArray[np.int64], actions: NDArray[Any]) -> Rounds:
        tables, moves = self.deal(setup, deals), np.split(actions, np.cumsum(lengths)[:-1])
        all_tables, is_whole = tables.playing, np.ones(len(deals), np.bool_)
        for table in all_tables:
            for action in moves[table]:
                tables.playing = all_tables[table : table + 1] if tables.left[table] > 0 else all_tables[:0]
                if len(tables.playing) == 0 or tables.refusal(np.array([action])) is not None:
                    is_whole[table] = False
                    break
                tables.step(np.array([action], np.int64))
            is_whole[table] &= tables.left[table] == 0
        found = tables.rounds()
        found.decisions[~is_whole] = -1
        return found

    def record(self, setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
        tables = self.deal(setup, range(deal, deal + 1))
        for number, action in enumerate(actions, 1):
            refusal = tables.refusal(np.array([action])) if len(tables.playing) else (0, "nothing is left")
            if refusal is not None:
                raise IllegalActionError(f"move {number}: {refusal[1]}")
            tables.step(np.array([action], np.int64))
        return {"nim_record": 1, "seed": setup.seed, "deal": deal, "actions": list(actions)}

    def events(self, record: dict[str, Any]) -> Iterator[tuple[str, ...]]:
        for action in record["actions"]:
            yield (f"{action + 1} taken",)


NIM = NimGame()


class Greedy:
    """Takes as many stones as it may."""

    def __init__(self, rules: NimRules) -> None:
        self.rules = rules

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        del observations, chances
        return masks.sum(axis=1).astype(np.int64) - 1


class Perfect(Greedy):
    """Leaves a multiple of one more than may be taken, for two players."""

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        del masks, chances
        rest = observations[:, 0] % (self.rules.most + 1)
        return np.where(rest > 0, rest - 1, 0).astype(np.int64)


class Slow(Perfect):
    """The same, but it thinks long; whoever only plans with it need not build it."""

    is_slow = True

    def __init__(self, rules: NimRules, may_be_built: bool = True) -> None:
        if not may_be_built:
            raise RuntimeError("it was built")
        super().__init__(rules)


def install(folder: Path) -> None:
    """Make the game and its agents known by entry points, as a package of its own would: `folder` is for sys.path."""
    about = folder / "nim-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 1.0\n")
    agents = {"random": "cardtable.agents:RandomAgent"}
    agents |= {name.lower(): f"tests.cardtable.nim:{name}" for name in ("Greedy", "Perfect", "Slow")}
    lines = [f"{name} = {place}" for name, place in agents.items()]
    text = "\n".join(["[cardtable.games]", "nim = tests.cardtable.nim:NIM", "[nim.agents]", *lines, ""])
    (about / "entry_points.txt").write_text(text)
