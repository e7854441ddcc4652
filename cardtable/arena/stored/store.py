"""Games on disk: a folder of Parquet files, a piece of the games in each, and a manifest that says what they are.

The code here does not know the games. The name of a piece holds its number and the digest of its bytes: a damaged, cut
off or misplaced piece is detected when it is read. A file appears whole or not at all: a process that is killed while
writing leaves no half file of games.
"""

import hashlib
import json
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, Self

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.files import write_whole

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST = "_manifest.json"  # Parquet readers that are given the folder skip names that begin so
VERSION = 1
AN_HOUR = 3600.0  # in seconds


class StoreError(TableError):
    """Games that are missing or damaged; the message names the file."""


@dataclass(frozen=True)
class Store:
    """A folder of games. The manifest is any JSON object; its "finished" is the number of pieces."""

    folder: Path
    manifest: dict[str, Any]

    @classmethod
    def create(cls, folder: Path, manifest: dict[str, Any]) -> Self:
        """Return a new store in a folder that is empty or does not exist yet."""
        folder.mkdir(parents=True, exist_ok=True)
        if any(not name.name.endswith(".draft") for name in folder.iterdir()):
            raise StoreError(f"{folder}: the folder is not empty; choose a new or empty one")
        store = cls(folder, {"store": VERSION, **manifest, "finished": None})
        store._write_manifest()
        return store

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Return the store in a folder; StoreError if there is none, or its manifest is damaged."""
        path = folder / MANIFEST
        if not path.is_file():
            raise StoreError(f"{folder}: no games are stored here ({MANIFEST} is missing)")
        try:
            manifest = json.loads(path.read_bytes())
            is_whole = manifest.pop("check") == _check(manifest)
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            is_whole = False
        if not is_whole:
            raise StoreError(f"{path}: damaged")
        if manifest.get("store") != VERSION:
            raise StoreError(f"{path}: version {manifest.get('store')} cannot be read, only {VERSION}")
        if not _is_end(manifest.get("finished", "missing")):
            raise StoreError(f"{path}: finished={brief(manifest.get('finished'))} is not how games end")
        return cls(folder, manifest)

    @staticmethod
    def is_at(folder: Path) -> bool:
        """Return whether games are stored there."""
        return (folder / MANIFEST).is_file()

    def _write_manifest(self) -> None:
        document = self.manifest | {"check": _check(self.manifest)}
        write_whole(self.folder / MANIFEST, json.dumps(document, indent=1).encode())

    def paths(self) -> list[Path]:
        """Return all files of games, whatever their names say."""
        return sorted(self.folder.glob("games-*.parquet"))

    def files(self) -> dict[int, Path]:
        """Return the pieces that are there by number, in order; StoreError if one is there twice."""
        files: dict[int, Path] = {}
        for path in self.paths():
            number = _number_of(path)
            if number in files:
                raise StoreError(f"{path}: {files[number].name} holds the same games")
            files[number] = path
        return files

    def pieces(self) -> dict[int, Path]:
        """Return the same; StoreError if a finished store lacks one."""
        files, finished = self.files(), self.manifest["finished"]
        if finished is not None:
            numbers = files.keys() | set(finished["left_out"])
            lost = next((number for number in range(finished["pieces"]) if number not in numbers), None)
            if lost is not None:
                again = f"{finished['pieces'] - len(numbers)} in all; run the same command again to play these games"
                raise StoreError(f"{self.folder}: games-{lost:06d}-*.parquet is missing, {again}")
        return files

    def keep(self, number: int, packed: bytes) -> None:
        """Store a piece, as `pack` has packed it; OSError, and nothing stored, if it cannot be written."""
        write_whole(self.folder / f"games-{number:06d}-{_digest(packed)}.parquet", packed)

    def remove(self, number: int) -> None:
        """Remove a piece, if it is there."""
        for path in self.folder.glob(f"games-{number:06d}-*.parquet"):
            path.unlink()

    def read(self, path: Path, columns: list[str] | None = None, most_rows: int | None = None) -> "pa.Table":
        """Return the rows of a piece; StoreError if a single bit of it has changed, or it has more than `most_rows`."""
        from cardtable.arena.stored.parquet import UNREADABLE, unpacked

        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise StoreError(f"{path}: missing") from None
        if path.stem.rpartition("-")[2] != _digest(data):
            raise StoreError(f"{path}: damaged; remove it, and run the same command again to play these games")
        try:
            return unpacked(data, columns, most_rows)
        except UNREADABLE as error:
            raise StoreError(f"{path}: not a piece of stored games: {brief(str(error))}") from None

    def finish(self, pieces: int, failed: Any) -> Self:
        """Mark the store as finished with this many pieces, except those of tables where an agent failed.

        Later pieces are removed.
        """
        files = self.files()
        for number, path in files.items():
            if number >= pieces:
                path.unlink(missing_ok=True)
        left_out = sorted(set(range(pieces)) - files.keys())
        finished = {"pieces": pieces, "left_out": left_out, "failed": failed}
        done = replace(self, manifest=self.manifest | {"finished": finished})
        if done.manifest != self.manifest:
            done._write_manifest()
        return done

    def forget_drafts(self) -> None:
        """Remove drafts of processes that were killed; others may be writing now, which takes seconds."""
        for draft in self.folder.glob(".*.draft"):
            with suppress(FileNotFoundError):
                if time() - draft.stat().st_mtime > AN_HOUR:
                    draft.unlink()


def _is_end(finished: Any) -> bool:
    """Return whether the games can have ended so; None while some are still to be played."""
    match finished:
        case None:
            return True
        case {"pieces": int(pieces), "left_out": [*numbers], "failed": {**failed}}:  # by agent: seat, deal, reason
            are_numbers = all(isinstance(number, int) and 0 <= number < pieces for number in numbers)
            are_named = all(isinstance(failure, list) and len(failure) == 3 for failure in failed.values())
            return pieces >= 0 and are_numbers and are_named
        case _:
            return False


def _digest(data: Any) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _check(manifest: dict[str, Any]) -> str:
    return _digest(json.dumps(manifest, sort_keys=True).encode())


def _number_of(path: Path) -> int:
    match = re.fullmatch(r"games-(\d{6,})-[0-9a-f]{16}", path.stem, re.ASCII)
    if match is None:
        raise StoreError(f"{path}: this is not the name of a piece; it was renamed, or does not belong here")
    return int(match[1])
