"""The config of a training run: one frozen dataclass, which every game extends by the widths of its network.

The command line reads it to show its help, so anything heavy is imported only when it is used.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, fields, replace
from math import floor
from typing import Any, ClassVar, Literal, Self

Bounds = tuple[tuple[str, float, float], ...]  # of the numbers in a config: name, least, greatest

BOUNDS: Bounds = (
    ("decisions", 1, 1e12),
    ("tables", 1, 1_000_000),
    ("n_steps", 2, 100_000),
    ("n_epochs", 1, 100),
    ("batch_size", 2, 1e8),
    ("doublings", 0, 20),
    ("learning_rate", 0, 1),
    ("last_learning_rate", 0, 1),
    ("ent_coef", 0, 1),
    ("gae_lambda", 0, 1),
    ("win", 0, 1000),
    ("margin", 0, 1000),
    ("teacher_decisions", 0, 1e12),
    ("average", 0, 1),
    ("value_warmup", 0, 1),
    ("opponent_fraction", 0, 1),
    ("snapshots", 0, 1000),
    ("seed", 0, 2**62),
    ("deals", 2, 1e8),
    ("measurements", 1, 10_000),
    ("threads", 1, 256),
)

UNUSED: dict[str, dict[str, Any]] = {  # by method: options that it cannot use, and their values that turn them off
    "maskable-ppo": {"teacher": "", "teacher_decisions": 0, "average": 0.0, "doublings": 0},
    "search": {"teacher": "", "teacher_decisions": 0},
}


@dataclass(frozen=True)
class Config:
    """What the runs of all games depend on; a game's own config names the game and adds the widths of its network."""

    game: ClassVar[str]
    bounds: ClassVar[Bounds]
    methods: ClassVar[tuple[str, ...]] = ("self-play", "maskable-ppo")

    players: tuple[int, ...] = (2,)
    """Players at a table; given several numbers, the policy learns to play at all of these."""

    rules: str = ""
    """Changes to the official rules, such as "max_turns=500"."""

    method: Literal["self-play", "maskable-ppo", "search"] = "self-play"
    """self-play learns in all seats from the results of rounds; maskable-ppo in one seat, with sb3-contrib's algorithm;
    search from looking ahead, if the game supports it.
    """

    decisions: int = 4_000_000
    """Decisions that the policy learns from."""

    tables: int = 512
    """Tables played at the same time."""

    n_steps: int = 64
    """Decisions per table between updates."""

    n_epochs: int = 2
    """Passes over these decisions per update."""

    batch_size: int = 2048
    """Initial batch size, in decisions."""

    doublings: int = 0
    """How many times the batch size doubles, at equal intervals."""

    learning_rate: float = 2.5e-3
    """Initial learning rate; it falls linearly."""

    last_learning_rate: float = 1e-4
    """Final learning rate."""

    ent_coef: float = 0.01
    """Initial entropy coefficient; it falls linearly to 0."""

    gae_lambda: float = 0.8
    """Lambda of generalised advantage estimation: how far ahead advantages look."""

    win: float = 0.5
    """Reward for winning the round on top of the margin, in points; the losers share the cost."""

    margin: float = 1.0
    """Reward per point of margin; 0 if only winning counts."""

    start: str = ""
    """Policy file (.safetensors) with the initial weights, and the network's widths; "" for random weights."""

    teacher: str = ""
    """Agent whose decisions the policy learns from first, as if they were its own; "" for none."""

    teacher_decisions: int = 0
    """Number of decisions made by the teacher."""

    average: float = 0.0
    """Final share of the run over which weights are averaged; 0 for no averaging."""

    value_warmup: float = 0.05
    """With --method search, the first share of the decisions, when only the value network learns, from how the policy
    plays.
    """

    opponents: tuple[str, ...] = ()
    """Agents in the opponent pool, besides earlier snapshots of the policy."""

    opponent_fraction: float = 0.0
    """Share of tables with opponents from the pool; at the others the policy plays itself."""

    snapshots: int = 8
    """Earlier policies kept in the pool; the easiest makes room for the next."""

    seed: int = 0
    """Seed of the weights, the deals and all random choices."""

    baselines: tuple[str, ...] = ()
    """Agents to measure the margin against during training."""

    deals: int = 500
    """Deals per measurement, each played from every seat."""

    measurements: int = 20
    """Number of measurements, checkpoints and snapshots during the run."""

    threads: int = 2
    """Threads for playing and learning; self-play can use two. The policy is the same with any number."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where the network runs; auto uses a GPU if there is one."""

    def __post_init__(self) -> None:
        """TableError for impossible values."""
        from cardtable.table.errors import TableError

        self._check_types()
        for name, low, high in self.bounds:
            value = getattr(self, name)
            if not low <= value <= high:
                raise TableError(f"{name}={value} must be from {low:,.15g} to {high:,.15g}")
        self._check_pool()
        self._check_method()
        self._check_teacher()
        for players in self.players:
            self.rules_at(players)
        if not self.players:
            raise TableError("players=() must name at least one number of players")
        for name in ("players", "opponents", "baselines"):
            value = getattr(self, name)
            if len(set(value)) < len(value):
                raise TableError(f"{name}={value} names something twice")

    def _check_types(self) -> None:
        """Values from a file may have any type."""
        from cardtable.table.errors import TableError

        for field in self.own_fields():
            value, usual = getattr(self, field.name), field.default
            kinds = (int, float) if isinstance(usual, float) else (type(usual),)
            kind = int if field.name == "players" else str
            is_list = isinstance(value, tuple) and all(type(item) is kind for item in value)
            if type(value) not in kinds or (isinstance(usual, tuple) and not is_list):
                raise TableError(f"{field.name}={value!r} must be of the same type as {usual!r}")
        if self.device not in ("auto", "cpu", "cuda"):
            raise TableError(f"device={self.device!r} must be auto, cpu or cuda")
        if self.method not in self.methods:
            raise TableError(f"method={self.method!r} must be {' or '.join(self.methods)}")

    def _check_teacher(self) -> None:
        from cardtable.table.errors import TableError

        if (self.teacher_decisions > 0) != (self.teacher != ""):
            raise TableError(
                f"teacher_decisions={self.teacher_decisions} and teacher={self.teacher!r} must be given together"
            )

    def _check_method(self) -> None:
        """TableError for what the method cannot use."""
        from cardtable.table.errors import TableError

        for name, value in UNUSED.get(self.method, {}).items():
            if getattr(self, name) != value:
                raise TableError(f"method={self.method} has no {name}")
        if self.method == "search" and self.opponent_fraction > 0 and not self.opponents:
            raise TableError(f"method=search with opponent_fraction={self.opponent_fraction} needs opponents")
        if self.method == "maskable-ppo" and len(self.players) > 1:
            raise TableError(f"method=maskable-ppo learns at tables of one size, not of {self.players}")
        if self.method == "maskable-ppo" and self.opponent_fraction != (1.0 if self.opponents else 0.0):
            raise TableError(
                "method=maskable-ppo meets opponents at all tables (opponent_fraction=1), or its own copies"
            )

    def _check_pool(self) -> None:
        from cardtable.table.errors import TableError

        if self.opponent_fraction < 1 and self.opposed == self.tables:
            fraction = f"opponent_fraction={self.opponent_fraction}"
            raise TableError(f"{fraction} of tables={self.tables} leaves none for the policy to play itself")
        if self.opponent_fraction > 0 and self.opposed == 0:
            raise TableError(
                f"opponent_fraction={self.opponent_fraction} of tables={self.tables} leaves none for opponents"
            )
        if self.opponent_fraction > 0 and not self.opponents and self.snapshots == 0:
            raise TableError(f"opponent_fraction={self.opponent_fraction} needs opponents or snapshots")
        if self.opponent_fraction == 0 and self.opponents:
            raise TableError(f"opponents={self.opponents} are in the pool, but opponent_fraction=0 gives them no table")

    @property
    def opposed(self) -> int:
        """The number of tables with opponents from the pool."""
        return round(self.opponent_fraction * self.tables)

    def rules_at(self, players: int) -> Any:
        """The rules of a table with this many players."""
        from cardtable.table.errors import TableError
        from cardtable.table.game.card_game import find_game

        rules = find_game(self.game).rules(self.rules)
        if "players" in rules.changes():
            raise TableError(f"rules={self.rules!r}: the number of players is set by players")
        return rules.replace(players=players)

    @classmethod
    def own_fields(cls) -> tuple[Field[Any], ...]:
        """The fields of the game's config, without those that a command adds."""
        return fields(next(base for base in cls.__mro__ if "game" in vars(base)))

    @property
    def widths(self) -> dict[str, int]:
        """The network's arguments beside the rules: the widths, and as many seats as the largest table has."""
        from cardtable.table.agents.policies.model_card import kind_of

        names = kind_of(self.game).widths
        return {name: max(self.players) if name == "seats" else getattr(self, name) for name in names}

    @property
    def rollouts(self) -> int:
        """How many updates there are."""
        return -(-self.decisions // (self.tables * self.n_steps))

    @property
    def first_averaged(self) -> int:
        """How many updates there are before averaging begins; all of them if nothing is averaged."""
        return floor(self.rollouts * (1 - self.average))

    @property
    def taught_rollouts(self) -> int:
        """After how many of them the teacher leaves."""
        return -(-self.teacher_decisions // (self.tables * self.n_steps))

    def with_changes(self, changes: dict[str, Any]) -> Self:
        """The same with some fields changed; TableError names unknown fields."""
        from cardtable.table.errors import TableError

        unknown = changes.keys() - {field.name for field in self.own_fields()}
        if unknown:
            raise TableError(f"{', '.join(sorted(unknown))}: a training config has no such field")
        return replace(self, **changes)
