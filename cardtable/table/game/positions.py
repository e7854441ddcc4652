"""Positions of all games: lines of fields and cards, the deal of cards left open, and the checks of records.

A game declares the bounds of its fields, the fields that follow from others, and the rules by which a record is no
table (`TableChecks`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import PositionError, TableError
from cardtable.table.kernel.chance import shuffle
from cardtable.table.kernel.game_kernel import EPISODES, GAME_EPISODE, NOBODY

VERSION = 1  # of the notation
MAX_NUMBER = 10**9  # of any number in a record, and as far below 0
Marks = NDArray[np.bool_]  # [N], or [N, ...]: what is so of N game records, or of places in them
# Where records cannot be tables, and the reason: a text in which {game.FIELD} and {rules.FIELD} may stand, {at} for the
# first place that is marked in the record, and {value} for what the numbers beside it are there.
Problem = tuple[Marks, str] | tuple[Marks, str, NDArray[Any]]


# Fields, and how they are written


class Form(NamedTuple):
    """Functions that write the numbers of a field after a word, and read them again."""

    write: Callable[[Any], str]
    read: Callable[[Any, str], Any]  # the numbers that stand there until then, and the text


Fields = Mapping[str, tuple[str, Form]]  # by word: the record's field, and its form


def _read_numbers(like: Any, text: str) -> list[int]:
    numbers = [read_whole(word, int(np.iinfo(like.dtype).max)) for word in text.split()]
    if len(numbers) != np.size(like):
        raise ValueError(f"write {np.size(like)} numbers")
    return numbers


def words(names: Sequence[str | None]) -> Form:
    """Return the form of a number that stands for a word."""
    return Form(lambda code: str(names[code]), lambda _, text: read_code(text, names))


def counted(names: Sequence[str]) -> Form:
    """Return the form of cards that are counted, each written by its name."""
    codes = {name: code for code, name in enumerate(names)}
    return Form(
        lambda counts: " ".join(np.repeat(names, counts)),
        lambda _, text: np.bincount(read_cards(text, codes), minlength=len(names)),
    )


def by_seat(form: Form) -> Form:
    """Return the form of a line with a part for every seat, with bars between seats."""

    def read(like: Any, text: str) -> list[Any]:
        return [form.read(example, part) for part, example in zip(split_parts(text, len(like)), like, strict=True)]

    return Form(lambda parts: " ".join(" | ".join(map(form.write, parts)).split()), read)


NUMBERS = Form(lambda numbers: " ".join(map(str, np.ravel(numbers).tolist())), _read_numbers)


def plain(*names: str) -> Fields:
    """Return fields of numbers whose words are their names."""
    return {name: (name, NUMBERS) for name in names}


ROUND: Fields = {"round": ("round_number", NUMBERS), **plain("turns")}
POINTS: Fields = {**plain("totals"), "scores": ("round_scores", NUMBERS)}  # these are always written


def in_play(rules: Any, game: Any, field: str) -> Any:
    """Return the numbers of a field; of one that has some for every seat, those of the seats in play."""
    is_by_seat = game.dtype[field].shape[:1] == game.dtype["totals"].shape
    return game[field][: rules.players] if is_by_seat else game[field]


def header_lines(rules: Any, episode: str) -> list[str]:
    """Write the lines with which every position begins: the kind of text, the rules and the episode."""
    changes = [f"rules {rules.to_text()}"] if rules.to_text() else []
    return [f"{rules.game}-position {VERSION}", *changes, f"episode {episode}"]


def first_lines(rules: Any, game: Any) -> list[str]:
    """Write the same for a game record, and its chance."""
    chance = f"chance {int(game['key']):016x} {int(game['chance']):016x}"
    return [*header_lines(rules, EPISODES[game["episode"]]), chance]


def field_lines(rules: Any, game: Any, usual: Any, fields: Fields) -> list[str]:
    """Write a line for every field that differs from a usual record, and those with the points."""
    return [
        f"{word} {form.write(in_play(rules, game, field))}".rstrip()
        for word, (field, form) in fields.items()
        if word in POINTS or np.any(game[field] != usual[field])
    ]


# Words


def read_code(text: str, names: Sequence[str | None]) -> int:
    """Return where a word stands among those known."""
    if text not in names:
        raise ValueError(f"known are {', '.join(word for word in names if word is not None)}")
    return names.index(text)


def read_whole(text: str, limit: int) -> int:
    """Return a whole number from -limit to limit."""
    if not re.fullmatch(r"-?[0-9]{1,20}", text):
        raise ValueError(f"{text!r} is not a whole number")
    if abs(int(text)) > limit:
        raise ValueError(f"numbers go from {-limit} to {limit}")
    return int(text)


def read_cards(text: str, codes: Mapping[str, int], room: int | None = None) -> list[int]:
    """Return the codes of cards that are written by their names, if there is room for them."""
    names = text.split()
    for name in names:
        if name not in codes:
            raise ValueError(f"{name!r} has no meaning here; known are {', '.join(codes)}")
    if room is not None and len(names) > room:
        raise ValueError(f"there is room for {room} cards")
    return [codes[name] for name in names]


def read_pile(text: str, codes: Mapping[str, int]) -> tuple[list[int], bool]:
    """Return the cards of a pile, and whether it goes on with all cards that are not written elsewhere."""
    return read_cards(text.removesuffix("..."), codes), text.endswith("...")


def split_parts(text: str, count: int, size: int | None = None) -> list[str]:
    """Split a text at its bars into so many parts, each of so many words if that is given."""
    parts = text.split("|")
    if len(parts) != count or (size is not None and any(len(part.split()) != size for part in parts)):
        raise ValueError(f"write {count} parts{'' if size is None else f' of {size} words'}, with | between parts")
    return parts


def _read_chance(text: str) -> tuple[int, ...]:
    """Return the key of a game and the state of its generator."""
    if not re.fullmatch(r"[0-9a-f]{1,16} [0-9a-f]{1,16}", text):
        raise ValueError("write two hexadecimal numbers of at most 16 digits")
    return tuple(int(word, 16) for word in text.split())


def lay_piles(piles: Any, front: Sequence[int], back: Sequence[int]) -> tuple[int, int]:
    """Put cards where two piles lie, at the beginning and before the end of an array; return how many they are."""
    if len(front) + len(back) > len(piles):
        raise PositionError(f"there are more cards than the deck's {len(piles)}")
    piles[: len(front)] = front
    piles[len(piles) - len(back) :] = back
    return len(front), len(back)


# Which records are tables


def usual_bounds(rules: Any, truncated: int) -> dict[str, tuple[int, int]]:
    """Return the bounds of the fields that all games have; `truncated` is the last phase."""
    others = rules.players - 1
    bounds = {"phase": (0, truncated), "episode": (0, GAME_EPISODE), "last_action": (NOBODY, rules.actions - 1)}
    bounds |= {"seat": (0, others), "starter": (NOBODY, others), "last_seat": (NOBODY, others)}
    return bounds | {"round_number": (1, rules.max_rounds), "turns": (0, rules.max_turns + others)}


def count_by_value(cards: NDArray[Any], where: Any, lowest: int, highest: int) -> NDArray[np.int64]:
    """Count the cards of every table, [N, ...], in the places that are marked: [N, values]; others are no cards."""
    values = highest - lowest + 1
    kinds = np.where(where & (cards >= lowest) & (cards <= highest), cards - lowest, values).reshape(len(cards), -1)
    kinds = kinds + np.arange(0, len(cards) * (values + 1), values + 1)[:, None]
    counts = np.bincount(kinds.ravel(), minlength=len(cards) * (values + 1))
    return counts.reshape(len(cards), values + 1)[:, :values]


def wrong_deck(missing: NDArray[np.int64], names: Sequence[str]) -> Problem:
    """Return the problem of decks in which a card is missing, or is there too often, [N, cards]."""
    amounts = np.full(missing.shape, "", object)
    for row in np.flatnonzero(missing.any(1)):
        wrong = (f"{count:+d} of card {name}" for count, name in zip(missing[row], names, strict=True) if count != 0)
        amounts[row] = ", ".join(wrong)
    text = "the cards do not add up to the deck, missing (+) or too many (-): {value}"
    return missing != 0, f"{text}; a draw line that ends in ... deals the missing cards", amounts


def has_ended(rules: Any, games: NDArray[Any], is_played: Marks, is_lap: Any = False) -> Iterator[Problem]:
    """Yield the problems of tables where a seat decides after the end: the round was stopped before its final lap, or
    the game is over.
    """
    is_stopped = is_played & ~np.asarray(is_lap) & (games["turns"] >= rules.max_turns)
    yield is_stopped, "turns {game.turns}: the round is stopped after max_turns={rules.max_turns}"
    highest = games["totals"][:, : rules.players].max(1)
    is_decided = is_played & (games["episode"] == GAME_EPISODE) & (highest >= rules.target_score)
    yield is_decided, "a total of {value} has reached target_score={rules.target_score}: the game is over", highest


def wrong_opening(opened: NDArray[Any], seats: NDArray[Any], is_opening: Marks, flips: int) -> Problem:
    """Return the problem of openings where seats before the one that opens its cards have not opened theirs, or later
    seats have; `opened` is [N, P].
    """
    place, seat = np.arange(opened.shape[1]), seats[:, None]
    deviates = np.where(place < seat, opened != flips, np.where(place == seat, opened >= flips, opened > 0))
    return deviates & is_opening[:, None], "seat {at} has opened {value} cards, but {game.seat} opens its own", opened


class TableChecks(NamedTuple):
    """Checks of records: whether they are tables of a game."""

    bounds: Callable[[Any], Mapping[str, tuple[int, int]]]  # of fields under given rules: arrays are indexed by them
    complete: Callable[[Any, Any], None]  # set what follows from other fields of records within their bounds
    problems: Callable[[Any, Any], Iterator[Problem]]  # of rules, and records that are complete

    def check_states(self, rules: Any, games: NDArray[Any]) -> None:
        """Refuse records that are not tables of these rules. PositionError names the fault of the first one."""
        for _, reason in self.invalid_tables(rules, games):
            named = rules.to_text() or "the official rules"
            raise PositionError(f"the state is not that of a table under {named}: {reason}")

    def invalid_tables(self, rules: Any, games: NDArray[Any]) -> Iterator[tuple[int, str]]:
        """Return row and reason of every record that is no table, or of those with numbers beyond their bounds."""
        outside = [*invalid_rows(rules, games, self._outside(rules, games))]
        if outside:
            return iter(outside)
        tables = self._completed(rules, games)
        wrong = chain(self.problems(rules, tables), _differing(games, tables, games.dtype.names or ()))
        return invalid_rows(rules, games, wrong)

    def completed(self, rules: Any, games: NDArray[Any], given: Iterable[str]) -> NDArray[Any]:
        """Return the complete tables of records in which these fields are given. PositionError tells the reason if
        there are none.
        """
        refuse(rules, games, self._outside(rules, games))
        tables = self._completed(rules, games)
        refuse(rules, tables, chain(_differing(games, tables, given), self.problems(rules, tables)))
        return tables

    def _completed(self, rules: Any, games: NDArray[Any]) -> NDArray[Any]:
        tables = games.copy()
        for name in tables.dtype.names or ():
            if tables.dtype[name].shape[:1] == tables.dtype["totals"].shape:
                tables[name][:, rules.players :] = 0
        self.complete(rules, tables)
        return tables

    def _outside(self, rules: Any, games: NDArray[Any]) -> Iterator[Problem]:
        """Numbers beyond their bounds: compiled code does not look whether it may read there."""
        bounds = self.bounds(rules)
        for name in games.dtype.names or ():
            values = games[name]
            if values.dtype.kind == "i":
                limit = min(MAX_NUMBER, int(np.iinfo(values.dtype).max))
                least, most = bounds.get(name, (-limit, limit))
                if values.min() < least or values.max() > most:
                    text = f"{name.removesuffix('_number')} {{value}} is not from {least} to {most}"
                    yield (values < least) | (values > most), text, values


def _differing(games: NDArray[Any], tables: NDArray[Any], names: Iterable[str]) -> Iterator[Problem]:
    """Fields in which records are not as the rest of them makes them."""
    for name in names:
        yield games[name] != tables[name], f"{name}: does not match the rest of the table"


def invalid_rows(rules: Any, games: NDArray[Any], problems: Iterable[Problem]) -> Iterator[tuple[int, str]]:
    """Return every record that has a problem, as row and reason: the first of its problems."""
    listed = [(problem[0].reshape(len(games), -1), problem) for problem in problems if problem[0].any()]
    for row in np.flatnonzero(np.any([marks.any(1) for marks, _ in listed], axis=0)).tolist():
        marks, (_, text, *beside) = next(problem for problem in listed if problem[0][row].any())
        at = int(marks[row].argmax())
        value = beside and np.ravel(beside[0][row])[at]
        yield row, text.format(game=games[row], rules=rules, at=at, value=value)


def refuse(rules: Any, games: NDArray[Any], problems: Iterable[Problem]) -> None:
    """Raise PositionError with the reason for the first record that has a problem."""
    for _, reason in invalid_rows(rules, games, problems):
        raise PositionError(reason)


def not_checked(*_: Any) -> Any:
    """Refuse to read what cannot be checked: compiled code would take it as it is."""
    raise TableError("this game does not declare checks: its positions and states cannot be read")


NO_CHECKS = TableChecks(not_checked, not_checked, not_checked)


# Reading


class PositionReader:
    """Reads the lines of a position into a game record. PositionError names the line and the reason.

    A line is a word and its values. `;` stands for a line break, and `#` begins a comment. The order of different words
    is free.
    """

    def __init__(self, text: str, words: Iterable[str], rules_type: Any, dtype: np.dtype[Any]) -> None:
        """Read what `first_lines` writes, as far as it is there; the other lines begin with these words."""
        if not isinstance(text, str):
            raise PositionError(f"a position is text, not {type(text).__name__}")
        self._lines: dict[str, list[tuple[int, str]]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            for part in line.partition("#")[0].split(";"):
                word, _, rest = part.strip().partition(" ")
                if word:
                    self._lines.setdefault(word, []).append((number, rest.strip()))
        self._check_words(f"{rules_type.game}-position", {*words, "rules", "episode", "chance"})
        self.rules = self.one("rules", rules_type.from_text, rules_type())
        self.games = np.zeros(1, dtype)
        self.game = self.games[0]
        self.game["episode"] = self.one("episode", partial(read_code, names=EPISODES), GAME_EPISODE)
        self.game["key"], self.game["chance"] = self.one("chance", _read_chance, (0, 0))
        self.given: set[str] = set()  # fields that must not follow otherwise from the rest

    def _check_words(self, name: str, names: set[str]) -> None:
        for word, lines in self._lines.items():
            if word not in names | {name}:
                raise PositionError(f"line {lines[0][0]}: unknown word {word!r}; known are {', '.join(sorted(names))}")

        def check_version(text: str) -> None:
            if text != str(VERSION):
                raise ValueError(f"this version cannot be read, only '{name} {VERSION}'")

        self.one(name, check_version)

    def one(self, word: str, parse: Callable[[str], Any], *default: Any) -> Any:
        """Parse the one line that begins with this word; it may only be missing if there is a default."""
        lines = self._lines.get(word, [])
        if not lines and default:
            return default[0]
        if len(lines) != 1:
            raise PositionError(f"{len(lines)} lines begin with {word!r}; there must be exactly one")
        return _parsed(*lines[0], word, parse)

    def per_seat(self, word: str, parse: Callable[[str], Any], *default: Any) -> list[Any]:
        """Parse one line a seat; there may be none at all if there is a default."""
        lines, players = self._lines.get(word, []), self.rules.players
        if not lines and default:
            return [default[0]] * players
        if len(lines) != players:
            raise PositionError(f"{len(lines)} lines begin with {word!r}, the rules have {players} players")
        return [_parsed(number, text, word, parse) for number, text in lines]

    def read_fields(self, fields: Fields) -> None:
        """Read the fields that have a line; the others stay as they are."""
        for word, (field, form) in fields.items():
            if word in self._lines:
                part = in_play(self.rules, self.game, field)
                value = np.reshape(self.one(word, partial(form.read, part)), np.shape(part))
                if np.ndim(part) > 0:
                    part[...] = value
                else:
                    self.game[field] = value
                self.given.add(field)

    def read_decider(self, phases: Sequence[str], read_rest: Callable[[list[str]], None]) -> None:
        """Read the line with the seat that decides, the phase, and the rest of that line."""

        def parse(text: str) -> None:
            seat, phase, *rest = [*text.split(), "", ""]
            self.game["seat"], self.game["phase"] = read_whole(seat, MAX_NUMBER), read_code(phase, phases)
            read_rest(rest[: len(rest) - 2])

        self.one("seat", parse)

    def deal(
        self, missing: NDArray[np.int64], names: Sequence[str], lowest: int, unknown: Sequence[tuple[Any, int]]
    ) -> list[int]:
        """Deal the missing cards, [1, cards], to every ?, which is a code in some places; return the rest.

        The chance of the game shuffles them, and does not advance.
        """
        refuse(self.rules, self.games, [wrong_deck(np.minimum(missing, 0), names)])
        rest = lowest + np.repeat(np.arange(len(names)), missing[0])
        chance = self.games.copy()
        chance["chance"] ^= chance["key"]
        shuffle(chance[0], rest, len(rest))
        needed = sum(np.count_nonzero(places == code) for places, code in unknown)
        if needed > len(rest):
            raise PositionError(f"{needed} cards are written as ?, but {len(rest)} are left")
        for places, code in unknown:
            count = np.count_nonzero(places == code)
            places[places == code] = rest[:count]
            rest = rest[count:]
        return list(rest.tolist())

    def finished(self, checks: TableChecks) -> tuple[Any, NDArray[Any]]:
        """Return the rules and the record, with all fields that follow from the position."""
        return self.rules, checks.completed(self.rules, self.games, sorted(self.given))


def _parsed(number: int, text: str, word: str, parse: Callable[[str], Any]) -> Any:
    """Parse what follows a word; an error of the parser becomes one that names the line."""
    try:
        return parse(text)
    except (ValueError, OverflowError) as error:
        raise PositionError(f"line {number}: {word} {text!r}: {error}") from None


# Positions of games that have no notation for them


def _plain_fields(dtype: np.dtype[Any]) -> Fields:
    return plain(*(name for name in dtype.names or () if name not in ("key", "chance", "episode")))


def format_fields(rules: Any, game: Any) -> str:
    """Write a game record as text: a line for every field in which a number is not 0."""
    lines = field_lines(rules, game, np.zeros(1, game.dtype)[0], _plain_fields(game.dtype))
    return "\n".join(first_lines(rules, game) + lines) + "\n"
