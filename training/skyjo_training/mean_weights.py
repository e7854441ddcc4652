"""The mean of a network's weights over the end of a run, which usually plays better than those of any one update."""

import torch
from torch import Tensor, nn


class MeanWeights:
    """Sums up weights; a network can then take their mean."""

    def __init__(self) -> None:
        self.sums: dict[str, Tensor] = {}
        self.counted = 0

    def add(self, network: nn.Module) -> None:
        """Add the weights as they are now."""
        for name, weight in network.state_dict().items():
            before = self.sums.get(name)
            now = weight.detach().double()
            self.sums[name] = now if before is None else before + now
        self.counted += 1

    def apply_to(self, network: nn.Module) -> None:
        """Set a network to the mean, if anything has been added."""
        if self.counted > 0:
            network.load_state_dict({name: (total / self.counted).float() for name, total in self.sums.items()})

    def restore(self, sums: dict[str, Tensor], counted: int, device: torch.device) -> None:
        """Continue from what was counted before."""
        self.sums, self.counted = {name: total.to(device) for name, total in sums.items()}, counted
