"""A tournament from Python: play it, store every game, and read how strong everybody is. Run it again and it continues.

The command `skyjo tournament` does the same.
"""

import argparse
from pathlib import Path

from cardtable.card_game import Setup
from cardtable.play.plan import tournament
from cardtable.report.ladder import ladder
from cardtable.stored.plan_store import store_for
from cardtable.stored.store import Store
from cardtable.workers.plan_run import play
from skyjo_env import Rules, SkyjoError


def main() -> None:
    """Play what is not stored yet, and print the ladder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the games are stored")
    parser.add_argument("--deals", type=int, default=500, help="at every table, each from every seat (default 500)")
    options = parser.parse_args()

    try:
        agents, setup = ["naive", "threshold:t=2", "expected", "tempo"], Setup(Rules(players=3), seed=1)
        plan = tournament(agents, setup, options.deals)
        store = store_for(options.folder, plan, "examples/tournament.py")
    except SkyjoError as error:
        parser.error(str(error))
    play(plan, store, report=lambda course: print(f"\r{course.played} of {sum(plan.deals)} deals", end=""))
    print()
    for rung in ladder(Store.open(store.folder)).rungs:
        print(f"{rung.agent:16} {rung.rating:5.0f} [{rung.low:.0f}, {rung.high:.0f}]   {rung.margin} points a round")


if __name__ == "__main__":
    main()
