"""What positions of all games share: their lines, the numbers on them, and the refusal of tables that cannot be."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import PositionError, TableError
from cardtable.table.kernel.chance import shuffle
from cardtable.table.kernel.game_kernel import EPISODES, GAME_EPISODE

Marks = NDArray[np.bool_]  # [N], or [N, ...]: what is so of N game records, or of places in them
# Where records violate a condition, and the reason: a text in which {game.FIELD} and {rules.FIELD} may stand, {at[0]}
# for the first place that is marked in the record, and {value} for what the numbers beside it are there.
Condition = tuple[Marks, str] | tuple[Marks, str, NDArray[Any]]


class PositionLines:
    """The lines of a written position, found by their first word; PositionError names the line and the reason.

    `;` stands for a line break, and `#` begins a comment. The order of different words is free.
    """

    def __init__(self, text: str, header: str, words: set[str]) -> None:
        """Split a text into its lines; it needs the header, such as `skyjo-position 1`, and may have these words."""
        if not isinstance(text, str):
            raise PositionError(f"a position is text, not {type(text).__name__}")
        self._lines: dict[str, list[tuple[int, str]]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            for part in line.partition("#")[0].split(";"):
                word, _, rest = part.strip().partition(" ")
                if word:
                    self._lines.setdefault(word, []).append((number, rest.strip()))
        self._check_words(header, words)

    def _check_words(self, header: str, words: set[str]) -> None:
        name = header.split()[0]
        for word, found in self._lines.items():
            if word not in words | {name}:
                raise PositionError(f"line {found[0][0]}: unknown word {word!r}; known are {', '.join(sorted(words))}")
        if not self._lines:
            raise PositionError(f"the text is empty; a position begins with {header!r}")

        def check_version(text: str) -> None:
            if f"{name} {text}" != header:
                raise ValueError(f"this version cannot be read, only {header!r}")

        self.one(name, check_version)

    def find(self, word: str) -> list[tuple[int, str]]:
        """The number of every line that begins with this word, and what follows the word."""
        return self._lines.get(word, [])

    def one(self, word: str, parse: Callable[[str], Any], *default: Any) -> Any:
        """Parse the one line that begins with this word; it may only be missing if there is a default."""
        found = self.find(word)
        if not found and default:
            return default[0]
        if len(found) != 1:
            raise PositionError(f"{len(found)} lines begin with {word!r}; there must be exactly one")
        number, text = found[0]
        return self.parse(number, word, parse, text)

    def parse(self, number: int, word: str, parse: Callable[[str], Any], text: str) -> Any:
        """Parse what follows a word; an error of the parser becomes one that names the line."""
        try:
            return parse(text)
        except (ValueError, OverflowError) as error:
            raise PositionError(f"line {number}: {word} {text!r}: {error}") from None


class PositionReader:
    """Reads the lines of a position one by one into a game record; a game adds its own lines."""

    def __init__(self, text: str, header: str, words: set[str], rules_type: Any, dtype: np.dtype[Any]) -> None:
        """Read what `first_lines` writes, as far as it is there; the other lines begin with these words."""
        self.lines = PositionLines(text, header, words | {"rules", "episode", "chance"})
        self.rules = self.lines.one("rules", rules_type.from_text, rules_type())
        self.games = np.zeros(1, dtype)
        self.game = self.games[0]
        self.game["episode"] = self.lines.one("episode", partial(read_code, known=EPISODES), GAME_EPISODE)
        self.game["key"], self.game["chance"] = self.lines.one("chance", _read_chance, (0, 0))

    def read_numbers(self, fields: Mapping[str, tuple[str, int]]) -> None:
        """Read lines with one number: by word the record's field, and the number where the line is left out."""
        for word, (field, default) in fields.items():
            limit = int(np.iinfo(self.games[field].dtype).max)
            self.game[field] = self.lines.one(word, partial(read_whole, limit=limit), default)

    def read_seats(self, fields: Mapping[str, str]) -> None:
        """Read lines with a number for every seat: by word the record's field; zeros where the line is left out."""
        for word, field in fields.items():
            numbers = self.game[field][: self.rules.players]
            numbers[:] = self.lines.one(word, partial(_read_field, numbers), 0)

    def read_each(self, word: str, parse: Callable[[str], Any], *default: list[Any]) -> list[Any]:
        """Parse one line a seat; there may be none at all if there is a default."""
        found, players = self.lines.find(word), self.rules.players
        if not found and default:
            return [list(default[0]) for _ in range(players)]
        if len(found) != players:
            raise PositionError(f"{len(found)} lines begin with {word!r}, the rules have {players} players")
        return [self.lines.parse(number, word, parse, text) for number, text in found]

    def deal(
        self, missing: NDArray[np.int64], names: Sequence[str], lowest: int, unknown: Sequence[tuple[Any, int]]
    ) -> list[int]:
        """Deal the missing cards, [1, cards], to every ?, which is a code in some places; return the rest.

        The chance of the game shuffles them, and does not advance.
        """
        refuse_invalid(self.rules, self.games, [is_whole_deck(np.minimum(missing, 0), names, is_open=True)])
        left = lowest + np.repeat(np.arange(len(names)), missing[0])
        chance = self.games.copy()
        chance["chance"] ^= chance["key"]
        shuffle(chance[0], left, len(left))
        needed = sum(np.count_nonzero(places == code) for places, code in unknown)
        if needed > len(left):
            raise PositionError(f"{needed} cards are written as ?, but {len(left)} are left")
        for places, code in unknown:
            count = np.count_nonzero(places == code)
            places[places == code] = left[:count]
            left = left[count:]
        return list(left.tolist())


def first_lines(header: str, rules: Any, game: Any) -> list[str]:
    """The lines with which the position of a game record begins: the header, the rules, the episode and the chance."""
    words = [f"rules {rules.to_text()}"] if rules.to_text() else []
    episode, chance = EPISODES[game["episode"]], f"{int(game['key']):016x} {int(game['chance']):016x}"
    return [header, *words, f"episode {episode}", f"chance {chance}"]


def read_code(text: str, known: tuple[Any, ...]) -> int:
    """Where a word stands among those known."""
    if text not in known:
        raise ValueError(f"known are {', '.join(word for word in known if word is not None)}")
    return known.index(text)


def read_whole(text: str, limit: int) -> int:
    """A whole number from -limit to limit."""
    if not re.fullmatch(r"-?[0-9]{1,20}", text):
        raise ValueError(f"{text!r} is not a whole number")
    if abs(int(text)) > limit:
        raise ValueError(f"numbers go from {-limit} to {limit}")
    return int(text)


def read_numbers(text: str, count: int, limit: int) -> list[int]:
    """So many whole numbers from -limit to limit."""
    numbers = [read_whole(word, limit) for word in text.split()]
    if len(numbers) != count:
        raise ValueError(f"write {count} numbers")
    return numbers


def _read_chance(text: str) -> tuple[int, ...]:
    """The key of a game and the state of its generator."""
    if not re.fullmatch(r"[0-9a-f]{1,16} [0-9a-f]{1,16}", text):
        raise ValueError("write two hexadecimal numbers of at most 16 digits")
    return tuple(int(word, 16) for word in text.split())


# Conditions on game records


def count_by_value(cards: NDArray[Any], where: Any, lowest: int, highest: int) -> NDArray[np.int64]:
    """Count the cards of every table, [N, ...], in the places that are marked: [N, values]; others are no cards."""
    values = highest - lowest + 1
    kinds = np.where(where & (cards >= lowest) & (cards <= highest), cards - lowest, values).reshape(len(cards), -1)
    kinds = kinds + np.arange(0, len(cards) * (values + 1), values + 1)[:, None]
    counts = np.bincount(kinds.ravel(), minlength=len(cards) * (values + 1))
    return counts.reshape(len(cards), values + 1)[:, :values]


def invalid_rows(rules: Any, games: NDArray[Any], conditions: Iterable[Condition]) -> Iterator[tuple[int, str]]:
    """Every record that violates a condition, as row and reason: that of the first condition that it violates."""
    listed = [(condition[0].reshape(len(games), -1), condition) for condition in conditions]
    for row in np.flatnonzero(np.concatenate([marks for marks, _ in listed], axis=1).any(1)).tolist():
        marks, (_, text, *numbers) = next(found for found in listed if found[0][row].any())
        at = np.flatnonzero(marks[row]).tolist()
        value = numbers and np.ravel(numbers[0][row])[at[0]]
        yield row, text.format(game=games[row], rules=rules, at=at, value=value)


def refuse_invalid(rules: Any, games: NDArray[Any], conditions: Iterable[Condition]) -> None:
    """Raise PositionError with the reason for the first record that violates a condition."""
    for _, reason in invalid_rows(rules, games, conditions):
        raise PositionError(reason)


def check_bounds(games: NDArray[Any], bounds: Mapping[str, tuple[int, int]]) -> None:
    """Raise PositionError unless all numbers in these fields lie within their bounds."""
    for name, (least, greatest) in bounds.items():
        if games[name].min() < least or games[name].max() > greatest:
            refuse_invalid(None, games, [within(name, games[name], least, greatest)])


def check_seats(rules: Any, games: NDArray[Any], least: Mapping[str, int]) -> None:
    """Refuse seats that do not exist; the least number of a field is -1 where it may name none."""
    known = f"the seats are 0 to {rules.players - 1}"
    conditions = [
        ((games[name] < lowest) | (games[name] >= rules.players), f"{name} {{game.{name}}}: {known}")
        for name, lowest in least.items()
    ]
    refuse_invalid(rules, games, conditions)


def is_seat(seats: NDArray[Any], players: int) -> Marks:
    """Which of the seats of every table this is, [N, P]."""
    return np.asarray(np.arange(players) == seats[:, None])


def within(word: str, numbers: NDArray[Any], least: int, greatest: int) -> Condition:
    """One number of every record lies within bounds."""
    return (numbers < least) | (numbers > greatest), f"{word} {{value}} is not from {least} to {greatest}", numbers


def matches(name: str, numbers: NDArray[Any], expected: NDArray[Any] | int) -> Condition:
    """The numbers of a field, or a part of them, are what the rest of the record makes them."""
    return numbers != expected, f"{name}: does not match the rest of the table"


def is_whole_deck(missing: NDArray[np.int64], names: Sequence[str], is_open: bool) -> Condition:
    """No card of the deck is missing and none is there too often, [N, cards].

    A position without `is_open` could have left the missing ones to be dealt.
    """
    words = np.full(missing.shape, "", object)
    for row in np.flatnonzero(missing.any(1)):
        wrong = (f"{count:+d} of card {name}" for count, name in zip(missing[row], names, strict=True) if count != 0)
        words[row] = ", ".join(wrong)
    hint = "" if is_open else "; a draw line that ends in ... deals the missing cards"
    return missing != 0, f"the cards do not add up to the deck, missing (+) or too many (-): {{value}}{hint}", words


def turns_in_limits(rules: Any, games: NDArray[Any], phases: tuple[str, ...], is_playing: Marks) -> Iterator[Condition]:
    """Rounds and turns are counted within limits, and a round that a seat ends goes on until then."""
    turns, left, others = games["turns"].astype(np.int64), games["turns_left"], rules.players - 1
    has_ender, is_full = games["ender"] >= 0, turns >= rules.max_turns
    over, truncated = phases.index("over"), phases.index("truncated")
    yield within("round", games["round_number"], 1, rules.max_rounds)
    yield within("turns", turns, 0, rules.max_turns + others)
    yield within("turns_left", left, 0, others)
    text = "a game is truncated after max_turns={rules.max_turns} turns that nobody has ended"
    yield (games["phase"] == truncated) & (has_ender | ~is_full), text
    text = "turns {game.turns}: the round is stopped after max_turns={rules.max_turns}"
    yield is_playing & ~has_ender & is_full, text
    text = "turns {game.turns}: the final lap would have begun after max_turns={rules.max_turns}"
    yield turns + left > rules.max_turns + others, text
    highest = games["totals"][:, : rules.players].max(1)
    is_decided = (games["phase"] < over) & (games["episode"] == GAME_EPISODE) & (highest >= rules.target_score)
    yield is_decided, "a total of {value} has reached target_score={rules.target_score}: the game is over", highest


class TableChecks(NamedTuple):
    """The checks of a game's records, made of its own bounds and conditions."""

    bounds: Callable[[Any], Mapping[str, tuple[int, int]]]  # of the numbers in the fields, under given rules
    seats: Mapping[str, int]  # fields that name a seat, and their least numbers
    conditions: Callable[[Any, Any, bool], Iterator[Condition]]  # of rules, games, and whether more cards may be dealt

    def check_states(self, rules: Any, games: NDArray[Any]) -> None:
        """Refuse records that are not tables of these rules. PositionError says what is wrong with the first one."""
        try:
            self.check_records(rules, games)
            self.check_tables(rules, games)
        except PositionError as error:
            named = rules.to_text() or "the official rules"
            raise PositionError(f"the state is not that of a table under {named}: {error}") from None

    def check_records(self, rules: Any, games: NDArray[Any]) -> None:
        """Refuse numbers beyond their bounds: compiled code does not look whether it may read there."""
        check_bounds(games, self.bounds(rules))
        check_seats(rules, games, self.seats)

    def check_tables(self, rules: Any, games: NDArray[Any], is_open: bool = True) -> None:
        """Refuse records that play cannot reach; counts that follow must be set (`is_open`: see `is_whole_deck`)."""
        refuse_invalid(rules, games, self.conditions(rules, games, is_open))

    def invalid_tables(self, rules: Any, games: NDArray[Any]) -> Iterator[tuple[int, str]]:
        """Row and reason of every record that play cannot reach; bounds have been checked, or cannot be exceeded."""
        return invalid_rows(rules, games, self.conditions(rules, games, True))


def not_checked(*_: Any) -> Any:
    """Refuse to read what cannot be checked: compiled code would take it as it is."""
    raise TableError("this game declares no checks, so its positions and states cannot be read")


NO_CHECKS = TableChecks(not_checked, {}, not_checked)


# Positions of games that have no notation for them


def _fields(dtype: np.dtype[Any]) -> list[str]:
    """The fields of a record that have a line in its position."""
    return [name for name in dtype.names or () if name not in ("key", "chance", "episode")]


def format_fields(rules: Any, game: Any) -> str:
    """Write a game record as text: a line for every field in which a number is not 0."""
    lines = first_lines(f"{rules.game}-position 1", rules, game)
    numbers = {name: np.ravel(game[name]).tolist() for name in _fields(game.dtype)}
    lines += [f"{name} {' '.join(map(str, found))}" for name, found in numbers.items() if any(found)]
    return "\n".join(lines) + "\n"


def parse_fields(rules_type: Any, dtype: np.dtype[Any], checks: TableChecks, text: str) -> tuple[Any, NDArray[Any]]:
    """Read what `format_fields` writes; PositionError with line and reason, TableError in a game without checks."""
    names = _fields(dtype)
    reader = PositionReader(text, f"{rules_type.game}-position 1", set(names), rules_type, dtype)
    for name in names:
        field = reader.games[name].reshape(-1)
        field[:] = reader.lines.one(name, partial(_read_field, field), field)
    checks.check_records(reader.rules, reader.games)
    checks.check_tables(reader.rules, reader.games)
    return reader.rules, reader.games


def _read_field(field: NDArray[Any], text: str) -> list[int]:
    return read_numbers(text, len(field), int(np.iinfo(field.dtype).max))
