"""Which game records are tables that play can reach: every condition once, for many records together or for one.

Saved states, written positions and games sampled from observations come through here before compiled code reads them.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel.game_kernel import GAME_EPISODE
from cardtable.positions import (
    Condition,
    Marks,
    check_seats,
    count_by_value,
    invalid_rows,
    is_whole_deck,
    matches,
    refuse_invalid,
    within,
)
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.deal import OPENED
from skyjo_action_env.kernel.state import (
    ACTION_DECK,
    BURIED,
    CELLS,
    CLAIM,
    COLUMNS,
    COPIES,
    COUNTS,
    DECK,
    DEFEND_ASKED,
    DRAWN,
    EMPTY,
    EXCHANGE,
    HAND,
    HIDDEN,
    HIGHEST,
    KINDS,
    LINE,
    LINES,
    LOWEST,
    MAX_PLAYERS,
    NO_CARD,
    NO_KIND,
    NOBODY,
    OPENING,
    OVER,
    PHASES,
    REMOVE,
    ROWS,
    STAR,
    STEAL,
    TAKEN,
    THREE_CARD,
    THREE_FLIP,
    THREE_PLACE,
    THREE_TOP,
    TRUNCATED,
    TURN,
)
from skyjo_action_env.observation import MOST_BONUS
from skyjo_action_env.rules import Rules

LARGEST_TOTAL, LARGEST = 10**9, 2**15 - 1  # in a record, and as far below 0
SEATS = {"seat": 0, **dict.fromkeys(("mover", "starter", "ender", "attacked", "last_seat"), NOBODY)}  # least numbers
CARD_NAMES = (*map(str, range(LOWEST, HIGHEST + 1)), "*")
PHASE_WORDS = tuple(phase.replace(" ", "_") for phase in PHASES)  # as positions write them
BY_SEAT = ("totals", "round_scores", "claims", "bonus", "changed", "plays", "earned", "held", "knowers")
SECRET = (DRAWN, THREE_CARD, THREE_PLACE, THREE_TOP)  # phases with drawn cards in hand
PLAYED = np.full(len(PHASES), NO_KIND)  # the action card that is carried out in a phase; in a defence one of ATTACKS
ATTACKS = (EXCHANGE, REMOVE, STEAL)
for _phase, _name in enumerate(PHASES):
    if _name.split()[0] in KINDS and _phase != DEFEND_ASKED:
        PLAYED[_phase] = KINDS.index(_name.split()[0])

Counts = NDArray[np.int64]  # [N, CARDS] or [N, KINDS]


# Counting

_count = partial(count_by_value, lowest=LOWEST, highest=STAR)
_count_kinds = partial(count_by_value, lowest=0, highest=len(KINDS) - 1)


def _layouts(rules: Rules, games: Any, field: str = "shown") -> NDArray[Any]:
    """The layouts that there are, [N, P, CELLS]."""
    return np.asarray(games[field][:, : rules.players])


def count_cards(rules: Rules, games: Any) -> dict[str, Counts]:
    """What lies where at every table, as counts by card."""
    cards, is_hidden = _layouts(rules, games, "cards"), _layouts(rules, games) == HIDDEN
    at, piles, is_drawn = np.arange(DECK), games["piles"], np.isin(games["phase"], SECRET)[:, None]
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
    at, piles = np.arange(ACTION_DECK), games["action_piles"]
    return {
        "open": _count_kinds(games["open_actions"], np.True_),
        "held": games["held"][:, : rules.players].sum(1, dtype=np.int64),
        "discards": _count_kinds(piles, at < games["action_discard_size"][:, None]),
        "pile": _count_kinds(piles, at >= ACTION_DECK - games["action_pile_left"][:, None]),
    }


def missing_cards(cards: dict[str, Counts]) -> Counts:
    """The deck less the cards that lie somewhere: below 0 where there are too many of a card."""
    missing: Counts = np.array(COUNTS) - np.sum(list(cards.values()), axis=0)
    return missing


def missing_actions(rules: Rules, actions: dict[str, Counts]) -> Counts:
    """The same for action cards (1.4)."""
    kinds = len(KINDS) if rules.action_deck == "all" else state.CERTAIN_KINDS
    missing: Counts = COPIES * (np.arange(len(KINDS)) < kinds) - np.sum(list(actions.values()), axis=0)
    return missing


def _derived(rules: Rules, games: Any, cards: dict[str, Counts]) -> dict[str, NDArray[Any]]:
    """The fields that follow from where the cards lie, and whether the questions of the reveal are asked (9.4)."""
    phase, shown = games["phase"], games["shown"]  # 0 in layouts that there are not
    hidden_left = (shown == HIDDEN).sum(2)
    to_open = OPENED - CELLS + (hidden_left * _is_seat(games["seat"], MAX_PLAYERS)).sum(1)
    is_after = (phase == LINE) & (games["ender"] != NOBODY) & (games["turns_left"] == 0)
    return {
        "hidden_left": hidden_left,
        "open_sum": np.where(shown < STAR, shown, 0).sum(2),
        "opening_left": np.where(phase == OPENING, to_open, 0),
        "buried": cards["buried"].sum(1),
        "discards": cards["discards"],
        "action_discards": count_actions(rules, games)["discards"],
        "unseen": cards["hidden"] + cards["buried"] + cards["draws"] + cards["drawn"] - games["known_draws"],
        "is_reveal": is_after | (phase == OVER) & asks_at_the_end(rules),
    }


def asks_at_the_end(rules: Rules) -> bool:
    """Are the owners of lines asked at the end of the round (9.4)?"""
    has_questions = rules.star_clear == "owner_decides" or rules.star_lines == "owner_may_discard"
    return rules.reveal_star_clear == "owner_decides" and has_questions


def _is_seat(seats: NDArray[Any], players: int) -> Marks:
    """Which of the seats of every table this is, [N, P]."""
    return np.asarray(np.arange(players) == seats[:, None])


def _of_seat(numbers: NDArray[Any], seats: NDArray[Any]) -> NDArray[Any]:
    """What is so of one seat at every table, [N, ...] from [N, P, ...]."""
    return np.asarray(numbers[np.arange(len(numbers)), seats])


def derive_counts(rules: Rules, games: Any) -> None:
    """Set everything in records that follows from where the cards lie."""
    for name, numbers in _derived(rules, games, count_cards(rules, games)).items():
        games[name] = numbers


# Lines (section 6)


def _by_line(rules: Rules, games: Any) -> tuple[Marks, Marks]:
    """Which lines must be cleared, and about which their owners are asked, [N, P, LINES] (6.1 to 6.4)."""
    columns = _layouts(rules, games).reshape(len(games), rules.players, COLUMNS, ROWS)
    rows, short = columns.swapaxes(2, 3), COLUMNS - rules.short_rows
    found = [_kinds(cards, least) for cards, least in ((columns, ROWS), (rows, short))]
    numbers, starred, stars = (np.concatenate(parts, axis=2) for parts in zip(*found, strict=True))
    is_automatic = rules.star_clear == "automatic"
    must = numbers | starred & is_automatic
    return must, starred & (not is_automatic) | stars & (rules.star_lines == "owner_may_discard")


def _kinds(cards: NDArray[Any], least: int) -> tuple[Marks, Marks, Marks]:
    """Complete lines with at least so many cards: of numbers alone, with stars, of stars alone, [..., lines]."""
    is_star, is_number = cards == STAR, cards < STAR
    lowest, highest = np.where(is_number, cards, EMPTY).min(-1), np.where(is_number, cards, LOWEST).max(-1)
    is_complete = ((cards != EMPTY).sum(-1) >= least) & (cards != HIDDEN).all(-1) & (lowest >= highest)
    has_number, has_star = is_number.any(-1), is_star.any(-1)
    return is_complete & ~has_star, is_complete & has_star & has_number, is_complete & ~has_number


def lines_of(bits: NDArray[Any]) -> Marks:
    """Which lines these are, [..., LINES]."""
    return np.asarray(bits[..., None] >> np.arange(LINES) & 1, np.bool_)


def least_changed(rules: Rules, games: Any) -> NDArray[np.int64]:
    """Lines that must count as changed, as bits: to be cleared, asked about, or in the opening with an open card."""
    columns = (_layouts(rules, games) < HIDDEN).reshape(len(games), rules.players, COLUMNS, ROWS)
    opened = np.concatenate([columns.any(3), columns.any(2)], axis=2) & (games["phase"] == OPENING)[:, None, None]
    is_asked = _is_seat(games["seat"], rules.players)[..., None] & (np.arange(LINES) == games["line"][:, None, None])
    bits = (_by_line(rules, games)[0] | opened | is_asked) << np.arange(LINES)
    return np.asarray(bits.sum(2))


# Checks


def check_states(rules: Rules, games: NDArray[Any]) -> None:
    """Refuse records that are not tables of these rules. PositionError says what is wrong with the first of them."""
    check_records(rules, games)
    check_tables(rules, games)


def invalid_tables(rules: Rules, games: NDArray[Any]) -> Iterator[tuple[int, str]]:
    """Row and reason of every record that play cannot reach; bounds have been checked, or cannot be exceeded."""
    return invalid_rows(rules, games, _conditions(rules, games, is_open=True))


def check_records(rules: Rules, games: Any) -> None:
    """Refuse records with numbers beyond their bounds: compiled code does not look whether it may read there."""
    last_cell, last_kind = CELLS * rules.players - 1, len(KINDS) - 1
    bounds = {"phase": (0, TRUNCATED), "episode": (0, GAME_EPISODE), "spare": (0, 0), "is_reveal": (0, 1)}
    bounds |= dict.fromkeys(("pile_left", "discard_size", "buried", "unseen", "known_draws", "discards"), (0, DECK))
    bounds |= dict.fromkeys(("action_pile_left", "action_discard_size", "kept"), (0, ACTION_DECK))
    bounds |= dict.fromkeys(("fresh", "held", "action_discards"), (0, COPIES))
    bounds |= dict.fromkeys(("played", "open_actions"), (NO_KIND, last_kind)) | {"action_piles": (0, last_kind)}
    bounds |= dict.fromkeys(("chosen", "chosen_with"), (NOBODY, last_cell)) | {"picked": (NOBODY, NO_CARD)}
    bounds |= dict.fromkeys(("accepted", "changed"), (0, state.ALL_LINES)) | {"line": (NOBODY, LINES - 1)}
    bounds |= dict.fromkeys(("cleared", "claims", "hidden_left"), (0, CELLS)) | {"opening_left": (0, OPENED)}
    bounds |= dict.fromkeys(("hand", "shown", "cards"), (LOWEST, EMPTY)) | {"piles": (LOWEST, BURIED + STAR)}
    bounds |= {"totals": (-LARGEST_TOTAL, LARGEST_TOTAL), "round_scores": (-LARGEST, LARGEST)}
    bounds |= {"knowers": (0, 2**rules.players - 1), "last_action": (NOBODY, rules.actions - 1)}
    bounds |= {"bonus": (-MOST_BONUS, 0), "extra_turns": (0, 2 * ACTION_DECK)}
    for name, (least, greatest) in bounds.items():
        refuse_invalid(rules, games, [within(name, games[name], least, greatest)])
    check_seats(rules, games, SEATS)


def check_tables(rules: Rules, games: Any, is_open: bool = True) -> None:
    """Refuse records that play cannot reach; what `derive_counts` sets must be set (`is_open`: see `is_whole_deck`)."""
    refuse_invalid(rules, games, _conditions(rules, games, is_open))


def _conditions(rules: Rules, games: Any, is_open: bool) -> Iterator[Condition]:
    cards = count_cards(rules, games)
    yield is_whole_deck(missing_cards(cards), CARD_NAMES, is_open)
    yield is_whole_deck(missing_actions(rules, count_actions(rules, games)), KINDS, is_open=True)
    yield from _places(rules, games, cards)
    yield from _numbers(rules, games)
    yield from _opening(rules, games)
    yield from _final_lap(rules, games)
    yield from _card_in_play(rules, games)
    yield from _choices(rules, games)
    yield from _claims(rules, games)
    yield from _lines(rules, games)
    for name, numbers in _derived(rules, games, cards).items():
        yield matches(name, games[name], numbers)


def _places(rules: Rules, games: Any, counts: dict[str, Counts]) -> Iterator[Condition]:
    """Every place holds a card where there should be one, and 0 where these rules have no seat."""
    cards, shown, size = _layouts(rules, games, "cards"), _layouts(rules, games), games["discard_size"]
    yield matches("shown", (shown == cards) & (cards != HIDDEN) | (shown == HIDDEN) & (cards < HIDDEN), True)
    lying = (counts["discards"] + counts["buried"] + counts["draws"]).sum(1)
    yield matches("piles", lying, size + games["pile_left"])
    for name in (*BY_SEAT, "cards", "shown"):
        yield matches(name, games[name][:, rules.players :], 0)
    yield (games["knowers"] != 0) & (games["shown"] != HIDDEN), "only hidden cards are known to seats"  # 12.2
    is_taken, top = games["phase"] == TAKEN, _of_seat(games["piles"], size - 1)
    text = "a card must lie on the discard pile, unless the only one has just been taken"
    yield ~is_taken & (size == 0), text
    text = "the top card of the discard pile is one that was removed hidden: it was laid below another one"
    yield ~is_taken & (size > 0) & (top > EMPTY), text  # 7.7
    known = games["known_draws"]
    text = "known_draws: these are cards of the draw pile and drawn ones, after a reshuffle"
    yield (known > counts["draws"] + counts["drawn"]) | (known > 0) & (games["reshuffles"] == 0)[:, None], text  # 12.3
    mine = _of_seat(games["held"], games["mover"]) * (games["mover"] != NOBODY)[:, None]
    text = "fresh: cards of the player whose turn it is, with delay_counts_extra_moves=false"
    yield games["fresh"] > mine * (not rules.delay_counts_extra_moves), text  # 4.4


def _numbers(rules: Rules, games: Any) -> Iterator[Condition]:
    """Rounds and turns are counted within limits, and a game goes on until there is a reason to end it (9, 10)."""
    phase, turns, left, others = games["phase"], games["turns"].astype(np.int64), games["turns_left"], rules.players - 1
    is_playing, has_ender, is_full = phase < OVER, games["ender"] != NOBODY, turns >= rules.max_turns
    yield within("round", games["round_number"], 1, rules.max_rounds)  # 10.1
    yield within("turns", turns, 0, rules.max_turns + others)
    yield within("reshuffles", games["reshuffles"], 0, LARGEST)
    yield within("turns_left", left, 0, others)
    for name, most in (("plays", turns + 1), ("earned", turns + 1 + OPENED)):
        text = f"{name} {{value}}: not so many action cards in so few turns"
        yield (games[name] < 0) | (games[name] > most[:, None]), text, games[name]
    text = "a game is truncated after max_turns={rules.max_turns} turns that nobody has ended"
    yield (phase == TRUNCATED) & (has_ender | (turns != rules.max_turns)), text  # 9.7
    text = "turns {game.turns}: the round is stopped after max_turns={rules.max_turns}"
    yield is_playing & ~has_ender & is_full, text
    text = "turns {game.turns}: the final lap would have begun after max_turns={rules.max_turns}"
    yield turns + left > rules.max_turns + others, text
    highest = games["totals"][:, : rules.players].max(1)
    is_decided = is_playing & (games["episode"] == GAME_EPISODE) & (highest >= rules.target_score)
    text = "a total of {value} has reached target_score={rules.target_score}: the game is over"
    yield is_decided, text, highest  # 10.1
    may_bring = rules.star_lines == "owner_may_discard"
    yield (games["bonus"] < 0) & (not may_bring), 'bonus: only with star_lines="owner_may_discard"'  # 6.4


def _opening(rules: Rules, games: Any) -> Iterator[Condition]:
    """Nobody's turn has begun in the opening, nor while its claims are made; seats open their cards in turn (2.4)."""
    phase, mover, seat = games["phase"], games["mover"], games["seat"]
    is_opening = mover == NOBODY
    yield (phase == OPENING) & ~is_opening, "mover {game.mover}: nobody's turn has begun in the opening"
    yield is_opening & (phase != OPENING) & (phase != CLAIM), "mover: somebody's turn must have begun"
    text = "the starter is known when turns have begun, and in a later round"
    yield (games["starter"] == NOBODY) != is_opening & (games["round_number"] == 1), text  # 2.5, 2.6
    counts = ("turns", "reshuffles", "extra_turns", "turns_left")
    has_begun = np.any([games[name] != 0 for name in counts], axis=0) | (games["ender"] != NOBODY)
    yield is_opening & has_begun, "in the opening there have been neither turns nor reshuffles, and nobody ended it"
    opened, place = CELLS - games["hidden_left"][:, : rules.players], np.arange(rules.players)
    still = np.where(phase == OPENING, seat, rules.players)[:, None]  # who is opening cards
    deviates = np.where(place < still, opened != OPENED, np.where(place == still, opened >= OPENED, opened > 0))
    text = "seat {at[0]} has opened {value} cards, but two are opened, seat by seat"
    yield deviates & is_opening[:, None], text, opened


def _final_lap(rules: Rules, games: Any) -> Iterator[Condition]:
    """Who plays follows from the ender and the turns left (9.1 to 9.4)."""
    phase, ender, left, mover = games["phase"], games["ender"], games["turns_left"], games["mover"]
    has_ender, is_reveal = ender != NOBODY, (phase == LINE) & (ender != NOBODY) & (left == 0)
    text = "turns_left goes with an ender while the final lap is played, and only then"
    yield (left > 0) != has_ender & (phase < OVER) & ~is_reveal, text  # 9.2
    yield (phase == OVER) & ~has_ender, "the game is over, but nobody has ended the round"
    text = "mover {game.mover} cannot be playing with turns_left {game.turns_left} after ender {game.ender}"
    yield has_ender & ((ender - np.maximum(left, 1)) % rules.players != mover), text
    is_bare = games["hidden_left"][:, : rules.players] == 0
    causes = is_bare.any(1) if rules.ender == "who_caused" else _of_seat(is_bare, ender)
    yield has_ender & ~causes, "ender {game.ender}: a hidden card is left where there should be none"  # 9.1
    yield has_ender & (games["extra_turns"] > 0), "extra turns of the ender are lost"
    is_shown = (phase == OVER) | is_reveal
    yield is_shown & ~is_bare.all(1), "the round is over, but a card is hidden"  # 9.3
    yield is_reveal & (not asks_at_the_end(rules)), "no line is asked about when the final lap is over"  # 9.4


def _card_in_play(rules: Rules, games: Any) -> Iterator[Condition]:
    """What is in hand, who decides, and what is noted of the action card that is carried out, belong to the phase."""
    phase, played, picked, hand = games["phase"], games["played"], games["picked"], games["hand"]
    seat, mover, attacked, is_asked = games["seat"], games["mover"], games["attacked"], games["phase"] == DEFEND_ASKED
    words = np.array(PHASE_WORDS)[phase]
    may_differ = np.isin(phase, (OPENING, CLAIM, LINE, OVER, TRUNCATED))
    text = "mover {game.mover}: in the phase {value} it is the seat that decides, unless that is attacked"
    yield ~may_differ & ((seat == mover) == is_asked), text, words
    is_wrong = np.where(is_asked, ~np.isin(played, ATTACKS), played != PLAYED[phase])
    text = "played: not the action card of the phase {value}; before a defence one of exchange, remove and steal"
    yield is_wrong, text, words
    yield (games["ender"] != NOBODY) & (PLAYED[phase] != NO_KIND), "no card is played after the round was ended"  # 4.6
    least, most = np.full((2, len(PHASES)), NOBODY)
    least[THREE_PLACE], most[THREE_PLACE] = 0, HAND - 1
    least[THREE_TOP], most[THREE_TOP], least[THREE_FLIP], most[THREE_FLIP] = 0, NO_CARD, NO_CARD, NO_CARD
    text = "picked {game.picked}: in three_place the card that is laid, in three_top and three_flip 3 for none"
    yield (picked < least[phase]) | (picked > most[phase]), text  # 7.3
    at, is_three = np.arange(HAND), np.isin(phase, (THREE_CARD, THREE_PLACE, THREE_TOP))[:, None]
    is_full = np.isin(phase, (DRAWN, TAKEN))[:, None] & (at == 0) | is_three
    is_full &= (phase != THREE_TOP)[:, None] | (at != picked[:, None])
    text = "a card in hand goes with drawn and taken, three with three, three_place and three_top, only with them"
    yield np.where(is_full, hand >= HIDDEN, hand != EMPTY), text
    is_attack = np.isin(phase, (state.REMOVE_CARD, state.STEAL_KIND))
    right = np.where(is_asked, attacked == seat, np.where(is_attack, attacked != mover, attacked == NOBODY))
    text = "attacked: another seat in remove and steal_card, who decides in defence, or else nobody"
    yield ~right | is_attack & (attacked == NOBODY), text
    text = 'the phase {value} needs other rules: defence="owner_decides", three_order="owner_chooses" or replay="any"'
    never = {DEFEND_ASKED: rules.defence == "automatic", THREE_TOP: rules.three_order == "as_drawn"}
    never[state.REPLAY_KIND] = rules.replay == "top"
    yield np.isin(phase, [code for code, is_never in never.items() if is_never]), text, words
    holds = _of_seat(games["held"], attacked)[:, state.DEFENCE] > 0
    yield is_asked & ~holds, "seat {game.seat} has no defence"  # 7.4
    text = "seat {game.attacked} has a defence, which stops the attack"
    yield is_attack & holds & (rules.defence == "automatic"), text


def _choices(rules: Rules, games: Any) -> Iterator[Condition]:
    """Cells have been chosen where they must have been, and there is something to choose (7.2 to 7.9)."""
    phase, first, second, mover = games["phase"], games["chosen"], games["chosen_with"], games["mover"]
    is_asked, shown = (phase == DEFEND_ASKED) & (games["played"] == EXCHANGE), _layouts(rules, games)
    at, cells = np.arange(CELLS * rules.players), shown.reshape(len(games), -1)
    has_first = is_asked | np.isin(phase, (state.SWAP_WITH, state.EXCHANGE_WITH))
    text = "chosen: a card in swap_with, exchange_with and the defence against an exchange, only there"
    yield (first == NOBODY) == has_first, text
    yield has_first & (_of_seat(cells, first) == EMPTY), text
    yield (second == NOBODY) == is_asked, "chosen_with: the other card in the defence against an exchange, only there"
    owner, other, place = first // CELLS, at // CELLS, (at // CELLS - mover[:, None]) % rules.players  # 7.11
    is_later = (place > ((owner - mover) % rules.players)[:, None]) & (cells != EMPTY)
    text = "chosen_with: a card of another layout, whose owner comes later; one of both is attacked"
    is_owner = (owner == games["attacked"]) | (second // CELLS == games["attacked"])
    yield is_asked & ~(_of_seat(is_later, second) & is_owner), text
    can, is_mine = _can_be_done(rules, games, shown), other == mover[:, None]
    is_next = is_mine & (at > first[:, None]) & (cells != EMPTY)
    has_card = (is_mine & (cells != EMPTY)).any(1)
    can |= {DRAWN: has_card, TAKEN: has_card, THREE_CARD: has_card, THREE_PLACE: has_card}
    can |= {state.SWAP_WITH: is_next.any(1) & (owner == mover), state.EXCHANGE_WITH: is_later.any(1)}
    has_hidden = _of_seat(games["hidden_left"], games["seat"]) > 0
    can |= {THREE_TOP: has_hidden | (games["picked"] != NO_CARD), THREE_FLIP: has_hidden}
    text = "there is nothing to choose in the phase {value}"
    yield np.any([(phase == code) & ~marks for code, marks in can.items()], axis=0), text, np.array(PHASE_WORDS)[phase]


def _can_be_done(rules: Rules, games: Any, shown: NDArray[Any]) -> dict[int, Marks]:
    """Phases in which an action card asks for something, and where that is there (4.2)."""
    left, held, attacked = (shown != EMPTY).sum(2), games["held"][:, : rules.players] > 0, games["attacked"]
    is_other, mine = ~_is_seat(games["mover"], rules.players), _of_seat(left, games["mover"])
    can_lose = (left > 0) | held.any(2) & rules.remove_action_cards
    can = np.zeros((len(games), len(KINDS)), np.bool_)
    can[:, [state.DOUBLE, state.DEFENCE]] = True
    can[:, state.SWAP], can[:, state.LOOK] = mine >= 2, games["hidden_left"].any(1)
    can[:, state.THREE] = (mine > 0) & (games["pile_left"] + games["discard_size"] > HAND)
    can[:, EXCHANGE], can[:, REMOVE] = (left > 0).sum(1) >= 2, (can_lose & is_other).any(1)
    can_steal = (held & can[:, None]).any(2) & is_other
    can[:, STEAL] = can_steal.any(1)
    is_remove = games["played"] == REMOVE
    return {
        state.SWAP_FIRST: can[:, state.SWAP],
        state.LOOK_AT: can[:, state.LOOK],
        state.EXCHANGE_FIRST: can[:, EXCHANGE],
        state.REMOVE_CARD: _of_seat(can_lose, attacked),
        state.REPLAY_KIND: (can & (games["action_discards"] > 0)).any(1),
        state.STEAL_FROM: can[:, STEAL],
        state.STEAL_KIND: _of_seat(can_steal, attacked),
        DEFEND_ASKED: ~is_remove | _of_seat(can_lose, attacked),
    }


def _claims(rules: Rules, games: Any) -> Iterator[Condition]:
    """Claims are made at the end of a move, in order of seats, for stars of this move (5.1 to 5.4)."""
    phase, claims, is_opening = games["phase"], games["claims"][:, : rules.players], games["mover"] == NOBODY
    is_remove = (phase == DEFEND_ASKED) & (games["played"] == REMOVE)
    may_claim = is_remove | np.isin(phase, (OPENING, CLAIM, THREE_TOP, state.REMOVE_CARD))
    most = np.where(is_opening, OPENED * rules.opening_star, may_claim)[:, None]
    most = np.minimum(most, (_layouts(rules, games) == STAR).sum(2))
    text = "claims: seat {at[0]} has {value}, more than stars that have come to its layout in this move"
    yield claims > most, text, claims
    text = "claims: seat {at[0]} has {value}, but more stars have been turned up in the opening"
    yield (phase == OPENING)[:, None] & (claims < most), text, claims  # 2.7
    is_first = _is_seat(games["seat"], rules.players) | _comes_before(rules, games)
    text = "seat {game.seat} has no claim, or another seat makes one before it"
    yield (phase == CLAIM)[:, None] & is_first & ((claims > 0) != _is_seat(games["seat"], rules.players)), text  # 5.2
    least = 1 if rules.action_reshuffle == "keep_top" else 0
    has_next = (games["action_pile_left"] > 0) | (games["action_discard_size"] > least)
    has_open = (games["open_actions"] != NO_KIND).any(1)
    text = "there is no action card that could be claimed"
    yield (phase == CLAIM) & ~has_open & ~(has_next & (rules.star_source == "open_or_pile")), text  # 5.4
    text = "an open place is empty at the beginning of a turn, but there are action cards"
    yield (phase == TURN) & has_next & (games["open_actions"] == NO_KIND).any(1), text  # 4.5


def _comes_before(rules: Rules, games: Any) -> Marks:
    """The seats that come before the one that decides when claims are made and lines are cleared (5.2, 6.6)."""
    first = np.where((games["mover"] == NOBODY) | (games["is_reveal"] != 0), 0, games["mover"])[:, None]
    place, at = (np.arange(rules.players) - first) % rules.players, (games["seat"][:, None] - first) % rules.players
    return np.asarray(place < at)


def _lines(rules: Rules, games: Any) -> Iterator[Condition]:
    """No line lies there that would have been cleared, and owners are asked about the lines that they decide on."""
    phase, line, seat = games["phase"], games["line"], games["seat"]
    must, may = _by_line(rules, games)
    changed = lines_of(games["changed"][:, : rules.players])
    text = "seat {at[0]} has a complete line, which would have been cleared, or is a changed one"
    yield (must & ~changed).any(2), text  # 6.2
    is_remove, at_once = (phase == DEFEND_ASKED) & (games["played"] == REMOVE), rules.foreign_clear == "at_once"
    is_moving = is_remove | np.isin(phase, (OPENING, CLAIM, LINE, THREE_TOP, state.REMOVE_CARD))
    is_looked_at = ~is_moving & at_once | (phase == OVER)
    text = "changed: seat {at[0]} has lines that have been looked at, as no move is being made"
    yield is_looked_at[:, None] & changed.any(2), text  # 6.5
    is_asked, looked = phase == LINE, _of_seat(changed, seat)
    must, may = _of_seat(must, seat) & looked, _of_seat(may, seat) & looked
    if rules.both_lines == "column_first":
        may[:, COLUMNS:] &= ~(must | may)[:, :COLUMNS].any(1)[:, None]  # 6.8
    accepted = lines_of(games["accepted"])
    text = "accepted: lines about which the owner has been asked, before the one that is asked about"
    yield accepted & ~(may & (np.arange(LINES) < line[:, None])), text
    expected = np.where(is_asked & (may & ~accepted).any(1), (may & ~accepted).argmax(1), NOBODY)
    text = "line {game.line}: seat {game.seat} is asked about its first changed line with stars in line, and only there"
    yield (line != expected) | is_asked & (line == NOBODY), text  # 6.7
    is_other = (seat != games["mover"]) & (games["is_reveal"] == 0) & (not at_once)
    yield is_asked & is_other, 'seat {game.seat} is asked in its own turn with foreign_clear="end_of_own_turn"'  # 6.6
    is_waiting = changed.any(2) & _comes_before(rules, games) & is_asked[:, None]
    yield is_waiting & (at_once | (games["is_reveal"] != 0)[:, None]), "seat {at[0]} is asked before seat {game.seat}"
