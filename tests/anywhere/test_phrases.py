"""Templates of phrases are filled by the pages' worker as by Python."""

import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from skyjo.analysis.analysed_game import PHRASES
from skyjo.interfaces import find_interface, playable_interfaces
from skyjo.table.described_game import RESULTS
from skyjo.table.phrases import filled
from tests.anywhere.worker_client import NODE, ROOT

MODULE = ROOT / "skyjo" / "web" / "worker" / "phrases.js"
SCRIPT = f"""
import {{ readFileSync }} from "node:fs";
const {{ filled }} = await import({json.dumps(str(MODULE))});
const asked = JSON.parse(readFileSync(process.argv[1], "utf8"));
console.log(JSON.stringify(asked.map(one => filled(...one))));
"""
NUMBERS = (0, 1, 2, 5, 8, 11, 13, 14, 18, -2, 4.45, 4.55, 0.25, 0.35, 2.5, -1.005, -0.04, 7.1)
WORDS = (*NUMBERS, "stock", "")
TRUTHS = (*WORDS, True, False, None)
OWN = ("[one:[two=1:a|b] c|d [two:{one:a}]]", "[one={two}:same|other] [one=two:same|other]", "{one:.0f} {two:+.2f}")


@pytest.mark.usefixtures("made")
def test_every_template_is_filled_as_in_python(tmp_path: Path) -> None:
    chance, asked = random.Random(0), list[tuple[str, dict[str, Any], Any]]()
    for phrases in [find_interface(game).phrases for game in playable_interfaces()]:
        templates = [*phrases.events.values(), *phrases.reasons.values(), *RESULTS.values(), *PHRASES.values()]
        for template in [*templates, *OWN] * 20:
            values = {name: chance.choice(TRUTHS) for name in re.findall(r"\[(\w+):", template)}
            values |= {name: chance.choice(WORDS) for name in re.findall(r"[{[](\w+)(?![\w:])", template)}
            values |= {name: chance.choice(NUMBERS) for name in re.findall(r"\{(\w+):", template)}
            asked.append((template, values, phrases.names))
    file = tmp_path / "asked"
    file.write_text(json.dumps(asked))
    command = [str(NODE), "--input-type=module", "-e", SCRIPT, "--", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    expected = [filled(*one) for one in asked]
    assert found == expected
