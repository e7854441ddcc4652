"""Adam for weights that lie in one array: torch's own spends more time between its steps than in them."""

import numpy as np
import torch

from skyjo_training.compiled.layers import Floats, compiled

BETAS = 0.9, 0.999  # as torch has them


@compiled
def add_up(gradients, max_norm):
    """Replace the first gradient by the sum of all, shortened to `max_norm`."""
    total = gradients[0]
    for number in range(1, len(gradients)):
        for k in range(np.uint64(len(total))):
            total[k] += gradients[number, k]
    total *= np.float32(min(1.0, max_norm / (np.sqrt(np.dot(total, total)) + 1e-6)))


@compiled
def adam(weights, gradient, means, squares, rate, scale, eps):
    """Take a step as torch does; `rate` and `scale` make up for means that began at 0."""
    keep, rate, scale, eps = np.float32(BETAS[1]), np.float32(rate), np.float32(scale), np.float32(eps)
    for k in range(np.uint64(len(weights))):
        means[k] += np.float32(1 - BETAS[0]) * (gradient[k] - means[k])
        squares[k] = keep * squares[k] + np.float32(1 - BETAS[1]) * gradient[k] * gradient[k]
        weights[k] -= rate * means[k] / (scale * np.sqrt(squares[k]) + eps)


class FlatAdam(torch.optim.Adam):
    """Torch's Adam, with its state, for one array of weights."""

    def take(self, gradients: Floats, max_norm: float) -> None:
        """Take a step by the sum of these gradients [shares, weights], shortened to `max_norm`."""
        (group,) = self.param_groups
        (weights,) = group["params"]
        add_up(gradients, max_norm)
        if weights.device.type != "cpu" or weights not in self.state:  # torch's first step makes the state
            weights.grad = torch.from_numpy(gradients[0]).to(weights.device)
            self.step()
            return
        state = self.state[weights]
        state["step"] += 1
        one, two = (1 - beta ** state["step"].item() for beta in BETAS)
        means, squares = state["exp_avg"].numpy(), state["exp_avg_sq"].numpy()
        adam(weights.detach().numpy(), gradients[0], means, squares, group["lr"] / one, two**-0.5, group["eps"])
