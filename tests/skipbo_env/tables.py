"""Tables for tests: kernel records, dealt under many rules and played at random."""

import random
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardtable.kernel.game_kernel import EPISODES
from skipbo_env.card_game import SKIPBO
from skipbo_env.kernel.play import act, go_on
from skipbo_env.kernel.scoring import ENDS, score_round
from skipbo_env.kernel.state import ACTIONS, DECK, DISCARD, GAME_DTYPE, OPTIONS, OVER
from skipbo_env.kernel.view import write_mask
from skipbo_env.rules import Rules


def random_rules(chance: random.Random) -> Rules:
    """Rules with every field drawn at random, official ones often enough to matter."""
    players = chance.randint(2, 6)
    options: dict[str, Any] = {
        name: known[0] if chance.random() < 0.4 else chance.choice(known) for name, known in OPTIONS.items()
    }
    return Rules(
        players=players,
        stock=chance.choice((None, 1, 2, chance.randint(3, 10), min(30, DECK // players - 5))),
        compulsory=chance.random() < 0.3,
        discard_wild=chance.random() < 0.7,
        target_score=chance.choice((1, 60, 500)),
        max_turns=chance.choice((1, 30, 300, 3000, 3000)),
        max_rounds=chance.choice((1, 3, 1000)),
        **options,
    )


seeds = st.integers(0, 2**64 - 1)
many_rules = st.integers(0, 2**32 - 1).map(lambda seed: random_rules(random.Random(seed)))


def deal(rules: Rules, seed: int, episode: str = "game") -> NDArray[Any]:
    """A newly dealt table, as an array of one record."""
    games = np.zeros(1, GAME_DTYPE)
    SKIPBO.many.deal_tables(games, rules.params, np.uint64(seed), np.zeros(1, np.uint64), EPISODES.index(episode))
    return games


def legal_actions(rules: Rules, games: NDArray[Any]) -> list[int]:
    """The numbers of all legal actions."""
    mask = np.zeros(ACTIONS, np.int8)
    write_mask(games[0], rules.params[0], mask)
    actions: list[int] = np.flatnonzero(mask).tolist()
    return actions


def choose(rules: Rules, games: NDArray[Any], chance: random.Random, eagerness: float = 0.9) -> int:
    """A random legal action; with this probability a card is played if one can be."""
    legal = legal_actions(rules, games)
    plays = [action for action in legal if action < DISCARD]
    return chance.choice(plays if plays and chance.random() < eagerness else legal)


def play_at_random(rules: Rules, games: NDArray[Any], chance: random.Random, decisions: int) -> list[int]:
    """Make up to this many random decisions; return them."""
    made: list[int] = []
    while len(made) < decisions and games["phase"][0] < OVER:
        made.append(choose(rules, games, chance))
        act(games[0], rules.params[0], made[-1])
        if games["phase"][0] == ENDS:
            score_round(games[0], rules.params[0])
            go_on(games[0], rules.params[0])
    return made


def tidy(rules: Rules, games: NDArray[Any]) -> NDArray[Any]:
    """A copy without what is left over in the record where no card lies: equal tables have equal bytes."""
    tidied = games.copy()
    game = tidied[0]
    for seat in range(rules.players):
        bottom = seat * rules.stock_size
        game["stocks"][bottom + int(game["stock_left"][seat]) : bottom + rules.stock_size] = 0
        game["hands"][seat, game["hand_size"][seat] :] = 0
    game["piles"][game["laid"] : DECK - game["draw_left"]] = 0
    return tidied
