"""What a written position must satisfy to be a table that can be played on, and what follows from where cards lie."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.errors import PositionError
from cardtable.kernel.game_kernel import GAME_EPISODE
from skipbo_env.kernel.deal import copies_of
from skipbo_env.kernel.knowledge import tells_apart
from skipbo_env.kernel.state import (
    ACTIONS,
    CARDS,
    CERTAIN,
    COPIES,
    DECK,
    ENDINGS,
    HAND,
    MAX_PLAYERS,
    MOST_STOCK,
    NOBODY,
    OVER,
    RANKS,
    STOPPED,
    TRUNCATED,
    TURN,
    UNENDED,
    WILD,
    WILDS,
    WON,
)
from skipbo_env.rules import Rules

DECK_COUNTS = np.array([copies_of(card) for card in range(1, CARDS + 1)])  # [13], by card − 1 as all counts here
MOST_COPIES = COPIES + WILDS  # of one card, where wild cards come back as what they were played as (4.4)
MOST_COMPLETED = 2**14  # piles in a round, far more than there can be
MOST_RECYCLES = 32767  # what the record can hold

Counts = NDArray[np.int64]


# Counting


def _count(cards: NDArray[Any], where: NDArray[Any]) -> Counts:
    """Count the cards of every table, [N, K], in the places that are marked: [N, 13]."""
    return np.stack([((cards == card) & where).sum(1) for card in range(1, CARDS + 1)], axis=1)


def _count_stocks(rules: Rules, games: Any) -> tuple[Counts, Counts]:
    """The cards that lie face down in stock piles, and their top cards."""
    seat, height = np.divmod(np.arange(MOST_STOCK), rules.stock_size)
    left = np.where(seat < rules.players, games["stock_left"][:, np.minimum(seat, MAX_PLAYERS - 1)], 0)
    return _count(games["stocks"], height < left - 1), _count(games["stocks"], height == left - 1)


def _count_building(games: Any) -> Counts:
    ranks = np.arange(RANKS)[:, None]
    lying = ranks < games["heights"][:, None]  # [N, 12, 4]
    wild = lying & ((games["wild_ranks"][:, None] >> ranks & 1) > 0)
    return np.concatenate([(lying & ~wild).sum(2), wild.sum((1, 2))[:, None]], axis=1)


def count_cards(rules: Rules, games: Any) -> dict[str, Counts]:
    """What lies where at every table, as counts by card: [N, 13] for every place."""
    at = np.arange(DECK)
    hidden, tops = _count_stocks(rules, games)
    hands = games["hands"].reshape(len(games), -1)
    held = (np.arange(HAND) < games["hand_size"][:, :, None]).reshape(hands.shape)
    return {
        "hidden": hidden,
        "tops": tops,
        "hands": _count(hands, held),
        "discards": _count(games["piles"], at < games["laid"][:, None]),
        "draw": _count(games["piles"], at >= DECK - games["draw_left"][:, None]),
        "building": _count_building(games),
        "completed": games["completed"].astype(np.int64),
    }


def missing_cards(rules: Rules, lying: Counts) -> Counts:
    """The deck less the cards that lie somewhere: below 0 where there are too many of a card.

    With `recycled_wild="as_played"` a rank that there is too often was a wild card once (4.4).
    """
    missing: Counts = DECK_COUNTS - lying
    if rules.recycled_wild == "as_played":
        once_wild = np.maximum(-missing, 0)
        once_wild[..., WILD - 1] = 0
        missing += once_wild
        missing[..., WILD - 1] -= once_wild.sum(-1)
    return missing


def derive_counts(rules: Rules, games: Any) -> None:
    """Set the older cards of records by all other cards (8.4, 8.6): what is unseen is older, newer, or both counted."""
    cards = count_cards(rules, games)
    unseen = cards["hidden"] + cards["hands"] + cards["draw"]
    games["older"] = unseen - games["newer"] + games["doubtful"]
    games["older_held"] = 0
    for game in games:
        if tells_apart(game, rules.params[0]):
            game["older_held"] = game["older"].sum() - np.maximum(game["stock_left"][: rules.players] - 1, 0).sum()


def set_default_knowledge(rules: Rules, games: Any) -> None:
    """Let everybody know what they would if nobody had drawn since the last recycling (8.4, 8.5)."""
    games["newer"] = games["doubtful"] = 0
    games["older_odds"] = 0
    for game, draw in zip(games, count_cards(rules, games)["draw"], strict=True):
        if tells_apart(game, rules.params[0]):
            game["newer"] = draw
            holding = np.flatnonzero(game["hand_size"][: rules.players])
            game["older_odds"][holding, game["hand_size"][holding] - 1] = CERTAIN


# Written positions


def check_seats(rules: Rules, game: Any) -> None:
    """Refuse seats that do not exist."""
    for name, least in (("seat", 0), ("starter", 0), ("last_seat", NOBODY)):
        if not least <= game[name] < rules.players:
            raise PositionError(f"{name} {game[name]}: the seats are 0 to {rules.players - 1}")


def check_table(rules: Rules, game: Any) -> None:
    """Refuse a record whose numbers, ending, stock piles or counts cannot be so; its counts must have been derived."""
    _check_numbers(rules, game)
    _check_end(rules, game)
    _check_piles(rules, game)
    _check_knowledge(rules, game)


def _check_numbers(rules: Rules, game: Any) -> None:
    limits = {
        "round_number": ("round", 1, rules.max_rounds),
        "turns": ("turns", 0, rules.max_turns),
        "recycles": ("recycles", 0, MOST_RECYCLES),
        "is_still": ("still", 0, 1),
        "still_turns": ("still_turns", 0, rules.players),
    }
    for field, (word, least, greatest) in limits.items():
        if not least <= game[field] <= greatest:
            raise PositionError(f"{word} {game[field]} is not from {least} to {greatest}")
    for word, most in (("wilds_discarded", int(game["turns"])), ("completed_piles", MOST_COMPLETED)):
        if game[word].min() < 0:
            raise PositionError(f"{word} {game[word].min()} is below 0")
        if game[word].sum(dtype=np.int64) > most:
            raise PositionError(f"{word}: these come to more than {most}")


def _check_end(rules: Rules, game: Any) -> None:
    """Over, truncated, or going on: each has its reasons."""
    phase, ending = game["phase"], game["ending"]
    if (phase == TRUNCATED) != (ending == STOPPED):
        raise PositionError("a game is truncated when its last round was stopped, and only then")
    if phase == TRUNCATED and game["turns"] != rules.max_turns:
        raise PositionError(f"a round is stopped after max_turns={rules.max_turns} turns")
    if phase == OVER and ending == UNENDED:
        raise PositionError("the game is over, but it does not say how the last round ended")
    if phase == OVER and (ending == WON) != (0 in game["stock_left"][: rules.players]):
        raise PositionError(f"the last round is {ENDINGS[ending]}: it is won when a stock pile is empty, and only then")
    if phase != TURN:
        return
    if game["turns"] >= rules.max_turns:
        raise PositionError(f"turns {game['turns']}: the round is stopped after max_turns={rules.max_turns}")
    if game["still_turns"] == rules.players:
        raise PositionError(f"still_turns {rules.players}: the round is blocked")
    highest = max(game["totals"][: rules.players])
    if game["episode"] == GAME_EPISODE and highest >= rules.target_score:
        raise PositionError(f"a total of {highest} has reached target_score={rules.target_score}: the game is over")


def _check_piles(rules: Rules, game: Any) -> None:
    empty = np.flatnonzero(game["stock_left"][: rules.players] == 0)
    if game["phase"] != OVER and len(empty) > 0:
        raise PositionError(f"seat {empty[0]} has no stock pile left: the round is over")
    if len(empty) > 1:
        raise PositionError(f"seats {empty[0]} and {empty[1]} have no stock pile left: the round has one winner")
    if game["laid"] > DECK - rules.players:
        raise PositionError(f"{game['laid']} cards on the discard piles: there can be {DECK - rules.players} at most")
    if rules.recycle == "on_completion" and game["completed"].any():
        raise PositionError('with recycle="on_completion" there are never any completed cards')
    if (game["wild_ranks"] >> game["heights"]).any():
        raise PositionError("building: a pile has wild cards above its last rank")


def _check_knowledge(rules: Rules, game: Any) -> None:
    """Refuse counts of older, newer and doubtful cards that contradict where the cards lie (8.4, 8.5)."""
    if not tells_apart(game, rules.params[0]):
        if game["newer"].any() or game["doubtful"].any() or game["older_odds"].any():
            raise PositionError("there are newer cards, doubtful cards and odds only after a recycling")
        return
    for seat in range(rules.players):
        if game["older_odds"][seat, game["hand_size"][seat] :].any():
            raise PositionError(f"odds: seat {seat} cannot hold more older cards than cards")
    cards = {place: counts[0] for place, counts in count_cards(rules, np.array([game], game.dtype)).items()}
    if (game["older"] < cards["hidden"]).any() or (game["newer"] < cards["draw"]).any():
        raise PositionError("newer: face-down stock cards are older cards, and cards of the draw pile are newer ones")


# Saved records


def check_records(rules: Rules, games: Any) -> None:
    """Refuse records with numbers beyond their bounds: compiled code does not look whether it may read there."""
    seat = rules.players - 1
    bounds = {"phase": (0, TRUNCATED), "episode": (0, GAME_EPISODE), "ending": (0, STOPPED), "is_still": (0, 1)}
    bounds |= {
        "seat": (0, seat),
        "starter": (0, seat),
        "last_seat": (NOBODY, seat),
        "last_action": (NOBODY, ACTIONS - 1),
    }
    bounds |= {"hand_size": (0, HAND), "stock_left": (0, rules.stock_size), "still_turns": (0, rules.players)}
    bounds |= {"turns": (0, rules.max_turns), "recycles": (0, MOST_RECYCLES), "heights": (0, RANKS - 1)}
    bounds |= {"wild_ranks": (0, 2**RANKS - 1), "older_odds": (0, CERTAIN), "older_held": (0, MAX_PLAYERS * HAND)}
    bounds |= dict.fromkeys(("hands", "stocks", "piles"), (0, WILD))
    bounds |= dict.fromkeys(("draw_left", "laid", "sizes", "completed", "older", "newer", "doubtful"), (0, DECK))
    for name, (least, greatest) in bounds.items():
        if games[name].min() < least or games[name].max() > greatest:
            raise PositionError(f"{name}: not all saved numbers are from {least} to {greatest}")
    _check_places(rules, games)


def _check_places(rules: Rules, games: Any) -> None:
    """Refuse records whose cards are not those of the deck, or not where they are counted."""
    absent = slice(rules.players, MAX_PLAYERS)
    if games["hand_size"][:, absent].any() or games["sizes"][:, absent].any():
        raise PositionError("hand_size, sizes: a seat that does not exist has cards")
    if (games["sizes"].sum((1, 2), dtype=np.int64) != games["laid"]).any():
        raise PositionError("laid: not the number of all cards on the discard piles")
    by_seat = games["sizes"].sum(2, dtype=np.int64)
    if (games["starts"] != by_seat.cumsum(1) - by_seat).any():
        raise PositionError("starts: not where the discard piles begin")
    if (games["wild_ranks"] >> games["heights"]).any():
        raise PositionError("wild_ranks: a building pile has wild cards above its last rank")
    if ((games["stock_left"][:, : rules.players] == 0).sum(1) > (games["phase"] == OVER)).any():
        raise PositionError("stock_left: only the winner of a round that is over has no stock pile left")
    if (games["laid"] > DECK - rules.players).any():
        raise PositionError("laid: more cards on the discard piles than there can be")
    if (games["hands"] * (np.arange(HAND) >= games["hand_size"][:, :, None])).any():
        raise PositionError("hands: a card beyond the end of a hand")
    cards = count_cards(rules, games)
    lying: Counts = sum(cards.values(), np.zeros(CARDS, np.int64))
    if missing_cards(rules, lying).any():
        raise PositionError("piles: not all cards are those of the deck")
    unseen = cards["hidden"] + cards["hands"] + cards["draw"]
    if (games["older"].astype(np.int64) + games["newer"] - games["doubtful"] != unseen).any():
        raise PositionError("older: not the number of all cards that nobody has seen")


def check_sample(rules: Rules, game: Any) -> None:
    """Raise PositionError if a game that was sampled from an observation cannot be."""
    for name in ("older_held", "completed", "older", "newer", "doubtful", "older_odds"):
        if game[name].min() < 0:
            raise PositionError(f"{name}: the unseen cards cannot be those that are counted")
    _check_places(rules, np.array([game], game.dtype))
    check_seats(rules, game)
    check_table(rules, game)
