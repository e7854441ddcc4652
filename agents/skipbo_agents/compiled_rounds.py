"""Deals between scripted agents in compiled code."""

from cardtable.kernel.rounds import deals_loop
from cardtable.scripted_agent import ScriptedCrew
from skipbo_agents.crew import RANDOM, decision
from skipbo_agents.player import scripted
from skipbo_env.kernel.skipbo_kernel import SKIPBO_KERNEL

CREW = ScriptedCrew({RANDOM: deals_loop(SKIPBO_KERNEL, decision, scripted)})
