"""Skip-Bo at a terminal: see `skyjo.table.game_terminal.GameTerminal`."""

from collections.abc import Sequence
from typing import Any, TypedDict

from numpy.typing import NDArray

from skipbo_env import Game, Rules
from skipbo_env.events import Event, RoundScored
from skipbo_env.kernel.state import PLACES
from skipbo_env.observation import spec_of
from skipbo_env.render.text import format_table
from skyjo.table.game_terminal import DecisionWords
from skyjo.terminal import skipbo_prompt, skipbo_reason, skipbo_story, skipbo_view
from skyjo.terminal.skipbo_document import ViewDocument, marks, view_document
from skyjo.terminal.skipbo_position import seen_position
from skyjo.terminal.skipbo_story import RoundOver


class TableDocument(TypedDict):
    """What everybody sees of a table; a wild card is w."""

    building: Sequence[int]  # the last rank of every pile, 0 for an empty place
    stock_tops: list[int | str | None]  # by seat
    stock_sizes: list[int]
    discards: list[list[list[int | str]]]  # by seat and pile, bottom card first
    hand_sizes: list[int]
    draw_pile_size: int
    completed_size: int


class OpenDocument(TypedDict):
    """What seats hold, seen by others or not."""

    hands: list[list[int | str]]  # by seat, first drawn first


class RoundEndDocument(TypedDict):
    """The end of a round: without scores if it was stopped."""

    ending: str  # won, blocked, no_cards or stopped
    winner: int | None
    stock_left: Sequence[int]
    scores: Sequence[int] | None


class SkipboTerminal:
    """See `skyjo.table.game_terminal.GameTerminal`."""

    advisers = ("rollout", "planner", "hpvp", "greedy")
    actions_help = skipbo_prompt.ACTIONS_HELP
    first_phases: tuple[str, ...] = ()
    has_private_hands = True
    told_phases: tuple[str, ...] = ()

    def seat_of(self, rules: Rules, observation: NDArray[Any]) -> int:
        """The seat whose observation this is."""
        return int(spec_of(rules).view(observation).seat)

    def format_view(self, rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool) -> str:
        """What a seat sees."""
        return skipbo_view.format_view(rules, observation, names, colour)

    def view_document(self, rules: Rules, observation: NDArray[Any], is_own: bool) -> ViewDocument:
        """What a seat sees, for JSON."""
        return view_document(rules, observation, is_own)

    def seen_position(self, rules: Rules, observation: NDArray[Any], episode: str, is_own: bool) -> str:
        """What a seat sees, as a written position."""
        return seen_position(rules, observation, episode, is_own)

    def question(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """What has to be decided."""
        del rules, observation
        return skipbo_prompt.question(mask)

    def read_action(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """The action that is meant."""
        return skipbo_prompt.read_action(rules, observation, mask, text)

    def reason(self, rules: Rules, observation: NDArray[Any], action: int) -> str:
        """The reason for a decision."""
        return skipbo_reason.reason(rules, observation, action)

    def tell(self, events: Sequence[Event]) -> DecisionWords:
        """What a decision did."""
        return skipbo_story.tell(events)

    def format_end(self, rules: Rules, end: RoundOver, names: Sequence[str], colour: bool) -> str:
        """How the round ended, and what everybody has left and scored."""
        del rules, colour
        return skipbo_view.round_end(end, names)

    def mistakes(self, record: dict[str, Any], seat: int, number: int) -> Sequence[str]:
        """Empty: nobody can judge Skip-Bo."""
        del record, seat, number
        return ()

    def format_table(self, game: Game, colour: bool, all_cards: bool) -> str:
        """The piles; with `all_cards` the hands, too."""
        return format_table(game, colour, hands=all_cards)

    def table_document(self, game: Game) -> TableDocument:
        """The piles for JSON."""
        seats = range(game.rules.players)
        tops = [game.stock_top(seat) for seat in seats]
        return {
            "building": game.building_piles(),
            "stock_tops": [None if top is None else marks([top])[0] for top in tops],
            "stock_sizes": [game.stock_size(seat) for seat in seats],
            "discards": [[marks(game.discard_pile(seat, pile)) for pile in range(PLACES)] for seat in seats],
            "hand_sizes": [len(game.hand(seat)) for seat in seats],
            "draw_pile_size": game.draw_pile_size,
            "completed_size": game.completed_size,
        }

    def open_document(self, game: Game) -> OpenDocument:
        """All hands."""
        return {"hands": [marks(game.hand(seat)) for seat in range(game.rules.players)]}

    def end_document(self, end: RoundOver) -> RoundEndDocument:
        """The end of a round."""
        if isinstance(end, RoundScored):
            return {
                "ending": end.ending,
                "winner": end.winner,
                "stock_left": end.stock_left,
                "scores": end.scores,
            }
        return {"ending": "stopped", "winner": None, "stock_left": end.stock_left, "scores": None}


SKIPBO_TERMINAL = SkipboTerminal()
