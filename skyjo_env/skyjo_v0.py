"""# Skyjo

| Import             | `from skyjo_env import skyjo_v0`                                  |
|--------------------|-------------------------------------------------------------------|
| Creation           | `skyjo_v0.env()` or `pettingzoo.make("aec", "skyjo/skyjo-v0")`    |
| Actions            | Discrete                                                          |
| Parallel API       | No                                                                |
| Manual Control     | No                                                                |
| Agents             | `["player_0", "player_1"]`, up to `"player_7"`                    |
| Agents             | 2 (2 to 8)                                                        |
| Action Shape       | ()                                                                |
| Action Values      | Discrete({actions})                                                      |
| Observation Shape  | ({size},)                                                             |
| Observation Values | [-32767, 32767], see the table                                    |

Skyjo is a card game for two to eight players. Everybody has a board of face-down cards worth -2 to 12 points, turns
them up or replaces them one at a time, and wants few points when the round ends; three equal cards in a column are
cleared. RULES.md has all rules in numbered clauses. The number of agents, the sizes and the tables below are those of
the official rules for two players; other rules change them.

```python
from skyjo_env import skyjo_v0

env = skyjo_v0.env(players=3)
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
skyjo_v0.env(
    rules=OFFICIAL,
    players=None,
    episode="round",
    reward="margin",
    shaping=None,
    encoding="compact",
    render_mode=None,
    render_size=(960, 640),
)
```

| argument | meaning |
| --- | --- |
| `rules` | `skyjo_env.Rules`, or their text such as `"players=3 clear=confirm"` |
| `players` | 2 to 8 (default: from the rules) |
| `episode` | `"round"` ends with the round, `"game"` when a total reaches the target score |
| `reward` | `"margin"`, `"score"` or `"win"`, see Rewards |
| `shaping` | `"expected_margin"` also rewards every change of what a seat may expect, see Rewards |
| `encoding` | `"compact"` numbers (int16) or `"onehot"` vectors (float32) |
| `render_mode` | `"ansi"` text, `"rgb_array"` a picture, `"human"` a window |
| `render_size` | width and height of pictures and of the window |

`reset(seed=s)` deals the cards of `Game(rules, seed=s, deal=0)`, and every reset without a seed deals the next deal
of the same seed; `options={{"deal": n}}` chooses one. The table itself is `env.unwrapped.game`. An environment can be
copied and pickled at any time, and the copy continues with the same cards.

## Observation Space

A dictionary with `observation`, and `action_mask`: 1 for every action that is legal now and 0 for the others, all 0 for
an agent that does not decide. The observation holds all that a perfect observer in this seat could know and that can
still matter, and nothing else. Seats are counted clockwise from the observer, cells by column from top to bottom.
`ObservationSpec(rules).view(observation)` gives the slices by name.

{observation}

With `encoding="onehot"` it is a vector of {onehot_size} numbers instead:

{onehot}

## Action Space

{action}

Exactly one agent decides at a time, and a turn takes one or two decisions of the same agent. An illegal action ends the
episode: the offender gets a reward that no round goes below ({margin_penalty} for `"margin"`, {score_penalty} for
`"score"`, -1 for `"win"`), whatever the shaping, the others get 0, and every agent is both terminated and truncated,
as in PettingZoo's own wrapper. With `raw_env` it is an `IllegalActionError` that changes nothing.

## Rewards

All agents are rewarded in the same step; 100 points are a reward of 1.

| `reward` | what an agent gets |
| --- | --- |
| `"margin"` | at the end of a round: the mean of the others' round scores minus its own, divided by 100 |
| `"score"` | at the end of a round: minus its own round score, divided by 100 |
| `"win"` | at the end of the episode: 1 for winning alone, -1 / (players - 1) for losing; a shared win is shared |

With `shaping="expected_margin"` every step adds the change of the expected margin, divided by 100: the mean of the
others' expected scores minus the agent's own, where a hidden card counts as the mean of all cards that it could be,
given what everybody has seen (a card just drawn is still one of them). After the end it is 0. Without discounting (a
learner's gamma of 1) this potential-based shaping does not change optimal play.

If a round has not ended after `rules.max_turns` turns ({max_turns}) it is stopped: all agents are truncated, and
nobody is rewarded for the round.

## Infos

`seat` and `round`, and `round_scores` and `totals` by seat as they stood when the last round was scored (zeros before);
after a round that was stopped, the sums of all cards on the boards, and unchanged totals.
All keep their shapes, so that learners can copy them into arrays. Two more are found only by name:
`info["legal_actions"]`, a list that is empty for an agent that does not decide, and `info["illegal_action"]`, the error
message for an agent that lost by one.

## Version History

* v0: Initial version
"""

from cardtable.envs.encoding import onehot_of
from skyjo_env.card_game import SKYJO, illegal_penalty
from skyjo_env.envs import Env, RawEnv
from skyjo_env.observation import spec_of
from skyjo_env.rules import OFFICIAL

__all__ = ["env", "raw_env"]

env, raw_env = Env, RawEnv

ACTIONS = """| action | meaning | clause |
| --- | --- | --- |
| 0 | draw a card | 4.1 |
| 1 | take the top of the discard pile | 4.1, 4.2 |
| 2 to {last_place} | place the card in hand on cell 0 to {last_cell} | 4.2, 4.3 |
| {first_flip} to {last_flip} | turn up cell 0 to {last_cell}, in the opening or after discarding the draw | 2.2, 4.4 |

With `flip_after_discard="none"` one more number discards the drawn card; with `clear="confirm"` two more clear and
keep. `action_names(rules)` names them all."""


def _page(template: str) -> str:
    """The page above with the tables as they are in the code."""
    cells = OFFICIAL.cells
    return template.format(
        actions=OFFICIAL.actions,
        size=spec_of(OFFICIAL).size,
        observation=spec_of(OFFICIAL).describe(),
        onehot_size=onehot_of(SKYJO, OFFICIAL).size,
        onehot=onehot_of(SKYJO, OFFICIAL).describe(),
        action=ACTIONS.format(last_place=cells + 1, last_cell=cells - 1, first_flip=cells + 2, last_flip=2 * cells + 1),
        margin_penalty=illegal_penalty(OFFICIAL, "margin"),
        score_penalty=illegal_penalty(OFFICIAL, "score"),
        max_turns=OFFICIAL.max_turns,
    )


if __doc__ is not None:  # python -OO removes it
    __doc__ = _page(__doc__)

if __name__ == "__main__":
    print(__doc__, end="")
