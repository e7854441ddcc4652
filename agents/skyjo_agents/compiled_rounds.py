"""Deals between scripted agents in compiled code: one loop for scripts alone, others where networks play along."""

from cardtable.kernel.rounds import deals_loop
from cardtable.scripted_agent import ScriptedCrew
from skyjo_agents.crew import NAIVE, decision
from skyjo_agents.network_crew import LOOK, POLICY, look_decision, policy_decision
from skyjo_agents.player import scripted
from skyjo_env.kernel.skyjo_kernel import SKYJO_KERNEL

DECISIONS = {NAIVE: decision, POLICY: policy_decision, LOOK: look_decision}
CREW = ScriptedCrew({code: deals_loop(SKYJO_KERNEL, decides, scripted) for code, decides in DECISIONS.items()})
