"""The commands that serve: `web`, the table in the browser; and `mcp`, tables as tools for language models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from skyjo.interfaces import interface

if TYPE_CHECKING:
    from skyjo.web.stored_games import StoredGames


@dataclass(frozen=True)
class Web:
    """Play this game and the others in the browser. Runs until Ctrl-C; serves only this machine without --host."""

    port: Annotated[int, tyro.conf.arg(metavar="N")] = 8765
    """Port to listen on; 0 picks any free one."""

    host: Annotated[str, tyro.conf.arg(metavar="ADDRESS")] = "127.0.0.1"
    """Address to listen on; 0.0.0.0 lets in other machines that have the printed link. Nothing is encrypted."""

    folder: Annotated[str | None, tyro.conf.arg(metavar="DIR", help_behavior_hint="")] = None
    """Where to keep tables (default: your user data folder)."""

    games: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FOLDER ...", help_behavior_hint="")] = ()
    """Folders of stored games, of any game, written by match --store or tournament --store (default: none)."""

    no_browser: bool = False
    """Only print the address."""

    def run(self) -> None:
        """Serve until interrupted."""
        from contextlib import ExitStack
        from pathlib import Path

        from skyjo.interfaces import playable_interfaces
        from skyjo.web.serving import bound, serve
        from skyjo.web.table_files import locked, usual_folder
        from skyjo.web.table_room import TableRoom

        game, chosen = interface().game, self.folder and Path(self.folder).expanduser()
        folders = {one: chosen or usual_folder(one) for one in [game, *playable_interfaces()]}
        with ExitStack() as stack:
            for folder in dict.fromkeys(folders.values()):
                stack.enter_context(locked(folder))
            sock = stack.enter_context(bound(self.port, self.host))
            room = TableRoom(game, folders.pop(game))
            serve(room, sock, not self.no_browser, self._stores(), folders)

    def _stores(self) -> list[StoredGames]:
        if not self.games:
            return []  # which needs no pyarrow
        from pathlib import Path

        from skyjo.web.stored_games import StoredGames

        return [StoredGames(Path(folder).expanduser()) for folder in self.games]


@dataclass(frozen=True)
class ToolServer:
    """Let a language model play: serve tables as tools (Model Context Protocol) on standard input and output.

    The program that hosts the model starts this command; docs/text.md shows how to set it up.
    """

    def run(self) -> None:
        """Serve until the client closes standard input."""
        import sys

        from skyjo.tools.tool_server import make_server

        if sys.stdin is not None and sys.stdin.isatty():
            print("Waiting for a client on standard input; Ctrl-C stops it.", file=sys.stderr)
        make_server(interface()).run("stdio")
