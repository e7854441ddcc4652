"""GameUnderTest: what the tests of this folder must know of a game. Each file tests one subject for all of them."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cardtable.table.errors import PositionError
from cardtable.table.game.card_game import CardGame
from tests.games.players import Nth, random_legal

Options = dict[str, Any]


@dataclass(frozen=True)
class GameUnderTest:
    """A game with its samples and expectations. Everything the tests need beyond public names is here."""

    api: Any  # its package, for the public names
    single: Any  # its Gymnasium environments
    vector: Any
    text: Any
    gymnasium_id: str  # without the package
    most_players: int

    # Rules and play
    random_rules: Callable[[random.Random], Any]
    written_position: str  # one in which some cards are left open
    short_position: str
    position_damages: list[tuple[str, str, str]]  # a part of the short one, what stands there instead, and the error
    damaged_states: list[tuple[str, Options, str]]  # rules, wrong numbers in a record, and the error
    quick: Any  # rules for three players under which games end after few decisions
    quick_rules: str  # rules under which a round of two ends soon, as text
    seeing: Options  # the rules under which a table can be sampled
    check: Callable[[Any], None]  # fails if cards of a table are lost, or if it has ended in a way that cannot be
    plays: int  # random play prefers actions below this number, so that rounds end; 0 if they end anyway

    # Rewards, worked out slowly from a table alone
    shaping: str
    brought: Callable[[Any, Any, str], list[float]]  # (before, after, reward): by seat, without shaping
    potential: Callable[[Any, int], float]  # (table, seat): what shaping pays the change of
    penalties: dict[str, float]  # for an illegal action at an official table of three, by kind of reward

    # A second implementation, written from the rules alone
    oracle: Any
    oracle_fields: Callable[[Any], dict[str, Any]]
    assert_same: Callable[[Any, Any, Any, int], None]  # (table, oracle's table, rules, decisions)
    expected_view: Callable[[Any, int], dict[str, Any]]  # (oracle's table, seat): the slices of an observation
    counted: list[tuple[Any, str, list[int]]]  # rules, episode, and distinct states after 0, 1, 2, ... decisions

    # Agents
    scripts: tuple[str, ...]
    scripted_table: tuple[str, tuple[str, ...]]  # rules, and agents for them

    # Cases
    bad_options: list[tuple[Options, str]]  # of environments for one seat
    to_light: Callable[[Any, int, Any], tuple[int, ...]]  # (table, action, events): the cards that its seat saw come
    impossible: list[tuple[str, int, str]]  # a slice of an observation, a wrong number in it, and the error
    observed: Callable[[], Any]  # the table whose observation that is

    # What is inside
    card_codes: Callable[[Any], Any]  # (rules): what an observation shows for a card, in the order of the encoding
    card_game: CardGame  # its declaration
    text_width: int  # at most, under any rules
    drawn_rules: list[Any]  # rules whose tables are drawn in many windows
    open_text: Callable[[Any], str]  # the table without what its seats alone see
    # (table, chance, seat=None): the same table with other cards wherever this seat, or else nobody, sees them
    unseen_changed: Callable[..., Any]
    unwritten: frozenset[str]  # fields of a record whose cells beyond those in play no position tells
    equal_plays: int = 0  # equal players prefer actions below this number, so that enough rounds end
    rare_events: frozenset[type] = frozenset()  # which random play does not bring about, but its own tests do

    @property
    def name(self) -> str:
        return self.card_game.name

    @property
    def title(self) -> str:
        return self.card_game.title

    @property
    def rewards(self) -> tuple[str, ...]:
        return self.card_game.rewards

    @property
    def pettingzoo(self) -> Any:
        """The module of its PettingZoo environment."""
        return import_module(f"{self.api.__name__}.{self.name}_v0")

    @property
    def nth(self) -> Nth:
        """An agent for it."""
        return Nth(self.plays)

    def rules(self, seed: int) -> Any:
        """Random rules."""
        return self.random_rules(random.Random(seed))

    def short_rules(self, seed: int) -> Any:
        """The same, but with few rounds, and only enough turns in them for every seat to decide, or 60."""
        rules = self.rules(seed)
        return rules.replace(
            max_turns=max(rules.players, min(rules.max_turns, 60)), max_rounds=min(rules.max_rounds, 3)
        )

    def choose(self, table: Any, chance: random.Random) -> int:
        """A random legal action."""
        return random_legal(table.legal_actions(), chance, self.plays)

    def play(self, table: Any, chance: random.Random, decisions: int = 100_000, *, prefers: bool = True) -> list[int]:
        """Make up to this many random decisions, preferring some unless told otherwise; return them."""
        made: list[int] = []
        while len(made) < decisions and not table.is_over:
            made.append(self.choose(table, chance) if prefers else chance.choice(table.legal_actions()))
            table.apply(made[-1])
        return made

    def played(self, rules: Any, seed: int, decisions: int) -> Any:
        """A table after some random decisions."""
        table = self.api.Game(rules, seed=seed, episode=("game", "round")[seed % 2])
        self.play(table, random.Random(seed), decisions)
        return table

    def is_as_written(self, rules: Any, state: Any) -> bool:
        """Whether records are what their own written positions say, which looking at many tables must agree with."""
        kind = self.card_game
        for record in state:
            try:
                text = kind.format_position(rules, record)
                _, (again,) = kind.parse_position(text)
            except PositionError:
                return False
            names = {*again.dtype.names} - self.unwritten
            if any((again[name] != record[name]).any() for name in names):
                return False
            if kind.format_position(rules, again) != text:
                return False
        return True


def illegal_at(table: Any) -> int:
    """An action that is not legal now."""
    return int((table.mask() == 0).argmax())
