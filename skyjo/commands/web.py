"""The command `web`: the table in the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from skyjo.programs import program


@dataclass(frozen=True)
class Web:
    """Play in the browser: serve the table to this machine alone, until Ctrl-C."""

    port: Annotated[int, tyro.conf.arg(metavar="N")] = 8765
    """Where the page is found on this machine; 0 takes any free port."""

    folder: Annotated[str | None, tyro.conf.arg(metavar="DIR", help_behavior_hint="")] = None
    """Where tables are kept (the user's own data folder if left out)."""

    no_browser: bool = False
    """Only print the address."""

    def run(self) -> None:
        """Serve until interrupted."""
        from pathlib import Path

        from skyjo.web.folder_lock import held
        from skyjo.web.keeping import usual_folder
        from skyjo.web.serving import bound, serve, warm_up
        from skyjo.web.table_room import TableRoom

        game = program().game
        folder = usual_folder(game) if self.folder is None else Path(self.folder).expanduser()
        with held(folder), bound(self.port) as sock:
            room = TableRoom(game, folder)
            warm_up(room)
            serve(room, sock, opens_browser=not self.no_browser)
