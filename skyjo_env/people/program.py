"""The program `skyjo`."""

from collections.abc import Sequence

from skyjo.programs import Preset, Program, Rival, RuleWords

ACTIONS_HELP = """\
Your cells are numbered; their cards stand in brackets. ? is hidden, even from
you; . is gone.
  d, draw          draw a card
  t, take          take the discard
  p 3, place 3     put the card in hand on cell 3
  f 7, flip 7      turn cell 7 up; with a drawn card in hand, discard that first
  3                the same as p 3 or f 3, if only one of them is possible
  discard          discard the drawn card, under rules that turn no card up then
  c, k             clear your complete lines, or keep them, where the rules ask"""

RULE_WORDS = {
    "rows": RuleWords("1.3", "Rows of a board"),
    "columns": RuleWords("1.3", "Columns of a board"),
    "deck": RuleWords("1.1", "The deck, as card:number, such as -1:10,5:50"),
    "opening_flips": RuleWords("2.2", "Cards that everybody opens at the start"),
    "initial_flip": RuleWords("2.3", "Who picks these cards: the players, or chance"),
    "first_starter": RuleWords("3.1", "Who starts the first round"),
    "start_tie": RuleWords("3.2", "Who starts if several could"),
    "next_starter": RuleWords("3.3", "Who starts later rounds"),
    "flip_after_discard": RuleWords("4.4", "Turning a card up after discarding the drawn one"),
    "clear": RuleWords("5.4", "Complete lines leave at once, or when their owner confirms it"),
    "row_clear": RuleWords("5.2", "Complete rows leave the board, too"),
    "cleared_cards": RuleWords("5.6", "Where cleared cards go"),
    "reshuffle": RuleWords("6.1", "What becomes of the discards when the draw pile is empty"),
    "draw_streams": RuleWords("6.5", "Every seat draws from a part of its own"),
    "final_lap": RuleWords("7.2", "Who has a turn after somebody has ended the round"),
    "reveal_clear": RuleWords("7.4", "Lines that are complete at the end leave, too"),
    "ender_penalty_mode": RuleWords("7.6", "When the score of whoever ended the round is multiplied"),
    "penalty_factor": RuleWords("7.6", "By how much it is multiplied"),
    "penalty_on_negative": RuleWords("7.7", "A score below zero is multiplied, too"),
    "target_score": RuleWords("8.2", "The total that ends the game"),
    "max_turns": RuleWords("7.8", "Turns after which a round is stopped"),
    "max_rounds": RuleWords("8.3", "Rounds after which the game is over"),
}

SKYJO_PROGRAM = Program(
    game="skyjo",
    title="Skyjo",
    folder="skyjo_env.people",
    most_points_win=False,
    opponents=("expected",),
    rivals=(
        Rival("Pip", "easy", "hurried", "Turns cards up as fast as it can, whatever that costs"),
        Rival("Rosa", "medium", "collector", "Collects pairs, and waits for the third card"),
        Rival("Victor", "hard", "expected", "Counts the cards that are left before every move"),
        Rival("Ada", "expert", "look", "Looks ahead, and knows when to end the round"),
    ),
    advisers=("look", "tempo", "expected"),
    rules_page="rules/skyjo.md",
    rule_words=RULE_WORDS,
    presets=(
        Preset("official", "", "the rules as printed"),
        Preset(
            "reichel",
            "initial_flip=random first_starter=seat_0 flip_after_discard=none cleared_cards=out_of_play "
            "reveal_clear=false ender_penalty_mode=off max_turns=500 max_rounds=1",
            "the model of Reichel (2026): one round, no forced flip, no penalty",
        ),
    ),
    actions_help=ACTIONS_HELP,
    first_phases=("turn",),
    later_phases=("drawn", "taken"),
    has_private_hands=False,  # a drawn card is gone before the turn passes
    judges=("look", "rollout:n=100"),
    analyst="skyjo_agents.analysis:analyst_of",
    levels=(("look", 0.0), ("policy", 0.025), ("tempo", 0.15), ("threshold", 0.46), ("random", 2.6)),
    exam="skyjo_agents.exam:SKYJO_EXAM",
    own_commands={"train": "skyjo_env.people.train:SkyjoTrain"},
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command line of `skyjo` and return its exit status."""
    from skyjo.main import main as run

    return run(arguments, SKYJO_PROGRAM)
