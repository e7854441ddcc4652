"""The command `compare`: learned policies against scripted players, and what `lookahead` and an exploiter win from
them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from skyjo.commands.playing import Playing
from skyjo.interfaces import file_named

if TYPE_CHECKING:
    from skyjo_training.comparison_plan import ComparisonPlan

PARTS = ("games", "slow_deals", "look_deals", "exploiter_decisions")  # what is played and learned besides the rounds


@dataclass(frozen=True, kw_only=True)
class Compare(Playing):
    """Compare learned policies with scripted players, and write a page about it.

    It reports points a round, rounds won and games won against each opponent, for the policy of every training seed and
    for all seeds together. It also reports the gains of `lookahead`, and of an exploiter: a new policy trained only
    against this one. The same seed gives the same numbers with any number of workers.

    With the defaults each policy takes a few minutes on two cores. A smaller --deals makes every other part smaller in
    proportion, except the parts whose options are given.
    """

    name = "compare"

    policy: Annotated[str, tyro.conf.arg(metavar="RUN"), tyro.conf.Positional]
    """Folder of a training run, a policy's .safetensors file, or the name of any agent."""

    opponents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT ...", help_behavior_hint="")] = ()
    """Agents to compare it with; see the command `agents` (default: every kind of scripted player)."""

    players: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Seats at a table; the opponent takes all but one (default: the fewest the policy was trained for)."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 3000
    """Deals, of one round each, that each policy plays against each opponent from every seat."""

    games: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals of whole games, where no agent is slow; 0 for none (default: 250, fewer with fewer --deals)."""

    slow_deals: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals, of one round each, against slow opponents such as rollout (default: 60, fewer with fewer --deals)."""

    look_deals: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals of `lookahead` against each policy, where it can play; 0 for none (default: 1000, fewer with fewer
    --deals).
    """

    exploiter_decisions: Annotated[int | None, tyro.conf.arg(metavar="DECISIONS", help_behavior_hint="")] = None
    """Decisions that the exploiter learns from; 0 for no exploiter (default: 500000, fewer with fewer --deals)."""

    warm: bool = False
    """Start the exploiter as a copy of the policy; against a strong policy it finds more than a fresh one."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of all deals, and of the exploiter."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = field(default_factory=file_named("compare"))
    """HTML file to write, pictures included; in a folder, it gets the default name."""

    def run(self) -> None:
        """Play, learn and write."""
        import torch  # noqa: F401 (without it, users need the extra train, which brings everything else)

        from skyjo.commands.shared import show
        from skyjo.terminal.progress import progress
        from skyjo.terminal.text_files import target
        from skyjo_training.comparison import play_comparison
        from skyjo_training.comparison_page import comparison_document

        page, plan = target(self.out, file_named("compare")()), self._plan()
        with self.connected(self.workers):
            comparison = play_comparison(plan, progress)
        if not self.json:
            self._print_sizes(plan)
        show(comparison_document(comparison, self.command()), self.json, page)

    def sizes(self) -> dict[str, Any]:
        """Return the sizes of the other parts: those of their options, else the usual ones, or smaller with fewer
        deals.
        """
        from cardtable.arena.play.plan import MIN_DEALS
        from skyjo_training.comparison_plan import ComparisonPlan

        share = min(1.0, self.deals / ComparisonPlan.deals)
        sizes = {name: getattr(self, name) for name in PARTS}
        for name in PARTS:
            if sizes[name] is None:
                sizes[name] = max(MIN_DEALS, int(share * getattr(ComparisonPlan, name)))
        return sizes

    def _print_sizes(self, plan: ComparisonPlan) -> None:
        """Print which of the played parts became smaller, and their sizes."""
        is_played = plan.games_of(0), any(map(plan.is_slow, plan.opponents)), plan.lookaheads, plan.exploiter_decisions
        names = [name for name, is_there in zip(PARTS, is_played, strict=True) if is_there]
        smaller = [f"--{name.replace('_', '-')} {getattr(plan, name)}" for name in names if getattr(self, name) is None]
        if plan.deals < type(plan).deals and smaller:
            print(f"Fewer than {type(plan).deals:,} deals, so smaller in proportion: {' '.join(smaller)}")

    def _plan(self) -> ComparisonPlan:
        from skyjo.commands.shared import the_game
        from skyjo_training.comparison_plan import ComparisonPlan, contenders
        from skyjo_training.learned_game import learned_game

        game = the_game()
        policies, model_card = contenders(self.policy, game.name)
        rules, served = (game.rules(), 2) if model_card is None else (model_card.rules, min(model_card.players))
        return ComparisonPlan(
            policies=policies,
            rules=rules.replace(players=served if self.players is None else self.players),
            opponents=self.opponents or learned_game(game.name).opponents,
            deals=self.deals,
            **self.sizes(),
            warm=self.warm,
            seed=self.seed,
            with_luck=self.luck,
            workers=self.workers,
            timeout=self.timeout,
            on_cluster=self.cluster is not None,
        )
