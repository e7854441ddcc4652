"""Skip-Bo's module for the browser, with its search."""

from functools import partial

from skipbo_agents.player import PLAYER_DTYPE
from skipbo_agents.scripted import decision
from skipbo_agents.search import RolloutAgent, first_alike
from skipbo_env.card_game import SKIPBO
from skyjo.web.building.modules import Module
from skyjo.web.building.search_entries import search_entries, searches

ENTRIES = partial(search_entries, RolloutAgent, decision, first_alike)

MODULE = Module(SKIPBO, decision, PLAYER_DTYPE, more=ENTRIES, agents=searches(SKIPBO, "rollout"))
