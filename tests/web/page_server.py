"""Where the pages come from: a server of files in a thread, and `skyjo web` in a process of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any


class _Files(SimpleHTTPRequestHandler):
    """Sends files."""

    def do_GET(self) -> None:
        del self.headers["If-Modified-Since"]  # which counts seconds; a test may change a file sooner
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class _FileServer(ThreadingHTTPServer):
    request_queue_size = 100  # a browser that keeps a site asks for all of it at once


@contextmanager
def files_served(folder: Path) -> Iterator[str]:
    """The address of a server of the files in a folder; afterwards nobody answers there."""
    server = _FileServer(("127.0.0.1", 0), partial(_Files, directory=folder))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


SERVE = """
import sys
from pathlib import Path
from skyjo.web import live_rooms, serving
# filled in below
"""


@contextmanager
def served(site: Path, folder: Path) -> Iterator[str]:
    """The address of `skyjo web`, with the files of this site and rooms in this folder; it is killed in the end."""
    raise NotImplementedError(site, folder)
    yield ""
