"""The command line that repeats a command."""

import shlex
from dataclasses import MISSING, Field, fields
from typing import Any

from skyjo.programs import program


def command_line(name: str, command: Any, without: tuple[str, ...] = (), usual: Any = None) -> str:
    """The command with those options that differ from their defaults, or from those of `usual`."""
    alone, named = [], []
    for field in fields(command):
        value = getattr(command, field.name)
        parts = list(map(str, value)) if isinstance(value, tuple) else [] if value is True else [str(value)]
        if "Positional" in str(field.type):  # given without a name
            alone += parts
        elif field.name not in without and value != (_default(field) if usual is None else getattr(usual, field.name)):
            named += [f"--{field.name.replace('_', '-')}", *parts]
    return shlex.join([program().command, name, *alone, *named])


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default if field.default is not MISSING else None
