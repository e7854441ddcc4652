"""Draw a table of each game: docs/images/GAME-PLAYERS.svg, light or dark as the reader's system is.

`python docs/table_pictures.py` writes the pictures again.
"""

from pathlib import Path

from cardtable.table.agents.agents import agents_of, rng_states_of
from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_game import game_class

FOLDER = Path(__file__).parent / "images"
SIZE = (960, 640)
# Game, number of players, the agent in all seats, and the number of decisions until the picture.
TABLES = [
    ("skyjo", 2, "tempo", 30),
    ("skyjo", 4, "expected", 70),
    ("skipbo", 2, "planner", 60),
    ("skipbo", 4, "planner", 100),
    ("skyjo_action", 2, "planner", 60),
]


def picture(name: str, players: int, agent: str, decisions: int) -> str:
    """Return a table as SVG after the first decisions of a round."""
    game = find_game(name)
    rules = game.official.replace(players=players)
    table, player = game_class(game)(rules, seed=1), agents_of(game).make(agent, rules)
    for _ in range(decisions):
        observations, masks = table.observation()[None], table.mask()[None]
        table.apply(int(player.act(observations, masks, rng_states_of(observations))[0]))
    return str(table.svg(SIZE))


def main() -> None:
    """Write all pictures."""
    for name, players, agent, decisions in TABLES:
        file = FOLDER / f"{name.replace('_', '-')}-{players}.svg"
        file.write_text(picture(name, players, agent, decisions), "utf-8")


if __name__ == "__main__":
    main()
