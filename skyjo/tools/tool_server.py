"""Tables as tools of the Model Context Protocol: what a language model may call, over one connection."""

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from threading import Lock
from typing import Any, Literal, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from cardtable.table.errors import TableError
from skyjo.interfaces import DISTRIBUTION, GameInterface, find_interface, interface_names
from skyjo.tools.text_table import ResultDocument, TextTable

MAX_TABLES = 8  # of one connection
INSTRUCTIONS = """Card games against agents. start_table deals; act decides, with the name of one of the legal actions \
that the last line of the table lists; result says what your decisions gave away once a table is over. Read the rules \
first: they say what the names of actions mean. Cells are numbered column by column, places clockwise from you."""

Answer = TypeVar("Answer")


class Tables:
    """The tables of one connection, by number, and the tools that the client calls. One call is answered at a time."""

    def __init__(self, usual: GameInterface) -> None:
        """Take the game that is played if none is named as `usual`."""
        self._usual = usual
        self._tables: dict[int, TextTable] = {}
        self._last = 0

    def start_table(
        self,
        game: str = "",
        opponents: list[str] | None = None,
        players: int | None = None,
        rules: str = "",
        episode: Literal["round", "game"] = "round",
    ) -> str:
        """Deal a new table; answers with its number and your view.

        opponents are agents by name, clockwise from you: one takes all the other seats. An unknown name is refused with
        those that there are. rules are changes to the official rules, such as "players=3". An episode is one round, or
        a game of many rounds.
        """
        interface = self._interface(game)
        self._make_room()
        table = TextTable(interface, opponents or interface.opponents, players, rules, episode)
        text = table.look()
        self._last += 1
        self._tables[self._last] = table
        return f"table {self._last}\n\n{text}"

    def look(self, table: int) -> str:
        """Show a table as your seat sees it; the last line lists the legal actions."""
        return self._table(table).look()

    def act(self, table: int, action: str) -> str:
        """Decide at a table: one legal action, by its name. Answers with the moves that follow and your view after
        them.
        """
        return self._table(table).act(action)

    def rules(self, game: str = "") -> str:
        """Return the rules of a game with every clause numbered, and the options by which a table can change them."""
        return self._interface(game).rules_text

    def result(self, table: int) -> ResultDocument:
        """Return the result of a table that is over: scores, and the points that your decisions gave away, without
        luck.

        Call it again as long as decisions are still to judge.
        """
        return self._table(table).result()

    def leave(self, table: int) -> str:
        """Leave a table for good, whether or not it is over."""
        self._table(table)
        del self._tables[table]
        return f"table {table} is closed"

    def _interface(self, game: str) -> GameInterface:
        return find_interface(game.replace("-", "_")) if game else self._usual

    def _table(self, number: int) -> TextTable:
        if number not in self._tables:
            numbers = ", ".join(map(str, self._tables)) or "none"
            raise TableError(f"there is no table {number}; open tables: {numbers}")
        return self._tables[number]

    def _make_room(self) -> None:
        """Close the oldest table that is over if there are too many; TableError if all of them are being played."""
        if len(self._tables) < MAX_TABLES:
            return
        over = next((number for number, table in self._tables.items() if table.is_over), None)
        if over is None:
            raise TableError(f"{MAX_TABLES} tables are open, which is the limit: finish or leave one of them first")
        del self._tables[over]


def make_server(usual: GameInterface) -> MCPServer[Any]:
    """Return a server with separate tables, for one connection."""
    names = ", ".join(interface_names())
    server: MCPServer[Any] = MCPServer(
        "skyjo-env", instructions=f"{INSTRUCTIONS} Games: {names}.", version=version(DISTRIBUTION), log_level="WARNING"
    )
    tables, lock = Tables(usual), Lock()
    for tool in (tables.start_table, tables.look, tables.act, tables.rules, tables.result, tables.leave):
        server.add_tool(_refusing(tool, lock))
    return server


def _refusing(tool: Callable[..., Answer], lock: Lock) -> Callable[..., Answer]:
    """Return a tool whose errors are one line. Unforeseen errors tell only their type: the client reads the log, too,
    and a message could name hidden cards.
    """

    @wraps(tool)
    def refusing(*args: Any, **options: Any) -> Answer:
        try:
            with lock:
                return tool(*args, **options)
        except TableError as error:
            raise ToolError(str(error)) from None
        except Exception as error:
            raise ToolError(f"the server failed with a {type(error).__name__}") from None

    return refusing
