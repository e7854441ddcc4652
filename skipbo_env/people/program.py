"""The program `skipbo`."""

from collections.abc import Sequence

from skyjo.programs import Preset, Program, Rival, RuleWords

ACTIONS_HELP = """\
Places and piles are numbered 0 to 3; w is a wild card; tops of piles stand in
brackets. Say on which place to build only if a wild card fits in several ways.
  5, w 2, h 5      play a 5 from your hand; a wild card on place 2; a 5
  s, s 2           play the top card of your stock pile; on place 2
  p 1, p 1 2       play the top card of your discard pile 1; on place 2
  d 9 3            discard a 9 on your pile 3, which ends your turn
  pass             end your turn with an empty hand"""

RULE_WORDS = {
    "stock": RuleWords("1.5", "Cards of a stock pile; left empty, 30 for up to four players and 20 for more"),
    "first_starter": RuleWords("2.2", "Who starts the first round"),
    "next_starter": RuleWords("2.3", "Who starts later rounds"),
    "refill": RuleWords("3.7", "Five new cards at once after the last hand card was played"),
    "compulsory": RuleWords("3.9", "A card that can be played must be played"),
    "discard_wild": RuleWords("3.10", "Wild cards may be discarded"),
    "recycle": RuleWords("4.1", "When completed piles become the draw pile"),
    "recycled_wild": RuleWords("4.4", "Wild cards come back as wild cards, or as what they were played as"),
    "no_cards": RuleWords("4.5", "What happens when there are no cards left to draw"),
    "blocked": RuleWords("5.3", "Who wins a round in which nobody can play any more"),
    "view": RuleWords("8.1", "How much of the discard piles everybody sees"),
    "symmetric": RuleWords("7.4", "Building piles that look alike count as one choice, or as several"),
    "target_score": RuleWords("6.2", "The total that ends the game"),
    "max_turns": RuleWords("5.5", "Turns after which a round is stopped"),
    "max_rounds": RuleWords("6.3", "Rounds after which the game is over"),
}

SKIPBO_PROGRAM = Program(
    game="skipbo",
    title="Skip-Bo",
    folder="skipbo_env.people",
    most_points_win=True,
    opponents=("greedy",),
    rivals=(
        Rival("Pip", "easy", "greedy", "Plays the first card that fits"),
        Rival("Rosa", "medium", "greedy:pile=smallest", "Plays what fits, and keeps its piles in order"),
        Rival("Victor", "hard", "planner", "Thinks its whole turn through"),
        Rival("Ada", "expert", "policy", "Has learned from millions of turns"),
    ),
    advisers=("rollout", "planner", "hpvp", "greedy"),
    rules_page="rules/skipbo.md",
    rule_words=RULE_WORDS,
    presets=(
        Preset("official", "", "the rules as printed"),
        Preset("short", "stock=10", "a third of the stock pile: a round takes minutes"),
        Preset(
            "strittmatter",
            "stock=30 view=own max_rounds=1",
            "the model of Strittmatter: one round, players see only the tops of their own piles",
        ),
    ),
    actions_help=ACTIONS_HELP,
    first_phases=(),
    later_phases=(),
    has_private_hands=True,
    judges=("rollout:n=70,turns=4",),
    analyst="skipbo_agents.judging:analyst_of",
    exam="skipbo_agents.judging:SKIPBO_EXAM",
    own_commands={"train": "skipbo_env.people.train:SkipboTrain"},
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command line of `skipbo` and return its exit status."""
    from skyjo.main import main as run

    return run(arguments, SKIPBO_PROGRAM)
