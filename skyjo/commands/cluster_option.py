"""The option --cluster of all commands that can play on many machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

if TYPE_CHECKING:
    from cardtable.workers.cluster import Cluster


@dataclass(frozen=True, kw_only=True)
class OnCluster:
    """A command that may play on a Ray cluster."""

    cluster: Annotated[str | None, tyro.conf.arg(metavar="ADDRESS", help_behavior_hint="")] = None
    """Play on all cores of the Ray cluster at HOST:PORT; local starts one on this machine."""

    @contextmanager
    def connected(self, workers: int, agents: Iterable[str] = ()) -> Iterator[Cluster | None]:
        """The cluster, with everything that is needed to make these agents; None without the option."""
        if self.cluster is None:
            yield None
            return
        from cardtable.workers.cluster import connected
        from skyjo.commands.chosen_game import the_game

        with connected(self.cluster, workers, the_game(), agents) as cluster:
            yield cluster
