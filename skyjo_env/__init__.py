"""Skyjo, complete and exact: the rules, one table, many tables, observations, and written games.

>>> from skyjo_env import Game
>>> game = Game(seed=1)
>>> game.apply(game.legal_actions()[0])
"""

from cardtable.agents import Agent, uniform
from cardtable.errors import (
    AgentError,
    CallError,
    IllegalActionError,
    OptionError,
    PositionError,
    RecordError,
    RulesError,
    TableError,
)
from skyjo_env.actions import action_names, parse_action
from skyjo_env.agents import agent_names, make_agent
from skyjo_env.envs.registration import register
from skyjo_env.game import Game
from skyjo_env.game_batch import GameBatch
from skyjo_env.kernel.state import EMPTY, HIDDEN, PHASES
from skyjo_env.observation import ObservationSpec
from skyjo_env.record import format_record, replay
from skyjo_env.rules import OFFICIAL, REICHEL, Rules

__version__ = "0.1.0"

SkyjoError = TableError  # the base of all these errors, under the name that programs about Skyjo look for

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
    "OptionError",
    "PositionError",
    "RecordError",
    "Rules",
    "RulesError",
    "SkyjoError",
    "action_names",
    "agent_names",
    "format_record",
    "make_agent",
    "parse_action",
    "replay",
    "uniform",
]

register()
