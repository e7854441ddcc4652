"""Learn with sb3-contrib's MaskablePPO and our network against a named agent, then measure it on duplicate deals."""

import argparse
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from cardtable.policies.policy_agent import NetworkAgent
from cardtable.statistics import estimate
from skyjo_env import SkyjoError
from skyjo_training import SkyjoVecEnv
from skyjo_training.table_policy import TablePolicy

TABLES, STEPS = 64, 64


def main() -> None:
    """Read the options, learn, and print how far ahead it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument(
        "--against", default="threshold:t=2", help="who sits in all other seats (default threshold:t=2)"
    )
    parser.add_argument("--steps", type=int, default=100_000, help="decisions to learn from (default 100000, a minute)")
    parser.add_argument("--deals", type=int, default=500, help="deals to measure (default 500)")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything (default 1)")
    options = parser.parse_args()
    torch.set_num_threads(1)  # small networks are slower on several
    if options.steps < 1 or options.deals < 2:
        parser.error("--steps must be at least 1, --deals at least 2")
    try:
        env = SkyjoVecEnv(TABLES, players=options.players, opponents=[options.against])
    except SkyjoError as error:
        parser.error(str(error))
    kwargs: dict[str, Any] = {"rules": env.rules}  # observations are compact, the network knows what is in them
    model = MaskablePPO(
        TablePolicy,
        env,
        learning_rate=1e-3,
        n_steps=STEPS,
        batch_size=1024,
        n_epochs=2,
        gamma=1.0,
        gae_lambda=0.8,
        vf_coef=50.0,  # rewards are points / 100, so values are small
        policy_kwargs=kwargs,
        seed=options.seed,
        device="cpu",
    )
    model.learn(options.steps)
    policy: Any = model.policy
    seats = [NetworkAgent(policy.network), *[options.against] * (options.players - 1)]
    setup = Setup(env.rules, seed=options.seed + 10**6)
    margins = play_paired(seats, setup, range(options.deals)).margins[:, 0]
    print(f"against {options.against}: {estimate(margins)} points a round")


if __name__ == "__main__":
    main()
