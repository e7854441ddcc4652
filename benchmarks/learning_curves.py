"""Draw the learning curves of docs/results.md from training runs, a picture for each baseline.

.venv/bin/python benchmarks/learning_curves.py build/demo-seeds build/minute-seeds

A run's folder names its curve. It may hold one run or several seeds, whose mean is drawn with a band of 95 %.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from cardtable.arena.results.result_document import Plot, Series
from cardtable.arena.results.svg import drawn
from cardtable.arena.statistics import estimate
from cardtable.table.files import write_whole
from skyjo_training.measurements import read_measurements
from skyjo_training.training_run import folders_of

IMAGES = Path(__file__).parent.parent / "docs" / "images"
CURVES = {"threshold:t=2,columns=true": "learning-paper.svg", "tempo": "learning-tempo.svg"}
CURVES["policy"] = "learning-policy.svg"
# The colours of reports, light and dark, for a picture that stands alone.
COLOURS = """<style>
svg { background: var(--paper); --paper: #fff; --ink: #1d2733; --grid: #e3e3e3;
  --ahead: #1b6ca8; --behind: #c06c2b; --open: #7b858e; --taker: #8e4585; --good: #2a9d8f }
@media (prefers-color-scheme: dark) { svg { --paper: #14181d; --ink: #e6e9ec; --grid: #323a42;
  --ahead: #5aa9e6; --behind: #e8964f; --open: #8f99a2; --taker: #c58be0; --good: #4fc3b3 } }
</style>"""


def curve(folder: Path, baseline: str) -> Series | None:
    """Return how far the policies of a run are ahead of a baseline, by million decisions; None if not measured."""
    seeds = [read_measurements(seed) for seed in folders_of(folder)]
    margins, decisions = [], []
    for together in zip(*seeds, strict=False):
        found = [measured.margins[baseline] for measured in together if baseline in measured.margins]
        if found:
            margins.append(found[0] if len(found) == 1 else estimate([margin.mean for margin in found]))
            decisions.append(together[0].decisions / 1e6)
    return Series.of(folder.resolve().name, margins, decisions) if margins else None


def draw(folders: Sequence[Path]) -> None:
    """Write a picture for each baseline that one of these runs was measured against."""
    for baseline, name in CURVES.items():
        series = [each for each in (curve(folder, baseline) for folder in folders) if each is not None]
        if series:
            words = f"points a round ahead of {baseline}"
            svg = drawn(Plot("lines", series, "million decisions", y_label=words, line_at=0, x_scale="log"))
            head, tag, rest = svg.partition(">")
            write_whole(IMAGES / name, f"{head}{tag}\n{COLOURS}{rest}".encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="the folder of a training run")
    draw(parser.parse_args().runs)
