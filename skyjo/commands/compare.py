"""The command `compare`: learned policies against scripted players, and what `look` and an exploiter win from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from skyjo.commands.cluster_option import OnCluster
from skyjo.programs import file_named

if TYPE_CHECKING:
    from cardtable.policies.policy_card import ShareDocument
    from cardtable.statistics import EstimateDocument
    from skyjo_training.comparison_document import ComparisonDocument, Measurement
    from skyjo_training.comparison_plan import ComparisonPlan

PARTS = ("games", "slow", "look", "exploit")  # what is played and learned besides the rounds


@dataclass(frozen=True)
class Compare(OnCluster):
    """Compare learned policies with scripted players, and write a page about it.

    It reports points a round, rounds won and games won against each opponent, for the policy of every training seed and
    for all seeds together; and how much `look`, and an exploiter (a new policy trained only against this one), can win
    from it. The same seed gives the same numbers with any number of workers.

    With the defaults each policy takes a few minutes on two cores. A smaller --deals makes every other part smaller in
    proportion, except those whose own option is given.
    """

    policy: Annotated[str, tyro.conf.arg(metavar="RUN"), tyro.conf.Positional]
    """Folder of a training run, a policy's .safetensors file, or the name of any agent."""

    opponents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT ...", help_behavior_hint="")] = ()
    """Agents to compare it with; see the command `agents` (default: every kind of scripted player)."""

    players: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Seats at a table; the opponent takes all but one (default: the fewest the policy was trained for)."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 3000
    """Deals, of one round each, that each policy plays against each opponent from every seat."""

    games: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals of whole games, where nobody is slow; 0 for none (default: 250, fewer with fewer --deals)."""

    slow: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals, of one round each, against slow opponents such as rollout (default: 60, fewer with fewer --deals)."""

    look: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals of `look` against each policy, where it can play; 0 for none (default: 1000, fewer with fewer --deals)."""

    exploit: Annotated[int | None, tyro.conf.arg(metavar="DECISIONS", help_behavior_hint="")] = None
    """Decisions that the exploiter learns from; 0 for no exploiter (default: 500000, fewer with fewer --deals)."""

    warm: bool = False
    """Start the exploiter as a copy of the policy; against a strong policy it finds more than a fresh one."""

    luck: bool = False
    """Subtract luck from the margins; on average they stay the same, and their intervals are usually narrower."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of all deals, and of the exploiter."""

    workers: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """How many pieces to play at once."""

    timeout: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 300
    """How long an agent that is not scripted may take for one answer, which may cover many tables."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = field(default_factory=file_named("compare"))
    """HTML file to write, pictures included; in a folder, it gets the default name."""

    json: bool = False
    """Print all numbers as JSON."""

    def run(self) -> None:
        """Play, learn and write."""
        import torch  # noqa: F401 (whoever lacks it needs the extra train, which brings everything else)

        from skyjo.terminal.progress import progress
        from skyjo.terminal.text_files import target, write_text
        from skyjo_training.comparison import play_comparison
        from skyjo_training.comparison_page import render_page

        page, plan = target(self.out, file_named("compare")()), self._plan()
        with self.connected(self.workers), progress("playing", plan.work) as report:
            found = play_comparison(plan, report)
        document: ComparisonDocument = {"command": self._command(), **found}
        write_text(page, render_page(document))
        if self.json:
            import json

            print(json.dumps(document, indent=1))
        else:
            _print_answers(document)
            self._print_sizes(plan)
            print(f"Written: {page}")

    def sizes(self) -> dict[str, Any]:
        """How large the other parts are: what their options say, otherwise as usual, or smaller with fewer deals."""
        from cardtable.play.plan import FEWEST
        from skyjo_training.comparison_plan import ComparisonPlan

        share = min(1.0, self.deals / ComparisonPlan.deals)
        sizes = {name: getattr(self, name) for name in PARTS}
        for name in PARTS:
            if sizes[name] is None:
                sizes[name] = max(FEWEST, int(share * getattr(ComparisonPlan, name)))
        return sizes

    def _print_sizes(self, plan: ComparisonPlan) -> None:
        """Which of the parts that were played became smaller, and how large they are."""
        is_played = plan.games_of(0), any(map(plan.is_slow, plan.opponents)), plan.lookers, plan.exploit
        names = [name for name, is_there in zip(PARTS, is_played, strict=True) if is_there]
        smaller = [f"--{name} {getattr(plan, name)}" for name in names if getattr(self, name) is None]
        if plan.deals < type(plan).deals and smaller:
            print(f"Fewer than {type(plan).deals:,} deals, so smaller in proportion: {' '.join(smaller)}")

    def _plan(self) -> ComparisonPlan:
        from skyjo.commands.chosen_game import the_game
        from skyjo_training.comparison_plan import ComparisonPlan
        from skyjo_training.contenders import contenders
        from skyjo_training.learned_game import learned_game

        game = the_game()
        policies, card = contenders(self.policy, game.name)
        rules, served = (game.rules(), 2) if card is None else (card.rules, min(card.players))
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

    def _command(self) -> str:
        from skyjo.commands.repeat_command import command_line

        return command_line("compare", self, ("workers", "cluster", "timeout", "out", "json"))


def _print_answers(document: ComparisonDocument) -> None:
    from skyjo.terminal.console import print_table

    several = len(document["policies"]) > 1
    rows = []
    for each in document["against"]:
        found, over = each["together"], each["over_seeds"]
        more = () if over is None else (f"± {over['margin']['half']:.2f}",)
        rows.append((each["opponent"], _points(found["margin"]), *more, *map(_won, (found["rounds"], found["games"]))))
    points = "points a round, without luck" if document["luck"] else "points a round"
    print_table(("against", points, *(("over seeds",) if several else ()), "rounds won", "games won"), rows)
    if several:
        _print_seeds(document)
    print("± is half a 95 % interval over deals: how much these same policies would vary on other deals")
    if several:
        print("over seeds: the t interval of the policies' means, for what training again would give")
    _print_verdict(document)
    _print_stopped(document)
    _print_taken(document)


def _print_stopped(document: ComparisonDocument) -> None:
    """The shares of rounds and games that were stopped; nobody won those."""
    for each in document["against"]:
        shares = {"rounds": each["stopped"], "games": each["stopped_games"] or 0.0}
        found = [f"{100 * share:.2g} % of {what}" for what, share in shares.items() if share > 0]
        if found:
            print(f"Stopped after too many turns against {each['opponent']}: {' and '.join(found)}")


def _print_seeds(document: ComparisonDocument) -> None:
    """The margins of every policy."""
    from skyjo.terminal.console import print_table

    names = [policy["name"] for policy in document["policies"]]
    rows = [(row["opponent"], *(_points(each["margin"]) for each in row["each"])) for row in document["against"]]
    print_table(("against", *names), rows)


def _print_verdict(document: ComparisonDocument) -> None:
    by = {word: [each["opponent"] for each in document["against"] if each["verdict"]["is"] == word] for word in WORDS}
    count = len(document["against"])
    holm = f"5 % for all {count} together, Holm" if count > 1 else "5 %"
    whose = "Over training seeds the policies are" if len(document["policies"]) > 1 else "The policy is"
    for word, names in by.items():
        if names:
            whom = f"all {count}" if len(names) == count > 1 else ", ".join(names)
            print(f"{WORDS[word].format(whose)} {whom} ({holm})" if word != "open" else f"{WORDS[word]} {whom}")


WORDS = {
    "ahead": "{} significantly ahead of",
    "behind": "{} significantly behind",
    "open": "No significant difference from",
}


def _print_taken(document: ComparisonDocument) -> None:
    """What `look` and the exploiter won from the policies."""
    from skyjo_training.comparison_document import most_taken

    look, learned = document["look"], document["exploiter"]
    if look is not None:
        print(f"Looking ahead, on {look['deals']:,} deals: {_taken(look)}")
    if learned is not None:
        who = "Warm exploiter" if learned["warm"] else "Exploiter"
        print(f"{who}, after {learned['decisions']:,} decisions against the policy alone: {_taken(learned)}")
    if look is None and learned is None:
        return
    most = most_taken(document)
    bound = "a lower bound" if look is None or learned is None else "lower bounds"
    higher = "" if most is None else f", the higher one by {MOST[most]}"
    print(f"({bound} on what can be won from it{higher}: others may find more; below 0, nothing was found)")


MOST = {"look": "looking ahead", "exploiter": "the exploiter"}


def _taken(found: Measurement) -> str:
    over = found["over_seeds"]
    spread = "" if over is None else f", over seeds ± {over['margin']['half']:.2f}"
    return f"{_points(found['together']['margin'])} points a round{spread}"


def _points(found: EstimateDocument) -> str:
    return f"{found['mean']:+.2f} ± {found['half']:.2f}"


def _won(found: ShareDocument | None) -> str:
    if found is None:
        return "–"
    return f"{100 * found['value']:.1f} ± {50 * (found['high'] - found['low']):.1f} %"
