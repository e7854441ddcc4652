"""The network of a game as a policy for MaskablePPO of sb3-contrib, which learns with it as with any other."""

from typing import Any

from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn

from cardtable.table.agents.policies.model_card import Widths, kind_of
from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.envs.options import observation_space
from cardtable.table.errors import TableError
from cardtable.table.game.table_rules import TableRules


class NetworkLayers(nn.Module):
    """The network where stable-baselines3 has hidden layers: its outputs are logits and values already."""

    def __init__(self, network: PolicyNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [N, A] and values [N, 1] of observations, which stable-baselines3 has made floats."""
        logits, values = self.network(observations.short())
        return logits, values[:, None]

    def forward_actor(self, observations: Tensor) -> Tensor:
        """Return the logits alone."""
        return self.forward(observations)[0]

    def forward_critic(self, observations: Tensor) -> Tensor:
        """Return the values alone."""
        return self.network.values(observations.short())[:, None]


class TablePolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy with the network of a game; observations are compact, of the same rules.

    `policy_kwargs` takes the rules and the network's widths. TableError if the spaces are those of other rules.
    """

    def __init__(
        self, *arguments: Any, rules: TableRules | None = None, widths: Widths | None = None, **options: Any
    ) -> None:
        """Take `rules` and `widths`, and the arguments of the parent."""
        if rules is None:
            raise TableError('the policy needs the rules: pass policy_kwargs={"rules": env.rules}')
        self.rules: Any = rules
        self.widths = widths or {}
        super().__init__(*arguments, **options)

    def _build(self, lr_schedule: Schedule) -> None:
        """The network takes the place of hidden layers and heads."""
        if (self.observation_space, self.action_space) != (
            observation_space(self.rules),
            spaces.Discrete(self.rules.actions),
        ):
            raise TableError(
                "the spaces are not those of compact observations under the policy's rules: "
                'pass policy_kwargs={"rules": env.rules}'
            )
        network: PolicyNetwork = kind_of(self.rules.game).new_network(self.rules, **self.widths)
        self.mlp_extractor: Any = NetworkLayers(network)
        self.action_net, self.value_net = nn.Identity(), nn.Identity()  # type: ignore[assignment]
        options: Any = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    @property
    def network(self) -> PolicyNetwork:
        """The network."""
        network: PolicyNetwork = self.mlp_extractor.network
        return network
