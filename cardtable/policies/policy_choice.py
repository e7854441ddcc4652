"""Which policy to play: one in a file, or one that comes with the package."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cardtable.checks import brief
from cardtable.errors import AgentError
from cardtable.policies.policy_card import read_card
from cardtable.policies.policy_kind import kind_of


def chosen(rules: Any, path: str, name: str) -> Path:
    """The file with this path, or the policy of this name that comes with the package, or the one for such a table."""
    if path and name:
        raise AgentError(f"path={brief(path)} and name={brief(name)} cannot be given together")
    return Path(path).expanduser() if path else shipped(rules.game, name) if name else _shipped_for(rules)


def shipped(game: str, name: str) -> Path:
    """The policy of this name that comes with the package."""
    files = _all_shipped(game)
    for file in files:
        if file.stem == name:
            return file
    raise AgentError(f"unknown policy {brief(name)}; the package has {_names(files)}")


def _shipped_for(rules: Any) -> Path:
    """The policy that comes with the package for such a table: of several, the one for the fewest sizes of table."""
    cards = {file: read_card(file) for file in _all_shipped(rules.game)}
    fitting = [file for file, card in cards.items() if card.why_not(rules) is None]
    if not fitting:
        table = f"players={rules.players} {rules.replace(players=2).to_text()}".strip()
        names = _names(cards)
        raise AgentError(f"the package has no policy for {table}, only {names}; path= names a file")
    return min(fitting, key=lambda file: len(cards[file].players))


def _all_shipped(game: str) -> list[Path]:
    return sorted(kind_of(game).shipped.glob("*.safetensors"))


def _names(files: Iterable[Path]) -> str:
    return ", ".join(file.stem for file in files) or "none"
