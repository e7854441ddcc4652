"""Play some decisions of an agent in all seats and save a picture of the table. Needs pygame and resvg."""

from dataclasses import dataclass

from cardtable.table.agents.agents import agents_of, choose
from cardtable.table.game.table_game import game_class
from cardtable.table.render.pictures import save_picture
from skyjo.example_program import Options, run


@dataclass(frozen=True)
class Args(Options):
    """The options of the picture."""

    agent: str = ""
    """Agent in all seats; the game's reference agent if empty."""
    decisions: int = 40
    """Decisions to play, at most to the end of the round."""
    size: tuple[int, int] = (960, 640)
    """Width and height in pixels."""
    out: str = "table.png"
    """The file to write."""


def draw(options: Args) -> None:
    """Play, and save the picture."""
    card_game, rules = options.card_game, options.table_rules()
    name = options.agent or card_game.reference_agent
    agent, game = (
        agents_of(card_game).make(name, rules),
        game_class(card_game)(rules, seed=options.seed, episode="round"),
    )
    for _ in range(options.decisions):
        if not game.is_over:
            (action,) = choose(agent, name, card_game.spec_of(rules), [game.observation()], [game.mask()])
            game.apply(action)
    save_picture(game, options.out, options.size)
    print(f"saved {options.out}")


if __name__ == "__main__":
    run(Args, draw, __doc__)
