"""Every rule that can be changed, in a few words, with the clause of the rules that explains it (RULES.md,
SKIPBO_RULES.md).
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple


class RuleWords(NamedTuple):
    """What a rule says, for people who choose."""

    clause: str
    words: str


SKYJO = {
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
SKIPBO = {
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
WORDS: Mapping[str, Mapping[str, RuleWords]] = {"skyjo": SKYJO, "skipbo": SKIPBO}


def rule_documents(rules: Any) -> Iterator[dict[str, Any]]:
    """The rules that can be changed beside the number of players, as a form needs them: `usual` is the official one."""
    words, ranges = WORDS[rules.game], rules.ranges
    for field in fields(rules):
        if field.name == "players":
            continue
        document = {"name": field.name, "usual": getattr(rules, field.name), **words[field.name]._asdict()}
        if field.name in rules.options:
            document["choices"] = rules.options[field.name]
        elif isinstance(field.default, bool):
            document["choices"] = ["true", "false"]
            document["usual"] = str(document["usual"]).lower()
        elif field.name in ranges:
            document["range"] = ranges[field.name]
        else:  # a text of its own, such as a deck
            document["usual"] = ""
        yield document
