"""A server of tables in a process of its own, and one of files in a thread."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from skyjo.interfaces import interface_names

SAME = {  # by the path of a page that is served, the same page as a file of the game
    r"/t/(\w+)": r"table.html?\1",
    r"/g/(\w+)": r"game.html?\1",
    r"/(learn|games|ladder)": r"\1.html",
}
DEALS = os.environ["DEALS"]  # tests/conftest.py says what it is for
SERVE = """
import secrets
import signal
import sys
from functools import partial
from http import HTTPStatus
from pathlib import Path
from random import Random
from skyjo.interfaces import called, interface_names
from skyjo.web import live_tables, serving
from skyjo.web.server import Server
from skyjo.web.table_room import TableRoom

if len(sys.argv) > 6:  # pictures show the same cards and dates every time
    from datetime import datetime, timezone
    from skyjo.web import table_room, table_files
    secrets.randbits = lambda bits: int(sys.argv[6])
    table_room.seed_of = lambda game, day: int(sys.argv[6])
    table_files.TableFile.written = property(lambda file: datetime(2026, 11, 2, 18, 30, tzinfo=timezone.utc))
else:
    def deal_from_the_start(*_):
        secrets.randbits = Random(sys.argv[5]).getrandbits

    deal_from_the_start()
    signal.signal(signal.SIGUSR1, deal_from_the_start)

serving.Server = partial(Server, pace=float(sys.argv[3]))
serving.warm_up = lambda room: None
live_tables.GRACE = 0
with called(sys.argv[1]) as interface:
    folders = {game: Path(sys.argv[2]) for game in interface_names()}
    room = TableRoom(interface.game, folders.pop(interface.game))
    with serving.bound(int(sys.argv[4])) as sock:
        serving.serve(room, sock, opens_browser=False, others=folders)
"""


RUNNING = list[subprocess.Popen[str]]()  # servers of tables


def deal_from_the_start() -> None:
    """Let every server deal the cards again that it dealt first."""
    for server in RUNNING:
        server.send_signal(signal.SIGUSR1)


@contextmanager
def served(game: str, folder: Path, pace: float = 0.0, port: int = 0, seed: int | None = None) -> Iterator[str]:
    """The address of a site where this game is at home and agents wait so many seconds; it is killed in the end.

    Its tables are dealt the same cards in every run. With a seed, all have the cards of that seed, and the same date.
    """
    command = [sys.executable, "-c", SERVE, game, str(folder), str(pace), str(port), DEALS]
    command += [] if seed is None else [str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = next((line for line in server.stdout if "http://" in line), "")
            assert line, "the server ended before it said where it is"
            address = line[line.index("http://") :].split()[0].rstrip("/")
            urlopen(f"{address}/api/start").close()  # is answered once its game has started
            if seed is None:
                RUNNING.append(server)
            yield address
        finally:
            RUNNING[:] = [other for other in RUNNING if other is not server]
            server.kill()
            server.wait(10)


def load_games(address: str) -> None:
    """Wait until all games of a site are loaded, so that no page says that one is starting."""
    for game in interface_names():
        while not _is_loaded(f"{address}/api/start?game={game}"):
            pass  # the server lets each request wait a moment


def _is_loaded(address: str) -> bool:
    try:
        urlopen(address).close()
    except HTTPError as error:
        if error.code != HTTPStatus.SERVICE_UNAVAILABLE:
            raise
        return False
    return True


class _Files(SimpleHTTPRequestHandler):
    """Sends files, and whoever asks for a page of the served site to the same one of the site that is files."""

    def __init__(self, *arguments: Any, game: str, directory: Path) -> None:
        self._game = game
        super().__init__(*arguments, directory=directory)

    def do_GET(self) -> None:
        del self.headers["If-Modified-Since"]  # which counts seconds; a test may change a file sooner
        for served, file in SAME.items():
            if re.fullmatch(served, self.path):
                self.send_response(HTTPStatus.FOUND)
                self.send_header("location", re.sub(served, f"/{self._game}/{file}", self.path))
                self.end_headers()
                return
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class _FileServer(ThreadingHTTPServer):
    request_queue_size = 100  # a browser that keeps a site asks for all of it at once


@contextmanager
def files_served(folder: Path, game: str = "skyjo") -> Iterator[str]:
    """The address of a server of the files in a folder, where a game is at home; afterwards nobody answers there."""
    server = _FileServer(("127.0.0.1", 0), partial(_Files, game=game, directory=folder))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
