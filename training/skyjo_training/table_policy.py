"""The network as a policy for stable-baselines3: MaskablePPO and similar algorithms can train it.

It can look at a batch in two shares on two threads, forward and backward: torch lets them run at the same time. How a
batch is split depends on its size alone, so results are the same with any number of threads.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn

from cardtable.table.agents.policies.model_card import Widths, kind_of
from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.envs.options import observation_space
from cardtable.table.errors import TableError
from cardtable.table.game.table_rules import TableRules

SHARES = 2  # of every batch; with more, most time goes into Python, where threads wait for each other

Map = Callable[..., Iterable[Any]]  # calls a function with each of some items, as the built-in `map` does


@contextmanager
def threads_for_shares(threads: int) -> Iterator[Map]:
    """A `map` over at most so many threads, one for each share; the built-in `map` if that is one thread."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(min(threads, SHARES), initializer=torch.set_num_threads, initargs=(1,)) as pool:
        yield pool.map


def in_shares(network: nn.Module, observations: Tensor, run: Map) -> tuple[Tensor, ...]:
    """The network's answers to observations [N, D]. Forward and backward pass both go through `run`, share by share."""
    return _InShares.apply(network, run, torch.is_grad_enabled(), observations, *network.parameters())  # type: ignore[no-untyped-call, no-any-return]


class _InShares(torch.autograd.Function):
    """Every share has its own gradients of the weights; added up, they are those of the batch."""

    @staticmethod
    def forward(ctx: Any, network: nn.Module, run: Map, learns: bool, observations: Tensor, *weights: Tensor) -> Any:
        def look(share: Tensor) -> tuple[Tensor, ...]:
            with torch.set_grad_enabled(learns):  # every thread has its own setting
                answers: tuple[Tensor, ...] = network(share)
            return answers

        ctx.run, ctx.weights = run, weights
        ctx.answers = list(run(look, observations.chunk(SHARES)))
        return tuple(torch.cat([part.detach() for part in parts]) for parts in zip(*ctx.answers, strict=True))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        def follow(answers: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Any:
            return torch.autograd.grad(answers, ctx.weights, outputs, allow_unused=True)

        sizes = [len(answers[0]) for answers in ctx.answers]
        chunks = zip(*(torch.split(gradient, sizes) for gradient in gradients), strict=True)
        by_weight = zip(*ctx.run(follow, ctx.answers, chunks), strict=True)
        return None, None, None, None, *(None if parts[0] is None else sum(parts[1:], parts[0]) for parts in by_weight)


Masks = NDArray[Any] | Tensor
Teacher = Callable[[NDArray[Any], Any], NDArray[np.int64]]  # what it does, given observations [N, D] and masks
ILLEGAL_LOGIT = -1e8  # the logit of an illegal action


class TablePolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy with the network of a game; observations are compact, of the same rules.

    `policy_kwargs` takes the rules and the network's widths. TableError if the spaces are those of other rules.
    """

    def __init__(
        self, *arguments: Any, rules: TableRules | None = None, widths: Widths | None = None, **options: Any
    ) -> None:
        """All but `rules` and `widths` is the parent's."""
        if rules is None:
            raise TableError('the policy needs the rules: pass policy_kwargs={"rules": env.rules}')
        self.rules: Any = rules
        self.widths = widths or {}
        self.run: Map | None = None  # that takes the shares of a batch; None for all of it at once
        self.teacher: Teacher | None = None  # who decides in its place
        super().__init__(*arguments, **options)

    def _check_spaces(self) -> None:
        wanted = observation_space(self.rules), spaces.Discrete(self.rules.actions)
        if (self.observation_space, self.action_space) != wanted:
            raise TableError(
                "the spaces are not those of compact observations under the policy's rules: "
                'pass policy_kwargs={"rules": env.rules}'
            )

    def _build(self, lr_schedule: Schedule) -> None:
        """The network takes the place of feature extractor, shared layers and heads."""
        self._check_spaces()
        self.network: PolicyNetwork = kind_of(self.rules.game).new_network(self.rules, **self.widths)
        options: Any = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.network.parameters(), **options)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values [N, 1] and the actions' log-probabilities."""
        logits, values = self._masked(obs, action_masks)
        if self.teacher is not None:
            actions = torch.from_numpy(self.teacher(obs.cpu().numpy(), action_masks)).to(logits.device)
        else:
            chances = torch.rand_like(logits).clamp(1e-20, 1 - 1e-7)
            actions = (logits if deterministic else logits - torch.log(-torch.log(chances))).argmax(1)
        return actions, values[:, None], logits.log_softmax(1).gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log-probabilities of the actions, and the entropy."""
        logits, values = self._masked(obs, action_masks)
        log_probs = logits.log_softmax(1)
        entropy = -(log_probs.exp() * log_probs).sum(1)
        return values[:, None], log_probs.gather(1, actions[:, None])[:, 0], entropy

    def predict_values(self, obs: Any) -> Tensor:
        """Values [N, 1]."""
        return self.network.values(obs)[:, None]

    def get_distribution(self, obs: Any, action_masks: NDArray[np.bool_] | None = None) -> MaskableDistribution:
        """The distribution that `predict` draws from."""
        logits, _ = self._masked(obs, action_masks)
        distribution: MaskableDistribution = self.action_dist.proba_distribution(logits)
        return distribution

    def _masked(self, obs: Tensor, masks: Masks | None) -> tuple[Tensor, Tensor]:
        logits, values = self.network(obs) if self.run is None else in_shares(self.network, obs, self.run)
        if masks is not None:
            logits = torch.where(torch.as_tensor(masks, device=logits.device).bool(), logits, ILLEGAL_LOGIT)
        return logits, values
