"""Training runs on the nodes of a cluster: the folder of a run is sent there, and changed files come back.

So a run that is lost with its node continues elsewhere from its last checkpoint, like a run that was interrupted.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import NamedTuple

from cardtable.files import write_whole
from skyjo_training.measurements import Measured
from skyjo_training.self_play import SelfPlay
from skyjo_training.training_run import train

PAUSE = 2.0  # seconds between two reports, if nothing is measured meanwhile

Files = dict[str, bytes]  # by their paths in the folder


class News(NamedTuple):
    """How far a run has come, and what has changed in its folder since the last report."""

    decisions: int
    measured: Measured | None
    written: Files
    removed: tuple[str, ...]


class _Changes:
    """Finds the changes in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.stamps = folder, _stamps(folder)

    def since(self) -> tuple[Files, tuple[str, ...]]:
        """What was written, and what was removed, since the last call."""
        before, self.stamps = self.stamps, _stamps(self.folder)
        written = [name for name, stamp in self.stamps.items() if before.get(name) != stamp]
        return {name: (self.folder / name).read_bytes() for name in written}, tuple(before.keys() - self.stamps.keys())


def _stamps(folder: Path) -> dict[str, tuple[int, int]]:
    found = {str(path.relative_to(folder)): path.stat() for path in folder.rglob("*") if path.is_file()}
    return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in found.items()}


def packed(folder: Path) -> Files:
    """All files of a run."""
    return {name: (folder / name).read_bytes() for name in _stamps(folder)}


def unpack(folder: Path, written: Files, removed: tuple[str, ...] = ()) -> None:
    """Write files of a run, each whole or not at all, and then remove others."""
    for name, data in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, data)
    for name in removed:
        (folder / name).unlink(missing_ok=True)


def train_there(files: Files) -> Iterator[News]:
    """Carry out a run from its last checkpoint, in a temporary folder with these files, and yield reports."""
    with TemporaryDirectory(prefix="run-") as name:
        folder = Path(name)
        unpack(folder, files)
        told: Queue[News | BaseException | None] = Queue()
        Thread(target=_train, args=(folder, told), daemon=True).start()
        while (news := told.get()) is not None:
            if isinstance(news, BaseException):
                raise news
            yield news


def _train(folder: Path, told: "Queue[News | BaseException | None]") -> None:
    changes, last = _Changes(folder), time.monotonic()

    def tell(model: SelfPlay, measured: Measured | None) -> None:
        nonlocal last
        if measured is not None or time.monotonic() - last > PAUSE:
            last = time.monotonic()
            told.put(News(model.num_timesteps, measured, *changes.since()))

    try:
        model = train(folder, tell)
        told.put(News(model.num_timesteps, None, *changes.since()))
        told.put(None)
    except BaseException as error:
        told.put(error)
