"""Where the pages come from: a server of files in a thread, and `skyjo web` in a process of its own."""

import os
import subprocess
import sys
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
import secrets
import sys
from pathlib import Path
from random import Random
from skyjo.main import main
from skyjo.web import built_site

chance = Random(sys.argv[3])
secrets.randbits = chance.getrandbits
built_site.site_folder = lambda: Path(sys.argv[1])
sys.exit(main(["web", "--no-browser", "--port", "0", "--folder", sys.argv[2], *sys.argv[4:]], "skyjo"))
"""


@contextmanager
def served(site: Path, folder: Path, *options: str) -> Iterator[str]:
    """The address of `skyjo web`, with the files of this site and rooms in this folder; it is killed in the end."""
    command = [sys.executable, "-c", SERVE, str(site), str(folder), os.environ["DEALS"], *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = next((line for line in server.stdout if "http://" in line), "")
            assert line, "the server ended before it said where it is"
            yield line[line.index("http://") :].split()[0].rstrip("/")
        finally:
            server.kill()
            server.wait(10)
