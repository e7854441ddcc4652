"""The table as a PettingZoo environment: `TableAECEnv`, and `GuardedAECEnv`, which also checks the calls.

PettingZoo's usual three wrappers cost more than the game: every attribute passes through each of them. `GuardedAECEnv`
gives the same guarantees as a subclass, so that nothing is looked up twice; tests compare it with the wrappers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from cardtable.table.agents.seated_agents import name_of
from cardtable.table.checks import action_number, brief, code_of, seed_number
from cardtable.table.envs.options import encoded, observation_box, rules_for
from cardtable.table.envs.reward_functions import RewardFunction, RoundResults, penalty_of, reward_code, rewards_of
from cardtable.table.envs.screen import FRAMES_A_SECOND, RENDER_MODES, RenderMode, Screen
from cardtable.table.errors import CallError, IllegalActionError, TableError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.slices import ENCODINGS, Encoding
from cardtable.table.game.table_game import Episode, game_class
from cardtable.table.kernel.game_kernel import EPISODES
from cardtable.table.kernel.tables import SHAPED
from cardtable.table.render.seating import USUAL_SIZE

Observation = dict[str, NDArray[Any]]


class AfterReset:
    """An attribute that an environment has from its first reset on.

    Python looks here only as long as it has none of its own. A `__getattr__` would make every look-up slow.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, env: Any, owner: type) -> Any:
        raise AttributeError(f"{self._name} cannot be accessed before reset(); call reset() first")


_after_reset: Any = AfterReset  # so that type checkers see the declared types of the attributes


class Info(dict[str, Any]):
    """An agent's info.

    TorchRL and Tianshou copy all entries into arrays, so these keep their shapes from reset to reset. Two more are only
    found by name: `legal_actions`, a list, and `illegal_action`, the error message if the agent lost by one.
    """

    mask: NDArray[np.int8] | None = None  # of the agent that decides
    error: str | None = None

    def __missing__(self, key: str) -> Any:
        if key == "legal_actions":
            return [] if self.mask is None else self.mask.nonzero()[0].tolist()
        if key == "illegal_action" and self.error is not None:
            return self.error
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key == "legal_actions" or (key == "illegal_action" and bool(self.error))

    def get(self, key: str, default: Any = None) -> Any:
        """As of any dictionary."""
        try:
            return self[key]
        except KeyError:
            return default


class TableAECEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo is not typed
    """Every seat is an agent, `player_0` and so on. Each game has a class with its `kind`.

    `game` is the table itself. An illegal action is an IllegalActionError and changes nothing.
    """

    kind: ClassVar[CardGame]
    metadata: dict[str, Any]  # what PettingZoo wants to know of an environment

    game: Any = _after_reset()
    agents: list[str] = _after_reset()
    agent_selection: str = _after_reset()
    rewards: dict[str, float] = _after_reset()
    terminations: dict[str, bool] = _after_reset()
    truncations: dict[str, bool] = _after_reset()
    infos: dict[str, Info] = _after_reset()

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "kind"):
            told = {"name": f"{cls.kind.name}_v0", "render_modes": list(RENDER_MODES), "render_fps": FRAMES_A_SECOND}
            cls.metadata = told | {"is_parallelizable": False}

    def __init__(
        self,
        rules: Any = "",
        players: int | None = None,
        episode: Episode = "round",
        reward: str | RewardFunction | None = None,
        shaping: str | None = None,
        encoding: Encoding = "compact",
        render_mode: RenderMode | None = None,
        render_size: tuple[int, int] = USUAL_SIZE,
    ) -> None:
        """The official rules and the game's usual reward (1 is 100 points, or a win), unless others are chosen."""
        super().__init__()
        kind, self.rules, self.render_mode = self.kind, rules_for(self.kind, rules, players), render_mode
        reward = kind.rewards[0] if reward is None else reward
        self._at_seat, self._at_phase, self._over = kind.at("seat"), kind.at("phase"), kind.over
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        code_of("encoding", encoding, ENCODINGS)
        code_of("episode", episode, EPISODES)
        self._episode, self._encoding = episode, encoding
        self._reward, self._reward_code = reward, reward_code(kind, reward)
        self._shaping = code_of("shaping", shaping, kind.shapings)
        self._screen = Screen(kind, render_mode, render_size)
        self._seed: int | None = None
        self._deal = 0
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.rules.actions) for agent in self.possible_agents}
        self._none_legal = np.zeros(self.rules.actions, np.int8)

    def __repr__(self) -> str:
        what = f"{len(self.possible_agents)} players, episode {self._episode}, reward {name_of(self._reward)}"
        return f"<{self.metadata['name']}: {what}, {self._encoding} observations>"

    def _observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.rules.actions,), np.int8)
        box = observation_box(self.kind, self.rules, self._encoding)
        return spaces.Dict({"observation": box, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same for all agents, but a separate object for each."""
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same for all agents, but a separate object for each."""
        self._seat(agent)
        return self.action_spaces[agent]

    def _seat(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self._seat_of:
            raise TableError(f"unknown agent {brief(agent)}; the agents are {', '.join(self.possible_agents)}")
        return self._seat_of[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: with a seed its deal 0, without one the next deal; `options={"deal": n}` chooses another."""
        if seed is not None:
            seed, deal = seed_number("seed", seed), 0
        elif self._seed is None:
            seed, deal = secrets.randbits(63), 0
        else:
            seed, deal = self._seed, self._deal + 1
        if options and "deal" in options:
            deal = seed_number("deal", options["deal"])
        self._seed, self._deal = seed, deal
        self._begin(game_class(self.kind)(self.rules, seed, deal, self._episode))

    def _begin(self, game: Any) -> None:
        self.game = game
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._earned, self._expected = np.zeros(len(self.agents)), np.zeros(len(self.agents))
        self._has_rewards = False
        if self._shaping == SHAPED:  # so that the deal itself rewards nobody
            self._reward_seats()
        self._look()
        self._inform_all()
        if self.render_mode == "human":
            self._screen.show(self.game)

    def _look(self) -> int:
        """Read the observation and the mask of the seat that decides, and return the phase."""
        game = self.game
        self._observation, self._mask = game.observation(), game.mask()
        self.agent_selection = self.possible_agents[self._observation.item(self._at_seat)]
        phase: int = self._observation.item(self._at_phase)
        return phase

    def step(self, action: Any) -> None:
        """Carry out the decision of `agent_selection`; None once its episode has ended."""
        agent = self.agent_selection
        if self._has_ended(agent):
            if not self.agents:
                raise CallError("the episode is over: call reset() before step()")
            self._was_dead_step(action)
            return
        self.game.apply(action)
        phase = self._look()
        if self._has_rewards:
            self._has_rewards = False
            self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards[agent] = 0.0
        has_scored = self.game.has_scored
        if has_scored or self._shaping == SHAPED:
            self._reward_seats()
            self._has_rewards = True
            self.rewards = dict(zip(self.possible_agents, self._earned.tolist(), strict=True))
            self._accumulate_rewards()
        if phase >= self._over:
            self._end(phase)
        elif has_scored:
            self._inform_all()
        else:
            self.infos[agent] = self._idle[agent]
            self._inform_decider()
        if self.render_mode == "human":
            self._screen.show(self.game)

    def _has_ended(self, agent: str) -> bool:
        """Has the agent's episode ended? Once it has stepped with None, it is in neither dictionary."""
        return self.terminations.get(agent, True) or self.truncations[agent]

    def _reward_seats(self) -> None:
        """Compute every seat's reward for the last decision."""
        game = self.game
        state = (game.state, self.rules.params, self._reward_code, self._shaping)
        self.kind.one.reward_seats(*state, game.has_scored, self._expected, self._earned)
        if game.has_scored and callable(self._reward):
            results = RoundResults(*(np.array([each]) for each in (game.round_scores, game.totals, game.is_over)))
            self._earned += rewards_of(self._reward, results)[0]

    def _end(self, phase: int) -> None:
        """All seats end together; each is asked once more, for None."""
        self.terminations = dict.fromkeys(self.agents, phase == self._over)
        self.truncations = dict.fromkeys(self.agents, phase > self._over)
        self._inform_all()
        self._deads_step_first()

    def _inform_all(self) -> None:
        """Set every agent's info: its seat and how the last round ended, which hold until this round ends."""
        game = self.game
        told = {"round": game.round, "round_scores": list(game.round_scores), "totals": list(game.totals)}
        self._idle = {agent: Info(seat=self._seat_of[agent], **told) for agent in self.agents}
        self.infos = self._idle.copy()
        self._inform_decider()

    def _inform_decider(self) -> None:
        agent = self.agent_selection
        self.infos[agent] = info = Info(self._idle[agent])
        info.mask = self._mask

    def observe(self, agent: str) -> Observation:
        """What an agent sees and may do; the mask is all zero unless it is the one that decides."""
        seat = self._seat(agent)
        if agent == self.agent_selection and not self._has_ended(agent):
            seen, mask = self._observation.copy(), self._mask.copy()
        else:
            seen, mask = self.game.observation(seat), self._none_legal.copy()
        if self._encoding != "compact":
            seen = encoded(self.kind, self.rules, self._encoding, seen[None])[0]
        return {"observation": seen, "action_mask": mask}

    def render(self) -> Any:
        """The table in its `render_mode`: text, an array [height, width, 3], or None and a window."""
        return self._screen.show(self.game)

    def close(self) -> None:
        """Close the window, if one is open."""
        self._screen.close()


class GuardedAECEnv(TableAECEnv):
    """TableAECEnv with PettingZoo's usual guarantees.

    Calls before `reset` are errors (CallError, an AssertionError as well, or AttributeError for attributes), and so are
    actions outside the action space. An illegal action inside it ends the episode for all: the offender's reward is
    the penalty (`CardGame.penalty`), that of the others 0.
    """

    _is_reset = _has_moved = False

    def _check_reset(self, call: str) -> None:
        if not self._is_reset:
            raise CallError(f"reset() needs to be called before {call}()")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal, see `TableAECEnv.reset`."""
        super().reset(seed, options)
        self._is_reset = self._has_moved = True

    def step(self, action: Any) -> None:
        """Carry out the decision of `agent_selection`; None once its episode has ended."""
        self._check_reset("step")
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        try:
            super().step(action)
        except IllegalActionError as error:
            self._refuse(action, error)
        self._has_moved = True

    def _refuse(self, action: Any, error: IllegalActionError) -> None:
        """An action outside the action space is a CallError; an illegal one inside it loses the episode."""
        if not 0 <= action_number(action) < self.rules.actions:
            last = self.rules.actions - 1
            raise CallError(
                f"action {brief(action)} is not in the action space: a whole number from 0 to {last} "
                f"({self.kind.action_names(self.rules)[last]}), or None once the episode has ended"
            ) from None
        self.forfeit(str(error))

    def forfeit(self, error: str) -> None:
        """End the episode, lost by the agent that is to move because of this error."""
        EnvLogger.warn_on_illegal_move()
        offender = self.agent_selection
        penalty = penalty_of(self.kind, self.rules, self._reward)
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0) | {offender: penalty}
        self._cumulative_rewards[offender] = 0.0
        self._accumulate_rewards()
        self.infos[offender] = Info(self._idle[offender])
        self.infos[offender].error = error
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """What an agent sees and may do, see `TableAECEnv.observe`."""
        self._check_reset("observe")
        return super().observe(agent)

    def state(self) -> NDArray[Any]:
        """Raises NotImplementedError: a table has no view other than those of its seats."""
        self._check_reset("state")
        state: NDArray[Any] = super().state()
        return state

    def render(self) -> Any:
        """The table as `render_mode` says, see `TableAECEnv.render`."""
        self._check_reset("render")
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agents in the order in which they decide; each must `step` before the next."""
        self._check_reset("agent_iter")
        return self._agents_in_turn(max_iter)

    def _agents_in_turn(self, max_iter: int) -> Iterator[str]:
        while self.agents and max_iter > 0:
            if not self._has_moved:
                raise CallError("step() or reset() needs to be called in every turn of a loop over agent_iter()")
            self._has_moved = False
            max_iter -= 1
            yield self.agent_selection
