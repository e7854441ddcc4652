"""The command `web`: the table in the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from skyjo.programs import program

if TYPE_CHECKING:
    from cardtable.card_game import PlayableGame
    from skyjo.web.stored_games import StoredGames


@dataclass(frozen=True)
class Web:
    """Play in the browser: serve the table until Ctrl-C, to this machine alone unless --host says otherwise."""

    port: Annotated[int, tyro.conf.arg(metavar="N")] = 8765
    """Where the page is found on this machine; 0 takes any free port."""

    host: Annotated[str, tyro.conf.arg(metavar="ADDRESS")] = "127.0.0.1"
    """Where to listen; 0.0.0.0 lets other machines in, with the access token that the address holds. Nothing is
    encrypted: for networks that you trust."""

    folder: Annotated[str | None, tyro.conf.arg(metavar="DIR", help_behavior_hint="")] = None
    """Where tables are kept (the user's own data folder if left out)."""

    games: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FOLDER ...", help_behavior_hint="")] = ()
    """Folders of stored games to show, as written by match --store and tournament --store (none if left out)."""

    no_browser: bool = False
    """Only print the address."""

    def run(self) -> None:
        """Serve until interrupted."""
        from pathlib import Path

        from skyjo.web.folder_lock import held
        from skyjo.web.serving import bound, serve, warm_up
        from skyjo.web.table_files import usual_folder
        from skyjo.web.table_room import TableRoom

        game = program().game
        folder = usual_folder(game) if self.folder is None else Path(self.folder).expanduser()
        with held(folder), bound(self.port, self.host) as sock:
            room = TableRoom(game, folder)
            stores = self._stores(room.game)
            warm_up(room)
            serve(room, sock, not self.no_browser, stores)

    def _stores(self, game: PlayableGame) -> list[StoredGames]:
        if not self.games:
            return []  # which needs no pyarrow
        from pathlib import Path

        from skyjo.web.stored_games import StoredGames

        return [StoredGames(game, Path(folder).expanduser()) for folder in self.games]
