"""`python -m studies convergence`: whether ratings settle sooner when luck is taken out of the scores."""

from dataclasses import asdict, dataclass
from typing import Annotated

import tyro

from skyjo.terminal.progress import progress


@dataclass(frozen=True)
class Convergence:
    """Simulate whether ratings find the true strengths sooner when luck is taken out of the scores.

    Raw scores, and scores with luck subtracted or divided out, are each rated by the Elo for games of chance with the K
    that suits them best. docs/elo_paper.md explains the table.
    """

    replicates: Annotated[int, tyro.conf.arg(metavar="N")] = 400
    """How many worlds to simulate, at least 2."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of all worlds."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Simulate, and print the table."""
        from cardtable.checks import whole_number
        from studies.convergence import World, as_text, convergence

        world = World(replicates=whole_number("replicates", self.replicates, 2, 10**6))
        with progress("rating", 1) as report:
            rows = convergence(world, seed=self.seed, report=report)
        if self.json:
            import json

            print(json.dumps([asdict(row) for row in rows], indent=2))
        else:
            print(as_text(rows))
