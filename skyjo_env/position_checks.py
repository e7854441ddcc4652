"""What a written position must satisfy to be a table that play can reach, and what follows from where the cards lie."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.errors import PositionError
from cardtable.kernel.game_kernel import GAME_EPISODE
from skyjo_env.kernel.state import (
    CONFIRM,
    DRAWN,
    EMPTY,
    GAME_DTYPE,
    HIDDEN,
    LOWEST,
    NOBODY,
    OPENING,
    OVER,
    TAKEN,
    TRUNCATED,
    TURN,
)
from skyjo_env.rules import Rules

PLAYING = (TURN, DRAWN, TAKEN, CONFIRM)


def derive_counts(rules: Rules, game: Any) -> None:
    """Set everything in a record that follows from where the cards lie."""
    for seat in range(rules.players):
        shown = game["shown"][seat, : rules.cells]
        game["hidden_left"][seat] = np.sum(shown == HIDDEN)
        game["open_sum"][seat] = np.sum(shown[shown < HIDDEN], dtype=np.int64)
    boards = (slice(0, rules.players), slice(0, rules.cells))
    hidden = _by_value(game["cards"][boards][game["shown"][boards] == HIDDEN])
    draws = _by_value(game["piles"][rules.deck_size - game["pile_left"] : rules.deck_size])
    if game["phase"] == DRAWN:
        draws[game["hand"] - LOWEST] += 1
    one_pool = game["reshuffles"] == 0  # only a reshuffle tells draws from hidden cards
    game["hidden_pool"] = hidden + draws if one_pool else hidden
    game["draw_pool"] = hidden + draws if one_pool else draws
    game["discard_counts"] = _by_value(game["piles"][: game["discard_size"]])
    if game["phase"] == OPENING:
        game["opening_left"] = rules.opening_flips - rules.cells + game["hidden_left"][game["seat"]]


def _by_value(cards: NDArray[np.int8]) -> NDArray[np.int64]:
    size: int = GAME_DTYPE["hidden_pool"].shape[0]
    return np.bincount(cards.astype(np.int64) - LOWEST, minlength=size)


def check_table(rules: Rules, game: Any) -> None:
    """Refuse a record whose seats, numbers or boards cannot be so; its counts must have been derived."""
    _check_numbers(rules, game)
    _check_end(rules, game)
    _check_boards(rules, game)
    if game["phase"] == OPENING:
        _check_opening(rules, game)
    if game["ender"] != NOBODY and game["phase"] in PLAYING:
        _check_lap(rules, game)


def check_records(rules: Rules, games: Any) -> None:
    """Refuse records with numbers beyond their bounds: compiled code does not look whether it may read there."""
    seat, deck, cells = rules.players - 1, rules.deck_size, rules.cells
    card, turns = (min(rules.values[0], 0), EMPTY), rules.max_turns + rules.players
    bounds = {"phase": (0, TRUNCATED), "seat": (0, seat), "episode": (0, GAME_EPISODE), "turns_left": (0, seat)}
    bounds |= dict.fromkeys(("ender", "starter", "last_seat"), (NOBODY, seat))
    bounds |= dict.fromkeys(("pile_left", "discard_size", "pile_next", "pile_end"), (0, deck))
    bounds |= dict.fromkeys(("hidden_pool", "draw_pool", "discard_counts"), (0, deck))
    bounds |= dict.fromkeys(("opening_left", "hidden_left", "cleared"), (0, cells)) | {"spare": (0, 0)}
    bounds |= dict.fromkeys(("hand", "shown", "cards", "piles"), card)
    bounds |= {"last_action": (NOBODY, rules.actions - 1), "turns": (0, turns), "reshuffles": (0, turns)}
    for name, (least, greatest) in bounds.items():
        if games[name].min() < least or games[name].max() > greatest:
            raise PositionError(f"{name}: not all saved numbers are from {least} to {greatest}")
    _check_piles(rules, games)


def _check_piles(rules: Rules, games: Any) -> None:
    """Refuse saved records with more cards than the deck, or a draw pile that is not in one piece at its end."""
    boards = games["cards"][:, : rules.players, : rules.cells]
    cards = games["discard_size"] + games["pile_left"] + (games["hand"] != EMPTY) + (boards != EMPTY).sum((1, 2))
    parts = rules.players if rules.draw_streams else 1
    starts, ends = games["pile_next"][:, :parts], games["pile_end"][:, :parts]
    in_one_piece = (
        (starts[:, 0] == rules.deck_size - games["pile_left"])
        & (starts <= ends).all(1)
        & (starts[:, 1:] == ends[:, :-1]).all(1)
        & (ends[:, -1] == rules.deck_size)
    )
    if (cards > rules.deck_size).any() or not in_one_piece.all():
        raise PositionError("piles: not all saved cards lie where the deck has room for them")


def check_seats(rules: Rules, game: Any) -> None:
    """Refuse seats that do not exist."""
    for name, least in (("seat", 0), ("starter", NOBODY), ("ender", NOBODY)):
        if not least <= game[name] < rules.players:
            raise PositionError(f"{name} {game[name]}: the seats are 0 to {rules.players - 1}")


def _check_numbers(rules: Rules, game: Any) -> None:
    others = rules.players - 1
    limits = {
        "round_number": ("round", 1, rules.max_rounds),
        "turns": ("turns", 0, rules.max_turns + others),
        "reshuffles": ("reshuffles", 0, rules.max_turns + others),
        "turns_left": ("turns_left", 0, others),
    }
    for field, (word, least, greatest) in limits.items():
        if not least <= game[field] <= greatest:
            raise PositionError(f"{word} {game[field]} is not from {least} to {greatest}")
    if (game["turns_left"] > 0) != (game["phase"] in PLAYING and game["ender"] != NOBODY):
        raise PositionError("turns_left goes with an ender while the final lap is played, and only then")


def _check_end(rules: Rules, game: Any) -> None:
    """Over, truncated, or going on: each has its reasons."""
    phase, hidden = game["phase"], game["hidden_left"][: rules.players]
    if phase == OVER and any(hidden):
        raise PositionError("the game is over, but a card is hidden")
    if phase == TRUNCATED and (game["ender"] != NOBODY or game["turns"] < rules.max_turns):
        raise PositionError(f"a game is truncated after max_turns={rules.max_turns} turns that nobody has ended")
    if phase in PLAYING and game["ender"] == NOBODY and game["turns"] >= rules.max_turns:
        raise PositionError(f"turns {game['turns']}: the round is stopped after max_turns={rules.max_turns}")
    if phase == OPENING and (game["turns"] > 0 or game["reshuffles"] > 0):
        raise PositionError("in the opening there have been neither turns nor reshuffles")
    if game["turns"] + game["turns_left"] > rules.max_turns + rules.players - 1:
        raise PositionError(f"turns {game['turns']}: the final lap would have begun after max_turns={rules.max_turns}")
    highest = max(game["totals"][: rules.players])
    if phase not in (OVER, TRUNCATED) and game["episode"] == GAME_EPISODE and highest >= rules.target_score:
        raise PositionError(f"a total of {highest} has reached target_score={rules.target_score}: the game is over")


def _check_boards(rules: Rules, game: Any) -> None:
    phase, seat = game["phase"], game["seat"]
    if phase != TAKEN and game["discard_size"] == 0:
        raise PositionError("a card must lie on the discard pile, unless the only one has just been taken")
    if game["ender"] != NOBODY and game["hidden_left"][game["ender"]] > 0:
        raise PositionError(f"ender {game['ender']} still has a hidden card")
    still_to_play = rules.players if game["ender"] == NOBODY else int(game["turns_left"])
    for player in ((seat + place) % rules.players for place in range(still_to_play if phase in PLAYING else 0)):
        if all(game["cards"][player, : rules.cells] == EMPTY):
            raise PositionError(f"seat {player} has no cards left to play with")
    if rules.clear == "automatic" and phase in (*PLAYING, OPENING):
        for player in range(rules.players):
            if _has_complete_line(rules, game, player):
                raise PositionError(f"seat {player} has a complete line, which would have been cleared")
    if phase == CONFIRM and not (rules.clear == "confirm" and _has_complete_line(rules, game, seat)):
        raise PositionError('the phase confirm needs clear="confirm" and a complete line')


def _has_complete_line(rules: Rules, game: Any, seat: int) -> bool:
    """Does a complete line lie on this board (5.1, 5.2)?"""
    board = game["shown"][seat, : rules.cells].reshape(rules.columns, rules.rows)
    lines = [*board, *board.T] if rules.row_clear else list(board)
    return any(line[0] < HIDDEN and all(line == line[0]) for line in lines)


def _check_opening(rules: Rules, game: Any) -> None:
    """Seats before the one that decides have opened their cards, those after it none (2.3)."""
    if rules.initial_flip == "random":
        raise PositionError('nobody decides in the opening with initial_flip="random"')
    for seat in range(rules.players):
        opened = rules.cells - game["hidden_left"][seat]
        least = rules.opening_flips if seat < game["seat"] else 0
        most = rules.opening_flips if seat < game["seat"] else rules.opening_flips - 1 if seat == game["seat"] else 0
        if not least <= opened <= most:
            raise PositionError(f"seat {seat} has opened {opened} cards while seat {game['seat']} is opening its own")


def _check_lap(rules: Rules, game: Any) -> None:
    """The seat to play must follow from the ender and the turns left (7.2)."""
    ender = game["ender"]
    length = rules.players - 1
    if rules.final_lap == "complete_current_round":
        length = (game["starter"] - ender - 1) % rules.players
    expected = (ender + length - game["turns_left"] + 1) % rules.players
    if game["turns_left"] > length or expected != game["seat"]:
        raise PositionError(
            f"seat {game['seat']} cannot be playing with turns_left {game['turns_left']} after ender {ender}"
        )


def default_starter(rules: Rules, game: Any) -> int:
    """Who starts where nobody is named: what the rules say in the opening (3.1, 3.3), else seat 0."""
    if game["phase"] != OPENING:
        return 0
    if game["round_number"] == 1:
        return 0 if rules.first_starter == "seat_0" else NOBODY
    if rules.next_starter == "previous_ender":
        raise PositionError("the opening of a later round needs the starter: who ended the round before")
    return NOBODY


def check_sample(rules: Rules, game: Any) -> None:
    """Raise PositionError if a game that was sampled from an observation cannot be."""
    check_seats(rules, game)
    check_table(rules, game)
