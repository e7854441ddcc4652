"""A game's declaration of its policies, and the model card and weights of a learned policy, read and checked without
torch.

A card is a JSON file next to the weights: the rules that the policy was trained for, the size of its network, and its
measured strength. Everything on which a decision depends is checked before it is used.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

from cardtable.table.checks import brief, check_int
from cardtable.table.errors import AgentError, RulesError
from cardtable.table.game.card_game import CardGame, find_game, plugged_in
from cardtable.table.kernel.game_kernel import MAX_SEATS


@dataclass(frozen=True)
class PolicyKind:
    """The policies of one game."""

    official: Any  # the rules from which the texts on cards differ
    free: tuple[str, ...]  # rules on which no decision of a policy depends
    observation: int  # version of the observations
    version: int  # of the network: counted up whenever the same weights would play differently
    # the network's arguments in addition to the rules, with bounds; `seats` is the first
    widths: dict[str, tuple[int, int]]
    network: str  # "module:class" of its `PolicyNetwork`s: torch is not imported before one is made
    shipped: Path  # the folder of those that come with the package

    def new_network(self, rules: Any, **widths: int) -> Any:
        """Return a network for these rules and widths."""
        return plugged_in(self.network)(rules, **widths)

    def decisive(self, rules: Any) -> Any:
        """Return the rules as far as a decision can depend on them; the number of players is stated separately."""
        return rules.replace(**{name: getattr(self.official, name) for name in ("players", *self.free)})


@cache
def kind_of(game: str) -> PolicyKind:
    """Return the policies that the game of this name declares, or else those of `slice_policies`."""
    card_game = find_game(game)
    kind: PolicyKind = plugged_in(card_game.policies) if card_game.policies else slice_policies(card_game)
    return kind


def slice_policies(game: CardGame) -> PolicyKind:
    """Return the policies of a game that declares none: every rule decides, and its own lie next to its kernel."""
    widths, network = {"seats": (2, MAX_SEATS), "table": (2, 1024)}, f"{__package__}.slice_network:SliceNetwork"
    return PolicyKind(game.official, (), 1, 1, widths, network, game.sources[0] / "policies")


FORMAT = 1  # of the card
MARK = "_policy"  # after the game's name: the first key of a card
MAX_CARD_BYTES, MAX_WEIGHTS = 1_000_000, 64 * 2**20  # bytes of a card, and of the weights
SUFFIX = ".safetensors"  # of the weights

Widths = dict[str, int]  # the size of a network: its arguments except the rules, all of them on a card
Weights = dict[str, NDArray[Any]]
Shapes = dict[str, tuple[int, ...]]

KINDS: dict[str, type] = {
    "rules": str,
    "rules_hash": str,
    "players": list,
    "observation": int,
    "network": dict,
    "sha256": str,
    "training": dict,
    "strength": list,
}


class ShareDocument(TypedDict):
    """The share of rounds or games that was won, with the ends of its 95 % interval, as JSON."""

    value: float
    low: float
    high: float


class EstimateDocument(TypedDict):
    """A mean as JSON, and half the width of its interval."""

    mean: float
    half: float


class Strength(TypedDict):
    """Measured strength against an opponent. A foreign card may hold anything here: no code depends on it."""

    against: str
    deals: int
    players: int
    margin: EstimateDocument  # points a round
    seed: NotRequired[int]  # what follows, if the command `compare` has measured it
    luck: NotRequired[bool]
    rounds: NotRequired[ShareDocument]  # won
    games: NotRequired[ShareDocument | None]


@dataclass(frozen=True)
class ModelCard:
    """Description of a policy, without its weights; AgentError for values that no policy can have."""

    rules: Any  # of the game that it plays
    players: tuple[int, ...]  # the sizes of table at which it was trained
    network: Widths
    sha256: str = ""  # of the file with the weights
    training: dict[str, Any] = field(default_factory=dict)  # whatever its trainer notes
    strength: list[Strength] = field(default_factory=list)

    def __post_init__(self) -> None:
        kind = kind_of(self.rules.game)
        object.__setattr__(self, "rules", kind.decisive(self.rules))
        if set(self.network) != set(kind.widths):
            raise AgentError(f"network={brief(self.network)} must have {', '.join(kind.widths)}")
        for name, (least, greatest) in kind.widths.items():
            check_int(name, self.network.get(name), least, greatest, AgentError)
        seats = self.network["seats"]
        players = {check_int("players", number, 2, seats, AgentError) for number in self.players}
        if not players:
            raise AgentError("players must name at least one size of table")
        object.__setattr__(self, "players", tuple(sorted(players)))

    def to_dict(self) -> dict[str, Any]:
        """Return the card as JSON values."""
        kind = kind_of(self.rules.game)
        return {
            f"{self.rules.game}{MARK}": FORMAT,
            "rules": self.rules.to_text(),
            "rules_hash": rules_hash(self.rules),
            "players": list(self.players),
            "observation": kind.observation,
            "network": {"version": kind.version, **self.network},
            "sha256": self.sha256,
            "training": self.training,
            "strength": self.strength,
        }

    def to_json(self) -> str:
        """Return the card as JSON text; AgentError for a training record that JSON cannot hold."""
        try:
            return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        except (TypeError, ValueError) as error:
            raise AgentError(f"training and strength of a policy must be JSON: {error}") from None

    @classmethod
    def from_dict(cls, written: Any) -> "ModelCard":
        """Return the card that `to_dict` has written; AgentError for anything else."""
        marks = [key for key in written if key.endswith(MARK)] if isinstance(written, dict) else []
        if len(marks) != 1:
            raise AgentError("this is not the card of a policy")
        kind = kind_of(marks[0].removesuffix(MARK))
        _expect("format", written[marks[0]], FORMAT)
        for name, type_ in KINDS.items():
            if type(written.get(name)) is not type_:
                raise AgentError(f"{name}={brief(written.get(name))} must be a {type_.__name__}")
        _expect("observation version", written["observation"], kind.observation)
        network: Any = dict(written["network"])
        _expect("network version", network.pop("version", None), kind.version)
        parts = {name: written[name] for name in ("sha256", "training", "strength")}
        return cls(_read_rules(kind, written), tuple(written["players"]), network, **parts)

    def why_not(self, rules: Any) -> str | None:
        """Return the reason why the policy cannot play under these rules; None if it can."""
        if rules.game != self.rules.game:
            return f"plays {self.rules.game}; this is a table of {rules.game}"
        wanted, ours = asdict(self.rules), asdict(kind_of(rules.game).decisive(rules))
        others = [name for name in wanted if wanted[name] != ours[name]]
        if others:
            trained, here = (", ".join(f"{name}={brief(values[name])}" for name in others) for values in (wanted, ours))
            return f"was trained for {trained}; this table has {here}"
        if rules.players not in self.players:
            return f"was trained for players={' or '.join(map(str, self.players))}; this table has {rules.players}"
        return None


def _read_rules(kind: PolicyKind, written: dict[str, Any]) -> Any:
    try:
        rules = kind.decisive(kind.official.from_text(written["rules"]))
    except RulesError as error:
        raise AgentError(f"rules={brief(written['rules'])} cannot be played: {error}") from None
    if written["rules_hash"] != rules_hash(rules):
        raise AgentError("rules and rules_hash do not match: one was changed, or another version had different rules")
    return rules


def _expect(what: str, value: Any, expected: int) -> None:
    if type(value) is not int or value != expected:
        raise AgentError(f"it was made for {what} {brief(value)}, this is {expected}")


def rules_hash(rules: Any) -> str:
    """Return a digest of every rule on which a decision can depend, including those that the text omits as official."""
    decided = kind_of(rules.game).decisive(rules)
    lines = (f"{field.name}={getattr(decided, field.name)!r}" for field in fields(decided))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def card_path(path: Path) -> Path:
    """Return the path of the model card of these weights."""
    return path.with_suffix(".json")


def read_card(path: Path) -> ModelCard:
    """Return the card of the weights in this file; AgentError names its faults."""
    file = card_path(path)
    if not path.is_file():
        raise AgentError(f"{path}: there is no such file")
    if not file.exists():
        raise AgentError(f"{path}: its model card {file.name} is missing")
    data = read_file(file, MAX_CARD_BYTES)
    try:
        written = json.loads(data.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        raise AgentError(f"{file}: this is not JSON") from None
    try:
        return ModelCard.from_dict(written)
    except AgentError as error:
        raise AgentError(f"{file}: {error}") from None


def _no_number(word: str) -> None:
    raise ValueError(word)


def read_file(path: Path, most: int) -> bytes:
    """Return all bytes of a file, if it has at most `most`; AgentError that names the file otherwise."""
    try:
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise AgentError(f"{path}: {error.strerror}") from None
    if len(data) > most:
        raise AgentError(f"{path} has more than {most:,} bytes, which no policy needs")
    return data


def chosen(rules: Any, path: str, name: str) -> Path:
    """Return the file with this path, or the policy of this name that comes with the package, or the one for such a
    table.
    """
    if path and name:
        raise AgentError(f"path={brief(path)} and name={brief(name)} cannot be given together")
    if path:
        return Path(path).expanduser()
    if name:
        return shipped(rules.game, name)
    model_cards = {file: read_card(file) for file in _all_shipped(rules.game)}
    fitting = [file for file, model_card in model_cards.items() if model_card.why_not(rules) is None]
    if not fitting:
        table = f"players={rules.players} {rules.replace(players=2).to_text()}".strip()
        raise AgentError(f"the package has no policy for {table}, only {_names(model_cards)}; path= names a file")
    return min(fitting, key=lambda file: len(model_cards[file].players))  # the one for the fewest sizes of table


def shipped(game: str, name: str) -> Path:
    """Return the policy of this name that comes with the package."""
    files = _all_shipped(game)
    for file in files:
        if file.stem == name:
            return file
    raise AgentError(f"unknown policy {brief(name)}; the package has {_names(files)}")


def _all_shipped(game: str) -> list[Path]:
    return sorted(kind_of(game).shipped.glob("*.safetensors"))


def _names(files: Iterable[Path]) -> str:
    return ", ".join(file.stem for file in files) or "none"


# The weights


def read_policy(path: Path, rules: Any | None = None) -> tuple[Weights, ModelCard]:
    """Return the weights and the card of a policy; AgentError if it is not for these rules."""
    if path.suffix == ".zip":
        raise AgentError(
            f"{path} is a pickle, which can run any code when it is loaded; if you trust its maker, "
            f"export {path} --allow-pickle turns it into a policy"
        )
    check_suffix(path)
    model_card = read_card(path)
    reason = model_card.why_not(rules) if rules is not None else None
    if reason is not None:
        raise AgentError(f"policy {path} {reason}")
    data = read_file(path, MAX_WEIGHTS)
    if hashlib.sha256(data).hexdigest() != model_card.sha256:
        raise AgentError(f"{path} is damaged, or does not belong to its card: its sha256 differs")
    try:
        return load(data), model_card
    # The file can hold any bytes; which of these safetensors raises depends on where they stop making sense.
    except (SafetensorError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise AgentError(f"{path}: these are not weights: {brief(str(error))}") from None


def check_suffix(path: Path) -> None:
    """Raise AgentError unless the file's name ends as that of a policy."""
    if path.suffix != SUFFIX:
        raise AgentError(f"{path}: a policy is a {SUFFIX} file next to its model card")


def check_weights(weights: Weights, expected: Shapes) -> None:
    """Raise AgentError unless these are the weights of a network, by name and shape, and finite numbers."""
    if set(weights) != set(expected):
        raise AgentError(
            f"the weights {brief(sorted(set(expected) - set(weights)))} are missing, "
            f"and the network has no {brief(sorted(set(weights) - set(expected)))}"
        )
    for name, weight in weights.items():
        if weight.shape != expected[name] or weight.dtype != np.float32:
            raise AgentError(
                f"{name} is {weight.dtype}{list(weight.shape)}, the network has float32{list(expected[name])}"
            )
    check_finite(weights)


def check_finite(weights: Weights) -> None:
    """Raise AgentError for weights that are not finite."""
    for name, weight in weights.items():
        if not np.isfinite(weight).all():
            raise AgentError(f"{name} has entries that are not finite numbers")
