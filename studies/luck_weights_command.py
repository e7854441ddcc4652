"""`python -m studies luck-weights`: fits the weights of the luck terms."""

from dataclasses import dataclass
from typing import Annotated

import tyro

from skyjo.terminal.progress import progress

PLAYERS = range(2, 9)


@dataclass(frozen=True)
class LuckWeights:
    """Fit how many points of margin each luck term explains, at tables of two to eight scripted players.

    The weights used by --luck were fitted by this command, on deals used for nothing else.
    """

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 20_000
    """Deals for each table of agents."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Fit the weights for every number of players, and print them."""
        from cardtable.checks import whole_number
        from studies.luck_weights import as_text, weights_row

        deals, rows = whole_number("deals", self.deals, 1, 10**7), []
        with progress("playing", len(PLAYERS)) as report:
            for players in PLAYERS:
                rows.append(weights_row(players, deals))
                report(1)
        if self.json:
            import json

            print(json.dumps(rows, indent=2))
        else:
            print(as_text(rows))
