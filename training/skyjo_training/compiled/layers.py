"""Layers with forward and backward pass: matrix products by numpy's BLAS, everything between them compiled.

A layer keeps what its backward pass needs, so one thread uses it at a time. Its weights are views of a torch network's,
and it writes its gradients into arrays of the same shapes.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import compiler_of

Floats = NDArray[np.float32]
Arrays = Mapping[str, Floats]  # weights or gradients by their names in the torch network

compiled = compiler_of(__file__)
ZERO = np.float32(0)


@compiled
def add_bias(outputs, bias, is_relu):
    """Add the bias to every row; with `is_relu`, replace negative numbers by 0."""
    rows, width = outputs.shape
    for n in range(np.uint64(rows)):
        if is_relu:
            for k in range(np.uint64(width)):
                outputs[n, k] = max(outputs[n, k] + bias[k], ZERO)
        else:
            for k in range(np.uint64(width)):
                outputs[n, k] += bias[k]


@compiled
def bias_back(outputs, gradient, is_relu, d_bias):
    """Write the gradient of the bias; with `is_relu`, first remove the gradient where an output is 0."""
    rows, width = outputs.shape
    d_bias[:] = ZERO
    for n in range(np.uint64(rows)):
        if is_relu:
            for k in range(np.uint64(width)):
                gradient[n, k] = gradient[n, k] if outputs[n, k] > ZERO else ZERO
        for k in range(np.uint64(width)):
            d_bias[k] += gradient[n, k]


class Linear:
    """A matrix product and a bias, followed by a relu if asked."""

    def __init__(
        self, weights: Arrays, gradients: Arrays, name: str, relu: bool = False, learned: int | None = None
    ) -> None:
        """Only the first `learned` inputs get a gradient; None for all."""
        self.learned = slice(learned)
        self.weight, self.bias, self.relu = weights[f"{name}.weight"], weights[f"{name}.bias"], relu
        self.d_weight, self.d_bias = gradients[f"{name}.weight"], gradients[f"{name}.bias"]
        self.inputs = self.outputs = np.zeros((0, 0), np.float32)

    def forward(self, inputs: Floats) -> Floats:
        """The outputs [N, outputs] for inputs [N, inputs]."""
        self.inputs, self.outputs = inputs, np.dot(inputs, self.weight.T)
        add_bias(self.outputs, self.bias, self.relu)
        return self.outputs

    def backward(self, gradient: Floats) -> Floats:
        """Write the gradients of the weights, and return that of the learned inputs; `gradient` may be overwritten."""
        bias_back(self.outputs, gradient, self.relu, self.d_bias)
        np.dot(gradient.T, self.inputs, out=self.d_weight)
        inputs: Floats = np.dot(gradient, self.weight[:, self.learned])
        return inputs


@compiled
def gather(table, rows, outputs, at):
    """Copy the chosen row of a table to every row of the outputs, from column `at` on."""
    count, width, at = np.uint64(len(rows)), np.uint64(table.shape[1]), np.uint64(at)
    for n in range(count):
        row = np.uint64(rows[n])
        for k in range(width):
            outputs[n, at + k] = table[row, k]


@compiled
def scatter(gradient, at, rows, d_table):
    """Add the gradient of `gather`'s outputs to the rows of the table that they came from."""
    count, width, at = np.uint64(len(rows)), np.uint64(d_table.shape[1]), np.uint64(at)
    for n in range(count):
        row = np.uint64(rows[n])
        for k in range(width):
            d_table[row, k] += gradient[n, at + k]


class Embedding:
    """A row of a table for every number, written into a part of wider outputs."""

    def __init__(self, weights: Arrays, gradients: Arrays, name: str) -> None:
        self.weight, self.d_weight = weights[f"{name}.weight"], gradients[f"{name}.weight"]
        self.rows, self.at = np.zeros(0, np.int64), 0

    def forward(self, rows: NDArray[np.int64], outputs: Floats, at: int) -> None:
        """Write the rows into the columns of `outputs` from `at` on."""
        self.rows, self.at = rows, at
        gather(self.weight, rows, outputs, at)

    def backward(self, gradient: Floats) -> None:
        """Write the gradient of the table from that of the wider outputs."""
        self.d_weight[:] = 0
        scatter(gradient, self.at, self.rows, self.d_weight)
