"""The policies that are compared: those of a training run, a policy's file, or any agent by name."""

import re
from dataclasses import dataclass
from pathlib import Path

from cardtable.table.agents.agents import AgentRegistry, agents_of
from cardtable.table.agents.policies.policy_card import SUFFIX, Card, read_card
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from skyjo_training.training_run import policies_of


@dataclass(frozen=True)
class Contender:
    """A policy: its name in the comparison, and the agent that plays it."""

    name: str
    agent: str


def contenders(what: str, game: str) -> tuple[tuple[Contender, ...], Card | None]:
    """The policies of a run's folder, the one in a file, or any agent, with the card of the first; an agent has none.

    TableError if there is no such policy of this game, or if policies of one run are not for the same tables.
    """
    files = _files(what, agents_of(find_game(game)))
    if files is None:
        return (Contender(what, what),), None
    cards = [read_card(file) for file in files]
    if any((card.rules, card.players) != (cards[0].rules, cards[0].players) for card in cards):
        raise TableError(f"{what}: its policies were trained for different rules or numbers of players")
    if cards[0].rules.game != game:
        raise TableError(f"{what} plays {cards[0].rules.game}, not {game}")
    names = [file.parent.name.replace("-", " ") for file in files] if len(files) > 1 else ["policy"]
    return tuple(Contender(name, _agent(file)) for name, file in zip(names, files, strict=True)), cards[0]


def _files(what: str, agents: AgentRegistry) -> list[Path] | None:
    """The files of the policies; None for the name of an agent."""
    path, is_agent = Path(what).expanduser(), agents.is_agent(what)
    if path.suffix == SUFFIX and not path.is_dir() and (path.exists() or not is_agent):
        return [path]
    if path.is_dir():
        try:
            return policies_of(path)
        except TableError:
            if not is_agent:
                raise
    if is_agent:
        return None
    raise TableError(f"{what}: neither the folder of a run, nor a {SUFFIX} file, nor an agent")


def _agent(file: Path) -> str:
    text = str(file)
    if "," in text and re.search("[()]", text):
        raise TableError(f"{text}: a path cannot have both a comma and brackets; rename it")
    return f"policy:path=({text})" if "," in text else f"policy:path={text}"
