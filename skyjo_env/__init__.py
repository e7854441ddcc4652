"""Skyjo, complete and exact: the rules, one table, many tables, observations, and written games.

>>> from skyjo_env import Game
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
from skyjo_env.card_game import SKYJO, Game, GameBatch, ObservationSpec
from skyjo_env.kernel.state import EMPTY, HIDDEN, PHASES
from skyjo_env.rules import OFFICIAL, REICHEL, Rules

__version__ = "1.0.0"

SkyjoError = TableError  # the base of all these errors, under the name that programs about Skyjo look for

action_names, parse_action = SKYJO.action_names, SKYJO.parse_action
agent_names, make_agent = agents_of(SKYJO).names, agents_of(SKYJO).make
RawEnv, Env, ParallelEnv, SkyjoEnv, SkyjoTextEnv, SkyjoVectorEnv = environments(SKYJO, __name__)
format_record, replay = RecordFormat(SKYJO).format_record, RecordFormat(SKYJO).replay

__all__ = [
    "EMPTY",
    "HIDDEN",
    "OFFICIAL",
    "PHASES",
    "REICHEL",
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
    "SkyjoEnv",
    "SkyjoError",
    "SkyjoTextEnv",
    "SkyjoVectorEnv",
    "action_names",
    "agent_names",
    "format_record",
    "make_agent",
    "parse_action",
    "replay",
    "uniform",
]
