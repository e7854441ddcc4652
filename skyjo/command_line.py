"""What to type for a command to be carried out again."""

import shlex
from dataclasses import MISSING, Field, fields
from typing import Any


def command_line(name: str, command: Any, without: tuple[str, ...] = ()) -> str:
    """The command with its options as they differ from what is left out."""
    words = ["skyjo", name]
    for field in fields(command):
        value = getattr(command, field.name)
        if isinstance(value, tuple):  # what stands without a name
            words += value
        elif field.name not in without and value != _default(field):
            words += [f"--{field.name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return shlex.join(words)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default is not MISSING else None
