"""One round of Skip-Bo as an OpenSpiel game, `python_skipbo`; importing registers it.

>>> import pyspiel
>>> import skipbo_env.openspiel
>>> game = pyspiel.load_game("python_skipbo(players=3)")
>>> state = game.new_initial_state()
>>> state.apply_action(7)  # chance picks deal 7
>>> state.current_player(), state.action_to_string(state.legal_actions()[-1])
(0, 'discard w on 3')

| parameter | default | range | meaning |
| --- | --- | --- | --- |
| `players` | 2 | 2 to 6 | players around the table |
| `deals` | 1000 | 1 to 100,000 | how many deals chance picks from |
| `seed` | 0 | 0 to 2³¹ − 1 | which deals these are |

The only chance node is the root: it picks one of `deals` numbered deals, each equally likely. Deal d is the round of
`Game(rules, seed=seed, deal=d, episode="round")`, its recyclings included, so that everything after the root is
deterministic and a history says all. The game is therefore the official round over that many deals, not over every
order of the deck: a learner that meets each deal often enough can learn the hidden cards by heart. An evaluation under
another seed shows whether it has.

The winner's return is 1, that of the others −1 / (players − 1); if nobody wins, and in a round that is stopped after
500 turns a player, all returns are 0. What a player observes is `Game.observation`, as float32, and zeros before the
chance node. Information states are not provided.
"""

from typing import Any

from cardtable.table.envs.openspiel import DEALS, DealsGame, game_info, game_type, pyspiel
from skipbo_env.card_game import SKIPBO
from skipbo_env.kernel import MAX_PLAYERS
from skipbo_env.rules import Rules

TURNS_A_PLAYER = 500  # random players are done after 200
DECISIONS_A_TURN = 20  # on average: a turn has no limit, but the cards for long ones are soon used up

GAME_TYPE = game_type("python_skipbo", "Python Skip-Bo", DEALS, MAX_PLAYERS)


class SkipboGame(DealsGame):
    """The game over numbered deals. A parameter that is out of range raises TableError."""

    def __init__(self, params: dict[str, Any]) -> None:
        players = params["players"]
        rules = Rules(players=players, max_turns=TURNS_A_PLAYER * players)
        info = game_info(rules, params["deals"], 1.0, rules.max_turns * DECISIONS_A_TURN)
        super().__init__(SKIPBO, rules, GAME_TYPE, info, params)


pyspiel.register_game(GAME_TYPE, SkipboGame)
