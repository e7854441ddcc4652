"""What most tests of this folder need: Node, and the modules that `make wasm` writes."""

import pytest

from tests.anywhere.worker_client import MODULES, NODE
from tests.helpers import cannot_test

UNTESTED = "tables without a server are"


@pytest.fixture(scope="session")
def made() -> None:
    """`make wasm` has been run."""
    if NODE is None:
        cannot_test("Node is not installed, which make wasm does", UNTESTED)
    if not MODULES.joinpath("skyjo.wasm").exists():
        cannot_test("make wasm has not been run", UNTESTED)
