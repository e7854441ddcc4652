"""What all runs of the campaign have done together, in a JSON file, and the failures, in a folder each."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from campaign.batch import Failure
from cardtable.files import write_whole

VERSION = 1


class TotalsError(ValueError):
    """A file does not hold totals, or those of another seed."""


@dataclass
class Total:
    """What a part has done so far."""

    batches: int = 0  # the number of the next batch
    done: int = 0
    failures: int = 0
    seconds: float = 0.0  # of all workers together, including time spent waiting for a core
    counts: dict[str, int] = field(default_factory=dict)


@dataclass
class Totals:
    """The totals of all parts under one seed."""

    path: Path
    seed: int
    parts: dict[str, Total]
    runs: list[dict[str, Any]]  # when, for how long, and what was done

    @classmethod
    def open(cls, path: Path, seed: int | None) -> "Totals":
        """The totals in a file, or new ones; TotalsError if they are of another seed."""
        if not path.exists():
            return cls(path, 1 if seed is None else seed, {}, [])
        try:
            read = json.loads(path.read_text())
            parts = {name: Total(**total) for name, total in read["parts"].items()}
            found = cls(path, read["seed"], parts, read["runs"])
            if read["campaign"] != VERSION:
                raise TotalsError(f"{path}: version {read['campaign']} cannot be read, only {VERSION}")
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError):
            raise TotalsError(f"{path}: not a file of a campaign's totals") from None
        if seed not in (None, found.seed):
            raise TotalsError(f"{path}: these totals are of seed {found.seed}; name another file with --json")
        return found

    def of(self, part: str) -> Total:
        """The total of a part."""
        return self.parts.setdefault(part, Total())

    def save(self) -> None:
        """Write the file, as a whole."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        parts = {name: asdict(total) for name, total in sorted(self.parts.items())}
        document = {"campaign": VERSION, "seed": self.seed, "parts": parts, "runs": self.runs}
        write_whole(self.path, json.dumps(document, indent=1).encode())


def keep_failure(folder: Path, part: str, number: int, failure: Failure, command: str) -> Path:
    """Write down a failure with its inputs and the command that repeats it; returns its folder."""
    places = (folder / f"{part}-{number}-{k}" for k in range(10_000))
    place = next(place for place in places if not place.exists())
    place.mkdir(parents=True)
    for name, text in failure.inputs.items():
        (place / f"{name}.txt").write_text(text, errors="backslashreplace")
    (place / "failure.txt").write_text(f"{failure.words}\n\n{command}\n", errors="backslashreplace")
    return place
