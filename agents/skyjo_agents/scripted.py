"""The scripted agents by name: each is a compiled script (a file of its name) and its numbers."""

from cardtable.table.agents.scripted_agent import CompiledScripts, ScriptedAgent
from skyjo_agents.all_scripts import EXPECTED, NAIVE, TEMPO, THRESHOLD, decision
from skyjo_agents.habits import CAUTIOUS, COLLECTOR, COPYCAT, HURRIED
from skyjo_agents.network_players import LOOK, POLICY, look_decision, policy_decision
from skyjo_agents.player import PLAYER_DTYPE
from skyjo_env.card_game import SKYJO
from skyjo_env.rules import OFFICIAL, Rules

# Networks are compiled only where they play.
DECISIONS = {NAIVE: decision, POLICY: policy_decision, LOOK: look_decision}


class SkyjoScript(ScriptedAgent):
    """A script of Skyjo."""

    compiled_player = CompiledScripts(SKYJO, DECISIONS, PLAYER_DTYPE)


class NaiveAgent(SkyjoScript):
    """Always draws and replaces a random hidden card, whatever it has drawn (Reichel 2026, section 6.1)."""

    script = NAIVE


class ThresholdAgent(SkyjoScript, numbers={"t": 2.0, "columns": False}):
    """Takes a discard of at most `t`, else draws (Reichel 2026, section 6.2).

    It replaces its highest open card if that is higher than the card in hand. Otherwise it replaces a random hidden
    card if the card in hand is below the mean of the unseen cards, else it discards. With `columns` it first completes
    columns, also with a discard (6.3).

    Where the official rules ask for more than the paper's, it turns up a random hidden card after a discard, and places
    an unwanted card that it took where it does the least expected harm.
    """

    script = THRESHOLD


class HabitAgent(SkyjoScript):
    """Plays as `threshold:columns=true` does, but for one habit."""

    def __init__(self, rules: Rules = OFFICIAL, t: float = 2.0) -> None:
        super().__init__(rules, t, True)


class HurriedAgent(HabitAgent):
    """Turns up a card in every turn, whatever that costs, unless it completes a column; otherwise plays as
    `threshold:columns=true`.
    """

    script = HURRIED


class CollectorAgent(HabitAgent):
    """Makes pairs in columns before anything else; otherwise plays as `threshold:columns=true`."""

    script = COLLECTOR


class CautiousAgent(HabitAgent):
    """Turns up its last hidden card only when its board seems better than every other by 5 points, or after 20 turns;
    otherwise plays as `threshold:columns=true`.
    """

    script = CAUTIOUS


class CopycatAgent(HabitAgent):
    """Plays as `hurried` does while another player has fewer hidden cards; otherwise as `threshold:columns=true`."""

    script = COPYCAT


class ExpectedAgent(SkyjoScript, numbers={"pair": 0.2}):
    """Chooses the action with its lowest expected score, one turn ahead. Hidden cards count as the mean of the unseen
    ones, a draw as the mean over the best use of every card it may be, and a complete column as nothing. A column that
    lacks one card saves the share `pair` of its points, which keeps pairs together unless there is something better.
    """

    script = EXPECTED


TEMPO_NUMBERS = {
    "cut": 3.6,
    "ease": 1.2,
    "half": 0.7,
    "hide": 0.9,
    "looks": 2.0,
    "rush": 0.2,
    "stay": -1.0,
    "gain": 3.6,
    "spread": 6.5,
    "gift": 0.8,
}


class TempoAgent(SkyjoScript, numbers=TEMPO_NUMBERS):
    """Chooses the action with the best expected margin, one turn ahead.

    It decides when to end the round: it weighs the scores that the others may reach in their last turn against its own,
    which is doubled unless it is the lowest. In the final lap it tries to have the ender doubled. Until then it allows
    for the time that is left. The points of a high card above `cut` hardly count while it can still be replaced
    (`ease`, the sooner the lower `half`), and a hidden card costs `hide` more than the mean. A column that lacks one
    card is completed the sooner (`looks`) the more such cards are unseen.

    Turning up a card is worth `rush`, and ending the round costs `stay`. The others gain `gain` points in their last
    turn, uncertain by `spread`. A card left on the discard pile costs the share `gift` of the next player's gain from
    it. docs/reference/agents.md explains the defaults.
    """

    script = TEMPO
