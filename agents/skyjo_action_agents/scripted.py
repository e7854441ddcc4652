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
    """Does what leaves its own expected score lowest, one turn ahead: hidden cards count as the mean of the unseen
    unless it knows them, stars and complete lines as nothing, and a line that lacks one card or two is the more likely
    completed (`looks`) the more such cards are unseen. It takes or plays an action card when that gains more than a
    move as in Skyjo, where a turn is worth `pace` and a star laid `star`, and `stuck` is how likely an action card
    cannot be used in time, by turn.
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
    """Does what leaves the best expected margin, with all that an action card may do to the others. It knows when to
    end the round: it weighs what the others may reach in their last turn against its own score, which is doubled unless
    it is the lowest; in the final lap it tries to have the ender doubled. Until then it allows for the time that is
    left: the points of a high card above `cut` hardly count while it can still be replaced (`ease`), and a hidden card
    costs `hide` more than the mean.

    Turning up a card is worth `rush`. In their last turn the others gain `gain` times what the best place for a drawn
    card gains, uncertain by `spread` points. Of the gain by an action card that it takes it counts the share `trust`; a
    defence is worth `threat` when another player holds an attack. See `GreedyAgent` for the rest.
    """

    script = PLANNER
