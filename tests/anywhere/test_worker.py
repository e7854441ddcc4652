"""The worker of the pages against Python: the same decisions lead to the same game, words, hints and judgements."""

import hashlib
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from scipy.stats import t

from cardtable.arena.exam.analysis import conduct_of
from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat, packed
from skyjo.analysis.analysed_game import conduct_lines, judged_document, marked
from skyjo.analysis.judge import analyst_for
from skyjo.interfaces import find_interface
from skyjo.table.played_game import SeatedAgent
from skyjo.table.seating import YOU
from skyjo.web.building.table_data import single_fields
from tests.anywhere.worker_client import Twins, WorkerClient, write_site

GAMES = ("skyjo", "skipbo", "skyjo_action")  # first that whose pages ask without a name
RIVALS = {"skyjo": "expected", "skipbo": "greedy", "skyjo_action": "greedy"}
TAKE = 1
MAX_KEPT = 200  # tables, and games
DEALT: dict[str, Any] = {"skyjo_record": 1, "rules": "", "seed": 5, "deal": 0, "episode": "game", "actions": []}
DEALT["totals"] = [0, 0]
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
    ("skyjo", [YOU, YOU, "hurried"], REICHEL, "game"),
    ("skyjo", ["collector", YOU, YOU, "expected"], "target_score=030 final_lap=complete_current_round", "round"),
    ("skipbo", [YOU, "planner"], "refill=never recycled_wild=as_played max_turns=20", "game"),
    ("skipbo", ["greedy:pile=smallest", YOU, YOU], OWN_VIEW, "round"),
    ("skyjo_action", [YOU, YOU, YOU, YOU], ALL_ASKED, "round"),
    ("skyjo_action", [YOU, "greedy", YOU], BY_ITSELF, "round"),
    ("skyjo_action", ["planner", YOU, YOU, CLUMSY], "action_deck=certain max_turns=40", "round"),
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
    seats: list[str],
    rules: str = "",
    episode: str = "game",
    game: str = "skyjo",
    **more: Any,
) -> Twins:
    """A table, at which agents wait for nothing."""
    asked = {"seats": seats, "rules": rules, "episode": episode, **more}
    number = client.answered(f"/api/tables?game={game}", asked)["id"]
    twins = Twins(client, number)
    if set(seats) != {YOU}:
        twins.say(ask="pace", pace=20)
        twins.compare()
    return twins


def play(twins: Twins, chance: random.Random, decisions: int = 10_000) -> None:
    """Decide for people at random, so many times or until the game is over."""
    twins.let_agents_decide()
    while not twins.is_over and decisions > 0:
        twins.uncover()
        twins.act(chance.choice(twins.played.game.legal_actions()))
        twins.let_agents_decide()
        decisions -= 1


@pytest.mark.parametrize(("game", "seats", "rules", "episode"), TABLES)
def test_tables_play_and_say_what_python_does(
    game: str, seats: list[str], rules: str, episode: str, client: WorkerClient
) -> None:
    twins = opened(client, seats, rules, episode, game, names=["Zoë", "Ada"])
    play(twins, random.Random(len(seats)))


@pytest.mark.parametrize(("game", "agent"), [("skyjo", "tempo"), ("skyjo_action", "planner")])
def test_decisions_are_taken_back_and_lent(game: str, agent: str, client: WorkerClient) -> None:
    seats, rules = [YOU, RIVALS[game], YOU], "target_score=1000"
    twins, chance = opened(client, seats, rules, game=game), random.Random(1)
    for _ in range(5):
        play(twins, chance, 7)
        twins.say(ask="undo")
        assert twins.played.go_back(twins.people)
        twins.compare()
        twins.uncover()
        twins.say(ask="lend", agent=agent)
        lent = SeatedAgent(agent, agents_of(find_game(game)).make(agent, twins.played.rules))
        twins.played.apply(twins.played.choice(lent))
        assert twins.compare()["practice"]
    play(twins, chance, 3)
    twins.say(ask="concede")
    view = client.hear()
    assert (view["decider"], "gave up" in view["over"]["words"]) == (None, True)


ADVISED = [  # who has learned, or by rules that nobody has learned to play the best script, or who can search
    ("skyjo", "", "lookahead", 12),
    ("skyjo", "row_clear=true target_score=60", "tempo", 30),
    ("skyjo_action", "target_score=30", "rollout", 4),
    ("skipbo", OWN_VIEW, "planner", 30),
    ("skipbo", "stock=10", "rollout", 12),
]


@pytest.mark.parametrize(("game", "rules", "adviser", "most"), ADVISED)
def test_hints_name_what_python_names(game: str, rules: str, adviser: str, most: int, client: WorkerClient) -> None:
    twins = opened(client, [YOU, RIVALS[game]], rules, "round", game, seed="1")
    twins.let_agents_decide()
    while not twins.is_over and most:
        most -= 1
        played = twins.played
        takes = [action for action in played.game.legal_actions() if action == TAKE and game != "skipbo"]
        for after in (None, *takes):
            twins.say(ask="hint", **({} if after is None else {"after": after}))
            choices = played.advice(adviser, most=None, first=after)
            heard = client.hear()
            assert (heard["kind"], heard["after"], heard["reason"]) == ("hint", after, choices[0].reason)
            assert heard["choices"][0]["words"] == choices[0].words
            assert [one["action"] for one in heard["choices"]] == [choice.action for choice in choices]
            values = [None if choice.value is None else near(choice.value) for choice in choices]
            assert [one["worth"] for one in heard["choices"]] == values
        twins.act(choices[0].action if game == "skipbo" else random.Random(most).choice(played.game.legal_actions()))
        twins.let_agents_decide()


ABSENT = [("skipbo", {"policy"}), ("skyjo_action", {"policy"})]


@pytest.mark.parametrize(("game", "absent"), ABSENT)
def test_agents_that_are_not_compiled_are_named_with_the_reason(
    game: str, absent: set[str], client: WorkerClient
) -> None:
    unable = client.answered(f"/api/unable?game={game}&players=2&rules=")["unable"]
    assert unable == dict.fromkeys(absent, "without a server")
    for agent in absent:
        status, answer = client.ask(f"/api/tables?game={game}", {"seats": [YOU, agent]})
        assert (status, answer["error"]) == (400, f"agent {agent} cannot play without a server")


def test_players_go_on_to_the_same_cards_and_to_new_ones(client: WorkerClient) -> None:
    twins = opened(client, [YOU, "hurried"], "", "round", names=["", "Pip"])
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
    Twins(client, numbers[0]).leave()


def test_a_table_goes_on_after_the_page_was_left(client: WorkerClient) -> None:
    twins, chance = opened(client, [YOU, "tempo"]), random.Random(4)
    play(twins, chance, 9)
    client.restart("kept")
    again = client.answered(f"/api/tables/{twins.number}")
    assert (again["seq"], [seat["here"] for seat in again["seats"]]) == (len(twins.played.decisions), [False, False])
    (listed,) = client.answered("/api/start")["tables"]
    assert (listed["id"], listed["round"], listed["over"]) == (twins.number, 1, False)
    client.answered(f"/api/tables/{twins.number}", method="DELETE")
    assert client.ask(f"/api/tables/{twins.number}")[0] == 404
    assert client.answered("/api/start")["tables"] == []


@pytest.mark.parametrize("asked", [{"ask": "lend", "agent": "lookahead"}, {"ask": "hint"}])
def test_advice_that_comes_too_late_is_not_taken(asked: dict[str, Any], client: WorkerClient) -> None:
    twins = opened(client, [YOU, YOU])
    client.send({"network": "slow"})
    twins.say(**asked)
    twins.act(twins.played.game.legal_actions()[0])
    client.send({"network": "fast"})
    assert client.hear()["words"] == "the table has moved on"


def finished(client: WorkerClient, seed: int, game: str = "skyjo", **more: Any) -> Twins:
    """A game that is over."""
    twins = opened(client, [YOU, RIVALS[game], YOU], "target_score=30", game=game, **more)
    play(twins, random.Random(seed))
    twins.leave()
    return twins


@pytest.mark.parametrize("game", GAMES)
def test_games_are_kept_once_and_shown_step_by_step(game: str, client: WorkerClient) -> None:
    twins = finished(client, 5, game, names=["", "Victor", ""])
    number, written = client.answered("/api/games", {"table": twins.number})["id"], twins.played.written()
    assert client.answered("/api/games", {"table": twins.number})["id"] == number
    assert client.answered(f"/api/games?game={game}", {"text": written})["id"] == number
    shown, decisions = client.answered(f"/api/games/{number}"), twins.played.decisions
    assert [one["words"] for one in shown["decisions"]] == [decision.words for decision in decisions]
    assert shown["names"] == ["you (seat 1)", "Victor", "you (seat 3)"]
    own, spectator = (
        client.answered(f"/api/games/{number}/views?first=30&count=2{seat}")["views"] for seat in ("&seat=0", "")
    )
    opened_all = client.answered(f"/api/games/{number}/views?first=30&count=2&open=1")["views"]
    assert [view["seq"] for view in own] == [view["seq"] for view in spectator] == [30, 31]
    assert all("open" in view["table"] for view in opened_all)
    assert all("open" not in view["table"] for view in own)
    listed = client.answered(f"/api/games?game={game}")
    assert ([table["id"] for table in listed["tables"]], listed["kept"]) == ([twins.number], [])  # one line a game
    client.answered(f"/api/tables/{twins.number}", method="DELETE")
    (kept,) = client.answered(f"/api/games?game={game}")["kept"]
    assert kept["id"] == number


JUDGED = [("skyjo", ""), ("skipbo", "stock=10 max_turns=9"), ("skyjo_action", "max_turns=9"), SHORT_ROUND]


@pytest.mark.parametrize(("game", "rules"), JUDGED)
def test_decisions_are_judged_as_python_judges_them(game: str, rules: str, client: WorkerClient) -> None:
    twins = opened(client, [YOU, RIVALS[game]], rules, "round", game, seed="2")
    likewise = SeatedAgent(RIVALS[game], agents_of(find_game(game)).make(RIVALS[game], twins.played.rules))
    twins.let_agents_decide()
    while not twins.is_over:
        twins.act(twins.played.choice(likewise))
        twins.let_agents_decide()
    twins.leave()
    number, names = client.answered("/api/games", {"table": twins.number})["id"], ["you", RIVALS[game]]
    assert client.answered(f"/api/games/{number}")["analysis"]
    client.send({"socket": 0, "path": f"/api/games/{number}/analysis"})
    client.send({"socket": 0, "message": {"ask": "analyse"}})
    heard = [client.hear()]
    while heard[-1]["kind"] == "judged":
        heard.append(client.hear())
    moves, ready = [move for piece in heard[:-1] for move in piece["moves"]], heard[-1]
    interface, record = find_interface(game), twins.played.game.record()
    _, analyst = analyst_for(interface, twins.played.rules)
    judged, action_names = [*analyst.decisions(record)], twins.played.card_game.action_names(twins.played.rules)
    assert [alike(move) for move in moves] == [near(judged_document(one, action_names)) for one in judged]
    conducts = [conduct_of(seat, judged) for seat in range(len(names))]
    lines = [conduct_lines(*one, interface.levels) for one in zip(names, conducts, strict=True)]
    doubtful = sorted((one for one in judged if analyst.is_doubtful(one)), key=lambda one: -one.seems_lost)
    assert ready["worst"] == [one.number for one in marked(judged)]
    assert (ready["lines"], ready["doubtful"]) == (lines, len(doubtful))
    for worst in doubtful[:1]:
        client.send({"network": "slow"})  # so that what is said meanwhile is heard
        client.send({"socket": 0, "message": {"ask": "check"}})
        heard = client.hear()
        client.send({"socket": 0, "message": {"ask": "stop"}})
        client.send({"network": "fast"})
        assert (heard["kind"], heard["of"]) == ("checked", len(doubtful))
        assert alike(heard["move"]) == near(judged_document(analyst.checked(worst), action_names))


def alike(move: dict[str, Any]) -> dict[str, Any]:
    """What Python says of a decision, too."""
    return {name: value for name, value in move.items() if name not in ("why", "parts")}


def near(document: Any) -> Any:
    """The same with rough numbers, since both sides round what networks say in their own way."""
    if isinstance(document, dict):
        return {name: near(value) for name, value in document.items()}
    if isinstance(document, list | tuple):
        return [*map(near, document)]
    return pytest.approx(document, abs=0.01) if isinstance(document, float) else document


def test_games_go_out_and_come_back_as_addresses_and_records(client: WorkerClient) -> None:
    twins = finished(client, 6, names=["Zoë", "", ""])
    number = client.answered("/api/games", {"table": twins.number})["id"]
    address = f"https://here/games#{packed(client.answered(f'/api/games/{number}/shared')['text'])}"
    assert RecordFormat(find_game("skyjo")).read_game(address).record() == twins.played.game.record()
    record = client.answered(f"/api/games/{number}/record")
    assert RecordFormat(find_game("skyjo")).read_game(record).record() == twins.played.game.record()
    client.answered(f"/api/games/{number}", method="DELETE")
    assert client.ask(f"/api/games/{number}")[0] == 404
    written = twins.played.written()
    for text in (record, address, json.dumps(twins.played.game.record()), written):
        opened_again = client.answered("/api/games", {"text": text})["id"]
        words = client.answered(f"/api/games/{opened_again}")["decisions"]
        assert [each["words"] for each in words] == [each.words for each in twins.played.decisions]
    text = json.dumps(twins.played.game.record())
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


@pytest.mark.parametrize(("game", "number"), LESSONS)
def test_lessons_are_learned_by_their_way_and_dealt_again_after_anything_else(
    game: str, number: int, client: WorkerClient
) -> None:
    path, actions = f"/api/learn/lessons/{number}?game={game}", list[int]()
    answer = begun = client.answered(path, {"actions": []})
    for wanted in find_interface(game).learning.LESSONS[number].way:
        assert answer["state"] == {"reached": False, "wrong": False}
        names = {int(action): name for action, name in answer["views"][-1]["names"].items()}
        right = [action for action, name in names.items() if re.fullmatch(wanted, name)]
        for other in names.keys() - set(right):
            again = client.answered(path, {"actions": [*actions, other]})
            assert again == begun | {"state": {"reached": False, "wrong": True}}
        actions.append(right[0])
        answer = client.answered(path, {"actions": actions})
    assert answer["state"] == {"reached": True, "wrong": False}


def test_todays_deal_has_the_cards_of_the_day(client: WorkerClient) -> None:
    before = client.answered("/api/daily")
    number = client.answered("/api/daily", {"name": "Zoë"})["id"]
    assert client.answered("/api/daily", {})["id"] == number
    assert client.answered("/api/daily") == before | {"table": number}
    digest = hashlib.sha256(f"skyjo {before['day']}".encode()).digest()
    assert int(client.kept(number)["seed"]) == int.from_bytes(digest[:8])
    twins = Twins(client, number)
    twins.say(ask="hint")
    assert "today’s deal" in client.hear()["words"]
    twins.say(ask="pace", pace=20)
    twins.compare()
    play(twins, random.Random(8))
    result, (own, rival) = client.answered("/api/daily")["result"], twins.played.game.round_scores
    assert result["margin"] == rival - own
    assert {"margin", "luck"} == set(result["rival"])


def test_own_results_are_means_with_intervals(client: WorkerClient) -> None:
    margins = []
    for seed in range(6):
        twins = opened(client, [YOU, "expected"], episode="round")
        play(twins, random.Random(seed))
        twins.leave()
        own, rival = twins.played.game.round_scores
        margins.append(rival - own)
    for ask in ("hint", "undo"):  # neither is one's own play
        twins = opened(client, [YOU, "expected"], episode="round")
        play(twins, random.Random(7), 3)
        twins.say(ask=ask)
        if ask == "undo":
            twins.played.go_back(twins.people)
        client.hear()
        play(twins, random.Random(8))
        twins.leave()
    found = client.answered("/api/own")
    deviation = (sum((margin - sum(margins) / 6) ** 2 for margin in margins) / 5) ** 0.5
    expected = [sum(margins) / 6, t.ppf(0.975, 5) * deviation / 6**0.5]
    assert found["total"]["margin"] == pytest.approx(expected, rel=0.001)
    assert [game["margin"] for game in found["games"]] == margins[::-1]


IMPOSSIBLE: list[Any] = [  # tables
    {"seats": [YOU]},
    {"seats": [YOU, "open"]},
    {"seats": [YOU, "human"]},
    {"seats": [YOU, "tempo"], "rules": "rows=2"},
    {"seats": [YOU, "tempo"], "rules": "target_score=50 target_score=60"},
    {"seats": [YOU, "tempo"], "rules": "reshuffle=never"},
    {"seats": [YOU, "tempo"], "episode": "week"},
]
ODD: list[Any] = [None, -1, 0, 2, 1e300, 0.5, "", "you", "toString", "__proto__", [], [None], {}, True, "ü" * 5000]


def test_what_people_type_is_refused_in_a_line(client: WorkerClient) -> None:
    chance = random.Random(0)
    for body in IMPOSSIBLE:
        check_answer(refused := client.ask("/api/tables", body))
        assert refused[0] == 400, body
    for _ in range(40):
        damaged = DEALT | {chance.choice([*DEALT, "names"]): chance.choice(ODD)}
        check_answer(client.ask("/api/games", {"text": json.dumps(damaged)}))
    for path in ("/api/games/__proto__", "/api/tables/%ff", "/api/toString", "/", "//", "/api/start?game=toString"):
        check_answer(client.ask(path))


def check_answer(answer: tuple[int, Any]) -> None:
    status, told = answer
    assert status in (200, 400, 404), told
    if status != 200:
        assert 0 < len(told["error"]) < 400
        assert len(told["error"].splitlines()) == 1


def test_names_are_visible_text(client: WorkerClient) -> None:
    number = client.answered("/api/tables", {"seats": [YOU, YOU], "names": [" 山田 <b> "]})["id"]
    assert client.kept(number)["names"] == ["山田 <b>", ""]
    for bad in ("x" * 21, "a\u202eb", "\u0000", 5, "seat\n2"):
        status, answer = client.ask("/api/tables", {"seats": [YOU, YOU], "names": [bad]})
        assert (status, answer["error"].startswith("a name")) == (400, True), bad


@pytest.mark.parametrize("game", GAMES)
def test_presets_are_played_with_changes_of_single_rules(game: str, client: WorkerClient) -> None:
    card_game, chance = find_game(game), random.Random(4)
    single = dict(single_fields(card_game))
    for preset in find_interface(game).presets:
        for players in (2, 3, 4):
            given = dict(word.split("=") for word in preset.rules.split())
            for name in chance.sample(sorted(single), 4):
                given[name] = str(chance.choice(single[name].get("choices") or single[name]["range"]))
            text = " ".join(f"{name}={value}" for name, value in sorted(given.items()))
            twins = opened(client, [YOU] * players, text, game=game)
            assert client.kept(twins.number)["rules"] == card_game.rules(text, players).to_text()
            play(twins, chance, 8)
            twins.leave()
