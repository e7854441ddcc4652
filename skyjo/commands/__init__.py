"""The commands of all games: where each of them is, what it is for, and what a game must have for it.

A command is a frozen dataclass whose fields are its options and whose `run` does the work. Its file imports nothing
heavy before `run`, so that help is quick.
"""

from typing import NamedTuple

from skyjo.interfaces import GameInterface

# What a game may lack, by the attribute of its program
NEEDS = {
    "exam": "an examination (exam in people/interface.toml)",
    "has_board": "a board for the browser (people/board.js) and two rivals (people/interface.toml)",
    "judges": "an agent that judges it (judges in people/interface.toml)",
    "rules_page": "a page with its rules (people/rules.md)",
}


class Command(NamedTuple):
    """A command and its purpose."""

    place: str  # as module:name, of a command or of a function that makes it
    words: str
    need: str = ""  # one of NEEDS


GROUPS = (
    {
        "play": Command("skyjo.commands.play:Play", "play in the terminal"),
        "web": Command("skyjo.commands.serve:Web", "play, replay and analyse in the browser", "has_board"),
        "mcp": Command("skyjo.commands.serve:ToolServer", "let a language model play, through its tools"),
        "rules": Command("skyjo.commands.look_up:RulesPage", "read the rules", "rules_page"),
        "agents": Command("skyjo.commands.look_up:Agents", "list the agents and their parameters"),
        "warmup": Command("skyjo.commands.warmup:WarmUp", "compile everything now, so that nothing waits later"),
    },
    {
        "replay": Command("skyjo.commands.replay:Replay", "print a recorded game turn by turn"),
        "analyse": Command(
            "skyjo.commands.analyse:Analyse", "judge every decision of a game, and show what was luck", "judges"
        ),
        "games": Command("skyjo.commands.games:Games", "list, replay, export and check stored games"),
    },
    {
        "match": Command("skyjo.commands.match:Match", "find out who is better, and how certain that is"),
        "tournament": Command(
            "skyjo.commands.tournament:Tournament", "play every agent against every other, and rate them"
        ),
        "exam": Command("skyjo.commands.exam:Exam", "find out what agents give away, and where", "exam"),
        "report": Command("skyjo.commands.report:Report", "write a page about stored matches and tournaments"),
        "ratings": Command("skyjo.commands.ratings:Ratings", "rate the players of any game from a file of results"),
    },
    {
        "train": Command("skyjo.commands.train:train_command", "train a policy by self-play"),
        "compare": Command("skyjo.commands.compare:Compare", "compare policies with the scripted players"),
        "export": Command("skyjo.commands.export:Export", "write a policy as files that are safe to share"),
    },
)  # in the order in which a newcomer needs them
COMMANDS = {name: command for group in GROUPS for name, command in group.items()}


def missing(interface: GameInterface, name: str) -> str:
    """Return the parts that a game lacks for a command; empty if the command can work for it."""
    need = COMMANDS[name].need
    return NEEDS[need] if need and not getattr(interface, need) else ""


def offered(interface: GameInterface) -> list[str]:
    """Return the commands that can work for a game."""
    return [name for name in COMMANDS if not missing(interface, name)]
