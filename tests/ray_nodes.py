"""A Ray cluster of two nodes on this machine, a core each."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

NODE = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
Nodes = Any  # of ray.cluster_utils, which has no types


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Started once for all tests of a file."""
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=NODE)
        cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()
