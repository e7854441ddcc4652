"""The config of a training run: one frozen dataclass, which every game extends by the widths of its network.

The command line reads it to show its help, so anything heavy is imported only when it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, dataclass, fields, replace
from math import floor
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, get_type_hints

from cardtable.table.errors import TableError


class Between(NamedTuple):
    """The least and the greatest value of a number in a config, as a note to its type."""

    least: float
    greatest: float


Width = Annotated[int, Between(1, 1024)]  # of a part of the network
Share = Annotated[float, Between(0, 1)]

UNUSED: dict[str, dict[str, Any]] = {  # by method: options that it cannot use, and their values that turn them off
    "maskable-ppo": {"teacher": "", "teacher_decisions": 0, "average": 0.0, "doublings": 0},
    "search": {"teacher": "", "teacher_decisions": 0},
}


@dataclass(frozen=True)
class Config:
    """Settings of the runs of all games; a game's config adds the game's name and the widths of its network."""

    game: ClassVar[str]
    methods: ClassVar[tuple[str, ...]] = ("self-play", "maskable-ppo")

    players: tuple[int, ...] = (2,)
    """Players at a table; given several numbers, the policy learns to play at all of these."""

    rules: str = ""
    """Changes to the official rules, such as "max_turns=500"."""

    method: Literal["self-play", "maskable-ppo", "search"] = "self-play"
    """self-play learns in all seats from the results of rounds; maskable-ppo in one seat, with sb3-contrib's algorithm;
    search from looking ahead, if the game supports it.
    """

    decisions: Annotated[int, Between(1, 1e12)] = 4_000_000
    """Decisions that the policy learns from."""

    tables: Annotated[int, Between(1, 1_000_000)] = 512
    """Tables played at the same time."""

    n_steps: Annotated[int, Between(2, 100_000)] = 64
    """Decisions per table between updates."""

    n_epochs: Annotated[int, Between(1, 100)] = 2
    """Passes over these decisions per update."""

    batch_size: Annotated[int, Between(2, 1e8)] = 2048
    """Initial batch size, in decisions."""

    doublings: Annotated[int, Between(0, 20)] = 0
    """Number of times that the batch size doubles, at equal intervals."""

    learning_rate: Share = 2.5e-3
    """Initial learning rate; it changes linearly to the final one."""

    last_learning_rate: Share = 1e-4
    """Final learning rate."""

    ent_coef: Share = 0.01
    """Entropy coefficient: the reward for variety in play."""

    gae_lambda: Share = 0.8
    """Lambda of generalised advantage estimation: higher looks further ahead."""

    win: Annotated[float, Between(0, 1000)] = 0.5
    """Reward for winning the round on top of the margin, in points; the losers share the cost."""

    margin: Annotated[float, Between(0, 1000)] = 1.0
    """Reward per point of margin; 0 if only winning counts."""

    start: str = ""
    """Policy file (.safetensors) with the initial weights, and the network's widths; "" for random weights."""

    teacher: str = ""
    """Agent whose decisions the policy learns from first, as if they were its own; "" for none."""

    teacher_decisions: Annotated[int, Between(0, 1e12)] = 0
    """Number of decisions made by the teacher."""

    average: Share = 0.0
    """Final share of the run over which weights are averaged; 0 for no averaging."""

    value_warmup: Share = 0.05
    """With --method search, the first share of the decisions, when only the value network learns, from how the policy
    plays.
    """

    opponents: tuple[str, ...] = ()
    """Agents in the opponent pool, besides earlier snapshots of the policy."""

    opponent_fraction: Share = 0.0
    """Share of tables with opponents from the pool; at the others the policy plays itself."""

    snapshots: Annotated[int, Between(0, 1000)] = 8
    """Earlier policies kept in the pool; the easiest makes room for the next."""

    seed: Annotated[int, Between(0, 2**62)] = 0
    """Seed of the weights, the deals and all random choices."""

    baselines: tuple[str, ...] = ()
    """Agents to measure the margin against during training."""

    deals: Annotated[int, Between(2, 1e8)] = 500
    """Deals per measurement, each played from every seat; the last measurement plays ten times as many."""

    measurements: Annotated[int, Between(1, 10_000)] = 20
    """Number of measurements, checkpoints and snapshots during the run."""

    threads: Annotated[int, Between(1, 256)] = 2
    """Threads for playing and learning; self-play can use two. The policy is the same with any number."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device of the network; auto uses a GPU if there is one."""

    def __post_init__(self) -> None:
        """Raise TableError for impossible values."""
        for problem in self._problems():
            raise TableError(problem)
        for players in self.players:
            self.rules_at(players)

    def _problems(self) -> Iterator[str]:
        """Yield each problem of the settings, in words; a later check may rely on earlier ones."""
        yield from self._wrong_types()
        for name, (least, greatest) in self.ranges().items():
            if not least <= (value := getattr(self, name)) <= greatest:
                yield f"{name}={value} must be from {least:,.15g} to {greatest:,.15g}"
        if self.device not in ("auto", "cpu", "cuda"):
            yield f"device={self.device!r} must be auto, cpu or cuda"
        if self.method not in self.methods:
            yield f"method={self.method!r} must be {' or '.join(self.methods)}"
        if not self.players:
            yield "players=() must name at least one number of players"
        for name in ("players", "opponents", "baselines"):
            if len(set(value := getattr(self, name))) < len(value):
                yield f"{name}={value} names something twice"
        if (self.teacher_decisions > 0) != (self.teacher != ""):
            yield f"teacher_decisions={self.teacher_decisions} and teacher={self.teacher!r} must be given together"
        yield from self._wrong_opponents()
        yield from self._wrong_for_the_method()

    def _wrong_types(self) -> Iterator[str]:
        """Values from a file may have any type."""
        for field in self.own_fields():
            value, usual = getattr(self, field.name), field.default
            kinds = (int, float) if isinstance(usual, float) else (type(usual),)
            kind = int if field.name == "players" else str
            is_list = isinstance(value, tuple) and all(type(item) is kind for item in value)
            if type(value) not in kinds or (isinstance(usual, tuple) and not is_list):
                yield f"{field.name}={value!r} must be of the same type as {usual!r}"

    def _wrong_opponents(self) -> Iterator[str]:
        fraction = f"opponent_fraction={self.opponent_fraction}"
        if self.opponent_fraction < 1 and self.opposed == self.tables:
            yield f"{fraction} of tables={self.tables} leaves none for the policy to play itself"
        if self.opponent_fraction > 0 and self.opposed == 0:
            yield f"{fraction} of tables={self.tables} leaves none for opponents"
        if self.opponent_fraction > 0 and not self.opponents and self.snapshots == 0:
            yield f"{fraction} needs opponents or snapshots"
        if self.opponent_fraction == 0 and self.opponents:
            yield f"opponents={self.opponents} are in the pool, but opponent_fraction=0 gives them no table"

    def _wrong_for_the_method(self) -> Iterator[str]:
        for name, value in UNUSED.get(self.method, {}).items():
            if getattr(self, name) != value:
                yield f"method={self.method} has no {name}"
        if self.method == "search" and self.opponent_fraction > 0 and not self.opponents:
            yield f"method=search with opponent_fraction={self.opponent_fraction} needs opponents"
        if self.method == "maskable-ppo" and len(self.players) > 1:
            yield f"method=maskable-ppo learns at tables of one size, not of {self.players}"
        if self.method == "maskable-ppo" and self.opponent_fraction != (1.0 if self.opponents else 0.0):
            yield "method=maskable-ppo meets opponents at all tables (opponent_fraction=1), or its own copies"

    @classmethod
    def ranges(cls) -> dict[str, Between]:
        """Return the least and the greatest value of every number, by the name of its field."""
        hints = get_type_hints(cls, include_extras=True)
        types = {field.name: hints[field.name] for field in cls.own_fields()}
        return {name: kind.__metadata__[0] for name, kind in types.items() if hasattr(kind, "__metadata__")}

    @property
    def opposed(self) -> int:
        """The number of tables with opponents from the pool."""
        return round(self.opponent_fraction * self.tables)

    def rules_at(self, players: int) -> Any:
        """Return the rules of a table with this many players."""
        from cardtable.table.game.card_game import find_game

        rules = find_game(self.game).rules(self.rules)
        if "players" in rules.changes():
            raise TableError(f"rules={self.rules!r}: the number of players is set by players")
        return rules.replace(players=players)

    @classmethod
    def own_fields(cls) -> tuple[Field[Any], ...]:
        """Return the fields of the game's config, without those that a command adds."""
        return fields(next(base for base in cls.__mro__ if "game" in vars(base)))

    @property
    def widths(self) -> dict[str, int]:
        """The network's arguments besides the rules: the widths, and as many seats as the largest table has."""
        from cardtable.table.agents.policies.model_card import kind_of

        names = kind_of(self.game).widths
        return {name: max(self.players) if name == "seats" else getattr(self, name) for name in names}

    @property
    def rollouts(self) -> int:
        """Number of updates."""
        return -(-self.decisions // (self.tables * self.n_steps))

    @property
    def first_averaged(self) -> int:
        """Number of updates before averaging begins; all of them if nothing is averaged."""
        return floor(self.rollouts * (1 - self.average))

    @property
    def taught_rollouts(self) -> int:
        """After how many of them the teacher leaves."""
        return -(-self.teacher_decisions // (self.tables * self.n_steps))

    def with_changes(self, changes: dict[str, Any]) -> Self:
        """Return the same with some fields changed; TableError names unknown fields."""
        unknown = changes.keys() - {field.name for field in self.own_fields()}
        if unknown:
            raise TableError(f"{', '.join(sorted(unknown))}: a training config has no such field")
        return replace(self, **changes)
