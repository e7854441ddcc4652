"""The agent `policy`: a learned network, played by compiled code without torch."""

from typing import Any, ClassVar, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.policies.model_card import ModelCard, Weights, check_weights, chosen, read_policy
from cardtable.table.checks import check_int
from cardtable.table.errors import AgentError
from skyjo_agents.network_blocks import COLUMNS, INPUTS, pack
from skyjo_agents.network_play import work_out_columns
from skyjo_agents.network_players import LOOK, POLICY, decide_by_look, decide_by_policy, judge_actions, judge_table
from skyjo_agents.network_shapes import VALUE_NETWORK, shapes_of
from skyjo_agents.scripted import SkyjoScript
from skyjo_env.card_game import spec_of
from skyjo_env.rules import OFFICIAL, Rules


class Search(NamedTuple):
    """Depth and width of a player's lookahead."""

    depth: int = 1  # decisions
    width: int = 0  # actions that it tries, 0 for all


ONE_DECISION = Search()


class PackedNetwork:
    """A network as compiled code reads it, or its value network; it stays where it is as long as this lives."""

    def __init__(self, rules: Rules, widths: dict[str, int], weights: Weights, has_value_network: bool = False) -> None:
        check_weights(weights, shapes_of(rules, **widths))
        if has_value_network and widths["value_network"]:
            weights = {
                name.removeprefix(VALUE_NETWORK): array
                for name, array in weights.items()
                if name.startswith(VALUE_NETWORK)
            }
        self._blocks, self.layout = pack(rules, weights)
        if self.layout[COLUMNS, INPUTS] > 0:
            work_out_columns(len(weights["in_cell.weight"]), self.weights, self.layout)

    @property
    def weights(self) -> np.uint64:
        """The address of the blocks."""
        return np.uint64(self._blocks.ctypes.data)

    def write_to(self, player: NDArray[Any]) -> None:
        """Let a player's record refer to it."""
        player["weights"], player["layout"] = self.weights, self.layout


_SHARED: WeakValueDictionary[Any, PackedNetwork] = WeakValueDictionary()


def _shared(model_card: ModelCard, weights: Weights, has_value_network: bool) -> PackedNetwork:
    """Return the network of a policy; agents of the same policy read the same one, as it takes megabytes."""
    named = model_card.sha256, model_card.rules, has_value_network
    network = _SHARED.get(named)
    if network is None:
        network = _SHARED[named] = PackedNetwork(model_card.rules, model_card.network, weights, has_value_network)
    return network


class NetworkScript(SkyjoScript):
    """A script that reads the network of a policy."""

    is_base = False  # `rollout` alone has loops with the network's code, for policies
    has_value_network: ClassVar[bool]  # does it go by the values of tables?

    def __init__(self, rules: Rules, path: str, name: str, search: Search = ONE_DECISION) -> None:
        super().__init__(rules)
        self.file = chosen(self.rules, path, name)
        weights, model_card = read_policy(self.file, self.rules)
        self.digest = model_card.sha256  # stored games tell which weights played
        if self.has_value_network and self.rules.players > 2 and not model_card.network["value_network"]:
            raise AgentError(f"policy {self.file.name} has no value network; look needs one at tables of three or more")
        try:
            network = _shared(model_card, weights, self.has_value_network)
            chooser = _shared(model_card, weights, False) if search.width else network
            self._play_by(network, chooser, search)
        except AgentError as error:
            raise AgentError(f"{self.file}: {error}") from None

    def _play_by(self, network: PackedNetwork, chooser: PackedNetwork, search: Search) -> None:
        self._network, self._chooser, self._search = network, chooser, search
        network.write_to(self.player)
        self.player["depth"], self.player["width"] = search.depth, search.width
        self.player["chooser"] = chooser.weights  # both lie alike

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Give copies and pickles separate networks, which lie elsewhere and need no file."""
        vars(self).update(state)
        self._play_by(self._network, self._chooser, self._search)


class PolicyAgent(NetworkScript):
    """Plays the legal action that the network of a policy rates best. `path` names a policy's .safetensors file, `name`
    a policy of the package; without either it plays the package's policy for this table.

    These files hold numbers only, so a stranger's policy runs no code. A .zip of stable-baselines3 is never opened:
    the command `export` turns it into a policy.
    """

    script, decides, has_value_network = POLICY, staticmethod(decide_by_policy), False

    def __init__(self, rules: Rules = OFFICIAL, path: str = "", name: str = "") -> None:
        super().__init__(rules, path, name)


class LookaheadAgent(NetworkScript):
    """Looks ahead: it tries actions with every card that may come, and takes the one after which a policy's value
    network values the round highest. The end of a round is counted, not estimated. `path` and `name` say which policy,
    as for `policy`. At tables of two a policy without a value network will do.

    It tries the `width` actions that the policy itself rates highest, all of them in the final lap or with `width=0`.

    With `depth=2`, and always in the final lap, it looks to the end of its turn to decide whether to draw or to take:
    it finds the best use of every card.
    """

    script, decides, has_value_network = LOOK, staticmethod(decide_by_look), True

    def __init__(
        self,
        rules: Rules = OFFICIAL,
        path: str = "",
        name: str = "",
        depth: int = 1,
        width: int = 4,
    ) -> None:
        depth, width = check_int("depth", depth, 1, 2, AgentError), check_int("width", width, 0, 99, AgentError)
        super().__init__(rules, path, name, Search(depth, width))

    def values(self, observation: NDArray[np.int16], mask: NDArray[np.int8], key: int) -> dict[int, float]:
        """Return the margin in points that each action promises that it tries."""
        seat, width = spec_of(self.rules).view(observation).seat, int(self.player["width"][0])
        own = self._action_values(observation, key, width)[:, seat]
        return {action: float(own[action]) for action in np.flatnonzero(mask).tolist() if not np.isnan(own[action])}

    def action_values(self, observation: NDArray[np.int16], key: int = 0) -> NDArray[np.float64]:
        """Return the value of every action to every seat, [actions, players], in points of margin; NaN if illegal."""
        return self._action_values(observation, key, width=0)

    def seat_values(self, observation: NDArray[np.int16], key: int = 0) -> NDArray[np.float64]:
        """Return the value of the table to every seat, by the network."""
        values = np.empty(self.rules.players)
        judge_table(observation, self.rules.params, self.player, np.uint64(key), values)
        return values

    def _action_values(self, observation: NDArray[np.int16], key: int, width: int) -> NDArray[np.float64]:
        action_values = np.empty((self.rules.actions, self.rules.players))
        judge_actions(observation, self.rules.params, self.player, width, np.uint64(key), action_values)
        return action_values
