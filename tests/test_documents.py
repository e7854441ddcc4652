"""What the documents show is so: every example in them runs, and the table of options is the options."""

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from skyjo_env import Game, Rules, replay
from skyjo_env.kernel.state import OPTIONS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
NOTATION = (ROOT / "docs" / "notation.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a document in this language."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [body for name, body in fenced if name == language]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_readmes_first_lines_finish_a_game() -> None:
    done = run("-c", blocks(README, "python")[0])
    assert done.returncode == 0
    assert re.search(r"over, won by seat \d", done.stdout)


@pytest.mark.parametrize("code", [*blocks(README, "python")[1:], *blocks(NOTATION, "python")])
def test_every_other_example_runs(code: str) -> None:
    assert run("-c", f"from skyjo_env import Game\n{code}").returncode == 0


def test_the_notations_position_and_record_can_be_read() -> None:
    position, record = blocks(NOTATION, "")
    assert Game.from_position(position).phase == "drawn"
    assert len(replay(record).record()["actions"]) == 10


def test_the_readmes_table_names_every_field_with_its_official_value_and_its_clause() -> None:
    rules, seen = Rules(), set()
    for row in re.findall(r"^\| (`.*?) \| (.*?) \| (.*?) \| (.*?) \|$", README, re.MULTILINE):
        names = re.findall(r"`(\w+)`", row[0])
        seen |= set(names)
        if names != ["deck"]:
            assert row[1].replace("`", "") == ", ".join(repr(getattr(rules, name)) for name in names).replace("'", '"')
        for name in set(names) & set(OPTIONS):
            assert set(re.findall(r'"(\w+)"', row[1] + row[2])) == set(OPTIONS[name])
        for clause in row[3].split(", "):
            assert re.search(rf"^{re.escape(clause)} ", (ROOT / "RULES.md").read_text(), re.MULTILINE)
    assert seen == {field.name for field in fields(Rules)}


def test_the_rules_text_gives_the_official_values() -> None:
    text = (ROOT / "RULES.md").read_text()
    for field in fields(Rules):
        if field.name in OPTIONS:
            assert f'`{field.name} = "{field.default}"`' in text
        assert f"`{field.name}" in text


def test_the_example_plays_a_round() -> None:
    done = run("examples/random_round.py", "--players", "3", "--seed", "2")
    assert done.returncode == 0
    assert "round scores: " in done.stdout


@pytest.mark.parametrize("options", [("--players", "9"), ("--seed", "-1"), ("--every", "0")])
def test_the_example_refuses_bad_input_in_one_line(options: tuple[str, str]) -> None:
    done = run("examples/random_round.py", *options)
    assert done.returncode == 2
    assert options[0].removeprefix("--") in done.stderr.splitlines()[-1]


def test_the_benchmark_writes_json() -> None:
    done = run("benchmarks/kernel.py", "--json", "--quick")
    figures = json.loads(done.stdout)
    assert {"name", "players", "measured", "unit", "target", "is_met"} <= set(figures[0])
    assert all(figure["measured"] > 0 for figure in figures)


def test_a_second_process_compiles_nothing() -> None:
    play = "import skyjo_env; skyjo_env.Game().apply(14)"
    assert run("-c", play).returncode == 0  # compiles if nothing has been kept yet
    assert run("-c", play).stderr == ""
