"""Margin of a model over an agent, on deals that are played from every seat: in one call, or during training."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback

from cardtable.arena.play.pairing import play_paired
from cardtable.arena.statistics import Estimate, estimate
from cardtable.table.agents.agents import Agent, agents_of
from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.agents.seated_agents import agent_of
from cardtable.table.envs.options import game_with_rules, rules_for
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, Setup, find_game
from cardtable.table.game.slices import Encoding
from cardtable.table.game.table_rules import TableRules
from skyjo_training.sb3_models import network_agent, sb3_agent
from skyjo_training.table_policy import TablePolicy

SEED = 2**63  # of the deals; no run of this package learns from them


@dataclass(frozen=True)
class Evaluation:
    """The results of a model; intervals are for 95 %, over deals."""

    margin: Estimate  # points a round ahead of the others
    wins: Estimate  # share of rounds won
    stopped: float  # share of rounds that took too many turns

    def __str__(self) -> str:
        return f"{self.margin} points a round"


def evaluate(
    model: Any,
    game: CardGame | TableRules | str | None = None,
    rules: Any = "",
    *,
    against: Any = None,
    players: int | None = None,
    deals: int = 500,
    seed: int = SEED,
    encoding: Encoding = "compact",
) -> Evaluation:
    """Play every deal from every seat, with `against` in all other seats: by default the game's reference agent.

    The reference agents are `threshold:t=2,columns=true` in Skyjo, `greedy:pile=smallest` in Skip-Bo and `greedy` in
    Skyjo Action.

    Both may be a model of stable-baselines3, a network of this package, an agent or its name, or a function
    (observations, masks) -> actions, which is shown observations in this `encoding`. The game must be given where the
    model does not tell it; a model that knows tables of several sizes sits at the largest unless `players` says
    otherwise.
    """
    table = _rules_of(model) if game is None else rules_for(*game_with_rules(game, rules), None)
    table = table if players is None else table.replace(players=players)
    other = find_game(table.game).reference_agent if against is None else against
    seats = [as_agent(model, table, encoding), *[as_agent(other, table, encoding)] * (table.players - 1)]
    played = play_paired(seats, Setup(table, seed), range(deals))
    numbers = estimate(played.margins[:, 0]), estimate(played.wins[:, 0])
    return Evaluation(*numbers, stopped=float(played.is_stopped.mean()))


def as_agent(model: Any, rules: TableRules, encoding: Encoding = "compact") -> Agent:
    """Return the model, as it is now, as an agent at tables with these rules; AgentError if it cannot be one.

    A network plays as the agent `policy`, which is compiled code in some games.
    """
    agents = agents_of(find_game(rules.game))
    if isinstance(model, BaseAlgorithm):
        model = model.policy.network if isinstance(model.policy, TablePolicy) else sb3_agent(model)
    if isinstance(model, PolicyNetwork):
        return network_agent(model, rules)
    return agent_of(model, agents, rules, "model", encoding)


def _rules_of(model: Any) -> Any:
    """Return the rules of the tables at which a model learned; TableError if it does not tell."""
    places = model, getattr(model, "policy", None), getattr(model, "network", None)
    known = [rules for rules in (getattr(place, "rules", None) for place in places) if rules is not None]
    if known:
        return known[0]
    env = getattr(model, "env", None)
    if env is None:
        raise TableError('the model does not tell its game: evaluate(model, "skyjo", against=...)')
    return env.get_attr("rules")[0]


class EvaluationCallback(BaseCallback):
    """Evaluates a model of stable-baselines3 while it learns, against each of these agents.

    The logger gets `margin/AGENT`; `evaluations` keeps pairs of the decisions so far and the results by agent.
    """

    def __init__(self, against: Sequence[str], every: int = 50_000, **options: Any) -> None:
        """Evaluate after `every` so many decisions; the other options are those of `evaluate`."""
        super().__init__()
        self.against, self.every, self.options = against, every, options
        self.evaluations: list[tuple[int, dict[str, Evaluation]]] = []
        self.due = every

    def _on_step(self) -> bool:
        if self.num_timesteps >= self.due:
            self.due = self.num_timesteps + self.every
            results = {name: evaluate(self.model, against=name, **self.options) for name in self.against}
            self.evaluations.append((self.num_timesteps, results))
            for name, result in results.items():
                self.logger.record(f"margin/{name}", result.margin.mean)
        return True
