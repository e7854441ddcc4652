"""The program `skyjo-action`."""

from collections.abc import Sequence

from skyjo.programs import Preset, Program, Rival, RuleWords

ACTIONS_HELP = """\
Your cells are numbered, and those of others in the same way. ? is hidden, ?5 a
hidden 5 that you know, * a star, . no card. Columns and rows count from 0.
  d, t             draw a card; take the discard
  p 3, f 7         lay the card in hand on cell 3; turn cell 7 up
  3                cell 3, if only one thing can be done with it
  2: 5             cell 5 of seat 2; a number alone means your own cells
  row 1, column 2  a line to look at; 2: row 1 is one of seat 2
  a 2, a pile      take the open action card 2; the top of the action pile
  swap, play swap  play an action card; discard swap discards it
  c, k             clear a line, or keep it
  5, *, none       of three drawn cards lay the 5, a star, or none
  defend, allow    answer an attack; pass refuses an action card
                   that a star earned, or passes without cards"""

RULE_WORDS = {
    "action_deck": RuleWords("1.4", "All action cards, or only those whose texts are certain"),
    "action_discard_start": RuleWords("2.3", "The discard pile of action cards at the start"),
    "opening_star": RuleWords("2.7", "A star turned up in the opening earns an action card"),
    "delay_counts_extra_moves": RuleWords("4.4", "New action cards may be used in an extra turn"),
    "final_lap_take": RuleWords("4.6", "Action cards may be taken after the round was ended"),
    "star_claim": RuleWords("5.3", "An action card that a star earned may be refused"),
    "star_source": RuleWords("5.4", "Where the action card for a star comes from"),
    "star_clear": RuleWords("6.3", "Who decides whether a line with stars is cleared"),
    "star_lines": RuleWords("6.4", "Lines of stars alone stay, or may be cleared for a bonus"),
    "short_rows": RuleWords("6.1", "A row of three cards counts, once a column is cleared"),
    "both_lines": RuleWords("6.8", "Columns and rows are cleared together, or columns first"),
    "line_order": RuleWords("6.9", "In which order cleared cards go on the discard pile"),
    "foreign_clear": RuleWords("6.6", "When lines in the layouts of others are cleared"),
    "reveal_star_clear": RuleWords("9.4", "Who decides about lines with stars at the end of a round"),
    "three_order": RuleWords("7.3", "Which of three drawn cards goes on top of the discard pile"),
    "defence": RuleWords("7.4", "A defence stops an attack by itself, or its owner decides"),
    "removed_to": RuleWords("7.7", "Where a removed card goes"),
    "remove_action_cards": RuleWords("7.7", "Remove may take an action card instead"),
    "replay": RuleWords("7.8", "Which discarded action card a replay carries out"),
    "ender": RuleWords("9.1", "Who ends the round: whoever caused it, or the owner of the layout"),
    "action_reshuffle": RuleWords("8.3", "Which discarded action cards become the action pile"),
    "target_score": RuleWords("10.1", "The total that ends the game"),
    "max_turns": RuleWords("9.7", "Turns after which a round is stopped"),
    "max_rounds": RuleWords("10.1", "Rounds after which the game is over"),
}

SKYJO_ACTION_PROGRAM = Program(
    game="skyjo_action",
    title="Skyjo Action",
    folder="skyjo_action_env.people",
    most_points_win=False,
    opponents=("greedy",),
    rivals=(
        Rival("Pip", "easy", "greedy:stuck=1,star=0", "Likes its own cards, and leaves action cards alone"),
        Rival("Rosa", "medium", "greedy", "Plays an action card when that helps its own cards"),
        Rival("Victor", "hard", "planner", "Keeps an eye on your cards, too"),
        Rival("Ada", "expert", "policy", "Has learned from millions of moves"),
    ),
    advisers=("rollout:n=50", "planner", "greedy"),  # a decision of the usual 200 takes up to 20 seconds
    rules_page="rules/skyjo_action.md",
    rule_words=RULE_WORDS,
    presets=(
        Preset("action", "", "the whole game"),
        Preset("core", "action_deck=certain", "without remove, replay and steal, whose texts are not certain"),
    ),
    actions_help=ACTIONS_HELP,
    first_phases=("turn",),
    later_phases=(
        *("drawn", "taken", "swap", "swap with", "three", "three place", "three top", "three flip"),
        *("look", "exchange", "exchange with", "replay", "steal", "steal card"),
    ),
    has_private_hands=True,  # who has looked at a hidden card knows it as long as it lies there
    own_commands={"train": "skyjo_action_env.people.train:SkyjoActionTrain"},
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command line of `skyjo-action` and return its exit status."""
    from skyjo.main import main as run

    return run(arguments, SKYJO_ACTION_PROGRAM)
