"""One round of Skyjo Action as an OpenSpiel game, `python_skyjo_action`; importing registers it.

>>> import pyspiel
>>> import skyjo_action_env.openspiel
>>> game = pyspiel.load_game("python_skyjo_action(players=3)")
>>> state = game.new_initial_state()
>>> state.apply_action(7)  # chance picks deal 7
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(0, 'flip 0')

| parameter | default | range | meaning |
| --- | --- | --- | --- |
| `players` | 2 | 2 to 8 | players around the table |
| `deals` | 1000 | 1 to 100,000 | how many deals chance picks from |
| `seed` | 0 | 0 to 2³¹ − 1 | which deals these are |

The only chance node is the root: it picks one of `deals` numbered deals, each equally likely. Deal d is the round of
`Game(rules, seed=seed, deal=d, episode="round")`, its reshuffles included, so that everything after the root is
deterministic and a history says all. A learner that meets each deal often enough can learn the hidden cards by heart;
an evaluation under another seed shows whether it has.

A return is the margin of the round, the mean of the others' scores minus the own; 100 points are a return of 1. In a
round that is stopped after 200 turns a player all returns are 0. What a player observes is `Game.observation`, as
float32, and zeros before the chance node. Information states are not provided.
"""

from typing import Any

from cardtable.table.envs.openspiel import DEALS, DealsGame, game_info, game_type, pyspiel
from cardtable.table.kernel.scoring import POINTS
from skyjo_action_env.card_game import BEST_SCORE, SKYJO_ACTION, WORST_SCORE
from skyjo_action_env.kernel.state import MAX_PLAYERS
from skyjo_action_env.rules import Rules

TURNS_A_PLAYER = 200
DECISIONS_A_TURN = 12  # at most on average, with all action cards played in every turn
GREATEST_RETURN = (WORST_SCORE - BEST_SCORE) / POINTS

GAME_TYPE = game_type("python_skyjo_action", "Python Skyjo Action", DEALS, MAX_PLAYERS)


class SkyjoActionGame(DealsGame):
    """The game over numbered deals. A parameter that is out of range raises TableError."""

    def __init__(self, params: dict[str, Any]) -> None:
        players = params["players"]
        rules = Rules(players=players, max_turns=TURNS_A_PLAYER * players)
        info = game_info(rules, params["deals"], GREATEST_RETURN, rules.max_turns * DECISIONS_A_TURN)
        super().__init__(SKYJO_ACTION, rules, GAME_TYPE, info, params)


pyspiel.register_game(GAME_TYPE, SkyjoActionGame)
