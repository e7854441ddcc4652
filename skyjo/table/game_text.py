"""A game in text and for JSON: classes whose methods work for every game that names its actions.

A game says it in better words in its own subclasses, `Terminal` in its module `people.terminal` and `Documents` in
`people.documents`. `names` are what to call each seat.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from numpy.typing import NDArray

from cardtable.table.checks import brief
from cardtable.table.envs.text import legal_names
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_batch import batch_class
from cardtable.table.render.text import in_few_words
from skyjo.interfaces import find_interface


class Lesson(NamedTuple):
    """A step by which people learn the game: a position at which they decide in the first seat."""

    title: str
    words: str  # what it is about
    task: str
    position: str
    way: tuple[str, ...]  # patterns of the actions to choose, one after the other
    done: str  # what they have seen
    clause: str  # of the rules page


class RoundEnd(NamedTuple):
    """The end of a round, for games that have no event for it."""

    round: int
    turns: int
    is_stopped: bool
    scores: Sequence[int]
    totals: Sequence[int]


class GameTerminal:
    """A game in text."""

    def format_view(self, rules: Any, observation: NDArray[Any], names: Sequence[str], colour: bool = False) -> str:
        """Return the table as one seat sees it, from its observation alone."""
        del colour
        return find_game(rules.game).seat_text_of(rules, observation, names)

    def format_table(self, game: Any, colour: bool, all_cards: bool) -> str:
        """Return the public table; with `all_cards`, also the cards that some seats could not see."""
        text = game.card_game.text_of(game, colour)
        seats = range(game.rules.players if all_cards else 0)
        names = [f"seat {seat}" for seat in range(game.rules.players)]
        seen = (f"{names[seat]}:\n{self.format_view(game.rules, game.observation(seat), names)}" for seat in seats)
        return "\n".join([text, *seen])

    def format_end(self, rules: Any, end: Any, names: Sequence[str], colour: bool = False) -> str:
        """Return the end of a round, with scores and totals."""
        del rules, colour
        head = self.stopped(end) if end.is_stopped else f"round {end.round} is over"
        rows = zip(names, end.scores, end.totals, strict=True)
        return "\n".join([head, *(f"{name}: round {score}, total {total}" for name, score, total in rows)])

    def stopped(self, end: Any) -> str:
        """Return that a round was stopped, from an event that says when."""
        return f"round {end.round} was stopped after {end.turns} turns and is not scored"

    def question(self, rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """Return the question for a decision."""
        del observation
        return f"{in_few_words(legal_names(rules, mask))}? "

    def read_action(self, rules: Any, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """Return the action that is meant; TableError if there is none, it is not clear which, or it is not legal."""
        names = find_game(rules.game).action_names(rules)
        possible = self.question(rules, observation, mask).rstrip("? ")
        legal = self.legal_among(_meant(names, " ".join(text.lower().split())), mask, text, possible)
        if len(legal) > 1:
            raise TableError(f"{text.strip()} can mean {' or '.join(names[action] for action in legal)}")
        return legal[0]

    def legal_among(
        self, meant: Sequence[int], mask: NDArray[Any], text: str, possible: str, what: str = ""
    ) -> list[int]:
        """Return the legal actions among those that a text can mean; TableError names the possible ones instead."""
        legal = [action for action in meant if mask[action]]
        if not meant:
            raise TableError(f"{brief(text)} is not understood; you can {possible}; ? for help")
        if not legal:
            raise TableError(f"{what or text.strip()} is not possible now; you can {possible}")
        return legal


def _meant(names: Sequence[str], text: str) -> list[int]:
    """Return the actions of this name; or else those whose names end or begin with it, or the action of this number."""
    for alike in (str.__eq__, lambda name, text: name.endswith(f" {text}"), str.startswith):
        actions = [action for action, name in enumerate(names) if alike(name, text)]
        if actions:
            return actions
    return [int(text)] if text.isdecimal() and int(text) < len(names) else []


class GameLearning:
    """The teaching of a game: here without lessons. A game's own module `people.lessons` has the same names."""

    LESSONS: tuple[Lesson, ...] = ()
    THEMES: ClassVar[Mapping[str, str]] = {}  # titles of the themes of puzzles by name

    def theme_of(self, rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """Return the name of the theme of a decision."""
        del rules, observation, mask
        return ""

    def phase_of(self, rules: Any, observation: NDArray[Any]) -> str:
        """Return the name of the phase."""
        del rules, observation
        return ""


class GameJson:
    """A game for pages, and as a written position."""

    constants: ClassVar[Mapping[str, Any]] = {}  # what a page without a server must know to read records
    unseen: ClassVar[frozenset[str]] = frozenset({"chance", "scores", "draw"})  # lines of positions that are left out

    def public(self, rules: Any, observation: NDArray[Any]) -> NDArray[Any]:
        """Return the observation of anyone who watches, from that of a seat that does not decide.

        A game whose seats hold private cards has its own; until then, nothing is seen of it.
        """
        return observation * 0 if find_interface(rules.game).has_private_hands else observation

    def seen_position(self, rules: Any, observation: NDArray[Any], episode: str) -> str:
        """Return an observation as a position with ? for every unseen card; empty if it cannot be written."""
        card_game = find_game(rules.game)
        try:
            guess = batch_class(card_game).sample(rules, observation[None], episode=episode).game(0)
        except TableError:  # the seat sees too little
            return ""
        lines = [line for line in guess.position().splitlines() if line.split(" ")[0] not in self.unseen]
        seen = self.seen_lines(card_game.spec_of(rules).view(observation), lines)
        return "".join(f"{line}\n" for line in seen)

    def seen_lines(self, view: Any, lines: Sequence[str]) -> Sequence[str]:
        """Return the lines of a position whose unseen cards are guesses, with ? instead; none if it cannot be said."""
        del view, lines
        return ()
