"""Agents by name, what they are given, and their random numbers."""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.table.agents.agents import (
    AgentPoint,
    _parameters,
    _read_parameters,
    agents_of,
    checked_actions,
    rng_states_of,
)
from skyjo.table.seating import check_guest
from skyjo_env import OFFICIAL, AgentError, GameBatch, Rules, SkyjoEnv, make_agent, uniform
from skyjo_env.card_game import SKYJO
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import skyjo as skyjo

SLOW = pytest.mark.slow


class Stubborn:
    """An agent with a parameter of every kind."""

    def __init__(
        self,
        rules: Rules,
        cell: int,
        tilt: float = 0.5,
        bold: bool = False,
        mood: str = "calm",
        path: str | None = None,
    ) -> None:
        self.given = (rules, cell, tilt, bold, mood, path)

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[Any]:
        assert len(observations) == len(rng_states)
        actions: NDArray[np.int64] = np.argmax(masks, axis=1)
        return actions


def open_minded(*arguments: Any, **options: Any) -> Stubborn:
    assert options == {}
    return Stubborn(arguments[0], 0)


def forward(rules: "Rule", cell: "int", *, bold: "bool" = False) -> Stubborn:  # type: ignore[name-defined]  # noqa: F821
    return Stubborn(rules, cell, bold=bold)


def ruleless() -> None:
    """A factory that has forgotten the rules."""


def broken(rules: Rules) -> object:
    raise KeyError(rules.players)


def speechless(rules: Rules) -> object:
    assert isinstance(rules, Rules)
    return object()


class Deaf:
    """Takes no chances."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def act(self, observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
        assert len(observations)
        chosen: NDArray[Any] = masks.argmax(axis=1)
        return chosen


FACTORIES = {
    "broken": "broken",
    "deaf": "Deaf",
    "forward": "forward",
    "lost": "Nobody",
    "open": "open_minded",
    "ruleless": "ruleless",
    "speechless": "speechless",
    "stubborn": "Stubborn",
}


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if another package had declared agents of its own."""
    points = {name: AgentPoint(name, f"tests.cardtable.test_agents:{value}") for name, value in FACTORIES.items()}
    monkeypatch.setattr(agents_of(SKYJO), "points", points)


def test_a_parameter_with_a_whole_default_may_be_annotated_as_any_number() -> None:
    class Lenient(Stubborn):
        def __init__(self, rules: Rules, most: float | None = 4, least: "float | None" = 0, depth=1) -> None:  # type: ignore[no-untyped-def]
            super().__init__(rules, depth, (most or 0) + (least or 0))

    known = _parameters("lenient", Lenient)
    given = {"most": 2.5, "least": 0.5, "depth": 3}
    assert _read_parameters("lenient", known, "most=2.5,least=0.5,depth=3") == given
    with pytest.raises(AgentError, match=r"depth='2\.5' must be a whole number"):
        _read_parameters("lenient", known, "depth=2.5")


@pytest.mark.usefixtures("_installed")
def test_parameters_are_read_as_the_factory_takes_them() -> None:
    rules = Rules(players=3)
    agent: Any = make_agent("stubborn:cell=3,tilt=1e-2,bold=true,mood=angry", rules)
    assert agent.given == (rules, 3, 0.01, True, "angry", None)
    agent = make_agent("forward:cell=4,bold=true")
    assert agent.given == (OFFICIAL, 4, 0.5, True, "calm", None)
    agent = make_agent("open")
    assert agent.given == (OFFICIAL, 0, 0.5, False, "calm", None)
    agent = make_agent("stubborn:cell=-1,path=a/b:c.zip")
    assert agent.given == (OFFICIAL, -1, 0.5, False, "calm", "a/b:c.zip")


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody", f"unknown agent 'nobody'; installed: {', '.join(FACTORIES)}$"),
        ("Stuborn:cell=1", "unknown agent 'Stuborn'; installed: .*; did you mean stubborn?"),
        ("", "unknown agent ''"),
        ("stubborn", "agent stubborn needs cell"),
        ("stubborn:cell=x", r"agent stubborn: cell='x' must be a whole number"),
        ("stubborn:cell=1,tilt=much", r"tilt='much' must be a number"),
        ("stubborn:cell=1,bold=maybe", "bold='maybe' must be true or false"),
        ("stubborn:cell=1,hat=red", "cannot read 'hat=red'; its parameters: cell, tilt=0.5, bold=False, mood=calm"),
        ("stubborn:cell=1,tild=2", "cannot read 'tild=2'; its parameters: .*; did you mean tilt?"),
        ("stubborn:cell", "cannot read 'cell'"),
        ("stubborn:cell=1,cell=2", "cannot read 'cell=2'"),
        ("stubborn:rules=1", "cannot read 'rules=1'"),
        ("broken", r"agent broken cannot be created: KeyError: 2 \(test_agents.py, line \d+\)"),
        ("deaf", r"agent deaf: its method must be act\(observations, masks, chances\), not act\(observations, masks\)"),
        ("speechless", "agent speechless of tests.cardtable.test_agents:speechless has no method act"),
        ("lost", "agent lost cannot be loaded from tests"),
        (7, "an agent is named by text, not by int"),
        ("ruleless", "agent ruleless: its factory must take the rules as its first argument"),
        ("forward:cell=x", r"cell='x' must be a whole number"),
        ("open:cell=1", "agent open cannot read 'cell=1'; its parameters: none"),
    ],
)
def test_a_bad_text_is_told_what_there_is(text: Any, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make_agent(text)


MINE = """import numpy as np

class Lowest:
    '''Plays the first or the last legal action.'''

    is_slow = True

    def __init__(self, rules, last: bool = False):
        self.last = last

    def act(self, observations, masks, chances):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1) if self.last else masks.argmax(1)

class Mute:
    def __init__(self, rules):
        raise KeyError("no words")

class Bare:
    def __init__(self, rules):
        pass
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a module with agents, which lies in the folder where commands run."""
    name = f"own_{tmp_path.name.rpartition('_')[2]}"
    (tmp_path / f"{name}.py").write_text(MINE)
    (tmp_path / "numpy.py").write_text("class Lowest: pass\n")
    (tmp_path / "bad.py").write_text("import nowhere_at_all\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield name
    sys.modules.pop(name, None)


@pytest.mark.parametrize("place", ["{}", "{}.py", "./{}.py", "{folder}/{}.py"])
def test_a_class_of_a_module_or_file_is_an_agent_with_parameters(own: str, tmp_path: Path, place: str) -> None:
    text = f"{place.format(own, folder=tmp_path)}:Lowest"
    masks = np.array([[0, 1, 1]], np.int8)
    for agent, action in ((make_agent(text), 1), (make_agent(f"{text}:last=true"), 2)):
        assert agent.act(masks, masks, np.zeros(1, np.uint64)) == [action]
    assert agents_of(SKYJO).describe(text) == ("Plays the first or the last legal action.", {"last": False})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("none.py:Lowest", "agent none.py:Lowest: there is no file none.py$"),
        ("nowhere:Lowest", "agent nowhere:Lowest: there is neither an agent nor a module called nowhere; "),
        ("{}:Lowst", "agent {}:Lowst: there is no Lowst in {}; did you mean Lowest?"),
        ("{}:no", "agent {}:no: there is no no in {}$"),  # not the module np
        ("{}.py:Lowest:first=1", "agent {}.py:Lowest cannot read 'first=1'; its parameters: last=False"),
        ("{}.py:Mute", r"agent {}.py:Mute cannot be created: KeyError: 'no words' \({}.py, line 16\)"),
        ("{}.py:Bare", "agent {}.py:Bare has no method act$"),
        ("numpy.py:Lowest", "agent numpy.py:Lowest: another module is called numpy; rename the file"),
        ("bad:X", r"agent bad:X cannot be loaded from bad:X: ModuleNotFoundError: .* \(bad.py, line 1\)"),
        ("{}:np", "agent {}:np: its factory must take the rules as its first argument"),
    ],
)
def test_a_class_that_is_no_agent_is_told_why(own: str, text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message.replace("{}", own)):
        make_agent(text.replace("{}", own))


@pytest.mark.parametrize(
    "command",
    [
        "match {0}:Lowest tempo --deals 4 --json",
        pytest.param("tournament {0}.py:Lowest:last=true tempo --deals 4 --store games --json", marks=SLOW),
        pytest.param(
            "compare {0}:Lowest --opponents naive --deals 4 --look-deals 0 --exploiter-decisions 0 --json", marks=SLOW
        ),
        "exam {0}.py:Lowest",
        "play {0}.py:Lowest --seed 1",
    ],
)
def test_a_class_plays_wherever_a_name_does(
    own: str, skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    done = skyjo(*command.format(own).split())
    assert done.status == 0, done.err
    assert own in done.out


def test_a_class_cannot_be_named_from_outside() -> None:
    for text in ("os:system", "rollout:base=os:system,n=2", "rollout:base=(mine.py:Own:level=3)"):
        with pytest.raises(AgentError, match="may not play here"):
            check_guest(agents_of(SKYJO), text)
    check_guest(agents_of(SKYJO), "rollout:base=(threshold:t=2,columns=true),n=2")


@pytest.mark.parametrize("rng_states", [np.arange(3), np.arange(3.0), [1, 2, 3], 3, np.zeros((2, 2), np.uint64)])
def test_chances_of_another_type_are_refused(rng_states: Any) -> None:
    with pytest.raises(AgentError, match="uint64"):
        uniform(rng_states)
    with pytest.raises(AgentError, match="uint64"):
        make_agent("random").act(np.zeros((3, 88), np.int16), np.ones((3, 26), np.int8), rng_states)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("class Mine", r"SyntaxError: expected ':' \(strange_agent.py, line 2\)"),
        ("Mine = mine", r"NameError: name 'mine' is not defined \(strange_agent.py, line 2\)"),
        ("Mine = int('x')", r"ValueError: invalid literal .*: 'x' \(strange_agent.py, line 2\)"),
        ("exit()", r"SystemExit: .* \(strange_agent.py, line 2\)"),
        ("import nowhere", r"ModuleNotFoundError: No module named 'nowhere' \(strange_agent.py, line 2\)"),
    ],
)
def test_an_agent_whose_module_fails_is_named_with_the_line(
    line: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skyjo: Skyjo
) -> None:
    tmp_path.joinpath("strange_agent.py").write_text(f"# an agent\n{line}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(agents_of(SKYJO), "points", {"mine": AgentPoint("mine", "strange_agent:Mine")})
    said = complaint(skyjo("match", "mine", "mine"))
    assert re.fullmatch(f"skyjo: agent mine cannot be loaded from strange_agent:Mine: {reason}", said)
    with pytest.raises(AgentError, match=re.escape(said.removeprefix("skyjo: "))):
        SkyjoEnv(opponents="mine")


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (np.zeros(1), r"an array of shape \(1,\) and type float64"),
        (None, "None"),
        ([0.5], r"\[0.5\]"),
    ],
)
def test_an_answer_that_is_no_action_is_shown_with_what_is_wanted(answer: Any, found: str) -> None:
    with pytest.raises(
        AgentError, match=f"agent x must return one whole number for every observation, here 1, not {found}$"
    ):
        checked_actions("x", answer, 1)


def test_uniform_numbers_fill_the_unit_interval_and_move_the_generators() -> None:
    rng_states = np.arange(50_000, dtype=np.uint64)
    numbers = np.concatenate([uniform(rng_states) for _ in range(2)])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    counts = np.histogram(numbers, bins=20, range=(0, 1))[0]
    assert np.abs(counts - 5000).max() < 5 * 5000**0.5
    assert len(np.unique(numbers)) > 99_990
    assert not np.array_equal(rng_states, np.arange(50_000))


@pytest.mark.parametrize("name", ["random", "tempo", "rollout:n=2"])
def test_chances_must_be_writable(name: str) -> None:
    """Compiled code would write into whatever they are."""
    tables = GameBatch(n=2)
    rng_states = rng_states_of(tables.observations)
    rng_states.flags.writeable = False
    with pytest.raises(AgentError, match="chances must be a writable array of generator states"):
        make_agent(name).act(tables.observations, tables.masks, rng_states)
