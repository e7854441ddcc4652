"""Skyjo Action's module for the browser, with its search."""

from functools import partial

from skyjo.web.building.modules import Module
from skyjo.web.building.search_entries import search_entries, searches
from skyjo_action_agents.all_scripts import decision
from skyjo_action_agents.player import PLAYER_DTYPE
from skyjo_action_agents.searches import RolloutAgent, first_alike
from skyjo_action_env.card_game import SKYJO_ACTION

ENTRIES = partial(search_entries, RolloutAgent, decision, first_alike)

MODULE = Module(SKYJO_ACTION, decision, PLAYER_DTYPE, more=ENTRIES, agents=searches(SKYJO_ACTION, "rollout"))
