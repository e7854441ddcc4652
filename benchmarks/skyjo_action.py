"""Skyjo Action, measured: what action cards and stars are worth, how often they are used, whether the threshold rule of
Skyjo carries over, how long rounds are, and how many deals tell two agents apart. Intervals are 95 %, over deals.

.venv/bin/python benchmarks/skyjo_action.py
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
from deal_figures import Figure, mean_of, ratio_of
from numpy.typing import NDArray
from skyjo_action_choices import count_choices
from threshold_rule import PLAIN, Threshold

from cardtable.card_game import Setup
from cardtable.play.decisions import play_rounds
from cardtable.play.pairing import play_paired
from skyjo_action_env import ACTION, ACTION_CORE, STAR, Game, Rules, make_agent
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_action_env.kernel.state import FLIP
from skyjo_env import OFFICIAL
from skyjo_env.card_game import SKYJO

SEATS = {2: 1.0, 4: 0.5, 8: 0.125}  # players, and the share of the deals that they play
STAR_RULES = ("opening_star=false", "star_clear=automatic", "star_lines=owner_may_discard", "short_rows=false")
PAIRS = (("greedy", PLAIN["greedy"]), ("planner", PLAIN["planner"]), ("planner", "greedy"))
IN_SKYJO = (("expected", "threshold:t=2"), ("tempo", "expected"))
TELL_APART = (1.96 + 0.84) ** 2  # squared errors: wrong in 5 % of matches between equals, and in 20 % of the others


def margins(rules: Any, seed: int, deals: int, first: Any, second: Any) -> NDArray[Any]:
    """The margin of the first agent when the second has all other seats, deal by deal."""
    table = [first, *[second] * (rules.players - 1)]
    return play_paired(table, Setup(rules, seed=seed), range(deals)).margins[:, 0]


def action_cards(seed: int, deals: int) -> Iterator[Figure]:
    """What action cards are worth to those who use them, in points of margin."""
    for players, share in SEATS.items():
        for preset, rules in (("ACTION", ACTION), ("ACTION_CORE", ACTION_CORE)):
            for pair in PAIRS:
                numbers = margins(rules.replace(players=players), seed, int(share * deals), *pair)
                yield mean_of(f"{preset}: {' - '.join(pair)}", players, numbers)


def threshold(seed: int, deals: int) -> Iterator[Figure]:
    """The threshold rule here, against greedy without action cards, and in Skyjo, against `expected`."""
    for t in range(-1, 7):
        yield mean_of(f"t={t}", 2, margins(ACTION, seed, deals // 4, Threshold(ACTION, t), PLAIN["greedy"]))
        yield mean_of(f"Skyjo: t={t}", 2, margins(OFFICIAL, seed, deals, f"threshold:t={t}", "expected"))
    yield mean_of("t=2 - greedy", 2, margins(ACTION, seed, deals // 4, Threshold(ACTION, 2), "greedy"))


def choices(seed: int, deals: int) -> Iterator[Figure]:
    """What the planner does at the beginning of its turns and for its stars, a turn."""
    for preset, rules in (("ACTION", ACTION), ("ACTION", ACTION.replace(players=4)), ("ACTION_CORE", ACTION_CORE)):
        counts = count_choices("planner", rules, seed, deals // rules.players)
        for name in sorted(set().union(*counts) - {"turns"}):
            parts, turns = (np.array([count[each] for count in counts]) for each in (name, "turns"))
            yield ratio_of(f"{preset}: {name}", rules.players, parts, turns)


def stars(seed: int, deals: int) -> Iterator[Figure]:
    """The mean score under other rules, and how much lower a star in place of a 0 makes the score of its owner."""
    scores = {text: mean_score(Rules.from_text(text), seed, deals) for text in ("", *STAR_RULES)}
    yield mean_of("score", 2, scores[""])
    for text in STAR_RULES:
        yield mean_of(f"score, {text}, less that", 2, scores[text] - scores[""])
    for text in ("", "opening_star=false"):
        rules = Rules.from_text(text)
        gains = [score_with(rules, seed, deal, 0) - score_with(rules, seed, deal, STAR) for deal in range(deals)]
        yield mean_of(f"a star instead of a 0 {text}".strip(), 2, np.array(gains))


def mean_score(rules: Rules, seed: int, deals: int) -> NDArray[Any]:
    """Of planners, deal by deal."""
    played = play_rounds([make_agent("planner", rules)] * 2, Setup(rules, seed=seed), range(deals))
    scores: NDArray[Any] = played.scores.mean(axis=1)
    return scores


def score_with(rules: Rules, seed: int, deal: int, card: int) -> int:
    """The score of seat 0 if the first card that it turns up is this one."""
    game, agent = Game(rules, seed=seed, deal=deal, episode="round"), make_agent("planner", rules)
    game.apply(FLIP, card)
    while not game.is_over:
        game.apply(int(agent.act(game.observation()[None], game.mask()[None], np.zeros(1, np.uint64))[0]))
    return game.round_scores[0]


def lengths(seed: int, deals: int) -> Iterator[Figure]:
    """How long rounds are, and how far margins scatter between equals, with Skyjo beside it."""
    tables = [(SKYJO_ACTION, rules, agent) for rules in (ACTION, ACTION_CORE) for agent in ("greedy", "planner")]
    for kind, preset, agent in (*tables, (SKYJO, OFFICIAL, "expected"), (SKYJO, OFFICIAL, "tempo")):
        for players, share in SEATS.items():
            rules, some = preset.replace(players=players), int(share * deals)
            played = play_rounds([kind.agents.make(agent, rules)] * players, Setup(rules, seed=seed), range(some))
            name = f"{kind.title}{' CORE' if preset is ACTION_CORE else ''}, {agent}"
            yield mean_of(f"{name}: turns", players, played.turns)
            yield mean_of(f"{name}: decisions", players, played.decisions)
            yield mean_of(f"{name}: stopped, %", players, 100.0 * played.is_stopped)
            yield Figure(f"{name}: deviation of a margin", players, some, float(played.margins.std()))


def skill(seed: int, deals: int) -> Iterator[Figure]:
    """How many deals, each from both seats, tell two agents apart: a 5 % test that finds it in 80 % of matches."""
    for title, rules, pairs in (("Skyjo Action", ACTION, PAIRS), ("Skyjo", OFFICIAL, IN_SKYJO)):
        for pair in pairs:
            numbers = margins(rules, seed, deals, *pair)
            yield mean_of(f"{title}: {' - '.join(pair)}", 2, numbers)
            needed = np.ceil(TELL_APART * numbers.var(ddof=1) / numbers.mean() ** 2)
            yield Figure(f"{title}: deals for {' - '.join(pair)}", 2, deals, float(needed))


PARTS = {part.__name__: part for part in (action_cards, threshold, choices, stars, lengths, skill)}


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default all)")
    parser.add_argument("--deals", type=int, default=2000, help="with two players, of quick agents (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="of all deals (default 1)")
    parser.add_argument("--json", action="store_true", help="print JSON; the table goes to standard error")
    options = parser.parse_args()
    if options.deals < 16:
        parser.error("--deals must be at least 16")
    if not PARTS.keys() >= set(options.parts):
        parser.error(f"a PART is one of {', '.join(PARTS)}")
    found, progress = [], sys.stderr if options.json else sys.stdout
    for part in options.parts or PARTS:
        for figure in PARTS[part](options.seed, options.deals):
            error = "" if figure.error is None else f" ± {figure.error:.3f}"
            name = f"{part}: {figure.name}"
            print(f"{name:72}{figure.players:2}{figure.deals:6}{figure.mean:10.3f}{error}", file=progress, flush=True)
            found.append({"part": part, **asdict(figure)})
    if options.json:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
