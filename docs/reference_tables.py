"""The parts of the reference that are made from the code while the site is built.

`<!-- rules: skyjo -->` on a page stands for the table of the rules' options of Skyjo, and so on for each name in MADE.
"""

import io
import os
import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import fields
from inspect import Parameter, getdoc
from textwrap import indent
from typing import Any
from unittest.mock import patch

from cardtable.table.agents.agents import agents_of
from cardtable.table.envs.environments import id_of
from cardtable.table.game.card_game import CardGame, find_game
from skyjo.commands import COMMANDS, offered
from skyjo.interfaces import find_interface
from skyjo.main import main

WIDTH = "80"  # columns of the help of commands
HELP_OPTION = re.compile(r"^ *-h, --help\s+show this help message and exit\n?", re.MULTILINE)
NO_OPTIONS = re.compile(r"\n* options\n -+(?=\n\n\n|\n*\Z)")


def with_tables(page: str) -> str:
    """Return a page with every comment that names one of these parts replaced by it.

    The rest of the comment's paragraph is for readers of the file, and goes.
    """
    return re.sub(rf"^<!-- ({'|'.join(MADE)}): (\w+) -->(\n.+)*$", _made, page, flags=re.MULTILINE)


def _made(comment: re.Match[str]) -> str:
    return MADE[comment[1]](find_game(comment[2]))


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))


def code(value: Any) -> str:
    """Return a value as Python writes it, with double quotes, as code."""
    return f"`{value!r}`".replace("'", '"')


# Environments and rules


def specs(game: CardGame) -> str:
    """Return the sizes of a game's environments under its official rules."""
    rules, spec, name = game.official, game.spec_of(game.official), game.name
    least, most = game.rules_type.ranges["players"]
    lowest = ", ".join(f"{game.penalty(rules, reward):.4g} (`{reward}`)" for reward in game.rewards)
    rows = [
        ("Import", f"`from {name}_env import {name}_v0`"),
        ("PettingZoo", f"`{name}_v0.env()`, `{name}_v0.parallel_env()`"),
        ("Gymnasium", f'`gymnasium.make("{name}_env:{id_of(game)}")`, `gymnasium.make_vec`'),
        ("Seats", f'{rules.players} ({least} to {most}), `"player_0"` to `"player_{most - 1}"`'),
        ("Actions", f"`Discrete({rules.actions})`"),
        ("Observation", f"int16 [{spec.size}], from {spec.low.min()} to {spec.high.max()}"),
        ('Observation, `encoding="onehot"`', f"float32 [{spec.onehot.size}]"),
        ("Reward of an illegal action that ends the episode", lowest),
        ("Turns after which a round is stopped", f"{rules.max_turns}"),
    ]
    return table(("", "official rules"), rows)


def observation(game: CardGame) -> str:
    """Return the slices of a game's observations."""
    described: str = game.spec_of(game.official).describe()
    return described


def onehot(game: CardGame) -> str:
    """Return the slices of a game's one-hot observations."""
    described: str = game.spec_of(game.official).onehot.describe()
    return described


def rules_options(game: CardGame) -> str:
    """Return the options of a game's rules: default, other values, meaning and clause."""
    words, rows = find_interface(game.name).rule_words, []
    for field in fields(game.rules_type):
        told = words.get(field.name)
        meaning, clause = (told.words, told.clause) if told else ("Players at the table", "")
        official = "the printed deck" if field.name == "deck" else code(field.default)
        rows.append((f"`{field.name}`", official, _other_values(game.rules_type, field), meaning, clause))
    return table(("field", "official", "others", "meaning", "clause"), rows)


def _other_values(rules: Any, field: Any) -> str:
    if field.name in rules.options:
        return ", ".join(code(value) for value in rules.options[field.name] if value != field.default)
    if field.name in rules.ranges:
        least, most = rules.ranges[field.name]
        return f"{least} to {most}"
    return code(not field.default) if isinstance(field.default, bool) else "see the clause"


# Events, agents and commands


def events(game: CardGame) -> str:
    """Return the events of a game with their fields."""
    kinds = game.event_type.__subclasses__()
    rows = [(f"`{kind.__name__}`", _names(kind), " ".join((getdoc(kind) or "").split())) for kind in kinds]
    return table(("event", "fields", "meaning"), rows)


def _names(kind: Any) -> str:
    return ", ".join(f"`{field.name}`" for field in fields(kind))


def agents(game: CardGame) -> str:
    """Return the agents of a game with their parameters, a paragraph each."""
    registry = agents_of(game)
    return "\n\n".join(_agent(name, registry.describe(name)[1], registry.factory(name)) for name in registry.names())


def _agent(name: str, parameters: dict[str, Any], factory: Any) -> str:
    given = [f"`{key}`" if value is Parameter.empty else f"`{key}={value}`" for key, value in parameters.items()]
    return f"### {name}\n\n{getdoc(factory)}" + (f"\n\nParameters: {', '.join(given)}" if given else "")


def commands(game: CardGame) -> str:
    """Return the help of a game's commands.

    Skyjo has a list of them, and any other game only those whose help differs from Skyjo's.
    """
    now, home = find_interface(game.name), find_interface("skyjo")
    told = {name: help_of(now.command, name) for name in offered(now)}
    if now is not home:
        told = {name: text for name, text in told.items() if _like(text, now.command) != help_of(home.command, name)}
    lacking = [f"`{name}`" for name in COMMANDS if name not in offered(now)]
    parts = [f"{now.title} lacks the commands {' and '.join(lacking)}."] if lacking else []
    if now is home:
        rows = [(f"[`{home.command} {name}`](#{home.command}-{name})", COMMANDS[name].words) for name in told]
        parts.append(table(("command", "use it to"), rows))
    return "\n\n".join([*parts, *(f"### {now.command} {name}\n\n{_literal(text)}" for name, text in told.items())])


def _literal(text: str) -> str:
    """Return text as it is printed, with links."""
    return f"```{{eval-rst}}\n.. parsed-literal::\n\n{indent(linked(text), '    ')}\n```"


def linked(text: str) -> str:
    """Return plain text as reStructuredText, with links to the pages that it names."""
    escaped = re.sub(r"([\\*|_`])", r"\\\1", text)
    return re.sub(r"docs/([\w\\/]+)\.md", lambda page: f":doc:`/docs/{page[1]}`".replace("\\", ""), escaped)


def help_of(program: str, name: str) -> str:
    """Return the help of a command, and that of its subcommands."""
    told = _printed(program, name, "--help")
    subcommands = re.match(r"usage: .* {([\w,]+)}$", told, re.MULTILINE)
    names = subcommands[1].split(",") if subcommands else []
    told = "\n\n\n".join([told, *(_printed(program, name, subcommand, "--help") for subcommand in names)])
    return NO_OPTIONS.sub("", HELP_OPTION.sub("", told))


def _printed(program: str, *arguments: str) -> str:
    """Return what a command line prints, in lines of 80 letters at most."""
    out = io.StringIO()
    narrow = patch.dict(os.environ, {"COLUMNS": WIDTH})
    with redirect_stdout(out), redirect_stderr(out), narrow, suppress(SystemExit):
        main(arguments, game=program.replace("-", "_"))
    return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())


def _like(text: str, program: str) -> str:
    return text.replace(program, "skyjo")


MADE: dict[str, Callable[[CardGame], str]] = {
    "agents": agents,
    "commands": commands,
    "events": events,
    "observation": observation,
    "onehot": onehot,
    "rules": rules_options,
    "specs": specs,
}
