"""The page of a game's environments, in the form of PettingZoo's and Gymnasium's own, with what all games share."""

from cardtable.table.envs.environments import id_of
from cardtable.table.game.card_game import CardGame

PAGE = """# {title}

{facts}

{about}

The number of agents, the sizes and the tables below are those of the official rules for two players; other rules change
them.

```python
from {package} import {module}

env = {module}.env(players=3)
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
{module}.env(
    rules="",
    players=None,
    episode="round",
    reward=None,
    shaping=None,
    encoding="compact",
    render_mode=None,
    render_size=(960, 640),
)
```

| argument | meaning |
| --- | --- |
| `rules` | `{package}.Rules`, or their text such as `"{rules_text}"` (default: the official rules) |
| `players` | 2 to {most_players} (default: from the rules) |
| `episode` | `"round"` ends with the round, `"game"` when a total reaches the target score |
| `reward` | {rewards}, or a function of the rounds' results, see Rewards (default: `"{reward}"`) |
| `shaping` | `"{shaping}"` also rewards every change of {expected}, see Rewards |
| `encoding` | `"compact"` numbers (int16) or `"onehot"` vectors (float32) |
| `render_mode` | `"ansi"` text, `"rgb_array"` a picture, `"human"` a window |
| `render_size` | width and height of pictures and of the window |

`reset(seed=s)` deals the cards of `Game(rules, seed=s, deal=0)`, and every reset without a seed deals the next deal
of the same seed; `options={{"deal": n}}` chooses one. The table itself is `env.unwrapped.game`. An environment can be
copied and pickled at any time, and the copy continues with the same cards.

## Observation Space

A dictionary with `observation`, and `action_mask`: 1 for every action that is legal now and 0 for the others, all 0 for
an agent that does not decide. The observation holds all that a perfect observer in this seat could know and that can
still matter, and nothing else. Seats are counted clockwise from the observer.
{observed}
`ObservationSpec(rules).view(observation)` gives the slices by name.

{observation}

With `encoding="onehot"` it is a vector of {onehot_size} numbers instead, which also
`ObservationSpec(rules).onehot(observation)` makes:

{onehot}

## Action Space

{actions}

`action_names(rules)` names them all. Exactly one agent decides at a time: {decides}

An illegal action ends the episode: the offender gets the lowest reward that there is, whatever the shaping:
{penalties}. The others get 0, and every agent is both terminated and
truncated, as in PettingZoo's own wrapper. With `raw_env` it is an `IllegalActionError` that changes nothing.

## Parallel API

`{module}.parallel_env()`, or `pettingzoo.make("parallel", "{env_id}")`, takes the same
arguments, by name. It is for learners that want an action of every agent in every step:

```python
from {package} import {module}

env = {module}.parallel_env(players=3)
observations, infos = env.reset(seed=42)
while env.agents:
    masks = {{agent: seen["action_mask"] for agent, seen in observations.items()}}
    actions = {{agent: env.action_space(agent).sample(masks[agent]) for agent in env.agents}}
    observations, rewards, terminations, truncations, infos = env.step(actions)
```

A step is one decision, of the agent that is to move. There is one action more, the last, `env.wait`: nothing else is
legal for the agents that are not to move, so that everybody always has a legal action, and what they choose is ignored.
The agent that is to move may not wait: that loses the episode, as any illegal action does. Observations, rewards, ends
and infos are those of `env()` after the same decision, and all agents leave together. The table is `env.game`.

`env().metadata["is_parallelizable"]` is False, because PettingZoo's `aec_to_parallel` would let all agents decide at
once. Its `turn_based_aec_to_parallel(env())` works and has no action to wait: the masks of those who wait are all 0.

## Gymnasium

{single_facts}

One agent decides, and `opponents` play the other seats:

```python
import gymnasium

env = gymnasium.make("{gym_id}", opponents="random")
observation, info = env.reset(seed=42)
terminated = truncated = False
while not (terminated or truncated):
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
env.close()
```

Observations, actions and rewards are those of this page. `info` has `action_mask`, `seat` and `round`, and at the end
`round_scores`, `totals`, `turns` and `stopped`. The arguments are those above, and `opponents`, `seat` and `illegal`
([environments.md](environments.md#one-seat-at-a-table)). An illegal action is an `IllegalActionError` that changes
nothing, unless you choose `illegal="lose"`.

An episode begins at the agent's first decision, after the cards have been dealt and the opponents before it have
decided. It terminates at the end of a round, or of the game with `episode="game"`, and is truncated when a round stops.

## Rewards

{rewarded}

`reward` may also be a function `f(results)` of one's own. When a round is scored it gets `results.scores` and
`results.totals`, arrays [1, agents], and `results.is_last`, whether the episode ended with it, [1]; it returns the
rewards of all agents, [1, agents].

With `shaping="{shaping}"` every step adds the change of {potential} After the end it is 0. Without discounting (a
learner's gamma of 1) this potential-based shaping does not change optimal play.

If a round has not ended after `rules.max_turns` turns ({max_turns}) it is stopped: all agents are truncated, and nobody
is rewarded for it.

## Infos

`seat` and `round`, and `round_scores` and `totals` by seat as they stood when the last round was scored (zeros before).
{infos}All keep their shapes, so that learners can copy them into arrays. Two more are found only by name:
`info["legal_actions"]`, a list that is empty for an agent that does not decide, and `info["illegal_action"]`, the error
message for an agent that lost by one.

## Version History

* v0: Initial version
"""


IN_POINTS = """All agents are rewarded in the same step; 100 points are a reward of 1.

| `reward` | what an agent gets |
| --- | --- |
| `"margin"` | at the end of a round: the mean of the others' round scores minus its own, divided by 100 |
| `"score"` | at the end of a round: minus its own round score, divided by 100 |
| `"win"` | at the end of the episode: 1 for winning alone, -1 / (players - 1) for losing; a shared win is shared |"""


def environment_page(game: CardGame, **texts: str) -> str:
    """The page of a game's environments; `texts` are what differs between games."""
    rules, module = game.official, f"{game.name}_v0"
    spec, package = game.spec_of(rules), f"{game.name}_env"
    most_players = rules.ranges["players"][1]
    rewards = [f'`"{reward}"`' for reward in game.rewards]
    env_id, gym_id = id_of(game).lower(), f"{package}:{id_of(game)}"
    penalties = (f'{game.penalty(rules, reward):.4g} for `"{reward}"`' for reward in game.rewards)
    facts = {
        "Import": f"`from {package} import {module}`",
        "Creation": f'`{module}.env()` or `pettingzoo.make("aec", "{env_id}")`',
        "Actions": "Discrete",
        "Parallel API": f"Yes: `{module}.parallel_env()`, see below",
        "Manual Control": "No",
        "Agents": f'2 (2 to {most_players}), `"player_0"` to `"player_{most_players - 1}"`',
        "Action Shape": "()",
        "Action Values": f"Discrete({rules.actions})",
        "Observation Shape": f"({spec.size},)",
        "Observation Values": f"[{spec.low.min()}, {spec.high.max()}], see the table",
    }
    single_facts = {
        "Action Space": f"`Discrete({rules.actions})`",
        "Observation Space": f"`Box({spec.low.min()}, {spec.high.max()}, ({spec.size},), int16)`, see the table",
        "Creation": f'`gymnasium.make("{gym_id}")`',
        "Many tables": f'`gymnasium.make_vec("{gym_id}", num_envs=1024, autoreset_mode="SameStep")`',
    }
    return PAGE.format(
        title=game.title,
        facts=_table(facts),
        single_facts=_table(single_facts),
        package=package,
        module=module,
        env_id=env_id,
        gym_id=gym_id,
        reward=game.rewards[0],
        rewards=", ".join(rewards),
        most_players=most_players,
        shaping=game.shapings[-1],
        observation=spec.describe(),
        onehot_size=spec.onehot.size,
        onehot=spec.onehot.describe(),
        max_turns=rules.max_turns,
        penalties=", ".join(penalties),
        **texts,
    )


def _table(facts: dict[str, str]) -> str:
    first, *rows = [f"| {name:18} | {fact:65} |" for name, fact in facts.items()]
    return "\n".join([first, f"|{'-' * 20}|{'-' * 67}|", *rows])
