"""The option --cluster of the commands that can use many machines."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Annotated

import tyro


@dataclass(frozen=True, kw_only=True)
class OnCluster:
    """A command that may use a Ray cluster."""

    cluster: Annotated[str | None, tyro.conf.arg(metavar="ADDRESS", help_behavior_hint="")] = None
    """Use all cores of the Ray cluster at HOST:PORT; local starts one on this machine."""

    def connected(self, workers: int) -> AbstractContextManager[None]:
        """The time of the connection to the cluster; without the option there is none."""
        if self.cluster is None:
            return nullcontext()
        from cardtable.arena.workers.cluster import connected

        return connected(self.cluster, workers)
