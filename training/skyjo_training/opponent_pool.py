"""The opponents of a policy that learns: earlier snapshots of it and scripted agents, chosen by how hard they are."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import Agent

MEMORY = 2000.0  # rounds after which what was measured counts for half as much
SCALE = 10.0  # an opponent that is harder by so many points is chosen about 2.7 times as often


@dataclass
class Member:
    """An opponent, and how the policy has done against it."""

    name: str
    agent: Agent
    rounds: float = 0.0  # the older, the less each counts
    points: float = 0.0

    @property
    def margin(self) -> float:
        """The policy's mean margin; even as long as nothing is known."""
        return self.points / self.rounds if self.rounds > 0 else 0.0

    def note(self, margins: NDArray[np.float64]) -> None:
        """Count rounds that were played against it."""
        left = 0.5 ** (len(margins) / MEMORY)
        self.rounds, self.points = self.rounds * left + len(margins), self.points * left + float(margins.sum())


class Pool:
    """An agent itself: whoever of its members is at the table now."""

    def __init__(self, scripted: list[Member], most_snapshots: int, rng: np.random.Generator) -> None:
        self.members, self.most_snapshots, self.rng = scripted, most_snapshots, rng
        self.scripted = len(scripted)
        self.now = 0

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.integer[Any]]:
        """What the member at the table decides."""
        return self.members[self.now].agent.act(observations, masks, chances)

    def choose(self) -> None:
        """Let another one sit down: the harder it has been for the policy, the likelier."""
        weights = np.exp(-np.array([member.margin for member in self.members]) / SCALE)
        self.now = int(self.rng.choice(len(self.members), p=weights / weights.sum()))

    def note(self, margins: NDArray[np.float64]) -> None:
        """Count rounds against whoever is at the table."""
        if len(margins) > 0:
            self.members[self.now].note(margins)

    def add(self, snapshot: Member) -> None:
        """Keep a snapshot; if there are too many, the easiest goes. Whoever is at the table stays there otherwise."""
        snapshots = [*self.members[self.scripted :], snapshot]
        if len(snapshots) > self.most_snapshots:
            snapshots.remove(max(snapshots[:-1] or snapshots, key=lambda member: member.margin))
        seated = self.members[self.now : self.now + 1]
        self.members = self.members[: self.scripted] + snapshots
        self.now = next((place for place, member in enumerate(self.members) if [member] == seated), 0)
