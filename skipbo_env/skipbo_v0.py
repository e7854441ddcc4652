"""Skip-Bo for PettingZoo. `environment_page` replaces this docstring by the page in docs/skipbo_v0.md."""

from cardtable.table.envs.environment_page import environment_page
from skipbo_env.card_game import SKIPBO
from skipbo_env.envs import Env, ParallelEnv, RawEnv
from skipbo_env.kernel import DISCARD, PASS, PLAY_DISCARD, PLAY_HAND, PLAY_STOCK

__all__ = ["env", "parallel_env", "raw_env"]

env, parallel_env, raw_env = Env, ParallelEnv, RawEnv

ABOUT = """\
Skip-Bo is a card game for two to six players. Everybody has a stock pile, of which only the top card is seen, and wants
to be the first without one. Cards are played from the stock pile, the hand and the own discard piles onto building
piles that all players share and that go up from 1 to 12; wild cards stand for any rank. docs/rules/skipbo.md has all
rules in numbered clauses."""

ACTIONS = f"""With b a building place and d a discard pile (0 to 3), and r a card (1 to 12, wild 13):

| action | meaning | clause |
| --- | --- | --- |
| {PLAY_STOCK} + b | play the top card of the stock pile on place b | 3.2 |
| {PLAY_HAND} + 4 (r - 1) + b | play hand card r on place b | 3.2 |
| {PLAY_DISCARD} + 4 d + b | play the top card of discard pile d on place b | 3.2 |
| {DISCARD} + 4 (r - 1) + d | lay hand card r on discard pile d, which ends the turn | 3.8 |
| {PASS} | pass; legal only with an empty hand | 3.11 |"""

REWARDED = """All agents are rewarded in the same step, at the end of the episode.

| `reward` | what an agent gets |
| --- | --- |
| `"win"` | 1 for winning alone, -1 / (players - 1) for losing, 0 if nobody has won; a shared win is shared |
| `"point"` | 1 for winning alone, 0 for losing and if nobody has won; a shared win is shared |
| `"margin"` | of a round the stock margin; of a game the lead over the others' mean, divided by the target score |

The stock margin is the mean number of cards in the others' stock piles minus the number in its own, divided by the
number of cards dealt to each. A round can be blocked, so that nobody wins it (5.2, 5.3): players who discard more than
they play, such as random ones, nearly always end there."""

__doc__ = environment_page(
    SKIPBO,
    about=ABOUT,
    rules_text="players=3 stock=10 view=tops",
    expected="the stock margin",
    observed='With `view="tops"` or `view="own"` it holds less (8.2).',
    actions=ACTIONS,
    decides="once for every card that it plays in its turn, and once more to end it.",
    rewarded=REWARDED,
    potential="the stock margin.",
    infos="",
)

if __name__ == "__main__":
    print(__doc__, end="")
