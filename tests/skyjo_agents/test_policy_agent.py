"""The agent `policy`: it plays what was learned, the same everywhere, and nothing that could run code by itself."""

from pathlib import Path

import numpy as np
import pytest

from tests.skyjo_play import play_paired

pytest.importorskip("torch")
pytest.importorskip("safetensors")

import torch

from cardtable.table.agents.policies.model_card import ModelCard, Weights, read_policy
from cardtable.table.agents.policies.policy_file import card_of, save_policy
from skyjo_agents import policy
from skyjo_agents.network_shapes import SKYJO_POLICIES
from skyjo_agents.policy_play import DRAWS_AFTER, TURNS_UP_AFTER
from skyjo_env import AgentError, GameBatch, Rules, make_agent
from skyjo_env.kernel.state import DRAW, DRAWN, FIRST_PLACE, HIDDEN, TAKE
from skyjo_env.kernel.view import AT_CELLS, AT_PHASE, AT_TURNS
from tests.helpers import first_quick, table
from tests.policies import opinionated, saved, tables, zipped
from tests.processes import printed

EIGHT = (2, 3, 4, 5, 6, 7, 8)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return saved(tmp_path / "small.safetensors", EIGHT)


def test_it_does_what_its_network_likes_best(file: Path) -> None:
    observations, masks, rng_states = tables()
    with torch.no_grad():
        logits = opinionated(seats=8)(torch.from_numpy(observations))[0].numpy()
    actions = make_agent(f"policy:path={file}").act(observations, masks, rng_states)
    liked = np.where(masks, logits, -np.inf)
    assert actions.dtype == np.int64
    assert liked[range(64), actions] == pytest.approx(liked.max(axis=1), abs=2e-4)
    assert len(set(actions.tolist())) > 3
    assert rng_states.tolist() == list(range(64))


@pytest.mark.parametrize(
    ("text", "players", "message"),
    [
        ("path=no/policy.safetensors", 2, "no/policy.safetensors: there is no such file"),
        ("path=policy.pt", 2, r"policy.pt: a policy is a \.safetensors file next to its model card"),
        ("name=nobody", 2, "unknown policy 'nobody'; the package has eight, three, two"),
        ("name=../two", 2, "unknown policy '../two'"),
        ("name=two", 3, "two.safetensors was trained for players=2; this table has 3"),
        ("name=two,path=a.safetensors", 2, "path='a.safetensors' and name='two' cannot be given together"),
    ],
)
def test_what_is_not_there_or_not_for_this_table_is_told(
    text: str, players: int, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ship(monkeypatch, tmp_path)
    with pytest.raises(AgentError, match=message):
        make_agent(f"policy:{text}", Rules(players=players))


def ship(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """As if these came with the package."""
    monkeypatch.setitem(vars(SKYJO_POLICIES), "shipped", folder)  # it is frozen
    for name, players in {"two": (2,), "three": (3,), "eight": EIGHT}.items():
        saved(folder / f"{name}.safetensors", players)


@pytest.mark.slow
def test_the_policies_that_come_with_the_package_beat_the_papers_best() -> None:
    """At every size of table; with so few deals only by something like what docs/research_log.md says."""
    for players, least in ((2, 9.0), (3, 7.0), (8, 9.0)):
        rules = Rules(players=players)
        seats = ["policy", *["threshold:t=2,columns=true"] * (players - 1)]
        margins = play_paired(seats, rules, seed=11, deals=range(150 if players == 2 else 40)).margins[:, 0]
        assert margins.mean() > least


@pytest.mark.parametrize(
    ("name", "players", "rounds"),
    first_quick(
        2, [("policy", 2, 2000), ("policy", 4, 400), ("policy", 8, 400), ("lookahead", 2, 60), ("lookahead", 8, 10)]
    ),
)
def test_every_round_between_policies_that_come_with_the_package_ends(name: str, players: int, rounds: int) -> None:
    rules = Rules(players=players)
    agent, rng_states = make_agent(name, rules), np.arange(rounds, dtype=np.uint64)
    batch = GameBatch(rules, rounds, seed=5, episode="round", restart=False)
    for _ in range(2 * 60 * players):  # decisions: two in a turn
        going = np.flatnonzero(batch.masks.any(axis=1))
        actions, own = np.zeros(rounds, np.int64), rng_states[going]
        actions[going] = agent.act(batch.observations[going], batch.masks[going], own)
        batch.step(actions)
    assert not batch.masks.any()


@pytest.mark.parametrize("name", ["policy", "lookahead"])
def test_in_a_round_that_takes_long_it_draws_new_cards(name: str, file: Path) -> None:
    observations, masks, rng_states = tables(n=512, steps=26)
    asked = np.flatnonzero(masks[:, DRAW] & masks[:, TAKE])
    observations, masks, rng_states = observations[asked], masks[asked], rng_states[asked]
    agent = make_agent(f"{name}:path={file}")
    for turns, may_take in ((DRAWS_AFTER * 2 - 1, True), (DRAWS_AFTER * 2, False)):
        observations[:, AT_TURNS] = turns
        assert (agent.act(observations, masks, rng_states.copy()) == TAKE).any() == may_take


@pytest.mark.parametrize("name", ["policy", "lookahead"])
def test_in_a_round_that_drags_on_it_turns_up_hidden_cards_instead_of_changing_open_ones(name: str) -> None:
    observations, masks, rng_states = tables(n=512, steps=27)
    cells = observations[:, AT_CELLS : AT_CELLS + 12]
    asked = np.flatnonzero((observations[:, AT_PHASE] == DRAWN) & (cells == HIDDEN).any(axis=1))
    observations, masks, rng_states, cells = observations[asked], masks[asked], rng_states[asked], cells[asked]
    agent = make_agent(name)
    for turns, may_change in ((TURNS_UP_AFTER * 2 - 1, True), (TURNS_UP_AFTER * 2, False)):
        observations[:, AT_TURNS] = turns
        actions = agent.act(observations, masks, rng_states.copy())
        placed = np.flatnonzero((actions >= FIRST_PLACE) & (actions < FIRST_PLACE + 12))
        assert (cells[placed, actions[placed] - FIRST_PLACE] != HIDDEN).any() == may_change
        assert masks[np.arange(len(masks)), actions].all()


def test_in_the_final_lap_of_a_long_round_it_still_takes() -> None:
    """A -1 saves at least 11 points on this last turn, and a draw hardly ever does."""
    turns = 2 * DRAWS_AFTER + 3
    words = "episode round; ender 1; turns_left 1; discard -1; turns {}; board 12 0 1 | 2 2 1 | 7 7 . | . . .; "
    game = table(words.format(turns) + "board 1 2 3 | 4 5 0 | . . . | . . .; seat 0 turn")
    assert game.state["turns"] == turns
    for name in ("policy", "lookahead"):
        action = make_agent(name).act(game.observation()[None], game.mask()[None], np.zeros(1, np.uint64))
        assert action[0] == TAKE


def test_without_a_name_it_is_the_shipped_policy_for_this_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ship(monkeypatch, tmp_path)
    opened: list[str] = []

    def note(file: Path, rules: Rules) -> tuple[Weights, ModelCard]:
        opened.append(file.stem)
        return read_policy(file, rules)

    monkeypatch.setattr(policy, "read_policy", note)
    for players in (2, 3, 4):
        make_agent("policy", Rules(players=players))
    make_agent("policy:name=eight")
    assert opened == ["two", "three", "eight", "eight"]
    with pytest.raises(AgentError, match="the package has no policy for players=2 clear=confirm, only eight, three"):
        make_agent("policy", Rules(clear="confirm"))


def test_a_zip_is_never_opened_and_the_error_says_what_makes_a_policy_of_it(
    tmp_path: Path,
) -> None:
    file, trace = zipped(tmp_path / "model.zip", tmp_path / "trace"), tmp_path / "trace"
    saved(tmp_path / "model.safetensors")  # a card beside it is no way in
    with pytest.raises(
        AgentError, match=r"model\.zip is a pickle, which can run any code .* export .*\.zip --allow-pickle turns it"
    ):
        make_agent(f"policy:path={file}")
    with pytest.raises(AgentError, match="allow_pickle"):
        make_agent(f"policy:path={file},allow_pickle=true")
    assert not trace.exists()


def test_it_plays_without_torch() -> None:
    code = "import sys; sys.modules['torch'] = None\n"
    code += "from cardtable.table.game.card_game import Setup, find_game\n"
    code += "from cardtable.arena.play.pairing import play_paired\n"
    code += "setup = Setup(find_game('skyjo').rules(), 1)\n"
    code += "print(play_paired(['policy', 'threshold:t=2,columns=true'], setup, range(60)).margins[:, 0].mean() > 5)"
    assert printed("-c", code) == "True\n"


def test_weights_so_large_that_nothing_is_a_number_still_play_legally(tmp_path: Path) -> None:
    """Compiled code carries out what it is told, so an action that is none would spoil the table."""
    network = opinionated()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(1e38).clamp_(-3e38, 3e38)
    save_policy(tmp_path / "huge.safetensors", network, card_of(network, (2,)))
    for kind in ("policy", "lookahead"):
        agent, (observations, masks, rng_states) = make_agent(f"{kind}:path={tmp_path / 'huge.safetensors'}"), tables()
        actions = agent.act(observations, masks, rng_states)
        assert masks[np.arange(len(masks)), actions].all()
