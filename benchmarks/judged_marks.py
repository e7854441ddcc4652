"""Count how many of the mistakes that Skyjo Action's judge marks are mistakes when played to the end of the round.

Players err in one decision of five. The judge rates their decisions where `planner` would act otherwise, and each
marked mistake is tried again on many guesses of the hidden cards.
"""

import argparse
import random
import time

import numpy as np

from cardtable.table.agents.agents import rng_states_of
from cardtable.table.kernel.futures import GAINED
from skyjo.analysis.judge import analyst_for
from skyjo.interfaces import find_interface
from skyjo_action_agents import RolloutAgent
from skyjo_action_env import ACTION, Game, make_agent

ERRORS, KEY = 0.2, np.uint64(1_000_000)


def measure(decisions: int, guesses: int) -> None:
    """Judge decisions, and print each marked mistake, its loss by both measures, and the share that agrees."""
    chance, spent, losses = random.Random(1), list[float](), list[tuple[float, float]]()
    _, analyst = analyst_for(find_interface("skyjo_action"), ACTION)
    players, planner = [make_agent(name, ACTION) for name in ("greedy:stuck=1,star=0", "greedy")], make_agent("planner")
    long = RolloutAgent(ACTION, turns=30_000)
    game = Game(ACTION, seed=1, episode="round")
    while len(spent) < decisions:
        game = Game(ACTION, seed=chance.randrange(2**32), episode="round") if game.is_over else game
        tables = game.observation().copy()[None], game.mask().copy()[None]
        usual, wanted = (
            int(agent.act(*tables, rng_states_of(tables[0]))[0]) for agent in (planner, players[game.seat])
        )
        action = chance.choice(game.legal_actions()) if chance.random() < ERRORS else wanted
        if action == usual or chance.random() < 0.5:
            game.apply(action)
            continue
        begin = time.process_time()
        judged = analyst._judged(game, len(spent) + 1, action)
        spent.append(time.process_time() - begin)
        if judged.check is not None and judged.mark in ("mistake", "blunder"):
            pair = np.array([judged.best, action])
            lost = -long.try_actions(tables[0][0], pair, range(guesses), KEY)[GAINED, 1] / guesses
            losses.append((judged.lost, lost))
            print(
                f"{judged.mark:8} {judged.lost:6.1f} ± {2 * judged.check.error:.1f}, played on {lost:6.1f}", flush=True
            )
    lost = np.array(losses)
    shares = [(lost[:, 1] >= least).mean() for least in (analyst.marks.mistake, analyst.marks.inaccuracy)]
    print(
        f"{len(spent)} decisions, {np.mean(spent):.2f} s each, at most {max(spent):.2f} s; {len(lost)} mistakes marked"
    )
    print(f"played on to the end {shares[0]:.0%} are mistakes, and {shares[1]:.0%} at least inaccuracies")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decisions", type=int, nargs="?", default=300, help="decisions to judge (default 300)")
    parser.add_argument("guesses", type=int, nargs="?", default=1000, help="guesses for each mistake (default 1000)")
    measure(**vars(parser.parse_args()))
