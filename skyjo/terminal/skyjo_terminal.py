"""Skyjo at a terminal: see `skyjo.table.game_terminal.GameTerminal`."""

from collections.abc import Sequence
from typing import Any, TypedDict

from numpy.typing import NDArray

from skyjo.table.game_terminal import DecisionWords
from skyjo.terminal import skyjo_prompt, skyjo_reason, skyjo_story, skyjo_view
from skyjo.terminal.skyjo_document import ViewDocument, marks, view_document
from skyjo.terminal.skyjo_position import seen_position
from skyjo.terminal.skyjo_story import RoundOver
from skyjo_env import EMPTY, HIDDEN, Game, Rules
from skyjo_env.events import Event, RoundScored
from skyjo_env.observation import spec_of
from skyjo_env.render.text import format_table


class TableDocument(TypedDict):
    """What everybody sees of a table."""

    boards: list[list[int | str]]  # cell by cell a card, ? or a point, as in a written position
    discard_top: int | None
    draw_pile_size: int


class OpenDocument(TypedDict):
    """What lies on a table, seen by somebody or not."""

    boards: list[list[int | str]]  # cell by cell a card, or a point
    hand: int | None


class RoundEndDocument(TypedDict):
    """The end of a round: without ender, scores and points if it was stopped."""

    ender: int | None
    scores: Sequence[int] | None
    points: list[int] | None  # on the boards, before the ender's penalty (7.6)
    boards: list[list[int | str]]


class SkyjoTerminal:
    """See `skyjo.table.game_terminal.GameTerminal`."""

    advisers = ("look", "tempo", "expected")
    actions_help = skyjo_prompt.ACTIONS_HELP
    first_phases = ("turn",)
    has_private_hands = False  # a drawn card is gone before the turn passes
    told_phases = ("drawn", "taken")

    def seat_of(self, rules: Rules, observation: NDArray[Any]) -> int:
        """The seat whose observation this is."""
        return int(spec_of(rules).view(observation).seat)

    def format_view(self, rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool) -> str:
        """What a seat sees."""
        return skyjo_view.format_view(rules, observation, names, colour)

    def view_document(self, rules: Rules, observation: NDArray[Any], is_own: bool) -> ViewDocument:
        """What a seat sees, for JSON."""
        return view_document(rules, observation, is_own)

    def seen_position(self, rules: Rules, observation: NDArray[Any], episode: str, is_own: bool) -> str:
        """What a seat sees, as a written position."""
        return seen_position(rules, observation, episode, is_own)

    def question(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any]) -> str:
        """What has to be decided."""
        return skyjo_prompt.question(rules, observation, mask)

    def read_action(self, rules: Rules, observation: NDArray[Any], mask: NDArray[Any], text: str) -> int:
        """The action that is meant."""
        del observation
        return skyjo_prompt.read_action(rules, mask, text)

    def reason(self, rules: Rules, observation: NDArray[Any], action: int) -> str:
        """The reason for a decision."""
        return skyjo_reason.reason(rules, observation, action)

    def tell(self, events: Sequence[Event]) -> DecisionWords:
        """What a decision did."""
        return skyjo_story.tell(events)

    def format_end(self, rules: Rules, end: RoundOver, names: Sequence[str], colour: bool) -> str:
        """The boards at the end of a round with scores and totals."""
        return skyjo_view.round_end(rules, end, names, colour)

    def mistakes(self, record: dict[str, Any], seat: int, number: int) -> Sequence[str]:
        """What a seat gave away in a round, under rules that the shipped policies know."""
        from skyjo.analysis.mistakes import mistakes

        return mistakes(record, seat, number)

    def format_table(self, game: Game, colour: bool, all_cards: bool) -> str:
        """The boards and piles."""
        return format_table(game, colour, all_cards=all_cards, drawn_card=all_cards)

    def table_document(self, game: Game) -> TableDocument:
        """The boards and piles for JSON."""
        boards = [marks(game.board(seat).T.ravel().tolist()) for seat in range(game.rules.players)]
        return {"boards": boards, "discard_top": game.discard_top, "draw_pile_size": game.draw_pile_size}

    def open_document(self, game: Game) -> OpenDocument:
        """All cards of the boards, and the card in hand."""
        cells, below = game.rules.cells, game.state["cards"][0]
        seen = [game.board(seat).T.ravel().tolist() for seat in range(game.rules.players)]
        boards = [
            [card if mark == HIDDEN else mark for mark, card in zip(board, below[seat, :cells].tolist(), strict=True)]
            for seat, board in enumerate(seen)
        ]
        return {"boards": [marks(board) for board in boards], "hand": game.hand}

    def end_document(self, end: RoundOver) -> RoundEndDocument:
        """The end of a round; one that was stopped has neither ender nor scores nor points."""
        boards = [marks(board) for board in end.boards]
        if not isinstance(end, RoundScored):
            return {"ender": None, "scores": None, "points": None, "boards": boards}
        points = [sum(card for card in board if card != EMPTY) for board in end.boards]
        return {"ender": end.ender, "scores": end.scores, "points": points, "boards": boards}


SKYJO_TERMINAL = SkyjoTerminal()
