"""Skip-Bo, complete and exact: the rules, one table, many tables, observations, and written games.

>>> from skipbo_env import Game
>>> game = Game(seed=1)
>>> game.apply(game.legal_actions()[0])
"""

from cardtable.table.agents.agents import Agent, agents_of, uniform
from cardtable.table.envs.environments import environments
from cardtable.table.errors import (
    AgentError,
    CallError,
    IllegalActionError,
    PositionError,
    RecordError,
    RulesError,
    TableError,
)
from cardtable.table.game.records import RecordFormat
from skipbo_env.card_game import SKIPBO, Game, GameBatch, ObservationSpec
from skipbo_env.kernel import NONE, PHASES, UNSEEN, WILD
from skipbo_env.rules import OFFICIAL, STRITTMATTER, Rules

SkipboError = TableError  # the base of all these errors, under the name that programs about Skip-Bo look for

action_names, parse_action = SKIPBO.action_names, SKIPBO.parse_action
agent_names, make_agent = agents_of(SKIPBO).names, agents_of(SKIPBO).make
RawEnv, Env, ParallelEnv, SkipboEnv, SkipboTextEnv, SkipboVectorEnv = environments(SKIPBO, __name__)
format_record, replay = RecordFormat(SKIPBO).format_record, RecordFormat(SKIPBO).replay

__all__ = [
    "NONE",
    "OFFICIAL",
    "PHASES",
    "STRITTMATTER",
    "UNSEEN",
    "WILD",
    "Agent",
    "AgentError",
    "CallError",
    "Game",
    "GameBatch",
    "IllegalActionError",
    "ObservationSpec",
    "PositionError",
    "RecordError",
    "Rules",
    "RulesError",
    "SkipboEnv",
    "SkipboError",
    "SkipboTextEnv",
    "SkipboVectorEnv",
    "TableError",
    "action_names",
    "agent_names",
    "format_record",
    "make_agent",
    "parse_action",
    "replay",
    "uniform",
]
