"""Skyjo Action's module for the browser."""

from skyjo.web.building.modules import Module
from skyjo_action_agents.all_scripts import decision
from skyjo_action_agents.player import PLAYER_DTYPE
from skyjo_action_env.card_game import SKYJO_ACTION

MODULE = Module(SKYJO_ACTION, decision, PLAYER_DTYPE)
