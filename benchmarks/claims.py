"""Repeats what README.md and docs claim: prints every figure as claimed and as measured, and a verdict.

.venv/bin/python benchmarks/claims.py                   the cheap ones, in ten minutes
.venv/bin/python benchmarks/claims.py agents-naive      one by name
.venv/bin/python benchmarks/claims.py "agents-*"        several
.venv/bin/python benchmarks/claims.py --list            what there is, and how long each takes

Claims are in benchmarks/claims.toml. The exit status is 1 if a figure differs that does not depend on the machine, or
if a command fails.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from printed_claims import FENCE, ROOT, Claim, filled, listed, page_text, printed, shown_after


@dataclass(frozen=True)
class Verdict:
    """One figure, as claimed and as measured."""

    claim: str
    what: str  # the words of the page that tell its row from others, and what was measured
    claimed: str
    measured: str
    verdict: str  # same, agrees, other machine, differs or failed

    @property
    def is_contradiction(self) -> bool:
        """Is the page wrong, or can nobody tell?"""
        return self.verdict in ("differs", "failed")


def output(command: str, folder: Path = ROOT, columns: int = 80) -> str:
    """What a command prints; an error with its last line if it fails."""
    done = run(command, folder, columns)
    if done.returncode:
        raise ValueError((done.stderr.splitlines() or [f"exit status {done.returncode}"])[-1])
    return done.stdout


@cache
def run(command: str, folder: Path, columns: int) -> subprocess.CompletedProcess[str]:
    """What became of a command. Each is run only once, even if it fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    packages = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": packages, "COLUMNS": str(columns)}
    arguments = shlex.split(command)
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False, env=environment)


def at(found: Any, path: str) -> float:
    """The number at a path of keys, places and `key=value`, which selects from a list; `* number` scales it."""
    path, _, factor = path.partition(" * ")
    for step in path.split("/"):
        key, equals, value = step.partition("=")
        if isinstance(found, list) and equals:
            found = [each for each in found if str(each[key]) == value]
        elif isinstance(found, list) and not step.isdecimal():
            (found,) = [each[step] for each in found]
        else:
            found = found[int(step) if isinstance(found, list) else step]
    return float(found) * float(factor or 1)


def judged(claim: Claim, claimed: str, measured: float) -> str:
    """Is the measured figure what the page says?"""
    number = float(claimed.replace("−", "-").replace(",", ""))
    last_digit = 10.0 ** -len(claimed.partition(".")[2])
    if claim.at_least:
        return "agrees" if measured >= number else "differs"
    if abs(measured - number) <= last_digit / 2 * (1 + 1e-9):
        return "same"
    if abs(measured - number) <= claim.tolerance * abs(number):
        return "agrees"
    return "other machine" if claim.machine else "differs"


def compared_figures(claim: Claim) -> Iterator[Verdict]:
    """Every figure of the claim's texts with what its command measures."""
    for place in printed(claim, page_text(claim.page)):
        words = " ".join(place.words.values())
        try:
            found = json.loads(output(filled(claim.command, place.words)))
            for path, claimed in place.figures:
                measured, digits = at(found, path), len(claimed.partition(".")[2])
                what = f"{words} {path.partition(' * ')[0]}".strip()
                yield Verdict(claim.name, what, claimed, f"{measured:.{digits}f}", judged(claim, claimed, measured))
        except (ValueError, LookupError, TypeError, OSError) as error:
            yield Verdict(claim.name, words, "", f"{type(error).__name__}: {error}", "failed")


def compared_lines(claim: Claim) -> Verdict:
    """What the page shows after `$ command`, or the page that the command writes, line by line."""
    text = page_text(claim.page)
    shown = shown_after(claim.command, text)
    try:
        if shown:
            before = shown[0].partition(f"$ {claim.command}\n")[2].partition("\n$ ")[0].removesuffix("```")
            after = output_in_order(text[: shown.start()], claim.command, max(map(len, before.splitlines())))
        else:
            before, _, after = text, output(claim.command), (ROOT / claim.page).read_text()
    except (ValueError, OSError) as error:
        return Verdict(claim.name, "", "", str(error), "failed")
    old, new = ([line.rstrip() for line in lines.splitlines() if line.strip()] for lines in (before, after))
    changed = sum(line not in new for line in old) or abs(len(old) - len(new))
    return Verdict(claim.name, "", f"{len(old)} lines", f"{changed} differ", "differs" if changed else "same")


def output_in_order(before: str, command: str, columns: int) -> str:
    """What a command prints in an empty folder, after the Python that a page has before it."""
    with TemporaryDirectory() as folder:
        for block in FENCE.finditer(before):
            if block[0].startswith("```python"):
                output(shlex.join(["python", "-c", block[0][len("```python") : -len("```")]]), Path(folder))
        return output(command, Path(folder), columns + 1 if columns > 80 else 80)


def verdicts(claims: list[Claim]) -> Iterator[Verdict]:
    """Repeat claims, the quickest first, and say on standard error what is being done."""
    for number, claim in enumerate(sorted(claims, key=lambda each: each.seconds), 1):
        begun = processor_seconds()
        say = f"{number}/{len(claims)} {claim.name}, about {claim.seconds:g} s ... "
        print(say, end="", file=sys.stderr, flush=True)
        yield from compared_figures(claim) if claim.text else [compared_lines(claim)]
        print(f"took {processor_seconds() - begun:.0f} s", file=sys.stderr, flush=True)


def processor_seconds() -> float:
    """What the commands so far have taken, where the system counts that."""
    times = os.times()
    return times.children_user + times.children_system


def row(verdict: Verdict) -> str:
    """One line of the table."""
    what = verdict.what if len(verdict.what) <= 58 else f"{verdict.what[:34]}...{verdict.what[-21:]}"
    return f"{verdict.claim:28} {what:58} {verdict.claimed:>12} {verdict.measured:>12}  {verdict.verdict}"


def overview(claims: list[Claim]) -> str:
    """One line for each claim: what repeats it, and how long that takes."""
    lines = []
    for claim in claims:
        by = claim.command or (f"test {claim.tested}" if claim.tested else f"not repeated: {claim.kept}")
        takes = f"{claim.seconds:g} s{'' if claim.is_cheap else ', by name'}" if claim.command else ""
        lines.append(f"{claim.name:28} {claim.page:30} {takes:18} {by}")
    return "\n".join(lines)


def is_called(claim: Claim, name: str) -> bool:
    """Does a name, perhaps with *, stand for this claim or for its page?"""
    return fnmatch(claim.name, name) or fnmatch(claim.page, name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="claims or pages, with * as in file names")
    parser.add_argument("--list", action="store_true", help="list them instead of repeating them")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options, claims = parser.parse_args(), listed()
    unknown = [name for name in options.names if not any(is_called(each, name) for each in claims)]
    if unknown:
        parser.error(f"no claim is called {' or '.join(unknown)}; --list shows all")
    if options.names:
        claims = [each for each in claims if any(is_called(each, name) for name in options.names)]
    if options.list:
        print(overview(claims))
        return 0
    chosen = [claim for claim in claims if claim.command and (options.names or claim.is_cheap)]
    for claim in chosen:
        page_text(claim.page)  # some commands write pages
    found = []
    for verdict in verdicts(chosen):
        found.append(verdict)
        if not options.json:
            print(row(verdict), flush=True)
    if options.json:
        print(json.dumps([asdict(verdict) for verdict in found], indent=1, ensure_ascii=False))
    else:
        counts = Counter(verdict.verdict for verdict in found)
        print(f"{len(found)} compared: {', '.join(f'{count} {name}' for name, count in counts.most_common())}")
    return int(any(verdict.is_contradiction for verdict in found))


if __name__ == "__main__":
    sys.exit(main())
