"""Count how many mistakes of people-like players a reason explains, and check that no reason speaks for the mistake.

Players with habits play rounds, `lookahead` judges them, and what a marked decision is told is checked against the
cards, by a second calculation.

.venv/bin/python benchmarks/reasons.py --mistakes 500
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np

from cardtable.arena.exam.analysis import Judged
from cardtable.table.agents.agents import choose
from cardtable.table.game.records import RecordFormat
from skyjo.interfaces import find_interface
from skyjo_agents.judging import LookAnalyst
from skyjo_agents.policy import LookaheadAgent
from skyjo_env import Game, action_names, make_agent
from skyjo_env.card_game import SKYJO, spec_of
from skyjo_env.kernel.state import DRAW, EMPTY, HIDDEN, TAKE

HABITS = ("hurried", "collector", "cautious", "copycat")
FEWER, CARD = r"([-\d.]+) points? fewer", r"(-?\d+)"


def mistakes(players: int) -> Iterator[tuple[Any, str, Judged]]:
    """Yield marked decisions of players with habits, with their rules and positions."""
    for deal in count():
        game = Game(f"players={players}", seed=60, deal=deal, episode="round")
        agents = [make_agent(HABITS[(seat + deal) % len(HABITS)], game.rules) for seat in range(players)]
        while not game.is_over:
            agent, seen = agents[game.seat], (game.observation()[None], game.mask()[None])
            game.apply(int(choose(agent, "habit", spec_of(game.rules), *seen)[0]))
        table = RecordFormat(SKYJO).begin(game.record())
        for judged in LookAnalyst(LookaheadAgent(game.rules)).decisions(game.record()):
            if judged.mark:
                yield game.rules, table.position(), judged
            table.apply(judged.action)


class Cards:
    """Holds the parts of a judged position that sentences name."""

    def __init__(self, rules: Any, judged: Judged) -> None:
        self.rules, self.view = rules, spec_of(rules).view(judged.observation)
        self.better, self.other = ([*name.split(), "0"][:2] for name in self.names(judged))
        pool = self.view.hidden_pool
        self.mean = float(pool @ np.array(rules.values) / max(pool.sum(), 1))
        self.saved = [self.saves(action) for action in (judged.best, judged.action)]

    def names(self, judged: Judged) -> list[str]:
        """Return the names of the better action and of the other."""
        return [action_names(self.rules)[action] for action in (judged.best, judged.action)]

    def column(self, cell: int, seat: int = 0) -> list[int]:
        """Return the other cards of the column of a cell."""
        first = cell - cell % self.rules.rows
        return [int(self.view.cells[seat][at]) for at in range(first, first + self.rules.rows) if at != cell]

    def placed(self, cell: int, card: int) -> float:
        """Return the points that placing a card saves."""
        old, beside = self.view.cells[0][cell], self.column(cell)
        points = self.mean if old == HIDDEN else float(old)
        return points + sum(beside) if beside == [card] * len(beside) else points - card

    def best(self, card: int) -> float:
        """Return the most points that placing a card can save."""
        return max(self.placed(cell, card) for cell, old in enumerate(self.view.cells[0]) if old != EMPTY)

    def saves(self, action: int) -> float:
        """Return the points that an action is expected to save at once."""
        if action == DRAW:
            pool = self.view.draw_pool / max(self.view.draw_pool.sum(), 1)
            return float(pool @ [max(self.best(card), 0.0) for card in self.rules.values])
        if action == TAKE:
            return self.best(int(self.view.discard_top))
        verb, cell = action_names(self.rules)[action].split()
        return self.placed(int(cell), int(self.view.hand)) if verb == "place" else 0.0

    def old(self, name: list[str]) -> int:
        """Return the card that an action sends away."""
        return int(self.view.cells[0][int(name[1])] if name[0] == "place" else self.view.hand)

    def is_true(self, words: str) -> bool:
        """Return whether the cards agree with what a sentence says of them, and its numbers with the verdict."""
        cells, hand = self.view.cells, int(self.view.hand)
        card = int(found[1]) if (found := re.search(CARD, words)) else 0
        if re.search(FEWER, words) or "saves more" in words:
            return self.saved[0] > self.saved[1]
        if "third of a column" in words:
            at = [cell for cell, shown in enumerate(cells[1]) if shown != EMPTY]
            return card > 0 and any(self.column(cell, 1) == [card, card] for cell in at)
        if "discard pile" in words:
            return self.other[0] == "take" or self.old(self.other) == card != self.old(self.better)
        if "together" in words:
            return self.other[0] == "take" or card == self.old(self.other) in self.column(int(self.other[1]))
        if "makes a pair" in words:
            return self.better[0] == "take" or (card == hand and card in self.column(int(self.better[1])))
        if "below zero" in words:
            return self.other[0] == "take" or hand < 0
        if "more than a hidden" in words:
            return card > self.mean
        return "lower card" not in words or self.saved[1] < 0


def main() -> None:
    """Print the share that is explained, by mark and by kind of sentence, and every sentence that is not true."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mistakes", type=int, default=500, help="how many (default 500)")
    parser.add_argument("--read", type=int, default=0, help="how many are printed with their positions (default 0)")
    options = parser.parse_args()
    told, said, kinds, wrong = Counter[str](), Counter[str](), Counter[str](), 0
    streams, phrases = [mistakes(2), mistakes(2), mistakes(4)], find_interface("skyjo").phrases
    for number in range(options.mistakes):
        rules, position, judged = next(streams[number % 2 * 2])
        cards = Cards(rules, judged)
        words = phrases.reason(rules, judged.observation, judged.best, judged.action, judged.seems_lost)
        told[judged.mark] += 1
        said[judged.mark] += bool(words)
        kinds[re.sub(r"-?\d[\d.]*", "…", words)] += 1
        is_wrong = bool(words) and not cards.is_true(words)
        wrong += is_wrong
        if number < options.read or is_wrong:
            better, other = cards.names(judged)
            print(f"{position}\n{judged.mark} {judged.seems_lost:.1f}: {better}, not {other}: {words or '–'}\n")
    for words, times in kinds.most_common():
        print(f"{times:5} {words or 'no reason'}")
    shares = ", ".join(f"{mark} {said[mark]} of {told[mark]}" for mark in told)
    print(f"explained {said.total() / told.total():.0%} ({shares}); {wrong} contradict the verdict or the cards")


if __name__ == "__main__":
    main()
