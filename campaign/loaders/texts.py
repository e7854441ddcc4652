"""Loaders of texts: rules, agents, positions, records, results to be rated, and messages of browsers."""

import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from campaign.damage import damaged_text
from campaign.loaders import GAMES, Attempt, Loader, Read
from cardtable.errors import TableError
from cardtable.ratings.results_files import read_results
from cardtable.shared_games import packed, shared_text
from skyjo.web import requests
from tests.games.listed import GAMES as LISTED

KEPT = 60  # whole texts that are damaged in a batch
AGENTS = {
    "skyjo": [
        *("random", "naive", "threshold:t=2,columns=true", "expected", "tempo", "rollout:base=(threshold:t=2),n=3"),
        "peek:n=4",
    ],
    "skipbo": [
        "random",
        "greedy:pile=smallest",
        "hpvp",
        "planner",
        "rollout:base=(greedy:pile=smallest),n=3",
        "peek:n=4",
    ],
    "skyjo_action": ["random", "greedy", "planner", "rollout:base=greedy,n=3", "peek:n=4"],
}


def random_rules(game: str, chance: random.Random) -> Any:
    """Any rules of a game."""
    (listed,) = (each for each in LISTED if each.name == game)
    return listed.random_rules(chance)


def played(game: str, chance: random.Random, most: int = 120) -> Any:
    """A game under random rules, left somewhere on its way."""
    table = GAMES[game].Game(
        random_rules(game, chance), chance.randrange(2**64), chance.randrange(2**64), chance.choice(("game", "round"))
    )
    play_on(table, chance, chance.randrange(most))
    return table


def play_on(table: Any, chance: random.Random, decisions: int) -> None:
    """Make random decisions."""
    for _ in range(decisions):
        if table.is_over:
            return
        table.apply(chance.choice(table.legal_actions()))


def attempts(texts: list[str], read: Any) -> Attempt:
    """Damage one of the texts, and read it."""

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        bad = damaged_text(chance, chance.choice(texts))
        return bad.encode(errors="surrogatepass"), partial(read, bad)

    return attempt


def rules(game: str, chance: random.Random, _: Path) -> Attempt:
    """Rules are refused, or are read again from their own text, and can be played."""
    module = GAMES[game]

    def read(text: str) -> None:
        found = module.Rules.from_text(text)
        assert module.Rules.from_text(found.to_text()) == found
        play_on(module.Game(found, 1), random.Random(1), 3)

    return attempts([random_rules(game, chance).to_text() for _ in range(KEPT)], read)


def rules_fields(game: str, chance: random.Random, _: Path) -> Attempt:
    """The same for rules whose fields are anything, as a pickle of them may hold."""
    module = GAMES[game]
    values: list[Any] = [
        None,
        True,
        -1,
        0,
        2**63,
        2**200,
        1.5,
        float("nan"),
        "x",
        b"x",
        (),
        [1],
        {},
        ((1, 2),),
        ((0, 10**9),),
        np.int8(3),
    ]

    names = [*module.Rules._defaults()]

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        fields = random_rules(game, chance).changes()
        for _ in range(chance.randrange(1, 3)):
            name = chance.choice(names)
            fields[name] = chance.choice([*values, *fields.values()])

        def read() -> None:
            module.Game(module.Rules(**fields), 1)

        return repr(fields).encode(), read

    return attempt


def agents(game: str, chance: random.Random, _: Path) -> Attempt:
    """An agent is refused or made; none is asked to play."""
    module = GAMES[game]
    table_rules = module.Rules()
    return attempts(AGENTS[game], lambda text: module.make_agent(text, table_rules))


def positions(game: str, chance: random.Random, _: Path) -> Attempt:
    """A position is refused, or is read again from what it writes, and can be played on."""
    module = GAMES[game]

    def read(text: str) -> None:
        table = module.Game.from_position(text)
        assert module.Game.from_position(table.position()).position() == table.position()
        play_on(table, random.Random(1), 40)
        module.Game.from_position(table.position())

    return attempts([played(game, chance).position() for _ in range(KEPT)], read)


def records(game: str, chance: random.Random, _: Path) -> Attempt:
    """A record, as text, as JSON or in an address, is refused or played again."""
    module = GAMES[game]
    games = [played(game, chance) for _ in range(KEPT)]
    texts = [module.format_record(table.record()) for table in games]
    texts += [json.dumps(table.record()) for table in games]
    texts += [f"https://example.org/#{packed(shared_text(table.record(), ['Anna']))}" for table in games]
    return attempts(texts, module.replay)


def record_fields(game: str, chance: random.Random, _: Path) -> Attempt:
    """The same for a record that is not written, with anything in its fields."""
    module = GAMES[game]
    games = [played(game, chance).record() for _ in range(KEPT)]
    values: list[Any] = [
        None,
        True,
        -1,
        2**64,
        1.5,
        float("nan"),
        "x",
        [],
        [[]],
        {},
        [2**70],
        [None],
        ["0"],
        [0.0],
        b"x",
    ]

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        bad = dict(chance.choice(games))
        for _ in range(chance.randrange(1, 3)):
            bad[chance.choice([*bad])] = chance.choice([*values, *chance.choice(games).values()])
        return repr(bad).encode(), partial(module.replay, bad)

    return attempt


def ratings(game: str, chance: random.Random, _folder: Path) -> Attempt:
    """A file of results, CSV or JSON, is refused or read."""
    texts = []
    for _ in range(KEPT):
        rows = [
            {"game": number, "player": f"p{seat}", "score": chance.randrange(-5, 90), "deal": number // 2, "seat": seat}
            for number in range(chance.randrange(1, 8))
            for seat in range(chance.randrange(2, 5))
        ]
        lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
        texts += ["\n".join(lines), json.dumps(rows)]
    return attempts(texts, lambda text: read_results(text, "results.csv", ["score"]))


def messages(game: str, chance: random.Random, _: Path) -> Attempt:
    """A browser's message or request is refused or understood."""
    table = played(game, chance)
    texts = [
        '{"seq":3,"action":14}',
        '{"seq":0,"ask":"hint"}',
        '{"seq":2,"ask":"pace","pace":1.5}',
        '{"ask":"analyse"}',
    ]
    texts += ['{"seq":9,"ask":"lend","agent":"tempo"}', '{"seats":["you","tempo"],"rules":"","episode":"game"}']
    texts += ['{"game":"abcdefghijkl","after":3,"seats":["you","tempo"]}', '{"table":"abcdefghijkl"}']
    texts += [json.dumps({"text": GAMES[game].format_record(table.record())}), '{"store":0,"number":12}']

    def read(text: str) -> None:
        data = text.encode(errors="replace")
        for understand in (requests.read_message, requests.read_analysis_message):
            _refused_or(partial(understand, text))
        for take in (requests.read_table, requests.read_game_request):
            _refused_or(partial(take, data))
        _refused_or(lambda: requests.query_number(text[:30], "number", 10**6))

    return attempts(texts, read)


def _refused_or(read: Read) -> None:
    """Let several readers read the same text; raise what any of them raises, except refusals."""
    try:
        read()
    except TableError as error:
        if not str(error).isprintable():
            raise RuntimeError(f"a message is not printable: {error!r}") from None


LOADERS = (
    Loader("rules", 4000, rules),
    Loader("rules' fields", 4000, rules_fields),
    Loader("agents", 3000, agents),
    Loader("positions", 1500, positions),
    Loader("records", 1000, records),
    Loader("record fields", 1000, record_fields),
    Loader("ratings", 3000, ratings),
    Loader("messages", 4000, messages),
)
