"""Tables without a server against Python's: the same decisions lead to the same messages."""

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anywhere.table_data import single_fields
from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat, packed
from skyjo.analysis.judge import Judge
from skyjo.interfaces import find_interface
from skyjo.table.played_game import SeatedAgent
from skyjo.table.seating import YOU
from skyjo.web import daily_routes, messages, own_results
from skyjo.web.lessons import PlayedLesson
from skyjo.web.messages import table_document
from skyjo.web.person_names import read_name
from skyjo.web.replaying import ReplayedGame
from skyjo.web.requests import FASTEST
from skyjo.web.table_room import seed_of
from skyjo.web.tables import Pacing
from tests.anywhere.worker_client import NODE, OWNER, ROOT, Twins, WorkerClient, write_site
from tests.skyjo.test_web_play import BAD, GOOD

GAMES = ("skyjo", "skipbo", "skyjo_action")  # first that whose pages ask without a name
RIVALS = {"skyjo": "expected", "skipbo": "greedy", "skyjo_action": "greedy"}
TAKE = 1
MAX_KEPT = 200  # tables, and games
DEALT: dict[str, Any] = {"skyjo_record": 1, "rules": "", "seed": 5, "deal": 0, "episode": "game", "actions": []}
DEALT["totals"] = [0, 0]
AGENTS = ("tempo", "expected", "hurried", "collector")
REICHEL = next(preset.rules for preset in find_interface("skyjo").presets if preset.name == "reichel")
CLUMSY = "greedy:stuck=1,star=0"
OWN_VIEW = "stock=30 view=own max_rounds=1"  # others do not see what lies on discard piles
# Skyjo Action: whoever can be asked is asked, or things happen by themselves
ALL_ASKED = (
    "star_clear=owner_decides star_lines=owner_may_discard reveal_star_clear=owner_decides defence=owner_decides "
    "remove_action_cards=true replay=any three_order=owner_chooses star_source=open_or_pile"
)
BY_ITSELF = (
    "star_clear=automatic three_order=as_drawn removed_to=below_top action_discard_start=one_card "
    "both_lines=column_first foreign_clear=end_of_own_turn ender=owner_of_the_layout"
)
TABLES = [
    ("skyjo", [YOU, "expected"], "", "game"),
    ("skyjo", [YOU, "tempo", "expected"], "", "round"),
    ("skyjo", [YOU, YOU, "hurried"], REICHEL, "game"),
    ("skyjo", ["collector", YOU, YOU, "expected"], "target_score=030 final_lap=complete_current_round", "game"),
    ("skyjo", [YOU, *AGENTS, *AGENTS[:3]], "", "round"),
    ("skipbo", [YOU, "greedy"], "target_score=1", "game"),
    ("skipbo", [YOU, "planner"], "refill=never recycled_wild=as_played max_turns=20", "game"),
    ("skipbo", [YOU, "planner", YOU, "hpvp"], "recycle=on_completion target_score=200", "game"),
    ("skipbo", ["greedy:pile=smallest", YOU, YOU], OWN_VIEW, "round"),
    ("skipbo", [YOU, *["greedy:pile=smallest", "planner"] * 2, YOU], "stock=10", "game"),
    ("skyjo_action", [YOU, "planner"], "", "game"),
    ("skyjo_action", [YOU, YOU, YOU, YOU], ALL_ASKED, "game"),
    ("skyjo_action", [YOU, "greedy", YOU], BY_ITSELF, "game"),
    ("skyjo_action", ["planner", YOU, YOU, CLUMSY], "action_deck=certain max_turns=40", "round"),
    ("skyjo_action", [YOU, *["greedy", "planner", YOU] * 2, YOU], "", "round"),
]
SHORT_ROUND = pytest.param("skipbo", "stock=10", marks=pytest.mark.slow)
LESSONS = [(game, number) for game in GAMES for number in range(5)]


@pytest.fixture(scope="module")
def node(made: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerClient]:
    del made
    client = WorkerClient(write_site(tmp_path_factory.mktemp("site"), *GAMES))
    yield client
    client.close()


@pytest.fixture
def client(node: WorkerClient) -> WorkerClient:
    """A browser that knows the site, but has kept nothing."""
    node.restart("empty")
    return node


def opened(
    client: WorkerClient,
    folder: Path,
    seats: list[str],
    rules: str = "",
    episode: str = "game",
    game: str = "skyjo",
    **more: Any,
) -> Twins:
    """A table, at which agents wait for nothing."""
    asked = {"seats": seats, "rules": rules, "episode": episode, **more}
    number = client.answered(f"/api/tables?game={game}", asked)["id"]
    twins = Twins(client, folder, number)
    if set(seats) != {YOU}:
        twins.say(ask="pace", pace=FASTEST)
        twins.table.set_pace(Pacing(FASTEST))
        twins.compare()
    return twins


def play(twins: Twins, chance: random.Random, decisions: int = 10_000) -> None:
    """Decide for people at random, so many times or until the game is over."""
    twins.let_agents_decide()
    while twins.table.decider is not None and decisions > 0:
        twins.uncover()
        twins.act(chance.choice(twins.table.played.game.legal_actions()))
        twins.let_agents_decide()
        decisions -= 1


@pytest.mark.parametrize(("game", "seats", "rules", "episode"), TABLES)
def test_tables_show_what_python_shows(
    game: str, seats: list[str], rules: str, episode: str, client: WorkerClient, tmp_path: Path
) -> None:
    twins = opened(client, tmp_path, seats, rules, episode, game, names=["Zoë", "Ada"])
    play(twins, random.Random(len(seats)))
    assert client.answered(f"/api/tables/{twins.number}") == twins.expected


@pytest.mark.parametrize(("game", "agent"), [("skyjo", "tempo"), ("skyjo_action", "planner")])
def test_decisions_are_taken_back_and_lent(game: str, agent: str, client: WorkerClient, tmp_path: Path) -> None:
    seats, rules = [YOU, RIVALS[game], YOU], "target_score=1000"
    twins, chance = opened(client, tmp_path, seats, rules, game=game), random.Random(1)
    for _ in range(5):
        play(twins, chance, 7)
        twins.say(ask="undo")
        twins.table.undo(OWNER)
        twins.compare()
        twins.uncover()
        twins.say(ask="lend", agent=agent)
        table = twins.table
        lent = SeatedAgent(agent, agents_of(find_game(game)).make(agent, table.played.rules))
        table.act_for(OWNER, table.played.question_to(lent)())
        twins.compare()
    play(twins, chance, 3)
    twins.say(ask="concede")
    twins.table.concede(OWNER)
    twins.compare()


ADVISED = [  # by rules that nobody has learned to play: the best script, or who can search
    ("skyjo", "row_clear=true target_score=60", "tempo", 1000),
    ("skyjo_action", "target_score=30", "planner", 1000),
    ("skipbo", OWN_VIEW, "planner", 1000),
    ("skipbo", "stock=10", "rollout", 12),
]


@pytest.mark.parametrize(("game", "rules", "adviser", "most"), ADVISED)
def test_hints_name_what_python_names(
    game: str, rules: str, adviser: str, most: int, client: WorkerClient, tmp_path: Path
) -> None:
    twins = opened(client, tmp_path, [YOU, RIVALS[game]], rules, "round", game, seed="1")
    twins.let_agents_decide()
    while twins.table.decider is not None and most:
        most -= 1
        played = twins.table.played
        takes = [action for action in played.game.legal_actions() if action == TAKE and game != "skipbo"]
        for after in (None, *takes):
            twins.say(ask="hint", **({} if after is None else {"after": after}))
            choices = played.question_to_adviser(adviser, most=None, first=after)()
            assert client.hear() == json.loads(messages.hint(twins.table.seq, after, choices))
        twins.act(choices[0].action if game == "skipbo" else random.Random(most).choice(played.game.legal_actions()))
        twins.let_agents_decide()


ABSENT = [("skipbo", {"policy"}), ("skyjo_action", {"policy", "rollout"})]


@pytest.mark.parametrize(("game", "absent"), ABSENT)
def test_agents_that_are_not_compiled_are_named_with_the_reason(
    game: str, absent: set[str], client: WorkerClient
) -> None:
    unable = client.answered(f"/api/unable?game={game}&players=2&rules=")["unable"]
    assert unable == dict.fromkeys(absent, "without a server")
    for agent in absent:
        status, answer = client.ask(f"/api/tables?game={game}", {"seats": [YOU, agent]})
        assert (status, answer["error"]) == (400, f"agent {agent} cannot play without a server")


@pytest.mark.parametrize("players", [2, 3])
def test_hints_weigh_choices_as_look_does(players: int, client: WorkerClient, tmp_path: Path) -> None:
    twins, chance = opened(client, tmp_path, [YOU] * (players - 1) + ["tempo"]), random.Random(players)
    for _ in range(6):
        play(twins, chance, 7)
        played = twins.table.played
        twins.say(ask="hint")
        heard, choices = client.hear(), played.question_to_adviser("lookahead", most=None)()
        assert heard["choices"][0]["action"] == choices[0].action
        assert heard["reason"] == choices[0].reason
        worths = {choice["action"]: choice["worth"] for choice in heard["choices"]}
        assert worths == {choice.action: pytest.approx(choice.value, abs=0.02) for choice in choices}


def test_players_go_on_to_the_same_cards_and_to_new_ones(client: WorkerClient, tmp_path: Path) -> None:
    twins = opened(client, tmp_path, [YOU, "hurried"], "", "round", names=["", "Pip"])
    play(twins, random.Random(3))
    numbers = []
    for ask in ("again", "rematch", "rematch"):
        twins.say(ask=ask)
        numbers.append(client.hear()["id"])
    twins.leave()
    again, rematch = (client.kept(number) for number in numbers[:2])
    first = client.kept(twins.number)
    assert numbers[1] == numbers[2] != numbers[0]
    assert (again["seed"], again["practice"], rematch["practice"]) == (first["seed"], True, False)
    assert again["seed"] != rematch["seed"]
    assert again["names"] == rematch["names"] == ["", "Pip"]
    Twins(client, tmp_path, numbers[0]).leave()


def test_a_table_goes_on_after_the_page_was_left(client: WorkerClient, tmp_path: Path) -> None:
    twins, chance = opened(client, tmp_path, [YOU, "tempo"]), random.Random(4)
    play(twins, chance, 9)
    client.restart("kept")
    again = client.answered(f"/api/tables/{twins.number}")
    assert [seat.pop("here") for seat in again["seats"]] == [False, False]
    expected = twins.expected
    for seat in expected["seats"]:
        del seat["here"]
    assert again == expected
    listed = client.answered("/api/start")["tables"]
    assert listed == [table_document(twins.table, OWNER) | {"when": listed[0]["when"]}]
    client.answered(f"/api/tables/{twins.number}", method="DELETE")
    assert client.ask(f"/api/tables/{twins.number}")[0] == 404
    assert client.answered("/api/start")["tables"] == []


def test_a_table_that_another_page_deletes_is_gone(client: WorkerClient, tmp_path: Path) -> None:
    twins = opened(client, tmp_path, [YOU, "tempo"])
    client.send({"lost": twins.number})
    told = client.read()
    assert (told["socket"], told["closed"], told["isFinal"]) == (twins.socket, True, True)
    twins.say(action=twins.table.played.game.legal_actions()[0])
    assert client.ask(f"/api/tables/{twins.number}")[0] == 404


@pytest.mark.parametrize("asked", [{"ask": "lend", "agent": "lookahead"}, {"ask": "hint"}])
def test_advice_that_comes_too_late_is_not_taken(asked: dict[str, Any], client: WorkerClient, tmp_path: Path) -> None:
    twins = opened(client, tmp_path, [YOU, YOU])
    client.send({"network": "slow"})
    twins.say(**asked)
    twins.act(twins.table.played.game.legal_actions()[0])
    client.send({"network": "fast"})
    assert client.hear()["words"] == "the table has moved on"
    twins.compare_anew()


def test_agents_alone_are_paused_and_stepped(client: WorkerClient, tmp_path: Path) -> None:
    number = client.answered("/api/tables", {"seats": ["expected", "tempo"], "episode": "round"})["id"]
    twins = Twins(client, tmp_path, number)
    twins.say(ask="pause")
    twins.table.set_pace(Pacing(is_paused=True))
    twins.compare()
    for _ in range(6):
        twins.say(ask="step")
        client.hear()  # that it will decide
        twins.table.act(twins.table.played.question_to_agent()())
        twins.compare()
    twins.say(ask="hint")
    assert client.hear()["words"] == "it is not your turn"


def finished(client: WorkerClient, folder: Path, seed: int, game: str = "skyjo", **more: Any) -> Twins:
    """A game that is over."""
    twins = opened(client, folder, [YOU, RIVALS[game], YOU], "target_score=30", game=game, **more)
    play(twins, random.Random(seed))
    twins.leave()
    return twins


@pytest.mark.parametrize("game", GAMES)
def test_games_are_shown_as_python_shows_them(game: str, client: WorkerClient, tmp_path: Path) -> None:
    twins = finished(client, tmp_path, 5, game, names=["", "Victor", ""])
    number = client.answered("/api/games", {"table": twins.number})["id"]
    assert client.answered("/api/games", {"table": twins.number})["id"] == number
    assert client.answered(f"/api/games?game={game}", {"text": twins.table.played.written()})["id"] == number
    names, replayed = twins.table.titles(OWNER), ReplayedGame(game, twins.table.played.written())
    document = json.loads(replayed.document(names, [YOU, RIVALS[game], YOU]))
    assert client.answered(f"/api/games/{number}") == document
    for seat, shows_all in ((0, True), (2, False), (None, False)):
        query = f"first=30&count=40&open={int(shows_all)}" + ("" if seat is None else f"&seat={seat}")
        shown, last = client.answered(f"/api/games/{number}/views?{query}")["views"], min(70, twins.table.seq + 1)
        assert shown == [*map(json.loads, replayed.views(range(30, last), seat, names, shows_all))]
    listed = client.answered(f"/api/games?game={game}")
    assert [table["id"] for table in listed["tables"]] == [twins.number]
    assert listed["kept"] == []  # one line a game
    client.answered(f"/api/tables/{twins.number}", method="DELETE")
    (kept,) = client.answered(f"/api/games?game={game}")["kept"]
    assert (kept["id"], kept["words"]) == (number, replayed.written().words)


@pytest.mark.parametrize(("game", "rules"), [("skyjo", ""), ("skipbo", "stock=10 max_turns=9"), SHORT_ROUND])
def test_decisions_are_judged_as_python_judges_them(
    game: str, rules: str, client: WorkerClient, tmp_path: Path
) -> None:
    twins = opened(client, tmp_path, [YOU, RIVALS[game]], rules, "round", game, seed="2")
    table = twins.table
    likewise = SeatedAgent(RIVALS[game], agents_of(find_game(game)).make(RIVALS[game], table.played.rules))
    twins.let_agents_decide()
    while table.decider is not None:
        twins.act(table.played.question_to(likewise)())
        twins.let_agents_decide()
    twins.leave()
    number, names = client.answered("/api/games", {"table": twins.number})["id"], table.titles(OWNER)
    assert client.answered(f"/api/games/{number}")["analysis"]
    client.send({"socket": 0, "path": f"/api/games/{number}/analysis"})
    client.send({"socket": 0, "message": {"ask": "analyse"}})
    heard = [client.hear()]
    while heard[-1]["kind"] == "judged":
        heard.append(client.hear())
    judge = Judge(find_interface(game), table.played.game.record())
    for _ in range(judge.total):
        judge.judge()
    moves = [move for piece in heard[:-1] for move in piece["moves"]]
    assert len(heard[0]["moves"]) == 1
    assert moves == [near(judge.move(number)) for number in range(1, judge.total + 1)]
    assert heard[-1] == near({"kind": "ready", **judge.conduct(names), "doubtful": 0})


def near(document: Any) -> Any:
    """The same with rough numbers, since both sides round what networks say in their own way."""
    if isinstance(document, dict):
        return {name: near(value) for name, value in document.items()}
    if isinstance(document, list | tuple):
        return [*map(near, document)]
    return pytest.approx(document, abs=0.01) if isinstance(document, float) else document


def test_games_go_out_and_come_back_as_addresses_and_records(client: WorkerClient, tmp_path: Path) -> None:
    twins = finished(client, tmp_path, 6, names=["Zoë", "", ""])
    number = client.answered("/api/games", {"table": twins.number})["id"]
    address = f"https://here/games#{packed(client.answered(f'/api/games/{number}/shared')['text'])}"
    assert RecordFormat(find_game("skyjo")).read_game(address).record() == twins.table.played.game.record()
    record = client.answered(f"/api/games/{number}/record")
    assert RecordFormat(find_game("skyjo")).read_game(record).record() == twins.table.played.game.record()
    client.answered(f"/api/games/{number}", method="DELETE")
    assert client.ask(f"/api/games/{number}")[0] == 404
    written = twins.table.played.written()
    for text in (record, address, json.dumps(twins.table.played.game.record()), written):
        opened_again = client.answered("/api/games", {"text": text})["id"]
        words = client.answered(f"/api/games/{opened_again}")["decisions"]
        assert [each["words"] for each in words] == [each.words for each in twins.table.played.decisions]
    text = json.dumps(twins.table.played.game.record())
    cut = (text[:-3], text.replace('"actions": [', '"actions": [99, '), "{}", "[]", address[:-9], "skyjo")
    for damaged in (*cut, written[:-40], written.replace("draw", "place 3", 1), written.replace("1\n", "2\n", 1)):
        status, answer = client.ask("/api/games", {"text": damaged})
        assert (status, len(answer["error"].splitlines())) == (400, 1)
    for unknown in ("drew", "x" * 40):
        answer = client.ask("/api/games", {"text": written.replace("draw", 2 * unknown, 1)})[1]
        assert answer == {"error": f"action {(2 * unknown)[:40]} is not legal now"}


def test_of_strangers_records_only_what_belongs_there_is_kept(client: WorkerClient) -> None:
    deep = "[" * 49_000 + "]" * 49_000
    record, text = DEALT, json.dumps(DEALT)
    for more in (text, f'{text[:-1]}, "more": 1, "check": 7, "toString": {deep}}}'):
        number = client.answered("/api/games", {"text": more})["id"]
        assert json.loads(client.answered(f"/api/games/{number}/record")) == record
    for name, value in record.items():
        damaged = text.replace(f'"{name}": {json.dumps(value)}', f'"{name}": {deep}')
        check_answer(refused := client.ask("/api/games", {"text": damaged}))
        assert refused[0] == 400, name
    for seed in ("", "0x10", True, [5], None, -1, 10**20):
        assert client.ask("/api/games", {"text": json.dumps(record | {"seed": seed})})[0] == 400, seed


def test_the_oldest_tables_and_games_make_room(client: WorkerClient) -> None:
    bodies: dict[str, Any] = {"tables": {"seats": [YOU, YOU]}, "games": {"text": ""}}
    for kind, body in bodies.items():
        numbers = []
        for seed in range(MAX_KEPT + 2):
            body["text"] = json.dumps(DEALT | {"seed": seed})
            numbers.append(client.answered(f"/api/{kind}", body)["id"])
        found = [client.ask(f"/api/{kind}/{number}")[0] for number in numbers]
        assert found == [404] * 2 + [200] * MAX_KEPT


def test_a_kept_game_can_be_continued(client: WorkerClient, tmp_path: Path) -> None:
    twins = finished(client, tmp_path, 7)
    number = client.answered("/api/games", {"table": twins.number})["id"]
    asked = {"game": number, "after": 25, "seats": [YOU, "tempo", YOU]}
    goes_on = Twins(client, tmp_path, client.answered("/api/tables", asked)["id"])
    goes_on.say(ask="undo")
    goes_on.table.undo(OWNER)
    goes_on.compare()


@pytest.mark.parametrize(("game", "number"), LESSONS)
def test_lessons_answer_as_python_does(game: str, number: int, client: WorkerClient) -> None:
    interface, chance = find_interface(game), random.Random(number)
    lesson, actions = interface.learning.LESSONS[number], list[int]()
    for _ in range(6):
        played = PlayedLesson(interface, lesson, actions)
        answer = client.answered(f"/api/learn/lessons/{number}?game={game}", {"actions": actions})
        assert answer == {"views": [*map(json.loads, played.views)], "state": played.document()}
        legal = answer["views"][-1]["actions"]
        if not legal:
            break
        actions.append(chance.choice(legal))


def test_todays_deal_has_the_cards_of_every_server(
    client: WorkerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = client.answered("/api/daily")
    number = client.answered("/api/daily", {"name": "Zoë"})["id"]
    assert client.answered("/api/daily", {})["id"] == number
    assert client.answered("/api/daily") == before | {"table": number}
    kept = client.kept(number)
    assert int(kept["seed"]) == seed_of("skyjo", before["day"])
    twins = Twins(client, tmp_path, number)
    twins.say(ask="hint")
    assert "today's deal" in client.hear()["words"]
    twins.say(ask="pace", pace=FASTEST)
    twins.table.set_pace(Pacing(FASTEST))
    twins.compare()
    play(twins, random.Random(8))
    monkeypatch.setattr(own_results, "SHARPEST", "cards")
    daily_routes._rival_result.cache_clear()
    assert client.answered("/api/daily")["result"] == daily_routes._result(twins.table)


OWN_TABLES = [
    ("skyjo", [[YOU, "tempo"], ["hurried", YOU, "expected", "hurried"], ["tempo", YOU, "tempo"]]),
    ("skipbo", [[YOU, "planner"], [YOU, "greedy"], ["planner", YOU, "greedy"], [YOU, "random"]]),  # the last is blocked
    ("skyjo_action", [[YOU, "planner"], [YOU, "greedy"], ["planner", YOU, "greedy"]]),
]


@pytest.mark.parametrize(("game", "tables"), OWN_TABLES)
def test_own_results_are_those_that_python_works_out(
    game: str, tables: list[list[str]], client: WorkerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_results, "SHARPEST", "cards")
    files = []
    for number, seats in enumerate(tables):
        twins = opened(client, tmp_path, seats, episode="game" if number == 1 else "round", game=game)
        play(twins, random.Random(number))
        twins.leave()
        files.append(twins.file)
    found, expected = client.answered(f"/api/own?game={game}"), own_results.OwnResults().document(OWNER, files)
    assert found["total"]["margin"] == pytest.approx(expected["total"]["margin"], abs=0.002)
    assert found["total"]["without_luck"] == pytest.approx(expected["total"]["without_luck"], abs=0.002)
    for own, other in zip(found["games"], expected["games"], strict=True):
        assert (own["table"], own["words"], own["rounds"]) == (other["table"], other["words"], other["rounds"])
        assert (own["margin"], own["luck"]) == pytest.approx((other["margin"], other["luck"]), abs=0.002)
    assert client.answered(f"/api/own?game={game}") == found


def test_numbers_are_written_as_python_writes_them() -> None:
    phrase, numbers = "{number:.1f} {number:+.2f} {number:.0f}", [4.45, 4.55, 0.25, 0.35, 2.5, -1.005, -0.04, 7.0]
    module = ROOT / "anywhere" / "worker" / "played_game.js"
    said = f"{json.dumps(numbers)}.map(number => filled({json.dumps(phrase)}, {{ number }}))"
    script = f"const {{ filled }} = await import({json.dumps(str(module))}); console.log(JSON.stringify({said}))"
    done = subprocess.run([str(NODE), "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [phrase.format(number=number) for number in numbers]


MESSAGES: list[dict[str, Any]] = [{"ask": ask} for ask in ("hint", "uncover", "again", "pause", "nothing")]
MESSAGES += [{"action": 99}, {"ask": "pace", "pace": FASTEST}, {"ask": "lend", "agent": "tempo"}]
ODD: list[Any] = [None, -1, 0, 2, 1e300, 0.5, "", "you", "toString", "__proto__", [], [None], {}, True, "ü" * 5000]
IMPOSSIBLE: list[Any] = [  # tables
    {"seats": [YOU]},
    {"seats": [YOU, "open"]},
    {"seats": [YOU, "human"]},
    {"seats": [YOU, "tempo"], "rules": "rows=2"},
    {"seats": [YOU, "tempo"], "rules": "target_score=50 target_score=60"},
    {"seats": [YOU, "tempo"], "rules": "reshuffle=never"},
    {"seats": [YOU, "tempo"], "episode": "week"},
    {"seats": [YOU, "tempo"], "names": ["You"]},
    {"seats": "you"},
]


def test_odd_requests_are_refused_in_a_line(client: WorkerClient, tmp_path: Path) -> None:
    chance, twins = random.Random(0), finished(client, tmp_path, 6)
    for body in IMPOSSIBLE:
        check_answer(refused := client.ask("/api/tables", body))
        assert refused[0] == 400, body
    game = client.answered("/api/games", {"table": twins.number})["id"]
    record: dict[str, Any] = json.loads(client.answered(f"/api/games/{game}/record"))
    good: list[tuple[str, dict[str, Any]]] = [
        ("/api/tables", {"seats": [YOU, "tempo"], "rules": "target_score=60", "episode": "game", "names": ["Zoë"]}),
        ("/api/tables", {"game": game, "after": 3, "seats": [YOU, "tempo", YOU]}),
        ("/api/games", {"table": twins.number}),
        ("/api/daily", {"name": "Zoë"}),
        ("/api/learn/lessons/0", {"actions": [14]}),
    ]
    for _ in range(40):
        path, body = chance.choice(good)
        body = {**body, chance.choice([*body, "toString"]): chance.choice(ODD)}
        check_answer(client.ask(path, chance.choice([body, body, chance.choice(ODD)])))
        damaged = {**record, chance.choice([*record, "names"]): chance.choice(ODD)}
        check_answer(client.ask("/api/games", {"text": json.dumps(damaged)}))
    for query in ("first=-1", "first=99999999999", "count=x", "seat=9", "seat=-1", "seat=", "open=2"):
        check_answer(client.ask(f"/api/games/{game}/views?{query}"))
    for path in ("/api/games/__proto__", "/api/tables/%ff", "/api/toString", "/", "//", "/api/start?game=toString"):
        check_answer(client.ask(path))


def check_answer(answer: tuple[int, Any]) -> None:
    status, told = answer
    assert status in (200, 400, 404), told
    if status != 200:
        assert 0 < len(told["error"]) < 400
        assert len(told["error"].splitlines()) == 1


def test_names_are_those_that_python_takes(client: WorkerClient) -> None:
    for name in GOOD:
        number = client.answered("/api/tables", {"seats": [YOU, YOU], "names": [f" {name} "]})["id"]
        assert client.kept(number)["names"] == [name, ""]
    for bad in BAD:
        with pytest.raises(TableError) as refused:
            read_name(bad)
        assert client.ask("/api/tables", {"seats": [YOU, YOU], "names": [bad]}) == (
            400,
            {"error": str(refused.value)},
        ), bad


def test_odd_messages_change_nothing(client: WorkerClient, tmp_path: Path) -> None:
    chance, twins = random.Random(0), opened(client, tmp_path, [YOU, "tempo"])
    for _ in range(60):
        message: dict[str, Any] = chance.choice(MESSAGES)
        odd: Any = chance.choice([None, -1, 1e9, "view", [], {}, "toString"])
        twins.say(**message | {chance.choice([*message, "seq"]): odd})
        heard = client.hear()
        assert heard["kind"] == "refused" or (heard["kind"], heard["seq"]) == ("view", 0)
        if heard["kind"] == "refused" and "moved on" in heard["words"]:
            assert client.hear()["seq"] == 0
    twins.compare_anew()


@pytest.mark.parametrize("game", GAMES)
def test_presets_are_played_with_changes_of_single_rules(game: str, client: WorkerClient, tmp_path: Path) -> None:
    card_game, chance = find_game(game), random.Random(4)
    single = dict(single_fields(card_game))
    for preset in find_interface(game).presets:
        for players in (2, 3, 4):
            given = dict(word.split("=") for word in preset.rules.split())
            for name in chance.sample(sorted(single), 4):
                given[name] = str(chance.choice(single[name].get("choices") or single[name]["range"]))
            text = " ".join(f"{name}={value}" for name, value in sorted(given.items()))
            twins = opened(client, tmp_path, [YOU] * players, text, game=game)
            assert client.kept(twins.number)["rules"] == card_game.rules(text, players).to_text()
            play(twins, chance, 8)
            twins.leave()
