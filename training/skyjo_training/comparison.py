"""Policies that have learned, against others: margins, rounds and games won, and what an exploiter takes from them.

Two kinds of luck are kept apart. Intervals over deals say how these very policies would do on other deals. Several
training seeds give several policies, each measured on deals of its own; the interval over them says what another run of
the same training would bring, and holds the luck of the deals, too.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from scipy import stats

from cardtable.card_game import Setup
from cardtable.checks import whole_number
from cardtable.errors import TableError
from cardtable.play.match import PlanProgress, check, play
from cardtable.play.pairing import play_paired
from cardtable.play.plan import FEWEST, MOST, Plan, pace
from cardtable.play.tally import MARGIN, WINS, WITHOUT_LUCK
from cardtable.statistics import Estimate, Moments, estimate, holm, moments, p_value, t_test
from skyjo_agents.policy_card import Card, read_card
from skyjo_agents.policy_file import SUFFIX
from skyjo_env.agents import agent_names, make_agent
from skyjo_env.card_game import SKYJO
from skyjo_env.rules import OFFICIAL, Rules
from skyjo_training.training_run import policies_of

OPPONENTS = (
    "naive",
    *(f"threshold:t={limit}" for limit in range(4)),
    SKYJO.yardstick,
    "expected",
    "tempo",
    "rollout:n=100",
)
CLEAR = 0.05  # of p-values
GAME, THOUGHT, LESSON = 6, 1500, 0.1  # what takes as long as how many quick deals: a game, a slow deal, a decision
LEARNING: dict[str, Any] = {"tables": 256, "steps": 32, "batch": 1024, "epochs": 2, "decay": 0.8, "device": "cpu"}
WARM: dict[str, Any] = {"rate": 5e-4, "entropy": 0.002}  # what is known already must not be forgotten at once
PIECE = 500  # deals against the exploiter between two reports

Report = Callable[[float, str], None]  # told the work that was done, and what comes next


# Who is compared


@dataclass(frozen=True)
class Contender:
    """A policy: what it is called here, and the agent that plays it."""

    name: str
    agent: str


def contenders(what: str) -> tuple[tuple[Contender, ...], Card | None]:
    """The policies of a run's folder, that of a file, or any agent, which has no card; TableError if there is none."""
    files = _files(what)
    if files is None:
        return (Contender(what, what),), None
    cards = [read_card(file) for file in files]
    if any((card.rules, card.players) != (cards[0].rules, cards[0].players) for card in cards):
        raise TableError(f"{what}: its policies were trained for different rules or numbers of players")
    names = [file.parent.name.replace("-", " ") for file in files] if len(files) > 1 else ["policy"]
    return tuple(Contender(name, _agent(file)) for name, file in zip(names, files, strict=True)), cards[0]


def _files(what: str) -> list[Path] | None:
    """The files of the policies; None for an agent's name."""
    path, is_agent = Path(what).expanduser(), what.partition(":")[0] in agent_names()
    if path.suffix == SUFFIX and not path.is_dir():
        return [path]
    if path.is_dir():
        try:
            return policies_of(path)
        except TableError:
            if not is_agent:
                raise
    if is_agent:
        return None
    raise TableError(f"{what}: this is no folder of a training run, no {SUFFIX} file and no agent")


def _agent(file: Path) -> str:
    text = str(file)
    if "," in text and re.search("[()]", text):
        raise TableError(f"{text}: a path with a comma cannot have brackets, too; rename it")
    return f"policy:path=({text})" if "," in text else f"policy:path={text}"


# What is to be done


@dataclass(frozen=True)
class Settings:
    """All that the numbers depend on, and how to play; TableError for what cannot be."""

    policies: tuple[Contender, ...]
    rules: Rules = OFFICIAL
    opponents: tuple[str, ...] = OPPONENTS
    deals: int = 3000  # of rounds, for each policy against each opponent
    games: int = 250  # deals of whole games, none where somebody thinks long; or 0
    slow: int = 60  # deals where somebody thinks long
    exploit: int = 500_000  # decisions from which an exploiter learns, or 0
    warm: bool = False  # an exploiter begins as a copy of the policy
    seed: int = 0
    with_luck: bool = False  # take off the margins what luck explains of them
    workers: int = 2
    timeout: float = 300.0

    def __post_init__(self) -> None:
        for name in ("deals", "slow"):
            whole_number(name, getattr(self, name), FEWEST, MOST)
        if self.games != 0:
            whole_number("games", self.games, FEWEST, MOST)
        whole_number("exploit", self.exploit, 0, 10**12)
        if len(self.opponents) == 0:
            raise TableError("opponents: name at least one")
        for name in self.opponents:
            if self.opponents.count(name) > 1:
                raise TableError(f"{name} is named twice among the opponents")
        for number, policy in enumerate(self.policies):
            if self.warm and not hasattr(make_agent(policy.agent, self.rules), "network"):
                raise TableError(f"{policy.agent} has no network that an exploiter could begin with")
            check(self.rounds_of(number), self.workers, self.timeout)

    @cached_property
    def _thinking_long(self) -> set[str]:
        names = *(policy.agent for policy in self.policies), *self.opponents
        return {name for name in names if pace(SKYJO, [name]) == "slow"}

    @property
    def policies_think_long(self) -> bool:
        """Whether one of the policies does; then all tables are slow."""
        return any(policy.agent in self._thinking_long for policy in self.policies)

    def is_slow(self, opponent: str) -> bool:
        """Whether somebody thinks long where this one plays."""
        return self.policies_think_long or opponent in self._thinking_long

    def rounds_of(self, number: int) -> Plan:
        """What a policy plays: a table for every opponent, who sits in all seats but the policy's."""
        counts = tuple(self.slow if self.is_slow(opponent) else self.deals for opponent in self.opponents)
        return self._plan(number, self.opponents, counts, "round")

    def games_of(self, number: int) -> Plan | None:
        """The same as whole games, if any are to be played."""
        quick = tuple(opponent for opponent in self.opponents if not self.is_slow(opponent))
        return self._plan(number, quick, (self.games,) * len(quick), "game") if self.games > 0 and quick else None

    def _plan(self, number: int, opponents: tuple[str, ...], counts: tuple[int, ...], episode: str) -> Plan:
        policy, others = self.policies[number].agent, self.rules.players - 1
        tables = tuple((policy, *[opponent] * others) for opponent in opponents)
        return Plan(tables, counts, Setup(self.rules, self.seed + number, episode, self.with_luck))

    @property
    def work(self) -> float:
        """How much there is to do, in quick deals."""
        counts = self.rounds_of(0).deals
        rounds = sum(
            count * (THOUGHT if self.is_slow(name) else 1) for name, count in zip(self.opponents, counts, strict=True)
        )
        games = self.games_of(0)
        played = rounds + (GAME * sum(games.deals) if games is not None else 0)
        return len(self.policies) * (played + (self.exploit * LESSON + self.exploit_deals if self.exploit > 0 else 0))

    @property
    def exploit_deals(self) -> int:
        """On how many deals an exploiter is measured."""
        return self.slow if self.policies_think_long else self.deals


# Estimates over deals and over training seeds


@dataclass(frozen=True)
class Share:
    """How much of something was won, with a 95 % interval."""

    value: float
    low: float
    high: float


def together(parts: Sequence[Moments]) -> Estimate:
    """The mean of the means of several policies, each on deals of its own, with an interval over deals."""
    each = [estimate(part) for part in parts]
    return Estimate(fmean(one.mean for one in each), math.hypot(*(one.half for one in each)) / len(each))


def share_together(parts: Sequence[Moments]) -> Share:
    """The same for shares that were won: Wilson's interval (1927, JASA 22:209), which never leaves 0 to 1.

    For its number of games it has that with which independent games would scatter as much as the deals did, or if they
    did not scatter, the number of deals (Korn and Graubard 1998, Survey Methodology 24:193).
    """
    mean = fmean(part.mean for part in parts)
    error = sum(part.variance / (part.count - 1) for part in parts) / len(parts) ** 2  # squared
    games = mean * (1 - mean) / error if error > 0 else sum(part.count for part in parts)
    z = float(stats.norm.isf(0.025))
    middle, scale = (mean + z**2 / (2 * games)), 1 + z**2 / games
    half = z * math.sqrt(max(mean * (1 - mean), 0) / games + z**2 / (4 * games**2))
    return Share(mean, max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale))


def over_seeds(parts: Sequence[Moments]) -> Estimate | None:
    """The t interval of the policies' means; None for a single policy."""
    return estimate([part.mean for part in parts]) if len(parts) > 1 else None


Parts = Sequence[Moments]  # of one number, policy by policy


def _document(policies: Sequence[Contender], margin: Parts, rounds: Parts, games: Parts | None) -> dict[str, Any]:
    """What is known of the policies against one opponent: each of them, together, and over training seeds."""
    each = [
        {"policy": policy.name, **_measured([margin[k]], [rounds[k]], None if games is None else [games[k]])}
        for k, policy in enumerate(policies)
    ]
    spread = [over_seeds(parts) if parts is not None else None for parts in (margin, rounds, games)]
    over = {name: found and asdict(found) for name, found in zip(("margin", "rounds", "games"), spread, strict=True)}
    return {
        "each": each,
        "together": _measured(margin, rounds, games),
        "over_seeds": over if len(policies) > 1 else None,
    }


def _measured(margin: Parts, rounds: Parts, games: Parts | None) -> dict[str, Any]:
    won = None if games is None else asdict(share_together(games))
    return {"margin": asdict(together(margin)), "rounds": asdict(share_together(rounds)), "games": won}


# The comparison


def find_out(settings: Settings, report: Report = lambda *_: None) -> dict[str, Any]:
    """Play it all, let exploiters learn, and return all numbers, ready for JSON. AgentError for an agent that fails."""
    numbers = range(len(settings.policies))
    rounds = [_played(settings, settings.rounds_of(number), report, 1) for number in numbers]
    plans = [settings.games_of(number) for number in numbers]
    games = [_played(settings, plan, report, GAME) for plan in plans if plan is not None]
    exploiters = [_exploit(settings, number, report) for number in numbers] if settings.exploit > 0 else []
    found = [_against(settings, opponent, rounds, games) for opponent in settings.opponents]
    _judge(found, settings)
    return {
        "policies": [asdict(policy) for policy in settings.policies],
        "rules": settings.rules.replace(players=2).to_text(),
        "players": settings.rules.players,
        **{name: getattr(settings, name) for name in ("deals", "games", "slow", "seed")},
        "luck": settings.with_luck,
        "against": found,
        "exploiter": _exploiters(settings, exploiters) if exploiters else None,
    }


def _played(settings: Settings, plan: Plan, report: Report, weight: float) -> PlanProgress:
    """Play a plan, and tell of the work as it is done."""
    slow = sum(count for table, count in enumerate(plan.deals) if pace(plan.game, plan.tables[table]) == "slow")
    weight *= (sum(plan.deals) + (THOUGHT - 1) * slow) / sum(plan.deals)  # tables advance side by side
    told = 0

    def tell(course: PlanProgress) -> None:
        nonlocal told
        report(weight * (course.played - told), f"playing {plan.setup.episode}s")
        told = course.played

    report(0, f"playing {plan.setup.episode}s")
    course = play(plan, workers=settings.workers, limit=settings.timeout, report=tell)
    for error in course.failures.values():
        raise error
    return course


def _against(
    settings: Settings, opponent: str, rounds: list[PlanProgress], games: list[PlanProgress]
) -> dict[str, Any]:
    """The policies against one opponent."""
    what = WITHOUT_LUCK if settings.with_luck else MARGIN
    at = settings.opponents.index(opponent)
    margins, wins = ([course.tallies[at].moments(kind, 0) for course in rounds] for kind in (what, WINS))
    won = None
    for course in games:
        names = [table[1] for table in course.plan.tables]
        if opponent in names:
            won = [*(won or []), course.tallies[names.index(opponent)].moments(WINS, 0)]
    counts = {"deals": rounds[0].tallies[at].deals, "games": 0 if won is None else won[0].count}
    return {"opponent": opponent, **counts, **_document(settings.policies, margins, wins, won)}


def _judge(found: list[dict[str, Any]], settings: Settings) -> None:
    """Say of every margin whether it is beyond chance, held to Holm's standard for so many: of the policy over deals,
    or if there are several, of their training over its seeds.
    """
    if len(settings.policies) > 1:
        values = [t_test([one["margin"]["mean"] for one in each["each"]]) for each in found]
    else:
        values = [p_value(Estimate(**each["together"]["margin"]), each["deals"]) for each in found]
    for each, adjusted in zip(found, holm(values), strict=True):
        ahead = "ahead" if each["together"]["margin"]["mean"] > 0 else "behind"
        each["verdict"] = {"p_value": float(adjusted), "is": ahead if adjusted <= CLEAR else "open"}


# The exploiter


def _exploit(settings: Settings, number: int, report: Report) -> tuple[Moments, Moments]:
    """Let a fresh policy learn against this one alone, and measure it: its margins, and the rounds it won."""
    from skyjo_training.self_play import NetworkAgent, SelfPlay
    from skyjo_training.training_config import Config

    rules, policy = settings.rules, settings.policies[number].agent
    config = Config(
        players=(rules.players,),
        rules=rules.replace(players=2).to_text(),
        decisions=settings.exploit,
        seed=(settings.seed + number) % 2**62,  # a config's are smaller than those of deals
        pool=1.0,
        opponents=(policy,),
        snapshots=0,
        **LEARNING | (WARM if settings.warm else {}),
    )

    def tell(*_: Any) -> bool:
        report(config.tables * LESSON * settings.exploit / (config.rollouts * config.steps * config.tables), words)
        return True

    words = "learning to exploit"
    report(0, words)
    model, agent = SelfPlay(config), make_agent(policy, rules)
    if settings.warm:
        _begin_as(model, agent)
    model.learn(config.decisions, tell)
    seats = [NetworkAgent(model.network), *[agent] * (rules.players - 1)]
    setup = Setup(rules, settings.seed + number, with_luck=settings.with_luck)
    margins, wins = [], []
    for start in range(0, settings.exploit_deals, PIECE):
        deals = range(start, min(start + PIECE, settings.exploit_deals))
        played = play_paired(seats, setup, deals)
        margins.append(played.without_luck[:, 0])
        wins.append(played.wins[:, 0])
        report(len(deals), "playing exploiters")
    return moments(np.concatenate(margins)), moments(np.concatenate(wins))


def _begin_as(model: Any, agent: Any) -> None:
    """Let a policy learn on from where another one ended."""
    from skyjo_agents.policy_file import card_of

    model.policy.widths = card_of(agent.network, (2,)).network
    model.policy._build(model.lr_schedule)
    model.network.load_state_dict(agent.network.state_dict())
    model.network.requires_grad_(True)


def _exploiters(settings: Settings, found: list[tuple[Moments, Moments]]) -> dict[str, Any]:
    margins, wins = zip(*found, strict=True)
    document = {"decisions": settings.exploit, "deals": settings.exploit_deals, "warm": settings.warm}
    return {**document, **_document(settings.policies, margins, wins, None)}
