"""The table as a PettingZoo environment: `TableAECEnv`.

PettingZoo's usual three wrappers cost more than the game: every attribute passes through each of them. This class gives
the same guarantees by itself, so that nothing is looked up twice; tests compare it with the wrappers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, ClassVar, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from cardtable.table.agents.seated_agents import name_of
from cardtable.table.checks import action_number, brief, seed_number
from cardtable.table.envs.options import TableKeywords, TableOptions, encoded, observation_box, takes
from cardtable.table.envs.reward_functions import RoundResults, penalty_of, reward_code, rewards_of
from cardtable.table.envs.screen import FRAMES_A_SECOND, RENDER_MODES, Screen
from cardtable.table.errors import CallError, IllegalActionError, TableError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.episode_lengths import EpisodeLengths
from cardtable.table.game.table_game import game_class
from cardtable.table.kernel.tables import SHAPED

Observation = dict[str, NDArray[Any]]


class TableAECEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo is not typed
    """Every seat is an agent, `player_0` and so on. Each game has classes with its `card_game`.

    `game` is the table itself. Calls before `reset` are errors (CallError, an AssertionError as well), and so are
    actions outside the action space. An illegal action inside it is an IllegalActionError and changes nothing. If it
    `forfeits`, it ends the episode for all: the offender's reward is the penalty (`CardGame.penalty`), that of the
    others 0. `lengths` counts the decisions of all seats in the episodes that ended lately.
    """

    card_game: ClassVar[CardGame]
    forfeits: ClassVar[bool] = False
    metadata: dict[str, Any]  # what PettingZoo wants to know of an environment

    # From the first reset on
    game: Any
    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "card_game"):
            metadata = {
                "name": f"{cls.card_game.name}_v0",
                "render_modes": list(RENDER_MODES),
                "render_fps": FRAMES_A_SECOND,
            }
            cls.metadata = metadata | {"is_parallelizable": False}

    @takes(TableOptions)
    def __init__(self, rules: Any = "", **options: Unpack[TableKeywords]) -> None:
        """Take the fields of `TableOptions` by name; docs/reference/environments.md explains them."""
        super().__init__()
        card_game, chosen = self.card_game, TableOptions(self.card_game, rules, **options)
        self.rules, self.render_mode, self._options = chosen.rules, chosen.render_mode, chosen
        self._at_seat, self._at_phase, self._over = card_game.at("seat"), card_game.at("phase"), card_game.over
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._reward_code = reward_code(card_game, chosen.reward)
        self._shaping = card_game.shapings.index(chosen.shaping)
        self._screen = Screen(card_game, chosen.render_mode, chosen.render_size)
        self._seed: int | None = None
        self._deal = 0
        self._is_reset = self._has_moved = False
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.rules.actions) for agent in self.possible_agents}
        self.lengths, self._decisions = EpisodeLengths(card_game, self.rules), 0  # of this episode
        self._none_legal = np.zeros(self.rules.actions, np.int8)

    def __repr__(self) -> str:
        options = self._options
        what = f"{self.rules.players} players, episode {options.episode}, reward {name_of(options.reward)}"
        return f"<{self.metadata['name']}: {what}, {options.encoding} observations>"

    def _observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.rules.actions,), np.int8)
        box = observation_box(self.card_game, self.rules, self._options.encoding)
        return spaces.Dict({"observation": box, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the same for all agents, but a separate object for each."""
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the same for all agents, but a separate object for each."""
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
        self._begin(game_class(self.card_game)(self.rules, seed, deal, self._options.episode))

    def _begin(self, game: Any) -> None:
        self.game, self._decisions = game, 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._earned, self._expected = np.zeros(len(self.agents)), np.zeros(len(self.agents))
        self._has_rewards = False
        self._is_reset = self._has_moved = True
        if self._shaping == SHAPED:  # so that the deal itself rewards no seat
            self._reward_seats()
        self._look()
        self._inform()
        if self.render_mode == "human":
            self._screen.show(self.game)

    def _check_reset(self, call: str) -> None:
        if not self._is_reset:
            raise CallError(f"reset() needs to be called before {call}()")

    def _look(self) -> int:
        """Read the observation and the mask of the seat that decides, and return the phase."""
        game = self.game
        self._observation, self._mask = game.observation(), game.mask()
        self.agent_selection = self.possible_agents[self._observation.item(self._at_seat)]
        phase: int = self._observation.item(self._at_phase)
        return phase

    def step(self, action: Any) -> None:
        """Carry out the decision of `agent_selection`; None once its episode has ended."""
        self._check_reset("step")
        self._has_moved = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self._has_ended(agent):
            self._was_dead_step(action)
            return
        try:
            self.game.apply(action)
        except IllegalActionError as error:
            self._refuse(action, error)
            return
        phase = self._look()
        self._decisions += 1
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
            self._inform()
        if self.render_mode == "human":
            self._screen.show(self.game)

    def _has_ended(self, agent: str) -> bool:
        """Return whether the agent's episode has ended. Once it has stepped with None, it is in neither dictionary."""
        return self.terminations.get(agent, True) or self.truncations[agent]

    def _refuse(self, action: Any, error: IllegalActionError) -> None:
        """An action outside the action space is a CallError; an illegal one inside it may lose the episode."""
        if not self.forfeits:
            raise error
        if not 0 <= action_number(action) < self.rules.actions:
            last = self.rules.actions - 1
            raise CallError(
                f"action {brief(action)} is not in the action space: a whole number from 0 to {last} "
                f"({self.card_game.action_names(self.rules)[last]}), or None once the episode has ended"
            ) from None
        self.forfeit(str(error))

    def forfeit(self, error: str) -> None:
        """End the episode, lost by the agent that is to move because of this error, which is logged."""
        EnvLogger.warn_on_illegal_move()
        EnvLogger.get_logger().warning(error)
        offender, penalty = self.agent_selection, penalty_of(self.card_game, self.rules, self._options.reward)
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0) | {offender: penalty}
        self._cumulative_rewards[offender] = 0.0
        self._accumulate_rewards()
        self._deads_step_first()

    def _reward_seats(self) -> None:
        """Compute every seat's reward for the last decision."""
        game, reward = self.game, self._options.reward
        state = (game.state, self.rules.params, self._reward_code, self._shaping)
        self.card_game.single_table.reward_seats(*state, game.has_scored, self._expected, self._earned)
        if game.has_scored and callable(reward):
            results = RoundResults(*(np.array([values]) for values in (game.round_scores, game.totals, game.is_over)))
            self._earned += rewards_of(reward, results)[0]

    def _end(self, phase: int) -> None:
        """All seats end together; each is asked once more, for None."""
        self.terminations = dict.fromkeys(self.agents, phase == self._over)
        self.truncations = dict.fromkeys(self.agents, phase > self._over)
        self._inform()
        self.lengths.add(self._decisions, 1, int(phase > self._over))
        self._deads_step_first()

    def _inform(self) -> None:
        """Set every agent's info: its seat and how the last round ended, which hold until this round ends.

        TorchRL and Tianshou copy all entries into arrays, so these keep their shapes from reset to reset.
        """
        game = self.game
        shared = {"round": game.round, "round_scores": list(game.round_scores), "totals": list(game.totals)}
        shared |= {"decisions": self._decisions, "stopped": game.is_truncated}
        self.infos = {agent: {"seat": self._seat_of[agent], **shared} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation and action mask; the mask is all zero unless that agent decides."""
        self._check_reset("observe")
        seat = self._seat(agent)
        if agent == self.agent_selection and not self._has_ended(agent):
            seen, mask = self._observation.copy(), self._mask.copy()
        else:
            seen, mask = self.game.observation(seat), self._none_legal.copy()
        encoding = self._options.encoding
        if encoding != "compact":
            seen = encoded(self.card_game, self.rules, encoding, seen[None])[0]
        return {"observation": seen, "action_mask": mask}

    def state(self) -> NDArray[Any]:
        """Raise NotImplementedError: a table has no view other than those of its seats."""
        self._check_reset("state")
        state: NDArray[Any] = super().state()
        return state

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Return the agents in the order in which they decide; each must `step` before the next."""
        self._check_reset("agent_iter")
        return self._agents_in_turn(max_iter)

    def _agents_in_turn(self, max_iter: int) -> Iterator[str]:
        while self.agents and max_iter > 0:
            if not self._has_moved:
                raise CallError("step() or reset() needs to be called in every turn of a loop over agent_iter()")
            self._has_moved = False
            max_iter -= 1
            yield self.agent_selection

    def render(self) -> Any:
        """Return the table in its `render_mode`: text, an array [height, width, 3], or None and a window."""
        self._check_reset("render")
        return self._screen.show(self.game)

    def close(self) -> None:
        """Close the window, if one is open."""
        self._screen.close()
