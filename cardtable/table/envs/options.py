"""The options of the environments and of their resets, declared and checked in one place."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from typing import Any, Literal, ParamSpec, TypedDict, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent, AgentRegistry, RandomAgent, is_human, sees_hidden
from cardtable.table.agents.scripted_agent import ScriptedAgent, is_base
from cardtable.table.agents.seated_agents import AgentLike, agent_of, name_of
from cardtable.table.checks import brief, check_int, choice_index, seed_number
from cardtable.table.envs.reward_functions import RewardFunction, penalty_of, reward_code
from cardtable.table.envs.screen import RenderMode
from cardtable.table.errors import AgentError, RulesError, TableError, did_you_mean
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.slices import ENCODINGS, Encoding
from cardtable.table.game.table_game import Episode
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel.game_kernel import EPISODES, NOBODY
from cardtable.table.kernel.seats import ASKED, OPPONENT_DTYPE, RANDOM, SEATING_DTYPE
from cardtable.table.render.seating import USUAL_SIZE

WhenIllegal = Literal["error", "lose"]  # what an illegal action of the learner does
ILLEGAL: tuple[WhenIllegal, ...] = get_args(WhenIllegal)
Opponents = AgentLike | Iterable[AgentLike]


# Rules, encodings and resets


def game_with_rules(game: CardGame | TableRules | str, rules: Any) -> tuple[CardGame, Any]:
    """Return the game, given as such, by its name or by its rules, and the rules, unless the game was given by them."""
    if isinstance(game, TableRules):
        if rules != "":
            raise TableError("the rules are given already, by the first argument")
        return find_game(game.game), game
    return (game if isinstance(game, CardGame) else find_game(game)), rules


def rules_for(card_game: CardGame, rules: Any, players: int | None) -> Any:
    """Return the rules, given as such or as their text, for this many players if a number is given.

    RulesError if the rules themselves were changed to another number.
    """
    checked = card_game.rules_type.check(rules)
    if players is None:
        return checked
    is_said = "players=" in rules if isinstance(rules, str) else "players" in checked.changes()
    if is_said and players != checked.players:
        raise RulesError(
            f"players={brief(players)}, but the rules are for players={checked.players}: change one of them"
        )
    return checked.replace(players=players)


def chosen_deal(options: dict[str, Any] | None, names: tuple[str, ...] = ("deal",)) -> int | None:
    """Return the deal chosen by the options of a reset, or None; TableError for an option that is not known."""
    unknown = sorted(set(options or {}) - set(names))
    if unknown:
        allowed = f"option is {names[0]}" if len(names) == 1 else f"options are {', '.join(names)}"
        raise TableError(f"unknown reset option {', '.join(unknown)}; the only {allowed}")
    return seed_number("deal", options["deal"]) if options and "deal" in options else None


def chosen_tables(options: dict[str, Any] | None, n: int) -> NDArray[np.bool_] | None:
    """Return the tables chosen by the options of a reset, as Gymnasium's own vectors take them, or None for all."""
    if options is None or "reset_mask" not in options:
        return None
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.shape != (n,) or mask.dtype != np.bool_ or not mask.any():
        received = f"shape {mask.shape} and type {mask.dtype}" if isinstance(mask, np.ndarray) else brief(mask)
        raise TableError(
            f"reset_mask must be an array (bool) with one for each of {n} tables, some of them True: {received}"
        )
    return mask


def observation_box(card_game: CardGame, rules: Any, encoding: str) -> spaces.Box:
    """Return the space of observations in this form."""
    spec = card_game.spec_of(rules)
    if encoding == "compact":
        return spaces.Box(spec.low, spec.high, dtype=np.int16)
    return spaces.Box(spec.onehot.low, spec.onehot.high, dtype=np.float32)


def observation_space(rules: Any) -> spaces.Box:
    """Return the space of compact observations under these rules."""
    return observation_box(find_game(rules.game), rules, "compact")


def encoded(card_game: CardGame, rules: Any, encoding: str, observations: NDArray[np.int16]) -> NDArray[Any]:
    """Return observations [N, D] in this form; the compact ones are not copied."""
    return observations if encoding == "compact" else card_game.spec_of(rules).onehot.encode(observations)


# Opponents


def seat_opponents(
    registry: AgentRegistry, rules: Any, opponents: Opponents, encoding: str = "compact"
) -> tuple[tuple[Agent, ...], tuple[str, ...], list[int]]:
    """Return the agents, their names, and which of them sits at each place clockwise from the learner.

    One opponent, which needs no list, takes all seats but the learner's; otherwise there must be one for each.
    Functions are shown observations in this encoding.
    """
    chosen = _listed(opponents)
    others = rules.players - 1
    if len(chosen) not in (1, others):
        counts = "1" if others == 1 else f"1 or {others}"
        raise AgentError(f"opponents: {len(chosen)} given, but there must be {counts} (players={rules.players})")
    distinct = list(dict.fromkeys(map(_key, chosen)))
    agents = [next(one for one in chosen if _key(one) == key) for key in distinct]
    seated = [distinct.index(_key(one)) for one in (chosen * others if len(chosen) == 1 else chosen)]
    seat_agents = (agent_of(one, registry, rules, "opponent", encoding) for one in agents)
    return tuple(seat_agents), tuple(map(name_of, agents)), [NOBODY, *seated]


def compiled_players(agents: Sequence[Agent], rules: Any) -> tuple[type[ScriptedAgent] | None, NDArray[np.void]]:
    """Return the opponents' records, and the class of those that have scripts. If compiled code cannot play every one
    of them, Python is to ask them all.
    """
    scripts = {place: one for place, one in enumerate(agents) if is_base(one) and one.rules == rules}
    kinds = {one.compiled_player: type(one) for one in scripts.values()}
    others = [one for place, one in enumerate(agents) if place not in scripts]
    if len(kinds) > 1 or any(type(one) is not RandomAgent for one in others):
        records = np.zeros(len(agents), OPPONENT_DTYPE)
        records["script"] = ASKED
        return None, records
    kind = next(iter(kinds.values()), None)
    players = np.zeros(len(agents), OPPONENT_DTYPE if kind is None else kind.compiled_player.player_type)
    players["script"] = RANDOM
    for place, one in scripts.items():
        players[place] = one.player[0]
    return kind, players


def check_programs(agents: Iterable[Agent], names: Iterable[str]) -> None:
    """Raise AgentError if one of these agents must see the hidden cards, or asks a person."""
    for agent, name in zip(agents, names, strict=True):
        if sees_hidden(agent):
            raise AgentError(f"opponent {name} must be shown the hidden cards, and environments never show them")
        if is_human(agent):
            raise AgentError(f"opponent {name} asks a person, and environments seat only programs")


def _listed(opponents: Any) -> list[Any]:
    if isinstance(opponents, str | type | Agent) or callable(opponents):
        return [opponents]
    if not isinstance(opponents, Iterable):
        raise AgentError(
            f"opponents={brief(opponents)} must be the name of an agent, an object with a method act, a function, "
            "or several"
        )
    return list(opponents)


def _key(opponent: Any) -> Any:
    """Opponents of the same name, or the same object, are one agent, called once for all its seats."""
    return opponent if isinstance(opponent, str) else id(opponent)


# The options themselves; docs/reference/environments.md explains each


@dataclass(frozen=True)
class TableOptions:
    """The options of every environment. TableError for a value that an option does not have."""

    card_game: CardGame
    rules: Any = ""  # or their text
    players: int | None = None
    episode: Episode = "round"
    reward: str | RewardFunction | None = None  # the usual one of the game; 1 is 100 points, or a win
    shaping: str | None = None
    encoding: Encoding = "compact"
    render_mode: RenderMode | None = None  # checked by the screen, as is the size
    render_size: tuple[int, int] = USUAL_SIZE

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", rules_for(self.card_game, self.rules, self.players))
        choice_index("encoding", self.encoding, ENCODINGS)
        choice_index("episode", self.episode, EPISODES)
        if self.reward is None:
            object.__setattr__(self, "reward", self.card_game.rewards[0])
        reward_code(self.card_game, self.reward)
        choice_index("shaping", self.shaping, self.card_game.shapings)


@dataclass(frozen=True)
class SeatOptions(TableOptions):
    """The options of every environment for one seat. `seat_opponents` checks the opponents where they sit down."""

    opponents: Opponents = ("random",)
    seat: int | Literal["random"] = "random"
    illegal: WhenIllegal = "error"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice_index("illegal", self.illegal, ILLEGAL)
        if self.seat != "random":
            try:
                check_int("seat", self.seat, 0, self.rules.players - 1)
            except TableError as error:
                raise TableError(f'{error}, or "random"') from None
        if self.card_game.stops_too_soon(self.rules):
            raise TableError(
                f"max_turns={self.rules.max_turns} is too small: with players={self.rules.players} a round could be "
                "stopped before every seat has decided"
            )

    def seating(self, restarts: bool) -> NDArray[np.void]:
        """Return the options as the compiled loop reads them, but for who sits at each place after the learner."""
        card_game, seating = self.card_game, np.zeros(1, SEATING_DTYPE)
        seating["episode"], seating["restarts"] = EPISODES.index(self.episode), restarts
        seating["reward"], seating["shaping"] = (
            reward_code(card_game, self.reward),
            card_game.shapings.index(self.shaping),
        )
        seating["seat"] = NOBODY if self.seat == "random" else self.seat
        seating["forfeits"] = ILLEGAL.index(self.illegal)
        seating["penalty"] = penalty_of(card_game, self.rules, self.reward)
        return seating


class TableKeywords(TypedDict, total=False):
    """The options of every environment but its rules, for type checkers."""

    players: int | None
    episode: Episode
    reward: str | RewardFunction | None
    shaping: str | None
    encoding: Encoding
    render_mode: RenderMode | None
    render_size: tuple[int, int]


class SeatKeywords(TableKeywords, total=False):
    """The options of every environment for one seat but its rules, for type checkers."""

    opponents: Opponents
    seat: int | Literal["random"]
    illegal: WhenIllegal


P = ParamSpec("P")


def takes(declared: type[TableOptions], *fixed: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Show these options, but for those that are fixed, as keywords of an `__init__` that takes them by `**options`.

    TypeError for an unknown option lists the known ones.
    """
    hidden = {"card_game", "rules", *fixed}
    parameters = [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default)
        for field in fields(declared)
        if field.name not in hidden
    ]

    def shown(init: Callable[P, None]) -> Callable[P, None]:
        own = [option for option in signature(init).parameters.values() if option.kind != Parameter.VAR_KEYWORD]
        names = [option.name for option in (*own[1:], *parameters)]

        @wraps(init)
        def checked(*args: P.args, **options: P.kwargs) -> None:
            for name in options:
                if name not in names:
                    raise TypeError(f"unknown option {name}; options: {', '.join(names)}{did_you_mean(name, names)}")
            init(*args, **options)

        checked.__signature__ = signature(init).replace(parameters=[*own, *parameters])  # type: ignore[attr-defined]
        return checked

    return shown
