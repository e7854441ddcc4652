"""The scripted agents by name."""

from cardtable.table.agents.scripted_agent import CompiledScripts, ScriptedAgent
from skyjo_action_agents.all_scripts import decision
from skyjo_action_agents.player import PLAYER_DTYPE
from skyjo_action_agents.table import GREEDY, PLANNER
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_action_env.rules import ACTION, Rules


class SkyjoActionScript(ScriptedAgent):
    """A script of Skyjo Action."""

    compiled_player = CompiledScripts(SKYJO_ACTION, decision, PLAYER_DTYPE)


class GreedyAgent(SkyjoActionScript):
    """Chooses the action with its lowest expected score, one turn ahead. Hidden cards count as the mean of the unseen
    ones unless the agent knows them, and stars and complete lines count as nothing. A line that lacks one or two cards
    is more likely to be completed (`looks`) the more such cards are unseen. The agent takes or plays an action card
    when that gains more than a move as in Skyjo. There, a turn is worth `pace` and a star `star`; `stuck` is the
    probability, by turn, that an action card cannot be used in time.
    """

    script = GREEDY

    def __init__(
        self,
        rules: Rules = ACTION,
        looks: float = 0.3,
        stuck: float = 0.4,
        pace: float = 3.0,
        star: float = 2.0,
    ) -> None:
        super().__init__(rules, looks, 0, 0, 0, 0, stuck, 0, 0, star, pace, 0.8)


PLANNER_NUMBERS = {
    "looks": 0.4,
    "cut": 3.6,
    "ease": 1.0,
    "hide": 0.5,
    "rush": 0.2,
    "stuck": 0.4,
    "gain": 1.2,
    "spread": 7.0,
    "star": 3.0,
    "pace": 3.5,
    "trust": 0.9,
    "threat": 9.0,
}


class PlannerAgent(SkyjoActionScript, numbers=PLANNER_NUMBERS):
    """Chooses the action with the best expected margin, and allows for the effects of action cards on all other
    players. It decides when to end the round: it weighs the scores that the others may reach in their last turn against
    its own, which is doubled unless it is the lowest. In the final lap it tries to have the ender doubled. Until then
    it allows for the time that is left: the points of a high card above `cut` hardly count while it can still be
    replaced (`ease`).

    A hidden card costs `hide` more than the mean, and turning up a card is worth `rush`. In their last turn the others
    gain `gain` times the gain of the best place for a drawn card, uncertain by `spread` points. An action card that the
    agent takes counts with the share `trust` of its gain. A defence is worth `threat` when another player holds an
    attack. See `GreedyAgent` for the rest.
    """

    script = PLANNER
