"""Skyjo Action for PettingZoo. `environment_page` replaces this docstring by the page in docs/skyjo_action_v0.md."""

from cardtable.table.envs.environment_page import IN_POINTS, environment_page
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_action_env.envs import Env, ParallelEnv, RawEnv
from skyjo_action_env.rules import ACTION

__all__ = ["env", "parallel_env", "raw_env"]

env, parallel_env, raw_env = Env, ParallelEnv, RawEnv

ABOUT = """\
Skyjo Action is a card game for two to eight players: Skyjo with stars, which complete a line with any equal cards, and
with action cards, which are taken, held and played to move twice, to swap, to look, to attack or to defend oneself.
docs/rules/skyjo_action.md has all rules in numbered clauses and says how sure each of them is."""

ACTIONS = f"""Cells, lines and seats are named from the seat that decides: place 0 is that seat, place 1 the next one
clockwise. Kinds are numbered double 0, swap 1, three 2, defence 3, look 4, exchange 5, remove 6, replay 7, steal 8.

| action | meaning | clause |
| --- | --- | --- |
| 0 | draw a card | 3.3 |
| 1 | take the top of the discard pile | 3.2 |
| 2 + c | lay the card in hand on cell c | 3.2 |
| 14 + c | turn up cell c, after laying a drawn card on the discard pile | 2.4, 3.3 |
| 26 + i | take open action card i | 4.1, 5.4 |
| 30 | take the top of the action pile | 4.1 |
| 31 | refuse a claim, or pass without cards | 5.3, 3.5 |
| 32 + k | play an action card of kind k | 4.2 |
| 41 + k | discard an action card of kind k | 4.2 |
| 50 + 12 p + c | choose cell c of place p | 7.2, 7.6, 7.7, 7.9 |
| {ACTION.first_line} + 7 p + l | look at line l of place p: columns 0 to 3, rows 4 to 6 | 7.5 |
| {ACTION.first_card} to {ACTION.first_card + 3} | card 0 to 2 of three drawn ones, or none | 7.3 |
| {ACTION.first_card + 4}, {ACTION.first_card + 5} | clear or keep a line with stars | 6.3 |
| {ACTION.first_card + 6}, {ACTION.first_card + 7} | use a defence, or let the attack pass | 7.4 |

With n players the cells take 12 n numbers and the lines 7 n, so what follows them moves: 58 + 19 n numbers in all."""

POTENTIAL = """the expected margin, divided by 100: the mean of the
others' expected scores minus the agent's own, where a hidden card counts as the mean of all cards that nobody has seen
and an action card that is held as 10 points."""

__doc__ = environment_page(
    SKYJO_ACTION,
    about=ABOUT,
    rules_text="players=3 star_claim=must",
    expected="what a seat may expect",
    observed="Hidden cards that a seat has looked at are in its own observation alone (`known`).",
    actions=ACTIONS,
    decides="a turn is a chain of decisions, and a claim, a line or an attack can put a question to another agent.",
    rewarded=IN_POINTS
    + "\n\nRandom players end hardly any round: they take and discard action cards until it is stopped.",
    potential=POTENTIAL,
    infos="After a round that was stopped they are the sums of all cards in the layouts, and unchanged totals.\n",
)

if __name__ == "__main__":
    print(__doc__, end="")
