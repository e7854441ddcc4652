"""The help of the command line: one line for each command, the version, and the complaint about an unknown command."""

import platform
from importlib.metadata import version
from textwrap import fill

from cardtable.table.errors import did_you_mean
from skyjo.programs import Program

DISTRIBUTION = "skyjo-env"
WIDTH = 79  # columns
LONGEST = 60  # characters of a mistyped command that are repeated
GROUPS = (
    {
        "play": "play in the terminal",
        "web": "play, replay and analyse in the browser",
        "mcp": "let a language model play, through its tools",
        "rules": "read the rules",
        "agents": "list the agents and their parameters",
        "warmup": "compile everything now, so that nothing waits later",
    },
    {
        "replay": "print a recorded game turn by turn",
        "analyse": "judge every decision of a game, and show what was luck",
        "games": "list, replay, export and check stored games",
    },
    {
        "match": "find out who is better, and how certain that is",
        "tournament": "play every agent against every other, and rate them",
        "exam": "find out what agents give away, and where",
        "report": "write a page about stored matches and tournaments",
        "ratings": "rate the players of any game from a file of results",
    },
    {
        "train": "train a policy by self-play",
        "compare": "compare policies with the scripted players",
        "export": "write a policy as files that are safe to share",
    },
)  # of the commands that come with this package, in the order in which a newcomer needs them


def overview(program: Program) -> str:
    """The help of the program, short enough for one screen."""
    others = {name: "" for name in program.commands if not any(name in group for group in GROUPS)}
    groups = [
        "\n".join(f"  {name:<14}{words}".rstrip() for name, words in group.items() if name in program.commands)
        for group in (*GROUPS, others)
    ]
    commands = "\n\n".join(group for group in groups if group)
    more = f"{program.command} COMMAND --help explains a command; {program.command} --version prints the version."
    return (
        f"usage: {program.command} COMMAND ...\n\n"
        f"Play {program.title}, look at games, and measure who plays it well.\n\n"
        f"{commands}\n\n"
        f"{fill(more, WIDTH)}"
    )


def version_line() -> str:
    """The version of the distribution, with what results may depend on."""
    return f"{DISTRIBUTION} {version(DISTRIBUTION)} (Python {platform.python_version()}, numba {version('numba')})"


def unknown_command(program: Program, name: str) -> str:
    """The complaint about a command that does not exist."""
    return f"{name[:LONGEST]!r} is not a command{did_you_mean(name, program.commands)} (see {program.command} --help)"
