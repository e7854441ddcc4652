"""The opponents of a learning policy: named agents and earlier snapshots of it, chosen by how hard they are."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent

MEMORY = 2000.0  # rounds after which what was measured counts for half as much


@dataclass
class Member:
    """An opponent, and how the policy has done against it."""

    name: str
    agent: Agent
    rounds: float = 0.0  # the older, the less each counts
    points: float = 0.0

    @property
    def margin(self) -> float:
        """The policy's mean margin against it; 0 before the first round."""
        return self.points / self.rounds if self.rounds > 0 else 0.0

    def note(self, margins: NDArray[np.float64]) -> None:
        """Count rounds that were played against it."""
        weight = 0.5 ** (len(margins) / MEMORY)
        self.rounds, self.points = self.rounds * weight + len(margins), self.points * weight + float(margins.sum())


class OpponentPool:
    """An agent that plays as one of its members, which `choose` changes. The named members never leave."""

    def __init__(self, named: list[Member], most_snapshots: int, hardness: float, rng: np.random.Generator) -> None:
        """Choose an opponent that is harder by `hardness` points about 2.7 times as often."""
        self.members, self.most_snapshots, self.hardness, self.rng = named, most_snapshots, hardness, rng
        self.named = len(named)
        self.now = 0  # the number of the member at the table

    @property
    def snapshots(self) -> list[Member]:
        """The members that are earlier policies, the oldest first."""
        return self.members[self.named :]

    @property
    def encoding(self) -> str:
        """The encoding that the member at the table asks for."""
        return getattr(self.members[self.now].agent, "encoding", "compact")

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], rng_states: NDArray[np.uint64]
    ) -> NDArray[np.integer[Any]]:
        """Return the decisions of the member at the table."""
        return self.members[self.now].agent.act(observations, masks, rng_states)

    def state(self) -> dict[str, Any]:
        """Return the members of the pool, the one at the table, and the results of the policy against each."""
        return {"now": self.now, "members": [[member.name, member.rounds, member.points] for member in self.members]}

    def restore(self, state: dict[str, Any], snapshots: dict[str, Agent]) -> None:
        """Continue from the result of `state`, with these snapshots by name."""
        agents = snapshots | {member.name: member.agent for member in self.members[: self.named]}
        self.members = [Member(name, agents[name], rounds, points) for name, rounds, points in state["members"]]
        self.now = state["now"]

    def choose(self) -> None:
        """Seat a random member; those that have been harder for the policy are more likely."""
        weights = np.exp(-np.array([member.margin for member in self.members]) / self.hardness)
        self.now = int(self.rng.choice(len(self.members), p=weights / weights.sum()))

    def note(self, margins: NDArray[np.float64]) -> None:
        """Count rounds against the member at the table."""
        if len(margins) > 0:
            self.members[self.now].note(margins)

    def add(self, snapshot: Member) -> None:
        """Keep a snapshot; if there are too many, the easiest leaves.

        The member at the table stays there; if it has left, the first member takes its place.
        """
        snapshots = [*self.snapshots, snapshot]
        if len(snapshots) > self.most_snapshots:
            snapshots.remove(max(snapshots[:-1] or snapshots, key=lambda member: member.margin))
        seated = self.members[self.now : self.now + 1]
        self.members = self.members[: self.named] + snapshots
        self.now = next((place for place, member in enumerate(self.members) if [member] == seated), 0)
