"""What the documents show is so: every example in them runs, and the table of options is the options."""

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from runpy import run_path
from typing import Any

import pytest

import skipbo_env
import skyjo_action_env
import skyjo_env
from cardtable.table.agents.agents import agents_of
from cardtable.table.envs.options import SeatOptions
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.kernel.game_kernel import GameKernel
from skipbo_env.card_game import SKIPBO
from skyjo.interfaces import find_interface
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_env import Game, replay
from skyjo_env.card_game import SKYJO
from tests.documents import README, ROOT, blocks, pages, run_block, run_program

GAMES = [SKIPBO, SKYJO_ACTION, SKYJO]
NOTATION = (ROOT / "docs" / "reference" / "notation.md").read_text()
# Other tests run the Python blocks of these pages, with the files that the commands on them write.
FOLLOWED = ["docs/tutorials/", "docs/guides/data.md"]
QUESTION = re.compile(r"(What|Who|Whose|Which|How|Where|Why|Whether|Is|Are|Does|Do|Can|Has|May|Must)\b|.*\?(\n|$)")


def text_of(name: str) -> str:
    """Return the text of a page in docs/."""
    return (ROOT / "docs" / f"{name}.md").read_text()


def examples() -> list[Any]:
    """Return every Python block of the pages that is complete in itself."""
    names = {page: page.relative_to(ROOT).as_posix() for page in pages()}
    return [
        pytest.param(code, id=f"{names[page]}-{n}")
        for page in sorted(names)
        for n, code in enumerate(blocks(page.read_text(), "python"))
        if not names[page].startswith(tuple(FOLLOWED))
    ]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_readmes_first_lines_finish_a_game() -> None:
    assert re.search(r"over, won by seat \d", run_block(blocks(README, "python")[0]))


@pytest.mark.parametrize("code", examples())
def test_every_example_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first line such as "# needs torch" says what must be installed."""
    needed = re.match(r"# needs (\w+)", code)
    if needed:
        pytest.importorskip(needed[1])
    monkeypatch.chdir(tmp_path)
    run_block(code)


def test_the_example_table_of_the_page_on_text_is_what_the_code_above_it_prints() -> None:
    page = text_of("guides/language_models")
    assert run_block(blocks(page, "python")[0]) == blocks(page, "text")[0]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_reference_shows_the_help_of_every_command_and_never_an_error(game: CardGame) -> None:
    told = run_path(f"{ROOT}/docs/reference_tables.py")["commands"](game)
    assert "### " in told
    printed = re.findall(r"^\.\. parsed-literal::\n\n    (.*)$", told, re.MULTILINE)
    assert printed
    assert all(text.startswith("usage: ") for text in printed)


def test_the_pictures_of_observations_are_those_of_the_code() -> None:
    for name, draw in run_path(f"{ROOT}/docs/observation_pictures.py")["PICTURES"].items():
        picture = ROOT / "docs" / "images" / f"{name.replace('_', '-')}-observation.svg"
        assert picture.read_text("utf-8") == draw(find_game(name)).svg()


def test_the_table_of_options_is_that_of_the_environment() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", text_of("reference/environments"), re.MULTILINE)
    options = {option.name: option.default for option in fields(SeatOptions) if option.name != "card_game"}
    assert {name for name, _, _ in rows} == {*options}
    for name, default, _ in rows:
        if options[name] is not None and name not in ("rules", "opponents"):
            assert default.split("`")[1] == repr(options[name]).replace("'", '"')


@pytest.mark.parametrize(("game", "tables"), [("skyjo", 3), ("skipbo", 2)])
def test_the_ladder_was_played_by_the_commands_of_make_ladder(game: str, tables: int) -> None:
    made = subprocess.run(["make", "-n", "ladder"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    played = [shlex.split(line) for line in made.splitlines() if f"{game} tournament" in line]
    told_there = re.findall(rf"^({game} tournament .*)$", (ROOT / "docs" / "ladders.md").read_text(), re.MULTILINE)
    assert len(told_there) == len(played) == tables
    for told, command in zip(told_there, played, strict=True):
        assert set(command[1:]) - set(shlex.split(told)) <= {"--anchor", "--deals", "1000"}  # 1000 if left out
        assert set(shlex.split(told)[1:]) <= set(command)


OURS = r"(?:cardtable|skyjo_action_env|skyjo_action_agents|skyjo_env|skyjo_agents|skyjo_training|skyjo|papers)"
PLACE = r"(?:\.ci|agents|benchmarks|cardtable|docs|examples|skyjo|skyjo_action_env|skyjo_env|papers|tests|training)"


def is_module(name: str) -> bool:
    """Is this a module, even one that needs something that is not installed?"""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # what stands before the last dot is no package
        return False


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_name_and_every_file_on_a_page_exists(page: Path) -> None:
    text = page.read_text()
    names = set(re.findall(rf"(?<![\w./-])({OURS}(?:\.(?!md\b)\w+)+)", text))
    for name in sorted(names - entry_points().groups - {agents_of(SKYJO).group}):
        assert is_module(name) or resolve_name(name) is not None  # which raises if there is no such thing
    for path in re.findall(rf"(?<![\w./-])({PLACE}/[\w/.-]*(?:\.(?:py|md|json|safetensors)|/))", text):
        assert (ROOT / path).exists(), path


def test_every_page_is_in_the_sidebar_once_and_the_readme_is_short() -> None:
    index = ROOT / "docs" / "index.md"
    lists = index.read_text().partition("\n## ")[2]
    linked = sorted((index.parent / page).resolve() for page in re.findall(r"\]\(([\w./]+\.md)\)", lists))
    assert linked == sorted(page for page in pages() if page not in (index, ROOT / "README.md"))
    assert len(README.splitlines()) <= 100


def test_the_first_page_has_the_sizes_of_the_games() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    for game in GAMES:
        assert f"{game.official.actions} actions, {game.spec_of(game.official).size} observed numbers" in index


def test_the_newest_release_is_this_version() -> None:
    release = re.search(r"^## (\d\S*) \((.*)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = dict(re.findall(r"^(version|date-released): (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    assert release is not None
    assert release.groups() == (skyjo_env.__version__, citation["date-released"])
    assert citation["version"] == skyjo_env.__version__


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "reference" / "api").glob("*.md")), ids=lambda page: page.stem)
def test_everything_in_the_reference_exists_and_is_documented(page: Path) -> None:
    names = re.findall(r"^<!-- api: (.*) -->$", page.read_text(), re.MULTILINE)
    assert names
    for name in names:
        assert resolve_name(name).__doc__


def test_the_reference_explains_every_field_of_a_kernel() -> None:
    told = re.findall(r"^\| `(\w+)` \|", text_of("reference/api/cardtable"), re.MULTILINE)
    assert sorted(told) == sorted(GameKernel._fields)


def test_a_docstring_is_shown_as_it_was_meant() -> None:
    to_rst = run_path(str(ROOT / "docs" / "conf.py"))["to_rst"]
    assert to_rst(["Takes `a*b`s, *args and x_y | z (docs/reference/events.md)."]) == [
        r"Takes \ ``a*b``\ s, \*args and x\_y \| z (:doc:`/docs/reference/events`)."
    ]
    example = ["    Like so:", "", "    >>> Game()", "    a_game", "", "    More."]
    assert to_rst(example)[3:5] == ["    .. code-block:: pycon", ""]
    assert to_rst(example)[5:] == ["        >>> Game()", "        a_game", "", "    More."]


def test_troubleshooting_shows_messages_that_are_really_printed() -> None:
    code = [file for folder in ("agents", "cardtable", "skyjo", "training") for file in (ROOT / folder).rglob("*.py")]
    sources = "".join(file.read_text() for file in [*code, ROOT / "Makefile"])
    for message in blocks((ROOT / "docs" / "guides" / "troubleshooting.md").read_text(), "text"):
        for part in re.split(r"\.\.\.\s*|; |\n", message):
            assert part in sources, part


def test_no_page_has_a_gap_left_to_fill_and_all_links_between_documents_lead_somewhere() -> None:
    for page in pages():
        text = page.read_text()
        assert not re.search(r"@[A-Z0-9]+@", text), page.name
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_notations_position_and_record_can_be_read() -> None:
    position, record, skipbo_position, skipbo_record, action_position = blocks(NOTATION, "")
    assert Game.from_position(position).phase == "drawn"
    assert len(replay(record).record()["actions"]) == 10
    assert skipbo_env.Game.from_position(skipbo_position).rules.stock_size == 4
    assert skipbo_env.replay(skipbo_record).rules.stock_size == 3
    assert skyjo_action_env.Game.from_position(action_position).phase == "defence"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_option_of_the_rules_has_a_clause_that_names_it(game: CardGame) -> None:
    clauses, words = (ROOT / "docs" / "rules" / f"{game.name}.md").read_text(), find_interface(game.name).rule_words
    assert {"players", *words} == {field.name for field in fields(game.rules_type)}
    for name, (clause, _) in words.items():
        assert re.search(rf"^{re.escape(clause)} ", clauses, re.MULTILINE)
        assert f"`{name}" in clauses
    for name in game.rules_type.options:
        assert f'`{name} = "{getattr(game.official, name)}"' in clauses


MARGIN = r"[+-]\d+\.\d+ ± \d+\.\d+ points a round"
EXAMPLES = {
    "pettingzoo_round.py --game skipbo --players 4": r"player_3: \d+ points",
    "gymnasium_rounds.py --game skyjo_action --rules max_turns=60 --tables 20": r"20 tables: mean reward [+-]\d",
    "sb3_ppo.py --decisions 10 --against naive --deals 20": f"against naive: {MARGIN}",
    "sb3_ppo.py --game skipbo --rules stock=3 --decisions 9 --self-play --every 1 --deals 4": f"greedy.*{MARGIN}",
    "cleanrl_ppo.py --decisions 100 --tables 8 --steps 8 --deals 20": f"against threshold.*{MARGIN}",
    "self_play_ppo.py --decisions 100 --tables 8 --steps 8 --deals 20": f"a round: .*\n.*{MARGIN}",
    "own_agent.py --deals 50 --against expected": f"against expected: {MARGIN}",
}
REFUSED = [(command.split()[0], "--players 9 --game skyjo", "players=9") for command in EXAMPLES]
REFUSED += [("pettingzoo_round.py", "--seed -1", "--seed must be at least 0")]
REFUSED += [("gymnasium_rounds.py", "--tables 0", "--tables must be at least 1")]
REFUSED += [("own_agent.py", "--against nobody", "unknown agent 'nobody'")]
REFUSED += [
    ("cleanrl_ppo.py", "--rules stock=5", "stock"),
    ("cleanrl_ppo.py", "--deals 1", "--deals must be at least 2"),
]


@pytest.mark.parametrize("name", sorted({command.split()[0] for command in EXAMPLES}))
def test_a_downloaded_example_runs_alone(name: str, tmp_path: Path) -> None:
    command = [sys.executable, shutil.copy(ROOT / "examples" / name, tmp_path), "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_examples_run(command: str) -> None:
    done = run_program(*f"examples/{command}".split())
    assert done.status == 0, done.err
    assert re.search(EXAMPLES[command], done.out)


@pytest.mark.parametrize(("name", "options", "told"), [*dict.fromkeys(REFUSED)])
def test_the_examples_refuse_bad_input_in_one_line(name: str, options: str, told: str) -> None:
    done = run_program(f"examples/{name}", *options.split())
    assert done.status == 2
    assert told in done.err.splitlines()[-1]


@pytest.mark.parametrize("name", ["kernel", "environments", "agents"])
@pytest.mark.long
def test_the_benchmarks_write_json(name: str) -> None:
    figures = json.loads(run(f"benchmarks/{name}.py", "--json", "--quick", "--runs", "1").stdout)
    assert set(figures[0]) == {"name", "players", "measured", "unit", "half"}
    assert all(figure["measured"] > 0 for figure in figures)


def test_a_second_process_compiles_nothing() -> None:
    tables = "from skyjo_env import SkyjoVectorEnv; SkyjoVectorEnv().reset(seed=1)"
    play = f"import skyjo_env; skyjo_env.Game().apply(14); {tables}"
    assert run("-c", play).returncode == 0  # compiles if nothing has been kept yet
    assert run("-c", play).stderr == ""


def test_no_docstring_is_a_question() -> None:
    paths = [path.relative_to(ROOT) for path in ROOT.glob("[a-z]*/**/*.py")]
    sources = [(ROOT / path).read_text("utf-8") for path in paths if {"tests", "build"}.isdisjoint(path.parts)]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    documented = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    texts = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, documented)]
    assert len(texts) > 2000
    assert [text for text in texts if QUESTION.match(text)] == []


def test_sentences_have_at_most_35_words_but_for_a_few() -> None:
    texts = [page.read_text("utf-8") for page in pages() if "docs" in page.parts and "rules" not in page.parts]
    prose = [re.sub(r"```.*?```|<!--.*?-->|\]\([^)]*\)", "", text, flags=re.DOTALL) for text in [*texts, README]]
    parts = [part for text in prose for part in re.split(r"\n\s*\n|\n(?=[-*|#])|\n\d+\. ", text)]
    sentences = [one for part in parts if part[:1] != "|" for one in re.split(r"(?<=[.!?:;])\s+", part)]
    assert len([one for one in sentences if len(re.findall(r"[\w'’.-]*\w", one)) > 35]) <= 20
