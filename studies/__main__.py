"""`python -m studies NAME` carries out a study; without a name it lists them."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from cardtable.errors import did_you_mean
from skyjo.main import carry_out, complain, read_command
from skyjo.programs import called, loaded


class Study(NamedTuple):
    """A study by name."""

    game: str
    command: str  # where its options are, as `module:name`
    words: str


STUDIES = {
    "paper": Study("skyjo", "studies.paper.paper_command:Paper", "Reichel (2026), repeated, and every claim tested"),
}
CALLED = "python -m studies"


def overview() -> str:
    """The help: one line for each study."""
    lines = "\n".join(f"  {name:<14}{study.words}" for name, study in STUDIES.items())
    return f"usage: {CALLED} STUDY ...\n\n{lines}\n\n{CALLED} STUDY --help explains one."


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out what the arguments name, and return the exit status."""
    name, *options = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name in ("-h", "--help"):
        print(overview())
        return 0
    if name not in STUDIES:
        return complain(f"{name!r} is not a study{did_you_mean(name, STUDIES)} (see {CALLED} --help)")

    study = STUDIES[name]
    with called(study.game):
        return carry_out(lambda: read_command(loaded(study.command), f"{CALLED} {name}", options))


if __name__ == "__main__":
    sys.exit(main())
