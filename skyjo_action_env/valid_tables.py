"""Which game records are tables that play can reach: every condition once, for many records together or for one.

Saved states, written positions and games sampled from observations come through here before compiled code reads them.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.positions import (
    Condition,
    Marks,
    TableChecks,
    count_by_value,
    is_seat,
    is_whole_deck,
    matches,
    turns_in_limits,
)
from cardtable.table.game.slices import slices_of
from cardtable.table.kernel.game_kernel import GAME_EPISODE
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.action_cards import write_masks
from skyjo_action_env.kernel.rounds import NUMBERS, OPENED, STARRED, STARS, asks_at_the_end, write_kinds
from skyjo_action_env.kernel.state import BURIED, CELLS, DECK, EMPTY, HIDDEN, KINDS, LINES, LOWEST, NOBODY, OVER, STAR
from skyjo_action_env.kernel.view import View
from skyjo_action_env.rules import Rules, card_name

LARGEST_TOTAL, LARGEST = 10**9, 2**15 - 1  # in a record, and as far below 0
SEATS = {"seat": 0, **dict.fromkeys(("mover", "starter", "ender", "attacked", "last_seat"), NOBODY)}  # least numbers
CARD_NAMES = tuple(map(card_name, range(LOWEST, STAR + 1)))
PHASE_WORDS = tuple(phase.replace(" ", "_") for phase in state.PHASES)  # as positions write them
PHASE_NAMES = np.array(PHASE_WORDS)
CARRIED_OUT = [word.split("_")[0] for word in PHASE_WORDS]  # by phase, if it is an action card
PLAYED = np.array([KINDS.index(word) if word in {*KINDS} - {"defence"} else state.NO_KIND for word in CARRIED_OUT])
SECRET = "drawn three three_place three_top"  # phases with drawn cards in hand

Counts = NDArray[np.int64]  # [N, CARDS] or [N, KINDS]


def _in(games: Any, phases: str) -> Marks:
    """Which tables are in one of these phases."""
    return np.asarray((games["phase"][:, None] == _numbers(phases)).any(axis=1))


@cache
def _numbers(phases: str) -> NDArray[np.int64]:
    return np.array([PHASE_WORDS.index(word) for word in phases.split()])


def _of_seat(numbers: NDArray[Any], seats: NDArray[Any]) -> NDArray[Any]:
    """The values of one seat at every table, [N, ...] from [N, P, ...]."""
    return np.asarray(numbers[np.arange(len(numbers)), seats])


# Counting

_count = partial(count_by_value, lowest=LOWEST, highest=STAR)
_count_kinds = partial(count_by_value, lowest=0, highest=len(KINDS) - 1)


def count_cards(rules: Rules, games: Any) -> dict[str, Counts]:
    """What lies where at every table, as counts by card."""
    cards, is_hidden = games["cards"][:, : rules.players], games["shown"][:, : rules.players] == HIDDEN
    at, piles, is_drawn = np.arange(DECK), games["piles"], _in(games, SECRET)[:, None]
    is_discard = at < games["discard_size"][:, None]
    return {
        "open": _count(cards, ~is_hidden),
        "hidden": _count(cards, is_hidden),
        "discards": _count(piles, is_discard),
        "buried": _count(piles - BURIED, is_discard),
        "draws": _count(piles, at >= DECK - games["pile_left"][:, None]),
        "drawn": _count(games["hand"], is_drawn),
        "taken": _count(games["hand"], ~is_drawn),
    }


def count_actions(rules: Rules, games: Any) -> dict[str, Counts]:
    """The same for action cards, as counts by kind."""
    at, piles = np.arange(state.ACTION_DECK), games["action_piles"]
    return {
        "open": _count_kinds(games["open_actions"], np.True_),
        "held": games["held"][:, : rules.players].sum(1, dtype=np.int64),
        "discards": _count_kinds(piles, at < games["action_discard_size"][:, None]),
        "pile": _count_kinds(piles, at >= state.ACTION_DECK - games["action_pile_left"][:, None]),
    }


def missing_cards(cards: dict[str, Counts]) -> Counts:
    """The deck less the cards that lie somewhere: below 0 where there are too many of a card."""
    return np.asarray(np.array(state.COUNTS) - np.sum(list(cards.values()), axis=0))


def missing_actions(rules: Rules, actions: dict[str, Counts]) -> Counts:
    """The same for action cards (1.4)."""
    is_in = np.arange(len(KINDS)) < (len(KINDS) if rules.action_deck == "all" else state.CERTAIN_KINDS)
    return np.asarray(state.COPIES * is_in - np.sum(list(actions.values()), axis=0))


def _derived(rules: Rules, games: Any, cards: dict[str, Counts]) -> dict[str, NDArray[Any]]:
    """The fields that follow from where the cards lie, and whether all have been turned up (9.3)."""
    shown = games["shown"]  # 0 for seats that are not in play
    is_after = _in(games, "line") & (games["ender"] != NOBODY) & (games["turns_left"] == 0)
    return {
        "hidden_left": (shown == HIDDEN).sum(2),
        "open_sum": np.where(shown < STAR, shown, 0).sum(2),
        "buried": cards["buried"].sum(1),
        "discards": cards["discards"],
        "action_discards": count_actions(rules, games)["discards"],
        "unseen": cards["hidden"] + cards["buried"] + cards["draws"] + cards["drawn"] - games["known_draws"],
        "is_reveal": is_after | _in(games, "over"),
    }


def derive_counts(rules: Rules, games: Any) -> None:
    """Set everything in records that follows from where the cards lie."""
    for name, numbers in _derived(rules, games, count_cards(rules, games)).items():
        games[name] = numbers


# Lines (section 6)


def _by_line(rules: Rules, games: Any) -> tuple[Marks, Marks]:
    """Which lines must be cleared, and about which their owners are asked, [N, P, LINES] (6.1 to 6.4)."""
    kinds = np.zeros((len(games), rules.players, LINES), np.int8)
    write_kinds(games, rules.params, kinds)
    must, may = kinds == NUMBERS, (kinds == STARS) & (rules.star_lines == "owner_may_discard")
    is_starred = kinds == STARRED
    return (must | is_starred, may) if rules.star_clear == "automatic" else (must, may | is_starred)


def lines_of(bits: NDArray[Any]) -> Marks:
    """Which lines these are, [..., LINES]."""
    return np.asarray(bits[..., None] >> np.arange(LINES) & 1, np.bool_)


def least_changed(rules: Rules, games: Any) -> NDArray[np.int64]:
    """Lines that must count as changed, as bits: to be cleared, asked about, or in the opening with an open card."""
    columns = (games["shown"][:, : rules.players] < HIDDEN).reshape(len(games), rules.players, state.COLUMNS, -1)
    opened = np.concatenate([columns.any(3), columns.any(2)], axis=2) & _in(games, "opening")[:, None, None]
    is_asked = is_seat(games["seat"], rules.players)[..., None] & (np.arange(LINES) == games["line"][:, None, None])
    return np.asarray(((_by_line(rules, games)[0] | opened | is_asked) << np.arange(LINES)).sum(2))


# Checks


def _bounds(rules: Rules) -> dict[str, tuple[int, int]]:
    """What the numbers of every field lie between: those that a seat sees by the same name as in the view."""
    seen = {part.name: (part.low, part.high) for part in slices_of(View, rules)}
    bounds = {name: seen[name] for name in state.GAME_DTYPE.names or () if name in seen.keys() - SEATS.keys()}
    bounds |= dict.fromkeys(("watching", "given_size", "brought", "given", "odds", "spare"), (0, 0))
    bounds |= dict.fromkeys(("pile_left", "discard_size"), (0, DECK)) | {"piles": (LOWEST, BURIED + STAR)}
    bounds |= dict.fromkeys(("action_pile_left", "action_discard_size", "kept"), (0, state.ACTION_DECK))
    bounds |= {"action_piles": (0, len(KINDS) - 1), "cleared": (0, CELLS), "last_action": (NOBODY, rules.actions - 1)}
    bounds |= dict.fromkeys(("shown", "cards"), seen["cells"]) | dict.fromkeys(("plays", "earned"), (0, LARGEST))
    totals, scores = (-LARGEST_TOTAL, LARGEST_TOTAL), (-LARGEST, LARGEST)
    return bounds | {"totals": totals, "round_scores": scores, "episode": (0, GAME_EPISODE)}


def _conditions(rules: Rules, games: Any, is_open: bool) -> Iterator[Condition]:
    cards = count_cards(rules, games)
    yield is_whole_deck(missing_cards(cards), CARD_NAMES, is_open)
    yield is_whole_deck(missing_actions(rules, count_actions(rules, games)), KINDS, is_open=True)
    yield from _places(rules, games, cards)
    yield from turns_in_limits(rules, games, state.PHASES, games["phase"] < OVER)  # 9.7, 10.1
    yield from _opening(rules, games)
    yield from _final_lap(rules, games)
    yield from _card_in_play(rules, games)
    masks = np.zeros((len(games), rules.actions), np.int8)
    write_masks(games.copy(), rules.params, masks)
    yield from _choices(rules, games, masks)
    yield from _claims(rules, games, masks)
    yield from _lines(rules, games)
    for name, numbers in _derived(rules, games, cards).items():
        yield matches(name, games[name], numbers)


def _places(rules: Rules, games: Any, counts: dict[str, Counts]) -> Iterator[Condition]:
    """Every place holds a card where there should be one, and 0 where these rules have no seat."""
    cards, shown, size = games["cards"], games["shown"], games["discard_size"]
    yield matches("shown", (shown == cards) & (cards != HIDDEN) | (shown == HIDDEN) & (cards < HIDDEN), True)
    lying = (counts["discards"] + counts["buried"] + counts["draws"]).sum(1)
    yield matches("piles", lying, size + games["pile_left"])
    for name in ("totals", "round_scores", "claims", "bonus", "changed", "plays", "earned", "held", "knowers", "shown"):
        yield matches(name, games[name][:, rules.players :], 0)
    yield (games["knowers"] != 0) & (shown != HIDDEN), "only hidden cards are known to seats"  # 12.2
    is_fresh, only = games["fresh"] > 0, "fresh: only with delay_counts_extra_moves=false"
    yield is_fresh & rules.delay_counts_extra_moves, only  # 4.4
    may_bring = rules.star_lines == "owner_may_discard"
    yield (games["bonus"] < 0) & (not may_bring), 'bonus: only with star_lines="owner_may_discard"'  # 6.4
    is_taken, top = _in(games, "taken"), _of_seat(games["piles"], size - 1)
    yield ~is_taken & (size == 0), "a card must lie on the discard pile, unless the only one has just been taken"
    text = "the top card of the discard pile is one that was removed hidden: it was laid below another one"
    yield ~is_taken & (size > 0) & (top > EMPTY), text  # 7.7
    known, draws = games["known_draws"], (counts["draws"] + counts["drawn"]) * (games["reshuffles"] > 0)[:, None]
    yield known > draws, "known_draws: these are cards of the draw pile and drawn ones, after a reshuffle"  # 12.3


def _opening(rules: Rules, games: Any) -> Iterator[Condition]:
    """Nobody's turn has begun in the opening, nor while its claims are made; seats open their cards in turn (2.4)."""
    is_opening, is_early, place = _in(games, "opening"), games["mover"] == NOBODY, np.arange(rules.players)
    yield is_opening & ~is_early, "mover {game.mover}: nobody's turn has begun in the opening"
    yield is_early & ~_in(games, "opening claim"), "mover: somebody's turn must have begun"
    text = "the starter is known when turns have begun, and in a later round"
    yield (games["starter"] == NOBODY) != is_early & (games["round_number"] == 1), text  # 2.5, 2.6
    has_begun = np.any([games[name] > 0 for name in ("turns", "reshuffles", "extra_turns")], axis=0)
    text = "in the opening there have been neither turns nor reshuffles"
    yield is_early & (has_begun | (games["ender"] != NOBODY)), text
    opened, still = CELLS - games["hidden_left"][:, : rules.players], np.where(is_opening, games["seat"], 8)[:, None]
    deviates = np.where(place < still, opened != OPENED, np.where(place == still, opened >= OPENED, opened > 0))
    text = "seat {at[0]} has opened {value} cards, but two are opened, seat by seat"
    yield deviates & is_early[:, None], text, opened


def _final_lap(rules: Rules, games: Any) -> Iterator[Condition]:
    """Who plays follows from the ender and the turns left (9.1 to 9.4)."""
    ender, left, mover, is_over = games["ender"], games["turns_left"], games["mover"], _in(games, "over")
    has_ender, is_bare = ender != NOBODY, games["hidden_left"][:, : rules.players] == 0
    is_reveal = _in(games, "line") & has_ender & (left == 0)
    text = "turns_left goes with an ender while the final lap is played, and only then"
    yield (left > 0) != has_ender & (games["phase"] < OVER) & ~is_reveal, text  # 9.2
    yield is_over & ~has_ender, "the game is over, but nobody has ended the round"
    text = "mover {game.mover} cannot be playing with turns_left {game.turns_left} after ender {game.ender}"
    yield has_ender & ((ender - np.maximum(left, 1)) % rules.players != mover), text
    causes = is_bare.any(1) if rules.ender == "who_caused" else _of_seat(is_bare, ender)
    yield has_ender & ~causes, "ender {game.ender}: a hidden card is left where there should be none"  # 9.1
    yield has_ender & (games["extra_turns"] > 0), "extra turns of the ender are lost"
    yield has_ender & (games["played"] != state.NO_KIND), "no card is played after the round was ended"  # 4.6
    yield (is_over | is_reveal) & ~is_bare.all(1), "the round is over, but a card is hidden"  # 9.3
    yield is_reveal & (not asks_at_the_end(rules.params[0])), "no line is asked about when the final lap is over"  # 9.4


def _card_in_play(rules: Rules, games: Any) -> Iterator[Condition]:
    """What is in hand, who decides, and what is noted of the action card that is carried out, belong to the phase."""
    played, picked, attacked, seat, mover = (games[name] for name in ("played", "picked", "attacked", "seat", "mover"))
    words, is_attack, is_asked = PHASE_NAMES[games["phase"]], _in(games, "remove steal_card"), _in(games, "defence")
    is_anybodys = _in(games, "opening claim line over truncated")
    text = "mover {game.mover}: in the phase {value} it is the seat that decides, unless that is attacked"
    yield ~is_anybodys & ((seat == mover) == is_asked), text, words
    text = "played: not the action card of the phase {value}; before a defence one of exchange, remove and steal"
    is_attacking = np.isin(played, (state.EXCHANGE, state.REMOVE, state.STEAL))
    yield ~np.where(is_asked, is_attacking, played == PLAYED[games["phase"]]), text, words
    right = np.where(is_asked, attacked == seat, (attacked == NOBODY) != is_attack) & ~(is_attack & (attacked == mover))
    yield ~right, "attacked: another seat in remove and steal_card, who decides in defence, or else nobody"
    is_laid, is_done = _in(games, "three_place three_top"), _in(games, "three_top three_flip")
    is_card = is_laid & (picked >= 0) & (picked < state.NO_CARD) | is_done & (picked == state.NO_CARD)
    text = "picked {game.picked}: in three_place the card that is laid, in three_top and three_flip 3 for none"
    yield ~(is_card | ~(is_laid | is_done) & (picked == NOBODY)), text  # 7.3
    at, hand = np.arange(state.HAND), games["hand"]
    is_full = _in(games, "drawn taken")[:, None] & (at == 0) | _in(games, "three three_place three_top")[:, None]
    is_full &= ~_in(games, "three_top")[:, None] | (at != picked[:, None])
    text = "cards in hand go with drawn, taken, three, three_place and three_top, as many as the phase needs"
    yield np.where(is_full, hand >= HIDDEN, hand != EMPTY), text
    never = {"defence": rules.defence == "automatic", "three_top": rules.three_order == "as_drawn"}
    never |= {"replay": rules.replay == "top"}
    text = 'the phase {value} needs other rules: defence="owner_decides", three_order="owner_chooses" or replay="any"'
    yield _in(games, " ".join(word for word, is_never in never.items() if is_never)), text, words
    holds = _of_seat(games["held"], attacked)[:, state.DEFENCE] > 0
    yield is_asked & ~holds, "seat {game.seat} has no defence"  # 7.4


def _choices(rules: Rules, games: Any, masks: NDArray[np.int8]) -> Iterator[Condition]:
    """Cells have been chosen where they must have been, and there is something to choose (7.2 to 7.9)."""
    first, second, mover, players = games["chosen"], games["chosen_with"], games["mover"], rules.players
    cells, at = games["shown"].reshape(len(games), -1)[:, : CELLS * players] != EMPTY, np.arange(CELLS * players)
    is_exchange = _in(games, "defence") & (games["played"] == state.EXCHANGE)
    has_first, owner = _in(games, "swap_with exchange_with") | is_exchange, first // CELLS
    text = "chosen: a card in swap_with, exchange_with and the defence against an exchange, only there"
    yield np.where(has_first, (first == NOBODY) | ~_of_seat(cells, first), first != NOBODY), text
    is_later = cells & ((at // CELLS - mover[:, None]) % players > ((owner - mover) % players)[:, None])  # 7.11
    is_owner = (owner == games["attacked"]) | (second // CELLS == games["attacked"])
    is_second = (second != NOBODY) & _of_seat(is_later, second) & is_owner
    text = "chosen_with: a card of a later layout in the defence against an exchange, one of both attacked; only there"
    yield np.where(is_exchange, ~is_second, second != NOBODY), text
    has_hidden, left = _of_seat(games["hidden_left"], games["seat"]) > 0, cells.reshape(len(games), players, CELLS)
    is_asked = (games["phase"] < OVER) & ~_in(games, "claim")
    is_stuck = is_asked & ~masks.any(1) | _in(games, "three") & ~_of_seat(left, mover).any(1)
    is_stuck |= _in(games, "three_top") & ~has_hidden & (games["picked"] == state.NO_CARD)
    is_stuck |= _in(games, "swap_with") & (owner != mover)
    is_removing = _in(games, "defence") & (games["played"] == state.REMOVE) & (not rules.remove_action_cards)
    is_stuck |= is_removing & ~_of_seat(left, games["attacked"]).any(1)
    yield is_stuck, "there is nothing to choose in the phase {value}", PHASE_NAMES[games["phase"]]


def _moving(games: Any) -> Marks:
    """Where stars and changed lines may be waiting for the end of a move (3.1)."""
    is_removing = _in(games, "defence") & (games["played"] == state.REMOVE)
    has_laid = _in(games, "three_top") & (games["picked"] != state.NO_CARD)
    return np.asarray(_in(games, "opening claim remove") | is_removing | has_laid)


def _comes_before(rules: Rules, games: Any) -> Marks:
    """The seats that come before the one that decides when claims are made and lines are cleared (5.2, 6.6)."""
    first = np.where((games["mover"] == NOBODY) | (games["is_reveal"] != 0), 0, games["mover"])[:, None]
    place, at = (np.arange(rules.players) - first) % rules.players, (games["seat"][:, None] - first) % rules.players
    return np.asarray(place < at)


def _claims(rules: Rules, games: Any, masks: NDArray[np.int8]) -> Iterator[Condition]:
    """Claims are made at the end of a move, in order of seats, for stars of this move (5.1 to 5.4)."""
    claims, is_early, is_claim = games["claims"][:, : rules.players], games["mover"] == NOBODY, _in(games, "claim")
    most = np.where(is_early, OPENED * rules.opening_star, _moving(games))[:, None]  # 2.7
    most = np.minimum(most, (games["shown"][:, : rules.players] == STAR).sum(2))
    wrong = (claims > most) | (claims < most) & _in(games, "opening")[:, None]
    yield wrong, "claims: seat {at[0]} has {value}, not one for a star that came to its layout in this move", claims
    is_first, is_decider = _comes_before(rules, games), is_seat(games["seat"], rules.players)
    text = "seat {game.seat} has no claim, or another seat makes one before it"
    yield is_claim[:, None] & (is_first | is_decider) & ((claims > 0) != is_decider), text  # 5.2
    yield is_claim & ~masks[:, state.OPEN : state.PASS].any(1), "there is no action card that could be claimed"  # 5.4


def _lines(rules: Rules, games: Any) -> Iterator[Condition]:
    """No line lies there that would have been cleared, and owners are asked about the lines that they decide on."""
    line, seat, is_asked, at_once = games["line"], games["seat"], _in(games, "line"), rules.foreign_clear == "at_once"
    (must, may), changed = _by_line(rules, games), lines_of(games["changed"][:, : rules.players])
    is_still = (~_moving(games) & ~is_asked & at_once | _in(games, "over"))[:, None]  # all lines have been looked at
    text = "seat {at[0]} has a complete line, which would have been cleared"
    yield (must & ~changed).any(2) | must.any(2) & is_still, text  # 6.2
    yield changed.any(2) & is_still, "changed: the lines of seat {at[0]} have been looked at before this move"  # 6.5
    accepted = lines_of(games["accepted"])
    to_ask = _of_seat(may & changed, seat) & ~accepted & is_asked[:, None]
    text = "line {game.line}: seat {game.seat} is asked about its first changed line with stars in line, and only there"
    yield (line != np.where(to_ask.any(1), to_ask.argmax(1), NOBODY)) | (is_asked & (line == NOBODY)), text  # 6.7
    text = "accepted: lines about which the owner has been asked, before the one that is asked about"
    yield accepted & (np.arange(LINES) >= line[:, None]), text
    is_reveal = games["is_reveal"] != 0
    waits = (_comes_before(rules, games) & changed.any(2)).any(1)
    is_waiting = np.where(is_reveal | at_once, waits, seat != games["mover"])
    yield is_asked & is_waiting, "seat {game.seat} is asked while the lines of another one come first"  # 6.6


CHECKS = TableChecks(_bounds, SEATS, _conditions)
