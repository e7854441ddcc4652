"""An installed wheel compiles nothing, and plays exactly as code that was compiled for this very processor."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import README, ROOT, blocks
from tests.test_wheel import MANY, Environment

pytestmark = pytest.mark.long  # everything is compiled for the wheel

COUNTED = """
from numba.core import event
compiled = []
class Count(event.Listener):
    def on_start(self, what): compiled.append(str(what.data["dispatcher"].py_func))
    def on_end(self, what): pass
event.register("numba:compile", Count())
"""
ACTION = "from skyjo_env import Game; game = Game(seed=7); game.apply(game.legal_actions()[0])"
HINT = """
from skyjo.table.played_game import Session
from {game}_env import Game
print(Session(Game(seed=3), 0, ["random"]).hint("{adviser}"))
"""
CHECK = """
import numpy as np
from cardtable.table.game.card_game import Setup, find_game
from cardtable.table.game.measured_deals import replayed
from {game}_env import Game, OFFICIAL
game, here = Game(seed=1, episode="round"), find_game("{game}")
while not game.is_over:
    game.apply(game.legal_actions()[-1])
actions = np.array(game.record()["actions"], here.action_type)
setup = Setup(OFFICIAL, 1, "round", record_actions=True)
print(replayed(setup, range(1), np.array([len(actions)]), actions).decisions)
"""
COPIES = """
import copy, pickle
import gymnasium
from {game}_env import Game, GameBatch
from {game}_env.{game}_v0 import env
def copies(one):
    return copy.deepcopy(one), pickle.loads(pickle.dumps(one)), copy.deepcopy(pickle.loads(pickle.dumps(one)))
for game in copies(Game(seed=1)):
    game.apply(game.legal_actions()[0])
for batch in copies(GameBatch(n=128)):
    batch.step(batch.masks.argmax(axis=1))
seats, name = env(), "{game}_env:{game}/{name}-v0"
one, many = gymnasium.make(name), gymnasium.make_vec(name, num_envs=128)
for each in (seats, one, many):
    each.reset(seed=1)
for each in copies(seats):
    each.step(int(each.last()[0]["action_mask"].argmax()))
for each in copies(one):
    each.step(int(each.unwrapped.action_masks().argmax()))
for each in copies(many):
    each.step(each.action_masks().argmax(axis=1))
"""
TABLES = """
from skyjo.web.rooms import Room, opened
room = Room("", opened({{"game": "{game}", "seats": ["you", "open"], "episode": "round"}}, ""))
while room.agent is None and room.state.decider is not None:
    room.act(room.game.legal_actions()[0])
    room.view("", [], 0)
"""
GAMES = {"skyjo": "Skyjo", "skipbo": "SkipBo"}
USES = [code.format(game=game, name=name) for code in (COPIES, TABLES) for game, name in GAMES.items()]
CHECKS = [CHECK.format(game=game) for game in ("skyjo", "skipbo")]
HINTS = [HINT.format(game="skyjo", adviser="lookahead"), HINT.format(game="skipbo", adviser="planner")]
PROGRAMS = [MANY.sub("2", code) for code in blocks(README, "python")]
MATCH = """
from cardtable.table.game.card_game import Setup
from cardtable.arena.play.pairing import play_paired
from {game}_env import OFFICIAL
played = play_paired({agents}, Setup(OFFICIAL, seed=3, with_luck=True), deals=range(100))
print(played.margins.tobytes().hex(), played.without_luck.tobytes().hex())
"""
MATCHES = {  # floats of the network, of the searching players and of scripts
    "a policy": MATCH.format(game="skyjo", agents=["policy", "tempo"]),
    "lookahead": MATCH.format(game="skyjo", agents=["lookahead", "expected"]).replace("range(100)", "range(3)"),
    "Skip-Bo": MATCH.format(game="skipbo", agents=["planner", "hpvp"]),
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel: this one, if INSTALLED says so, as where wheels are built."""
    if os.environ.get("INSTALLED"):
        return Path(sys.executable)
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    told = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    told["SKYJO_PRECOMPILE"] = "1"
    subprocess.run(command, cwd=ROOT, env=told, check=True)
    (wheel,) = folder.iterdir()
    environment = Environment.make(tmp_path_factory.mktemp("environment"))
    environment.install(wheel)
    return environment.python


def run(python: Path, code: str, folder: Path, **told: str) -> str:
    """What a program prints, with an empty cache of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
    environment |= {"NUMBA_CACHE_DIR": str(folder / "cache"), **told}
    done = subprocess.run([python, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("code", [ACTION, *PROGRAMS, *HINTS, *CHECKS, *USES, *MATCHES.values()])
def test_nothing_is_compiled(python: Path, code: str, tmp_path: Path) -> None:
    assert run(python, f"{COUNTED}{code}\nprint(compiled)", tmp_path).splitlines()[-1] == "[]"
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("name", MATCHES)
def test_the_results_are_those_of_code_for_this_very_processor(python: Path, name: str, tmp_path: Path) -> None:
    told = "from cardtable.table.compiling import code_folders; code_folders.CARRIED = code_folders.FLOOR / 'none'\n"
    carried = run(python, MATCHES[name], tmp_path)
    assert run(python, told + MATCHES[name], tmp_path) == carried
    assert (tmp_path / "cache").exists()
