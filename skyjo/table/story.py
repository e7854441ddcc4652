"""A game told in words: what a decision did, as everybody saw it, and how a round ended."""

from collections.abc import Sequence
from dataclasses import dataclass

from skyjo.terminal.table_view import board_block, side_by_side
from skyjo_env import EMPTY, HIDDEN, Game, action_names
from skyjo_env.kernel.state import ROUND_EPISODE


@dataclass(frozen=True)
class Told:
    """One decision that was carried out."""

    number: int  # of the decision, from 1
    round: int
    seat: int
    action: int
    words: str
    ends_turn: bool
    end: Game | None  # if it ended a round: the table with everything turned up


class Teller:
    """Carries out decisions of a game, and tells them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.number = 0  # of the last decision

    def apply(self, action: int) -> Told:
        """Carry out a decision; an illegal one raises IllegalActionError and changes nothing."""
        game, before, after = self.game, self.game.copy(), as_round(self.game)
        game.apply(action)
        after.apply(action)
        self.number += 1
        ends_turn = game.is_over or game.phase == "turn" or (game.round, game.seat) != (before.round, before.seat)
        words = _words(before, after, action)
        end = after if after.is_over else None
        return Told(self.number, before.round, before.seat, action, words, ends_turn, end)


def as_round(game: Game) -> Game:
    """A copy that ends with this round, so that what is turned up then stays on the table."""
    twin = game.copy()
    twin.state["episode"] = ROUND_EPISODE
    return twin


def turn_lines(told: Sequence[Told], names: Sequence[str]) -> list[str]:
    """A line for every turn, such as `seat 1: drew, placed 5 on cell 3 for a hidden 9`."""
    lines: list[str] = []
    goes_on = False
    for one in told:
        if goes_on:
            lines[-1] += f", {one.words}"
        else:
            lines.append(f"{names[one.seat]}: {one.words}")
        goes_on = not one.ends_turn
    return lines


def round_end(end: Game, names: Sequence[str], colour: bool = False) -> str:
    """The boards at the end of a round with scores and totals, and whose score was multiplied."""
    seats = range(end.rules.players)
    boards = [end.board(seat) for seat in seats]
    if end.is_truncated:
        head = f"round {end.round} was stopped after {end.turns} turns and is not scored"
        below = [f"total {total}" for total in end.totals]
    else:
        head = f"round {end.round} is over, ended by {names[_ender(end)]}"
        points = sum(card for card in boards[_ender(end)].ravel().tolist() if card != EMPTY)
        if points != end.round_scores[_ender(end)]:
            head += f", whose {points} points count {end.rules.penalty_factor} times"
        below = [f"round {score}, total {total}" for score, total in zip(end.round_scores, end.totals, strict=True)]
    blocks = [board_block(names[seat], boards[seat], below[seat], colour) for seat in seats]
    return f"{head}\n\n{side_by_side(blocks)}"


def outcome(game: Game, names: Sequence[str]) -> str:
    """Who has won; that the game was stopped; or that it is not over."""
    if not game.is_over:
        return f"not over: it is {names[game.seat]}'s decision"
    winners = " and ".join(names[seat] for seat in game.winners)
    return f"over, won by {winners}" if winners else "stopped after too many turns, won by nobody"


def _ender(end: Game) -> int:
    """Who ended a round that was scored: somebody must have."""
    assert end.ender is not None
    return end.ender


def _words(before: Game, after: Game, action: int) -> str:
    """What a decision did. A drawn card is not named before it is placed or discarded: only then is it public."""
    name, _, number = action_names(before.rules)[action].partition(" ")
    parts = []
    if before.phase == "drawn" and name in ("flip", "discard"):
        parts.append(f"discarded {before.hand}")
    if name == "draw":
        parts.append("drew")
    elif name == "take":
        parts.append(f"took {before.discard_top}")
    elif name == "place":
        parts.append(_placed(before, after, int(number)))
    elif name == "flip":
        parts.append(f"turned up {_card(before, int(number))} on cell {number}")
    elif name == "keep":
        parts.append("kept complete lines")
    cleared = _cleared(before, action)
    if cleared > 0:
        parts.append(f"cleared {cleared} cards")
    if before.ender is None and after.ender is not None:
        parts.append("ended the round")
    return ", ".join(parts)


def _placed(before: Game, after: Game, cell: int) -> str:
    """The card that was there is public now: it lies on the discard pile, above those that were there before."""
    hidden = "a hidden " if before.state["shown"][0, before.seat, cell] == HIDDEN else ""
    replaced = after.state["piles"][0, before.discard_pile_size]
    card = "it" if before.phase == "taken" else before.hand
    return f"placed {card} on cell {cell} for {hidden}{replaced}"


def _card(before: Game, cell: int) -> int:
    """The card that is being turned up; a line that it completes may be gone afterwards."""
    return int(before.state["cards"][0, before.seat, cell])


def _cleared(before: Game, action: int) -> int:
    """How many cards the decision itself cleared, not those that the reveal after it clears."""
    twin = before.copy()
    twin.state["ender"], twin.state["turns_left"] = before.seat, 2  # a turn is left, so no reveal follows
    twin.apply(action)
    return _empty_cells(twin, before.seat) - _empty_cells(before, before.seat)


def _empty_cells(game: Game, seat: int) -> int:
    return int((game.board(seat) == EMPTY).sum())
