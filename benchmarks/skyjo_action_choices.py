"""What an agent of Skyjo Action chooses at the beginning of its turns, and for its stars."""

from collections import Counter

import numpy as np

from cardtable.card_game import Setup
from cardtable.play.decisions import play_rounds
from skyjo_action_env import KINDS, Game, Rules, make_agent
from skyjo_action_env.kernel.state import DISCARD, DRAW, OPEN, PASS, PLACES, PLAY, TAKE


def count_choices(agent: str, rules: Rules, seed: int, deals: int) -> list[Counter[str]]:
    """How often each was made in every deal, when the agent has all seats, and how many turns there were."""
    agents = [make_agent(agent, rules)] * rules.players
    played = play_rounds(agents, Setup(rules, seed=seed, keep=True), range(deals))
    games = np.split(played.actions.astype(int), np.cumsum(played.decisions)[:-1])
    return [in_round(rules, seed, deal, actions.tolist()) for deal, actions in enumerate(games)]


def in_round(rules: Rules, seed: int, deal: int, actions: list[int]) -> Counter[str]:
    """What was legal and what was chosen in a round."""
    game, count = Game(rules, seed=seed, deal=deal, episode="round"), Counter[str]()
    for action in actions:
        if game.phase == "turn":
            legal = game.legal_actions()
            count.update({"turns": 1, "legal actions": len(legal), "Skyjo's moves are legal": DRAW in legal})
            count["more is legal"] += max(legal) >= OPEN and legal != [PASS]
        if game.phase in ("turn", "claim"):
            count.update(words(game, action))
        game.apply(action)
    return count


def words(game: Game, action: int) -> list[str]:
    """A choice, in general and by kind."""
    star = "star: " if game.phase == "claim" else ""
    if action in (DRAW, TAKE, PASS):
        return [star + {DRAW: "draw", TAKE: "take the discard", PASS: "pass"}[action]]
    if action < PASS:
        kind = game.open_actions[action - OPEN] if action < OPEN + PLACES else "from the pile"
        return [f"{star}take", f"{star}take {kind}"]
    verb, number = ("play", action - PLAY) if action < DISCARD else ("discard", action - DISCARD)
    return [verb, f"{verb} {KINDS[number]}"]
