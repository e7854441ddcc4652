"""Layers with forward and backward pass: matrix products by BLAS, everything between them compiled.

All weights of a network lie in one array, and their gradients in another one in the same order. A layer is a place in
them: where its weights begin, and its numbers of outputs and of inputs. The bias follows the weights.
"""

import numpy as np
import scipy.linalg  # noqa: F401 (compiled products use its BLAS: loaded now, threadpoolctl can limit its threads)
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import compiler_of

Floats = NDArray[np.float32]
Place = NDArray[np.int64]  # [3]

compiled = compiler_of(__file__, whole=True)
ZERO = np.float32(0)


@compiled
def weight_of(flat, place):
    """Return the weights of a layer, [outputs, inputs], or the rows of an embedding."""
    return flat[place[0] : place[0] + place[1] * place[2]].reshape(place[1], place[2])


@compiled
def bias_of(flat, place):
    """Return the bias of a layer, [outputs]."""
    first = place[0] + place[1] * place[2]
    return flat[first : first + place[1]]


@compiled
def product(one, other, out):
    """Write a matrix product; a function of its own is compiled once for all layers."""
    np.dot(one, other, out)


@compiled
def linear(weights, place, inputs, is_relu):
    """Return the outputs [N, outputs] for inputs [N, inputs]; with `is_relu`, 0 in place of negative ones."""
    bias = bias_of(weights, place)
    outputs = np.empty((len(inputs), len(bias)), np.float32)
    product(inputs, weight_of(weights, place).T, outputs)
    rows, width = outputs.shape
    for n in range(np.uint64(rows)):
        if is_relu:
            for k in range(np.uint64(width)):
                outputs[n, k] = max(outputs[n, k] + bias[k], ZERO)
        else:
            for k in range(np.uint64(width)):
                outputs[n, k] += bias[k]
    return outputs


@compiled
def linear_back(weights, gradients, place, inputs, outputs, gradient, is_relu, count):
    """Write the gradients of a layer's weights from that of its outputs; return that of its first `count` inputs.

    With `is_relu`, `gradient` is set to 0 where an output is 0.
    """
    d_bias = bias_of(gradients, place)
    d_bias[:] = ZERO
    rows, width = outputs.shape
    for n in range(np.uint64(rows)):
        if is_relu:
            for k in range(np.uint64(width)):
                gradient[n, k] = gradient[n, k] if outputs[n, k] > ZERO else ZERO
        for k in range(np.uint64(width)):
            d_bias[k] += gradient[n, k]
    product(gradient.T, inputs, weight_of(gradients, place))
    d_inputs = np.empty((len(gradient), count), np.float32)
    product(gradient, weight_of(weights, place)[:, :count].copy(), d_inputs)
    return d_inputs


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
    """Write the gradient of the table from that of `gather`'s outputs."""
    count, width, at = np.uint64(len(rows)), np.uint64(d_table.shape[1]), np.uint64(at)
    d_table[:] = ZERO
    for n in range(count):
        row = np.uint64(rows[n])
        for k in range(width):
            d_table[row, k] += gradient[n, at + k]
