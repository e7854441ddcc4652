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
    """Folder for rooms (default: your user data folder)."""

    games: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FOLDER ...", help_behavior_hint="")] = ()
    """Folders of stored games, of any game, written by match --store or tournament --store (default: none)."""

    agent: Annotated[tuple[str, ...], tyro.conf.arg(metavar="TEXT ...", help_behavior_hint="")] = ()
    """Further agents for this game, such as my_module:MyAgent or policy:path=FILE (default: none)."""

    no_browser: bool = False
    """Only print the address."""

    def run(self) -> None:
        """Serve until interrupted."""
        from pathlib import Path

        from cardtable.table.agents.agents import agents_of
        from cardtable.table.game.card_game import find_game
        from skyjo.interfaces import playable_interfaces
        from skyjo.web.access import reach_of
        from skyjo.web.built_site import site_folder
        from skyjo.web.room_store import RoomStore, usual_folder
        from skyjo.web.server import Server
        from skyjo.web.serving import bound, serve

        home = interface().game
        for text in self.agent:
            agents_of(find_game(home)).factory(text)  # a wrong name fails before the site is built
        folder = Path(self.folder).expanduser() if self.folder else usual_folder()
        with bound(self.port, self.host) as sock:
            store, stores = RoomStore(folder), self._stores()
            reach = reach_of(sock, folder)
            games = [home, *(game for game in playable_interfaces() if game != home)]
            server = Server(site_folder(), games, store, reach, {home: self.agent}, stores)
            serve(server, sock, reach.link("/"), not self.no_browser)

    def _stores(self) -> list[StoredGames]:
        if not self.games:
            return []  # which needs no pyarrow
        from pathlib import Path

        from skyjo.web.stored_games import StoredGames

        return [StoredGames(Path(folder).expanduser()) for folder in self.games]


@dataclass(frozen=True)
class ToolServer:
    """Let a language model play: serve tables as tools (Model Context Protocol) on standard input and output.

    The program that hosts the model starts this command; docs/guides/language_models.md shows how to set it up.
    """

    def run(self) -> None:
        """Serve until the client closes standard input."""
        import sys

        from skyjo.tools.tool_server import make_server

        if sys.stdin is not None and sys.stdin.isatty():
            print("Waiting for a client on standard input; Ctrl-C stops it.", file=sys.stderr)
        make_server(interface()).run("stdio")
