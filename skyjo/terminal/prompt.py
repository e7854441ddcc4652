"""Asks the player for an action, or for anything else that can be typed."""

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from cardtable.errors import TableError
from skyjo.table.game_terminal import terminal_named
from skyjo.terminal.console import ask

SHORT = {"u": "undo", "q": "quit", "exit": "quit", "?": "help"}

Answer = Callable[[str], bool]  # what a command does with the rest of its line; True if the question is settled


def ask_decision(
    rules: Any, observation: NDArray[Any], mask: NDArray[Any], commands: Mapping[str, Answer]
) -> int | None:
    """Ask until there is a legal action, or a command that settles the question (None). EOFError if nobody answers."""
    terminal = terminal_named(rules.game)
    prompt = terminal.question(rules, observation, mask)
    while True:
        line = ask(prompt)
        word, _, rest = line.partition(" ")
        word = SHORT.get(word.lower(), word.lower())
        try:
            if word in commands:
                if commands[word](rest.strip()):
                    return None
            elif line:
                return terminal.read_action(rules, observation, mask, line)
        except TableError as error:
            print(error)


def seat_names(rules: Any) -> list[str]:
    """What seats are called when nothing is known of who sits there."""
    return [f"seat {seat}" for seat in range(rules.players)]
