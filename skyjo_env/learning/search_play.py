"""Learning by looking ahead: the network learns the value of every action at once, and of the table to all seats.

The policy learns which actions look best; its value network learns what tables are worth if the policy itself plays on,
because a value network that learns from the best action counts its own errors as gains. One table of eight is played by
the best action that was found and the others by the policy, some decisions of both at random; at the tables of the
pool, opponents sit in all seats but one. Nothing is learned from the luck of the next card.

At first the policy plays alone and stays as it is, while the value network learns what its tables are worth: an
untrained value network would teach it nonsense.

Since an action is tried with every card that may come, what it is worth is free of the luck of the next card. What is
learned later in the same round corrects it, with less weight the later it comes.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback
from torch import Tensor
from torch.nn import functional

from cardtable.table.agents.agents import choose
from cardtable.table.kernel.scoring import POINTS
from skyjo_agents.lookahead import label_tables
from skyjo_agents.network import TableNetwork
from skyjo_agents.network_shapes import VALUE_NETWORK
from skyjo_agents.policy import PackedNetwork
from skyjo_env.card_game import spec_of
from skyjo_training.self_play_tables import SelfPlayTables
from skyjo_training.table_learner import TableLearner

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Labels:
    """Values of N tables by lookahead, in units of the reward; places are counted from the seat that decides."""

    action_values: Floats  # [N, A] of every legal action to the seat that decides; NaN for the others
    follows: Floats  # [N, P] of the action that was played, or else of the best one, to every seat
    values: Floats  # [N, P] of the table, as the network values it
    actions: NDArray[np.int64]  # [N] the best ones


def label(
    rules: Any,
    network: PackedNetwork,
    views: NDArray[np.int16],
    keys: NDArray[np.uint64],
    played: NDArray[np.int64],
    threads: int,
    is_alone: bool = False,
) -> Labels:
    """Return the labels of tables; every thread makes a part of them. Where `played` is not -1, it is the action that
    is followed; if it `is_alone`, no other has a value.
    """
    n, players = len(views), rules.players
    action_values, follows, values = (np.empty((n, width), np.float32) for width in (rules.actions, players, players))
    actions = np.empty(n, np.int64)
    bounds = np.linspace(0, n, threads + 1).astype(int)
    parts = [slice(first, last) for first, last in pairwise(bounds)]

    def work(part: slice) -> None:
        arrays = (array[part] for array in (keys, played, action_values, follows, values, actions))
        label_tables(views[part], rules.params, network.weights, network.layout, is_alone, *arrays)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, parts))
    return Labels(action_values, follows, values, actions)


def returns(
    follows: Floats, values: Floats, seats: NDArray[np.int64], goes_on: NDArray[np.bool_], decay: float
) -> Floats:
    """Return the value of every table to all seats, corrected by later values, [T, N, P] with places as in the labels.

    `follows` and `values` are those of T steps, `seats` [T, N] the seats that decide. `goes_on` [T, N] marks the steps
    where the action that `follows` values was played and the round went on, so that the next step tells more.
    """
    steps, _, players = follows.shape
    places = (np.arange(players) - seats[..., None]) % players  # of every seat, seen from the one that decides
    gains = np.take_along_axis(follows - values, places, 2)  # by seat
    surprise = np.zeros_like(gains[0])
    targets = np.empty_like(follows)
    for step in reversed(range(steps)):
        surprise = gains[step] + decay * goes_on[step][:, None] * surprise
        by_place = (np.arange(players) + seats[step][:, None]) % players
        targets[step] = values[step] + np.take_along_axis(surprise, by_place, 1)
    return targets


SEARCHED = 8  # at one table of so many, the best action that was found is played
EXPLORING = 0.02  # the share of decisions made at random
EXPLORING_ALONE = 0.1  # before the policy learns
EQUAL = 1e-6  # action values that differ by less are the same
SHARPNESS = (
    6.0  # of the likelihoods that the policy learns: a sixth of a point less makes an action 2.7 times less likely
)
REGRET = 1.5  # what a point that the policy is expected to give away counts, beside how far its likelihoods are off
MAX_GRAD_NORM = 5.0  # gradient, of either network
MAX_TURNS_PER_SEAT = 60  # turns of a seat
ILLEGAL_LOGIT = -1e8  # the logit of an illegal action
NOBODY_PLAYED = -1


@dataclass(frozen=True)
class Lessons:
    """Targets of a rollout, [N, ...]: observations, action values, and the later values of the tables."""

    observations: NDArray[np.int16]
    action_values: NDArray[np.float32]
    returns: NDArray[np.float32]


class SearchPlay(TableLearner):
    """Play and learn by looking ahead."""

    @property
    def _net(self) -> TableNetwork:
        """The network that learns to choose, and its value network to value."""
        assert isinstance(self.network, TableNetwork)
        return self.network

    @property
    def _policy_learns(self) -> bool:
        """True once the value network has learned enough to teach."""
        return self.rollouts >= self.config.value_warmup * self.config.rollouts

    @property
    def opposed(self) -> int:
        """None: looking ahead values every seat's decisions, so that opponents sit at tables like all others."""
        return 0

    def table_rules(self, players: int) -> Any:
        """Return rules by which a long round is stopped soon, as lookahead expects (`skyjo_agents.lookahead`)."""
        rules = super().table_rules(players)
        return rules.replace(max_turns=min(rules.max_turns, MAX_TURNS_PER_SEAT * players))

    def collect_rollouts(self, env: Any, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int) -> bool:
        """Look ahead at the tables of one size, and play there."""
        (tables,) = self.tables.shares
        self.policy.set_training_mode(False)
        callback.on_rollout_start()
        network, steps, ended, stopped = self._packed(), [], 0, 0
        for _ in range(self.config.n_steps):
            observations, masks, seats = tables.observations.copy(), tables.masks.copy(), tables.seats
            keys = self.rng.integers(2**64, size=self.n_envs, dtype=np.uint64)
            played, liked = self._opponents_play(tables, observations, masks, seats), self._liked(observations, masks)
            followed, is_alone = np.where(played == NOBODY_PLAYED, liked, played), not self._policy_learns
            labels = label(tables.rules, network, observations, keys, followed, self.config.threads, is_alone)
            actions = np.where(played == NOBODY_PLAYED, self._choose(liked, masks, labels), played)
            ends = tables.step(actions)
            ended, stopped = ended + int(ends.scored.sum() + ends.stopped.sum()), stopped + int(ends.stopped.sum())
            goes_on = is_followed(labels, actions) & ~(ends.scored | ends.stopped)
            steps.append((observations, labels.action_values, labels.follows, labels.values, seats, goes_on))
            self.num_timesteps += self.n_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        self.logger.record("rollout/ep_len_mean", self.n_envs * self.config.n_steps / max(ended, 1))  # of a round
        self.logger.record("rollout/stopped", stopped / max(ended, 1))
        observed, action_values, follow, values, seated, continues = (
            np.stack(values) for values in zip(*steps, strict=True)
        )
        corrected = returns(follow, values, seated, continues, self.config.gae_lambda ** (2 / tables.rules.players))
        parts: Any = (array.reshape(-1, array.shape[2]) for array in (observed, action_values, corrected))
        self.lessons = Lessons(*parts)
        callback.on_rollout_end()
        return True

    def _opponents_play(
        self, tables: SelfPlayTables, observations: NDArray[np.int16], masks: NDArray[np.int8], seats: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the actions of opponents where they decide, and NOBODY_PLAYED elsewhere.

        Every table of the pool has one opponent and one seat for the policy; both stay as long as the run lasts.
        """
        played = np.full(len(seats), NOBODY_PLAYED)
        members, players = tables.opponents.members, tables.rules.players
        spec = spec_of(tables.rules)
        pooled = np.arange(len(seats)) < self.config.opposed
        place = np.arange(len(seats)) // 2  # two tables of each kind, at which the policy and the search play
        is_theirs = pooled & (seats != place % players)
        for number, member in enumerate(members):
            theirs = np.flatnonzero(is_theirs & (place // players % len(members) == number))
            if len(theirs) > 0:
                played[theirs] = choose(member.agent, member.name, spec, observations[theirs], masks[theirs])
        return played

    def _packed(self) -> PackedNetwork:
        """Return the value network as compiled code reads it."""
        weights = {name: weight.detach().cpu().numpy() for name, weight in self.network.state_dict().items()}
        return PackedNetwork(self.network.rules, self.network.widths, weights, has_value_network=True)

    def _liked(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the actions that the policy rates highest."""
        with torch.no_grad():
            logits = self._net.logits(torch.from_numpy(observations).to(self.device))
        liked: NDArray[np.int64] = np.where(masks, logits.cpu().numpy(), ILLEGAL_LOGIT).argmax(1)
        return liked

    def _choose(self, liked: NDArray[np.int64], masks: NDArray[np.int8], labels: Labels) -> NDArray[np.int64]:
        """Return the actions to play: the policy's favourite, at some tables lookahead's choice, or a random one."""
        anything = (self.rng.random(masks.shape) * masks).argmax(1)
        looks = self._policy_learns & (np.arange(len(masks)) % SEARCHED == 0)
        chosen = np.where(looks, labels.actions, liked)
        exploring = EXPLORING if self._policy_learns else EXPLORING_ALONE
        return np.where(self.rng.random(len(masks)) < exploring, anything, chosen)

    def _update(self) -> None:
        self.policy.set_training_mode(True)
        losses, size = [], self.batch_size or 1
        for _ in range(self.n_epochs):
            order = self.rng.permutation(len(self.lessons.observations))
            losses += [self._learn(part) for part in np.array_split(order, max(len(order) // size, 1))]
        for name, values in zip(("value_loss", "policy_loss", "regret"), zip(*losses, strict=True), strict=True):
            self.logger.record(f"train/{name}", np.mean(values))

    def _learn(self, chosen: NDArray[np.int64]) -> tuple[float, float, float]:
        """Take one step of the gradient; return the losses."""
        lessons = self.lessons
        observations, action_values, targets = (
            torch.from_numpy(array[chosen]).to(self.device)
            for array in (lessons.observations, lessons.action_values, lessons.returns)
        )
        value_loss = POINTS**2 * functional.mse_loss(self._net.seat_values(observations), targets)
        loss: Any = value_loss
        policy_loss, regret = torch.zeros(()), torch.zeros(())
        if self._policy_learns:
            policy_loss, regret = policy_losses(self._net.logits(observations), POINTS * action_values)
            loss = value_loss + policy_loss + REGRET * regret
        self.policy.optimizer.zero_grad()
        loss.backward()
        by_network: dict[str, list[Tensor]] = {VALUE_NETWORK: [], "": []}
        for name, weight in self._net.named_parameters():
            by_network[VALUE_NETWORK if name.startswith(VALUE_NETWORK) else ""].append(weight)
        for own in by_network.values():
            torch.nn.utils.clip_grad_norm_(own, MAX_GRAD_NORM)
        self.policy.optimizer.step()
        return value_loss.item(), policy_loss.item(), regret.item()


def is_followed(labels: Labels, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return a mask of the actions that the labels follow, or that are worth the same: the next step tells of these."""
    action_values = labels.action_values[np.arange(len(actions)), actions]
    same: NDArray[np.bool_] = np.abs(action_values - labels.follows[:, 0]) < EQUAL
    return same


def policy_losses(logits: Tensor, action_values: Tensor) -> tuple[Tensor, Tensor]:
    """Return the cross-entropy of the policy with the likelihoods of action values, and its expected loss."""
    is_legal = ~action_values.isnan()
    log_probs = torch.where(is_legal, logits, ILLEGAL_LOGIT).log_softmax(1)
    legal_values = torch.where(is_legal, action_values, ILLEGAL_LOGIT)
    lost = legal_values.amax(1, keepdim=True) - legal_values
    wanted = (-SHARPNESS * lost).softmax(1)
    zero = torch.zeros(())
    off = -(wanted * torch.where(is_legal, log_probs, zero)).sum(1).mean()
    return off, (log_probs.exp() * torch.where(is_legal, lost, zero)).sum(1).mean()
