"""What is sent elsewhere says what the package says: the recipe, the lists of environments, the paper."""

import re
import tomllib
from typing import Any

import gymnasium
import pettingzoo
import pytest
import yaml

import skipbo_env
import skyjo_action_env
import skyjo_env
from tests.documents import ROOT

PLACE = ROOT / "publishing"
GAMES = (skyjo_env, skyjo_action_env, skipbo_env)  # which register their environments when they are imported


def normalised(requirement: str) -> str:
    return requirement.replace(" ", "")


@pytest.fixture(scope="module")
def recipe() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((PLACE / "conda" / "recipe.yaml").read_text())
    return read


def test_the_recipe_needs_what_the_package_needs(recipe: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    python, *needed = map(normalised, recipe["requirements"]["run"])
    assert python == "python>=${{python_min}}"
    assert project["requires-python"] == f">={recipe['context']['python_min']}"
    assert needed == [*map(normalised, project["dependencies"])]
    scripts = recipe["build"]["python"]["entry_points"]
    assert [*map(normalised, scripts)] == [f"{name}={place}" for name, place in project["scripts"].items()]


def test_the_recipe_builds_this_version(recipe: dict[str, Any]) -> None:
    assert recipe["context"]["version"] == skyjo_env.__version__


@pytest.mark.parametrize(
    ("page", "known"),
    [("gymnasium", set(gymnasium.registry)), ("pettingzoo", set(getattr(pettingzoo, "aec_registry", {})))],
)
def test_the_lists_name_environments_that_exist(page: str, known: set[str]) -> None:
    named = set(re.findall(r"`(sky[\w-]+/[\w-]+|skipbo/[\w-]+)`", (PLACE / f"{page}.md").read_text()))
    assert len(named) == len(GAMES)
    assert named <= known or not known  # PettingZoo has no registry before 1.27


def test_the_paper_is_short_and_its_sources_are_listed() -> None:
    body = (PLACE / "paper.md").read_text().split("---\n", 2)[2]
    assert len(body.split()) <= 1000
    sources = set(re.findall(r"^@\w+\{(\w+),", (PLACE / "paper.bib").read_text(), re.MULTILINE))
    assert set(re.findall(r"@(\w+)", body)) == sources
