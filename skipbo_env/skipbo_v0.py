"""# Skip-Bo

| Import             | `from skipbo_env import skipbo_v0`                                |
|--------------------|-------------------------------------------------------------------|
| Creation           | `skipbo_v0.env()` or `pettingzoo.make("aec", "skipbo/skipbo-v0")` |
| Actions            | Discrete                                                          |
| Parallel API       | No                                                                |
| Manual Control     | No                                                                |
| Agents             | `["player_0", "player_1"]`, up to `"player_5"`                    |
| Agents             | 2 (2 to 6)                                                        |
| Action Shape       | ()                                                                |
| Action Values      | Discrete({actions})                                                     |
| Observation Shape  | ({size},)                                                            |
| Observation Values | [-1, 32767], see the table                                        |

Skip-Bo is a card game for two to six players. Everybody has a stock pile, of which only the top card is seen, and wants
to be the first without one. Cards are played from the stock pile, the hand and the own discard piles onto building
piles that all players share and that go up from 1 to 12; wild cards stand for any rank. SKIPBO_RULES.md has all rules
in numbered clauses. The number of agents, the sizes and the tables below are those of the official rules for two
players; other rules change them.

```python
from skipbo_env import skipbo_v0

env = skipbo_v0.env(players=3)
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
env.close()
```

## Arguments

```python
skipbo_v0.env(
    rules=OFFICIAL,
    players=None,
    episode="round",
    reward="win",
    shaping=None,
    encoding="compact",
    render_mode=None,
    render_size=(960, 640),
)
```

| argument | meaning |
| --- | --- |
| `rules` | `skipbo_env.Rules`, or their text such as `"players=3 stock=10 view=tops"` |
| `players` | 2 to 6 (default: from the rules) |
| `episode` | `"round"` ends with the round, `"game"` when a total reaches the target score |
| `reward` | `"win"`, `"point"` or `"margin"`, see Rewards |
| `shaping` | `"stock"` also rewards every change of the stock margin, see Rewards |
| `encoding` | `"compact"` numbers (int16) or `"onehot"` vectors (float32) |
| `render_mode` | `"ansi"` text, `"rgb_array"` a picture, `"human"` a window |
| `render_size` | width and height of pictures and of the window |

`reset(seed=s)` deals the cards of `Game(rules, seed=s, deal=0)`, and every reset without a seed deals the next deal
of the same seed; `options={{"deal": n}}` chooses one. The table itself is `env.unwrapped.game`. An environment can be
copied and pickled at any time, and the copy continues with the same cards.

## Observation Space

A dictionary with `observation`, and `action_mask`: 1 for every action that is legal now and 0 for the others, all 0 for
an agent that does not decide. The observation holds all that a perfect observer in this seat could know and that can
still matter, and nothing else; with `view="tops"` or `view="own"` less (8.2). Seats are counted clockwise from the
observer. `ObservationSpec(rules).view(observation)` gives the slices by name.

{observation}

With `encoding="onehot"` it is a vector of {onehot_size} numbers instead:

{onehot}

## Action Space

{action}

`action_names(rules)` names them all. Exactly one agent decides at a time: once for every card that it plays in its
turn, and once more to end it. An illegal action ends the episode: the offender gets a reward that no episode goes below
({margin_penalty:.2f} for `"margin"`, -1 for the other rewards), whatever the shaping, the others get 0, and every agent
is both terminated and truncated, as in PettingZoo's own wrapper. With `raw_env` it is an `IllegalActionError` that
changes nothing.

## Rewards

All agents are rewarded in the same step, at the end of the episode.

| `reward` | what an agent gets |
| --- | --- |
| `"win"` | 1 for winning alone, -1 / (players - 1) for losing, 0 if nobody has won; a shared win is shared |
| `"point"` | 1 for winning alone, 0 for losing and if nobody has won; a shared win is shared |
| `"margin"` | of a round the stock margin; of a game the lead over the others' mean, divided by the target score |

The stock margin is the mean number of cards in the others' stock piles minus the number in its own, divided by the
number of cards dealt to each. With `shaping="stock"` every step adds the change of the stock margin. After the end it
is 0. Without discounting (a learner's gamma of 1) this potential-based shaping does not change optimal play.

A round can be blocked, so that nobody wins it (5.2, 5.3): players who discard more than they play, such as random ones,
nearly always end there. If a round has not ended after `rules.max_turns` turns ({max_turns}) it is stopped: all agents
are truncated, and nobody is rewarded.

## Infos

`seat` and `round`, and `round_scores` and `totals` by seat as they stood when the last round was scored (zeros before).
All keep their shapes, so that learners can copy them into arrays. Two more are found only by name:
`info["legal_actions"]`, a list that is empty for an agent that does not decide, and `info["illegal_action"]`, the error
message for an agent that lost by one.

## Version History

* v0: Initial version
"""

from cardtable.envs.encoding import onehot_of
from skipbo_env.card_game import SKIPBO, illegal_penalty
from skipbo_env.envs import Env, RawEnv
from skipbo_env.kernel.state import DISCARD, PASS, PLAY_DISCARD, PLAY_HAND, PLAY_STOCK
from skipbo_env.observation import spec_of
from skipbo_env.rules import OFFICIAL

__all__ = ["env", "raw_env"]

env, raw_env = Env, RawEnv

ACTIONS = f"""With b a building place and d a discard pile (0 to 3), and r a card (1 to 12, wild 13):

| action | meaning | clause |
| --- | --- | --- |
| {PLAY_STOCK} + b | play the top card of the stock pile on place b | 3.2 |
| {PLAY_HAND} + 4 (r - 1) + b | play hand card r on place b | 3.2 |
| {PLAY_DISCARD} + 4 d + b | play the top card of discard pile d on place b | 3.2 |
| {DISCARD} + 4 (r - 1) + d | lay hand card r on discard pile d, which ends the turn | 3.8 |
| {PASS} | pass, which is legal without a hand card only | 3.11 |"""


def _page(template: str) -> str:
    """The page above with the tables as they are in the code."""
    return template.format(
        actions=OFFICIAL.actions,
        size=spec_of(OFFICIAL).size,
        observation=spec_of(OFFICIAL).describe(),
        onehot_size=onehot_of(SKIPBO, OFFICIAL).size,
        onehot=onehot_of(SKIPBO, OFFICIAL).describe(),
        action=ACTIONS,
        margin_penalty=illegal_penalty(OFFICIAL, "margin"),
        max_turns=OFFICIAL.max_turns,
    )


if __doc__ is not None:  # python -OO removes it
    __doc__ = _page(__doc__)

if __name__ == "__main__":
    print(__doc__, end="")
