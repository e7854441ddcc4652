"""A network looks at a batch in two shares on two threads, forward and backward: torch lets them run at the same time.

How a batch is split depends on its size alone, so results are the same with any number of threads.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

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
        def follow(answers: tuple[Tensor, ...], given: tuple[Tensor, ...]) -> Any:
            return torch.autograd.grad(answers, ctx.weights, given, allow_unused=True)

        sizes = [len(answers[0]) for answers in ctx.answers]
        given = zip(*(torch.split(gradient, sizes) for gradient in gradients), strict=True)
        found = zip(*ctx.run(follow, ctx.answers, given), strict=True)
        return None, None, None, None, *(None if parts[0] is None else sum(parts[1:], parts[0]) for parts in found)
