"""Runs that are trained side by side: a process that is lost is told, and nobody waits for it."""

import threading
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from cardtable.errors import TableError

pytest.importorskip("skyjo_training.self_play")

from skyjo.commands.train import train_in_processes
from skyjo.programs import called


def test_a_process_that_is_killed_ends_the_command(tmp_path: Path) -> None:
    def kill_one() -> None:
        while len(found := active_children()) < 2:
            time.sleep(0.01)
        for process in found:
            process.kill()

    killer = threading.Thread(target=kill_one)
    killer.start()
    with called("skyjo"), pytest.raises(TableError, match=r"a training process has ended.*train --resume continues"):
        train_in_processes([tmp_path / "seed-0", tmp_path / "seed-1"], 2)
    killer.join()
    assert active_children() == []


@pytest.mark.slow
def test_what_goes_wrong_in_a_run_is_told(tmp_path: Path) -> None:
    with called("skyjo"), pytest.raises(TableError, match="seed-0"):
        train_in_processes([tmp_path / "seed-0"], 2)
