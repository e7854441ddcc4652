"""Skyjo Action, the whole game by our reading: the rules, one table, many tables, and observations.

>>> from skyjo_action_env import Game
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
from skyjo_action_env.card_game import SKYJO_ACTION, Game, GameBatch, ObservationSpec
from skyjo_action_env.kernel import EMPTY, HIDDEN, KINDS, PHASES, STAR
from skyjo_action_env.rules import ACTION, ACTION_CORE, Rules

SkyjoActionError = TableError  # the base of all these errors, under a name of this game
OFFICIAL = ACTION  # the default rules, under the name that they have in every game

action_names, parse_action = SKYJO_ACTION.action_names, SKYJO_ACTION.parse_action
agent_names, make_agent = agents_of(SKYJO_ACTION).names, agents_of(SKYJO_ACTION).make
RawEnv, Env, ParallelEnv, SkyjoActionEnv, SkyjoActionTextEnv, SkyjoActionVectorEnv = environments(
    SKYJO_ACTION, __name__
)
format_record, replay = RecordFormat(SKYJO_ACTION).format_record, RecordFormat(SKYJO_ACTION).replay

__all__ = [
    "ACTION",
    "ACTION_CORE",
    "EMPTY",
    "HIDDEN",
    "KINDS",
    "OFFICIAL",
    "PHASES",
    "STAR",
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
    "SkyjoActionEnv",
    "SkyjoActionError",
    "SkyjoActionTextEnv",
    "SkyjoActionVectorEnv",
    "action_names",
    "agent_names",
    "format_record",
    "make_agent",
    "parse_action",
    "replay",
    "uniform",
]
