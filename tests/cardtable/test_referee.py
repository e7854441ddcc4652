"""Under a referee, cheats that work elsewhere gain nothing, and agents that go wrong are named and leave no trace."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.card_game import Setup
from cardtable.errors import AgentError
from cardtable.play.plan import Plan
from cardtable.referee import linux
from cardtable.referee.guest_process import PREFIX, GuestProcess, Invitation, Referee
from cardtable.stored.pieces import plan_of
from cardtable.stored.plan_store import store_for
from cardtable.stored.recheck import faults
from cardtable.stored.secret_seed import SecretSeed
from cardtable.stored.store import MANIFEST, SECRET, Store, StoreError, _check
from cardtable.workers.plan_run import check, play
from skyjo_env import OFFICIAL
from skyjo_env.card_game import SKYJO
from tests.cardtable import guests
from tests.cardtable.guessing import GUESSING, GuessingRules
from tests.processes import run_python
from tests.skyjo.cli import Skyjo, complaint, skyjo
from tests.skyjo_play import files

__all__ = ["skyjo"]

REFEREE = Referee(seconds=60)
LARGE_SEED = 2**63 + 12_345

only_linux = pytest.mark.skipif(not linux.IS_LINUX, reason="these limits are Linux's")
needs_landlock = pytest.mark.skipif(linux.landlock_version() == 0, reason="the kernel has no Landlock")


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the guests are installed."""
    guests.install(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    for registry in (SKYJO.agents, GUESSING.agents):
        vars(registry).pop("points", None)
    yield tmp_path / "site"
    for registry in (SKYJO.agents, GUESSING.agents):
        vars(registry).pop("points", None)


def a_match(*agents: str, deals: int = 8, seed: int = 3, referee: Referee | None = REFEREE) -> Plan:
    return Plan((agents,), (deals,), Setup(OFFICIAL, seed), referee=referee)


def games(folder: Path, plan: Plan) -> list[str]:
    """All that was played."""
    secret = None if plan.referee is None else SecretSeed(plan.setup.seed, "00")
    course = play(plan, store_for(folder, plan, "", secret), workers=1)
    assert not course.failures
    return files(folder)


def leftovers() -> list[str]:
    return [folder.name for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}{os.getpid()}-*")]


@pytest.mark.parametrize("guest", ["steady", "coded"])
def test_a_refereed_match_is_the_same_match(tmp_path: Path, guest: str) -> None:
    agents = (guest, "expected")
    refereed = games(tmp_path / "refereed", a_match(*agents, deals=20))
    assert refereed == games(tmp_path / "plain", a_match(*agents, deals=20, referee=None))
    assert leftovers() == []


def test_no_code_of_a_guest_runs_in_this_process(tmp_path: Path) -> None:
    package = tmp_path / "site" / "loud.py"
    package.write_text("raise SystemExit('it ran')\nclass Loud: pass\n")
    points = tmp_path / "site" / "guests-1.0.dist-info" / "entry_points.txt"
    points.write_text("[skyjo_env.agents]\nloud = loud:Loud\n")
    with pytest.raises(AgentError, match="agent loud: cannot be loaded from loud:Loud: SystemExit: it ran"):
        check(a_match("loud", "tempo"), 1, 60)
    assert "loud" not in sys.modules


def test_our_own_agents_play_as_always_unless_they_call_others() -> None:
    plan = a_match("tempo", "rollout:base=naive,n=2")
    assert [type(agent).__name__ for agent in plan.agents.values()] == ["TempoAgent", "RolloutAgent"]
    assert plan.known.is_guest("rollout:base=(steady),n=2")  # type: ignore[union-attr]
    assert a_match("tempo", "naive").is_compiled
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        assert a_match("nobody", "naive").agents


def test_a_confined_process_reports_what_a_guests_class_declares() -> None:
    plan = a_match("sleepy", "tempo")
    assert plan.agents["sleepy"].is_slow
    assert len(next(plan.pieces()).deals) == 8
    assert plan.agents["sleepy"].source == Path(guests.__file__)
    with pytest.raises(AgentError, match="agent shown needs to see the hidden cards, which a referee never shows"):
        check(a_match("shown", "tempo"), 1, 60)


WORDS = {
    "raises": "ZeroDivisionError: too hard",
    "leaves": "SystemExit: enough",
    "cheats": r"action \d+ .* of seat \d is illegal",
    "short": r"agent Wrong must return one whole number for every observation, here \d+",
    "hoards": "more than 700 MB of memory",
    "hangs": "no answer in 3 seconds$",
    "evades": "no answer in 3 seconds$",
    "dies": "its process ended, with exit code 7",
    "aborts": "its process was ended by SIGSEGV",
    "burns": "it used more than 5 seconds of processor time in all",
    "closes": "it closed its connection|no answer in 3 seconds$",
    "babbles": r"it sent \d+ bytes where at most \d+ were expected|it sent an unexpected message",
    "floods": r"it sent 4611686018427387904 bytes where at most \d+ were expected",
    "forges": "it sent an unexpected message",
}
MARKS: dict[str, Any] = {
    "raises": (),
    **dict.fromkeys(("hoards", "dies"), pytest.mark.slow),
}  # others are long


@only_linux
@pytest.mark.parametrize("how", [pytest.param(how, marks=MARKS.get(how, pytest.mark.long)) for how in WORDS])
def test_an_agent_that_goes_wrong_is_named_in_one_line(site: Path, how: str) -> None:
    name = f"wrong:how={how}"
    seconds = 3 if "3 seconds$" in WORDS[how] else 60
    referee = Referee(memory=700, seconds=seconds, cpu=5 if how == "burns" else 600)
    course = play(a_match("expected", name, deals=4, referee=referee), workers=1, limit=seconds)
    (failure,) = course.failures.values()
    assert failure.agent == name
    assert re.search(WORDS[how], failure.words), failure.words
    assert re.fullmatch(rf"deal \d+, seat \d, agent {re.escape(name)}: .*", str(failure))
    assert not Path(tempfile.gettempdir(), "bomb").exists()
    assert running(site) == []


def test_an_agent_that_cannot_be_made_says_why() -> None:
    with pytest.raises(AgentError, match=r"agent wrong:how=unmade: .*ZeroDivisionError: too hard"):
        check(a_match("wrong:how=unmade", "tempo"), 1, 60)
    with pytest.raises(AgentError, match=r"agent wrong: .*needs how"):
        check(a_match("wrong", "tempo"), 1, 60)


def running(site: Path) -> list[str]:
    """The agents' processes of this test that still run: their command lines hold the folder of their packages."""
    found = [each / "cmdline" for each in Path("/proc").iterdir() if each.name.isdecimal()]
    lines = []
    for file in found:
        with suppress(OSError):
            lines.append(file.read_text(errors="replace"))
    return [line for line in lines if "cardtable.referee" in line and str(site) in line]


JOIN = """
import ctypes, platform, sys
from cardtable.referee import linux
if linux._libc().syscall(linux.KEYCTL[platform.machine()], 1, None) < 0:
    sys.exit(77)
from tests.cardtable.test_referee import GuestProcess, Invitation, REFEREE, shown
for _ in range(2):
    with GuestProcess(Invitation("skyjo", "", "keeper", REFEREE)) as process:
        process.act(*shown())
"""


@only_linux
@pytest.mark.slow
def test_nothing_is_left_in_the_keyring_of_the_login_session() -> None:
    done = run_python("-c", JOIN)
    if done.returncode == 77:
        pytest.skip("keyrings are forbidden here")
    assert done.returncode == 0, done.stderr


@only_linux
@pytest.mark.slow
def test_a_user_of_its_own_only_where_root_may_be_anybody() -> None:
    assert not linux.may_become(range(2**31, 2**33))
    for prefix in (("unshare", "-r"), ("setpriv", "--bounding-set=-setuid"), ("setpriv", "--bounding-set=-chown")):
        if shutil.which(prefix[0]) is None:
            continue
        asked = "from cardtable.referee import guest_process as g; print(g.linux.may_become(g.USERS))"
        done = run_python("-c", asked, before=prefix)
        assert done.returncode != 0 or done.stdout == "False\n"


GAPS = """
from tests.cardtable.test_referee import GuestProcess, Invitation, REFEREE, shown
with GuestProcess(Invitation("skyjo", "", "steady", REFEREE)) as process:
    process.act(*shown())
    print(process.granted.namespaces)
"""


@only_linux
@pytest.mark.slow
def test_root_without_the_rights_of_root_may_referee() -> None:
    without = "setpriv", "--bounding-set=-all", "--inh-caps=-all"
    if not shutil.which("setpriv") or subprocess.run([*without, "true"], capture_output=True).returncode != 0:
        pytest.skip("rights cannot be given up here")
    done = run_python("-c", GAPS, before=without)
    assert done.stdout in ("True\n", "False\n"), done.stderr


def shown(tables: int = 3) -> tuple[Any, Any, Any]:
    view = SKYJO.deal(Setup(OFFICIAL, 1), range(tables)).show()
    return view.observations, view.masks, np.ones(tables, np.uint64)


@only_linux
@pytest.mark.slow
def test_nothing_that_an_agent_starts_outlives_it(site: Path) -> None:
    process = GuestProcess(Invitation("skyjo", "", "wrong:how=forks", REFEREE))
    with process:
        for _ in range(11):
            process.act(*shown())
        assert process.granted is not None
        assert len(running(site)) >= 3  # the one that waits, the agent, and what it has started
        assert len(leftovers()) == 1
    assert leftovers() == []
    if process.granted.namespaces:
        assert running(site) == []
    with pytest.raises(AgentError, match="its process has been ended"):
        process.act(*shown())


@only_linux
@pytest.mark.slow
def test_folders_within_folders_are_removed() -> None:
    with GuestProcess(Invitation("skyjo", "", "wrong:how=digs", REFEREE)) as process:
        for _ in range(10):
            process.act(*shown())
        assert len(leftovers()) == 1
    assert leftovers() == []


@only_linux
@pytest.mark.slow
def test_an_agents_process_ends_with_whoever_asked_it() -> None:
    code = "import sys, os, time, numpy as np\n"
    code += "from tests.cardtable.test_referee import GuestProcess, Invitation, REFEREE, shown\n"
    code += "process = GuestProcess(Invitation('skyjo', '', 'steady', REFEREE)); process.act(*shown())\n"
    code += "print(process._process.pid, flush=True); time.sleep(600)\n"
    path = os.pathsep.join(sys.path)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path}
    ) as owner:
        assert owner.stdout is not None
        guest = int(owner.stdout.readline())
        owner.kill()
    for _ in range(200):
        if not Path(f"/proc/{guest}").exists():
            break
        time.sleep(0.05)
    assert not Path(f"/proc/{guest}").exists()
    next_one = GuestProcess(Invitation("skyjo", "", "steady", REFEREE))
    with next_one:
        next_one.act(*shown())
        left = [folder.name for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}{owner.pid}-*")]
    assert left == []


@only_linux
@needs_landlock
def test_there_is_no_way_out_of_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files, other processes, the network, what the driver knows: all of it is out of reach."""
    monkeypatch.setenv("KNOWN_TO_THE_DRIVER", "the seed")
    secret = tmp_path / "games" / SECRET
    secret.parent.mkdir()
    secret.write_text("the seed")
    with socket.create_server(("127.0.0.1", 0)) as server:
        name = f"prober:path={secret.parent},port={server.getsockname()[1]}"
        here = SKYJO.agents.make(name, OFFICIAL)
        with pytest.raises(RuntimeError, match=r"reached: .*environment.*network.*secret.*temporary_folder"):
            here.act(*shown())
        with (
            GuestProcess(Invitation("skyjo", "", name, REFEREE)) as process,
            pytest.raises(AgentError, match=r"RuntimeError: reached: nothing$"),
        ):
            process.act(*shown())


@pytest.mark.parametrize("cheat", ["onlooker", pytest.param("tabulator", marks=pytest.mark.long)])
@pytest.mark.slow
def test_a_cheat_that_gains_where_it_is_trusted_gains_nothing(tmp_path: Path, cheat: str) -> None:
    deals = 12 if cheat == "onlooker" else 32
    trusted = play(a_match(cheat, "steady", deals=deals, referee=None), workers=1).standings()[0]
    assert trusted.margin.mean - trusted.margin.half > 10
    seed = 3 if cheat == "onlooker" else LARGE_SEED  # who tabulates is beaten by the seed, and by that alone
    found = games(tmp_path / "cheat", a_match(cheat, "steady", deals=4, seed=seed))
    honest = a_match("steady", "steady", deals=4, seed=seed, referee=None)
    assert found == games(tmp_path / "honest", honest)


@pytest.mark.parametrize("how", ["files", pytest.param("memory", marks=pytest.mark.long)])
@needs_landlock
@pytest.mark.slow
def test_remembering_what_the_other_seat_saw_gains_nothing(how: str) -> None:
    agents = ("blind", f"rememberer:how={how}")
    setup = Setup(GuessingRules(), 5)
    trusted = play(Plan((agents,), (64,), setup), workers=1).standings()[1]
    for folder in (Path(tempfile.gettempdir()), Path("/dev/shm"), Path(guests.__file__).parent):
        for file in folder.glob("seen-by-rememberer-*"):
            file.unlink()
    assert trusted.score.mean > 0.45  # right in every deal where it guesses, which is half of them
    refereed = play(Plan((agents,), (64,), setup, referee=REFEREE), workers=1).standings()[1]
    honest = play(Plan((("blind", "blind"),), (64,), setup), workers=1).standings()[1]
    assert refereed.score == honest.score


@pytest.mark.slow
def test_two_seats_with_the_same_agent_get_two_processes() -> None:
    with a_match("steady", "steady").at_table(0) as (one, other):
        assert one is not other
        assert isinstance(one, GuestProcess)
        one.act(*shown())
        other.act(*shown())
        assert isinstance(other, GuestProcess)
        assert one._process.pid != other._process.pid  # type: ignore[union-attr]


# The secret seed


def refereed(skyjo: Skyjo, *more: str) -> tuple[Any, ...]:
    return skyjo("match", "naive", "threshold", "--deals", "60", "--workers", "1", "--referee", *more)


def test_the_seed_is_committed_to_kept_secret_and_revealed(tmp_path: Path, skyjo: Skyjo) -> None:
    plan, secret = a_match("naive", "threshold", seed=LARGE_SEED), SecretSeed(LARGE_SEED, "ab" * 32)
    store = store_for(tmp_path / "games", plan, "skyjo match", secret)
    assert (tmp_path / "games").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "games" / SECRET).stat().st_mode & 0o777 == 0o600
    manifest = (tmp_path / "games" / MANIFEST).read_text()
    assert str(LARGE_SEED) not in manifest
    assert secret.nonce not in manifest
    assert store.manifest["referee"]["commitment"] == secret.commitment(store.manifest["plan"])
    for command in (["games", "about"], ["games", "list"], ["games", "check"], ["report"], ["ratings"]):
        assert "a referee keeps the seed secret until the last game" in complaint(skyjo(*command, str(store.folder)))
    assert SecretSeed.of(store.folder) == secret  # whoever goes on finds it
    play(plan, store_for(tmp_path / "games", plan, "skyjo match", SecretSeed.of(store.folder)), workers=1)
    assert not (tmp_path / "games" / SECRET).exists()
    done = Store.open(store.folder)
    assert (done.manifest["plan"]["seed"], done.manifest["referee"]["nonce"]) == (LARGE_SEED, secret.nonce)
    assert list(faults(done)) == []
    assert plan_of(done).setup.seed == LARGE_SEED
    assert store.manifest["referee"]["commitment"] in skyjo("games", "check", str(store.folder)).out


@pytest.mark.parametrize("changed", ["seed", "nonce", "commitment", "deals"])
def test_a_commitment_that_does_not_match_is_found(tmp_path: Path, changed: str) -> None:
    plan, secret = a_match("naive", "threshold", seed=LARGE_SEED), SecretSeed.drawn()
    games_of = store_for(tmp_path / "games", plan, "", SecretSeed(LARGE_SEED, secret.nonce))
    play(plan, games_of, workers=1)
    manifest = Store.open(games_of.folder).manifest
    place = manifest["plan"] if changed in ("seed", "deals") else manifest["referee"]
    other = {"seed": LARGE_SEED + 1, "nonce": "00" * 32, "commitment": "11" * 32, "deals": [9]}
    place[changed] = other[changed]
    document = manifest | {"check": _check(manifest)}
    (games_of.folder / MANIFEST).write_text(json.dumps(document))
    assert any("the commitment is" in fault for fault in faults(Store.open(games_of.folder)))


def test_games_that_are_lost_after_the_seed_was_revealed_are_not_played_again(tmp_path: Path) -> None:
    plan, secret = a_match("naive", "threshold", deals=200, seed=LARGE_SEED), SecretSeed(LARGE_SEED, "ab")
    store = store_for(tmp_path / "games", plan, "", secret)
    play(plan, store, workers=1)
    next(iter(store.files().values())).unlink()
    with pytest.raises(StoreError, match="games are missing, and a referee cannot play them again: the seed is public"):
        play(plan, store_for(tmp_path / "games", plan, "", SecretSeed.of(tmp_path / "games")), workers=1)


def test_a_secret_that_is_lost_or_changed_ends_the_games(tmp_path: Path) -> None:
    plan = a_match("naive", "threshold", seed=LARGE_SEED)
    store_for(tmp_path / "games", plan, "", SecretSeed(LARGE_SEED, "ab"))
    with pytest.raises(StoreError, match="does not match the commitment"):
        store_for(tmp_path / "games", plan, "", SecretSeed(LARGE_SEED, "cd"))
    (tmp_path / "games" / SECRET).write_text("{")
    with pytest.raises(StoreError, match="damaged, so these games cannot be continued"):
        SecretSeed.of(tmp_path / "games")
    (tmp_path / "games" / SECRET).unlink()
    with pytest.raises(StoreError, match="missing, so these games cannot be continued"):
        SecretSeed.of(tmp_path / "games")


def test_a_secret_is_not_kept_where_agents_may_read(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among their packages, among compiled code, and where the system lies."""
    plan = a_match("naive", "threshold", seed=LARGE_SEED)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for folder in (site / "games", tmp_path / "skyjo-env" / "games", Path("/usr/skyjo-games")):
        with pytest.raises(StoreError, match="where agents can read it; choose a folder elsewhere"):
            store_for(folder, plan, "", SecretSeed(LARGE_SEED, "ab"))
        assert not folder.exists()


def test_a_folder_of_other_things_is_left_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "file").touch()
    folder.chmod(0o777)
    with pytest.raises(StoreError, match="the folder is not empty"):
        store_for(folder, a_match("naive", "threshold"), "", SecretSeed(LARGE_SEED, "ab"))
    assert folder.stat().st_mode & 0o777 == 0o777
    assert [file.name for file in folder.iterdir()] == ["file"]


def test_the_command_says_the_commitment_first_and_the_seed_last(tmp_path: Path, skyjo: Skyjo) -> None:
    first = refereed(skyjo, "--store", str(tmp_path / "a"))
    seed, nonce = re.findall(r"The seed was (\d+), its nonce (\w{64})", first[1])[0]
    manifest = Store.open(tmp_path / "a").manifest
    assert f"the commitment is {manifest['referee']['commitment']}" in first[2]
    assert (manifest["plan"]["seed"], manifest["referee"]["nonce"]) == (int(seed), nonce)
    assert seed not in manifest["command"]
    again = refereed(skyjo, "--store", str(tmp_path / "a"))
    assert again[1] == first[1]
    same = skyjo("match", "naive", "threshold", "--deals", "60", "--workers", "1", "--seed", seed).out
    assert same.splitlines()[:6] == first[1].splitlines()[:6]
    document = json.loads(refereed(skyjo, "--json")[1])
    assert SecretSeed(document["seed"], document["nonce"]).seed != int(seed)


def test_a_seed_of_ones_own_and_a_cluster_are_refused(skyjo: Skyjo) -> None:
    for command in ("match", "tournament"):
        line = complaint(skyjo(command, "naive", "tempo", "--referee", "--seed", "0"))
        assert "--seed and --referee cannot be given together: a referee draws a seed that nobody knows" in line
        line = complaint(skyjo(command, "naive", "tempo", "--referee", "--cluster", "local"))
        assert "--cluster and --referee cannot be given together: the secret seed stays on this machine" in line
    line = complaint(skyjo("match", "naive", "tempo", "--referee", "--memory", "3"))
    assert "memory=3 must be a whole number from 256 to" in line
    for timeout in ("nan", "inf", "1e300", "0"):
        line = complaint(skyjo("match", "naive", "tempo", "--referee", "--timeout", timeout))
        assert "must be a number of seconds above 0, up to 1000000" in line


@pytest.mark.long
def test_a_refereed_tournament_of_guests(tmp_path: Path, skyjo: Skyjo) -> None:
    arguments = ["tournament", "steady", "tempo", "wrong:how=raises", "--deals", "6", "--workers", "1", "--referee"]
    arguments += ["--store", str(tmp_path / "games")]
    line = skyjo(*arguments).err.splitlines()[-1]
    assert "agent wrong:how=raises: ZeroDivisionError: too hard; the games played so far are kept" in line
    assert (tmp_path / "games" / SECRET).exists()
    done = skyjo(*arguments, "--drop-failing")
    assert (done.status, "Left out: deal" in done.out, "The seed was" in done.out) == (0, True, True)


def test_games_without_a_referee_do_not_get_one_later(tmp_path: Path, skyjo: Skyjo) -> None:
    folder = tmp_path / "games"
    store_for(folder, a_match("naive", "tempo", referee=None), "")
    line = complaint(skyjo("match", "naive", "tempo", "--deals", "8", "--referee", "--store", str(folder)))
    assert "holds games without a referee; choose another folder" in line
