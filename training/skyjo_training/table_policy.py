"""The network as a policy for stable-baselines3: MaskablePPO and similar algorithms can train it."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from cardtable.table.agents.policies.model_card import Widths, kind_of
from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.envs.options import observation_space
from cardtable.table.errors import TableError
from cardtable.table.game.table_rules import TableRules

Masks = NDArray[Any] | Tensor
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
        logits, values = self.network(obs)
        if masks is not None:
            logits = torch.where(torch.as_tensor(masks, device=logits.device).bool(), logits, ILLEGAL_LOGIT)
        return logits, values
