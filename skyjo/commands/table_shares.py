"""What is printed about whole tables after a match or a tournament, such as in how many rounds nobody could move any
more.
"""

from collections.abc import Mapping

from cardtable.card_game import Setup


def print_shares(setup: Setup, shares: Mapping[str, float]) -> None:
    """A line for each, such as `3.4 % of all rounds were blocked`, if there were any."""
    for fact in setup.game.facts(setup.rules):
        if shares.get(fact.name, 0) > 0:
            print(f"{100 * shares[fact.name]:.3g} % of all rounds were {fact.counted}")
