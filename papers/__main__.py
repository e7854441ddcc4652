"""`python -m papers NAME` puts a paper to the test; without a name it lists them."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from cardtable.table.errors import did_you_mean
from skyjo.command_line import read_command
from skyjo.interfaces import loaded
from skyjo.main import carry_out, complain


class Entry(NamedTuple):
    """A paper by name."""

    place: str  # of its `papers.paper.Paper`, as `module:name`
    words: str


PAPERS: dict[str, Entry] = {
    "elo": Entry("papers.elo:EloPaper", "Edelkamp's Elo for games of chance, and the weights of luck"),
    "reichel": Entry("papers.reichel:Reichel", "a paper on Skyjo: its program, strategies and every claim"),
    "skill": Entry("papers.skill:Skill", "how much of a game is skill, and how much is chance"),
    "strittmatter": Entry("papers.strittmatter:Strittmatter", "a paper on Skip-Bo: its evaluation and every claim"),
}
CALLED = "python -m papers"


def overview() -> str:
    """Return the help: one line for each paper."""
    lines = "\n".join(f"  {name:<14}{entry.words}" for name, entry in PAPERS.items())
    return f"usage: {CALLED} NAME ...\n\n{lines}\n\n{CALLED} NAME --help explains one."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the paper that the arguments name, and return the exit status."""
    name, *options = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name in ("-h", "--help"):
        print(overview())
        return 0
    if name not in PAPERS:
        return complain(f"{name!r} is not a paper{did_you_mean(name, PAPERS)} (see {CALLED} --help)", CALLED)
    return carry_out(lambda: read_command(loaded(PAPERS[name].place), f"{CALLED} {name}", options), CALLED)


if __name__ == "__main__":
    sys.exit(main())
