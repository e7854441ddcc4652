"""The figures that README.md and docs print, and which of them benchmarks/claims.toml lists.

A claim says where its figures are: a page, a `section` of it by its heading, and `text` in which `{path}` stands for a
figure that its command measures, `{}` for one that nobody compares, and `<name>` for words that go into the command. A
claim without text means all figures of its section that no other claim lists.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
LISTED = ROOT / "benchmarks" / "claims.toml"

# What counts as a figure, in prose, tables, and what `$ commands` print, but not in code or links: decimals, signs, ±,
# %, units, and counts in millions. Other whole numbers mostly say how much is played.
UNITS = (
    r"thousand|million|billion|(?:milli)?seconds?|minutes?|hours?|s|ms|µs|ns|bytes?|[kMG]B|times|tests?|functions?|lines?"
    r"|points?\s+(?:a\s+(?:round|game)|ahead|more|less|better)|\w+\s+a\s+(?:second|minute|decision|round|deal|day)"
)
FIGURE = re.compile(
    r"(?<![\w.:])(?:±\s?\d[\d,.]*|[+−]\d[\d,.]*|\d[\d,]*\.\d+|\d{1,3}(?:,\d{3}){2,}"
    rf"|\d[\d,]*(?=\s*%|\s+(?:{UNITS})(?!\w)))"
)
CLAUSE = r"\d+\.\d+"
LIBRARIES = "Gymnasium|Linux|Node|NumPy|PettingZoo|Python|TorchRL|rich|tensordict|torch|tyro"
NO_FIGURES = re.compile(
    rf"\((?:clauses?\s|RULES\.md,?\s|\w+,\s)?{CLAUSE}(?:(?:,| to| and)\s{CLAUSE})*[);]"  # clauses of the rules
    rf"|\d+\.\d+\.\d+\S*|\b3\.1\d\b|\b(?:{LIBRARIES})(?:\sbefore)?\s\d+\.\d+\b"  # versions
    r"|95\s%(?=\s(?:t\s)?intervals?)|95\s%(?=\s\|)|`[^`\n]*`|\]\([^)\s]*\)"
)
CLAUSES = re.compile(r"^\|.*\| clause \|\n(?:\|.*\n)+", re.MULTILINE)
LAST_CELL = re.compile(r"[^|]*\|$", re.MULTILINE)
FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
HOLE = re.compile(r"\{([^{}]*)\}|<(\w+)>")
NUMBER = r"[+−-]?\d[\d,]*(?:\.\d+)?"


@dataclass(frozen=True)
class Claim:
    """Some figures of a page, and what repeats them: a command, a test, or nothing, for a reason."""

    name: str
    page: str
    section: str = ""
    text: list[str] = field(default_factory=list)
    command: str = ""  # without text it prints what the page shows after `$ command`, or it writes the page
    seconds: float = 0  # of processor time
    tolerance: float = 0  # as a share of the figure; 0 means equal in all printed digits
    at_least: bool = False  # the figure is a lower limit
    machine: bool = False  # another machine measures other figures
    tested: str = ""  # the test that compares the figures
    kept: str = ""  # why nothing repeats them
    figures: int = 0  # how many there are in a section of which nothing is repeated

    @property
    def is_cheap(self) -> bool:
        """Does `make claims` repeat it without being asked for it by name?"""
        return bool(self.command) and self.seconds < 60


@dataclass(frozen=True)
class Printed:
    """One place on a page where a claim's text stands."""

    start: int
    end: int
    words: dict[str, str]  # what stands for <name>
    figures: list[tuple[str, str]]  # path and figure


def listed() -> list[Claim]:
    """All claims."""
    entries = tomllib.loads(LISTED.read_text())
    return [Claim(name, **entry) for name, entry in entries.items()]


@cache
def page_text(page: str) -> str:
    """A page as it is."""
    return (ROOT / page).read_text()


def blank(match: re.Match[str]) -> str:
    """Spaces in its place, so that everything else stays where it is."""
    return re.sub(r"[^\n]", " ", match[0])


def figures(text: str) -> Iterator[re.Match[str]]:
    """Every figure that a page prints."""
    prose = FENCE.sub(lambda block: block[0] if re.search(r"^ *\$ ", block[0], re.MULTILINE) else blank(block), text)
    prose = CLAUSES.sub(lambda table: LAST_CELL.sub(blank, table[0]), prose)
    return FIGURE.finditer(NO_FIGURES.sub(blank, prose))


def section(text: str, heading: str) -> tuple[int, int]:
    """Where a section begins and ends, with those below it; the whole page without a heading."""
    if not heading:
        return 0, len(text)
    prose = FENCE.sub(blank, text)
    found = re.search(rf"^(#+) {re.escape(heading)}$", prose, re.MULTILINE)
    if not found:
        raise ValueError(f"no section {heading!r}")
    after = re.compile(rf"^#{{1,{len(found[1])}}} ", re.MULTILINE).search(prose, found.end())
    return found.start(), after.start() if after else len(text)


def pattern(text: str) -> re.Pattern[str]:
    """What finds a claim's text, wherever its lines break."""
    parts, end = [], 0
    for number, hole in enumerate(HOLE.finditer(text)):
        parts.append(re.escape(text[end : hole.start()]))
        parts.append(rf"(?P<{hole[2]}>[^`|\n]*?)" if hole[2] else rf"(?P<hole_{number}>{NUMBER})")
        end = hole.end()
    return re.compile(re.sub(r"(?:\\[ \n])+", r"\\s+", "".join([*parts, re.escape(text[end:])])))


def printed(claim: Claim, text: str) -> list[Printed]:
    """Every place where the page has what the claim says; an error if one of its texts is nowhere."""
    start, end = section(text, claim.section)
    if not claim.text:
        shown = shown_after(claim.command, text)
        return [Printed(*(shown.span() if shown else (start, end)), {}, [])]
    places = []
    for each in claim.text:
        found = [*pattern(each).finditer(text, start, end)]
        if not found:
            raise ValueError(f"{claim.name}: {claim.page} has no {each!r}")
        places += [place(each, match) for match in found]
    return places


def shown_after(command: str, text: str) -> re.Match[str] | None:
    """The block in which a page shows what a command prints, if it does."""
    blocks = (block for block in FENCE.finditer(text) if f"$ {command}\n" in block[0])
    return next(blocks, None)


def place(text: str, match: re.Match[str]) -> Printed:
    """What stands in the holes of a text."""
    holes = [*HOLE.finditer(text)]
    words = {hole[2]: match[hole[2]] for hole in holes if hole[2]}
    paths = [(hole[1], match[f"hole_{number}"]) for number, hole in enumerate(holes) if hole[1]]
    return Printed(match.start(), match.end(), words, [(filled(path, words), figure) for path, figure in paths])


def filled(text: str, words: dict[str, str]) -> str:
    """A command or path with the page's words in it; numbers without their commas."""
    for name, word in words.items():
        plain = word.replace(",", "") if re.fullmatch(NUMBER, word) else word
        text = text.replace(f"<{name}>", plain)
    return text


def unlisted(page: str, claims: list[Claim]) -> list[str]:
    """The figures of a page that no claim lists, each with its line, and claims that list more or fewer than it has."""
    text, wrong = page_text(page), []
    here = [claim for claim in claims if claim.page == page]
    left = [figure.span() for figure in figures(text)]
    for claim in sorted(here, key=lambda each: (each.figures > 0, not each.section)):  # last those that list the rest
        places = printed(claim, text)
        inside = [at for at in left if any(each.start <= at[0] and at[1] <= each.end for each in places)]
        left = [at for at in left if at not in inside]
        if claim.figures and len(inside) != claim.figures:
            wrong.append(f"{page}: {claim.name} lists {claim.figures} figures, and the page has {len(inside)}")
    return wrong + [f"{page}:{text.count(chr(10), 0, start) + 1}: {text[start : end + 12]!r}" for start, end in left]
