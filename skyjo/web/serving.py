"""Runs the server: opens the port, prints the address, and stops on request."""

import errno
import sys
import webbrowser
from contextlib import suppress
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket

import uvicorn

from cardtable.table.errors import TableError
from skyjo.web.requests import MAX_BYTES
from skyjo.web.server import Server

MAX_PORT = 65535
MAX_CONNECTIONS = 1000  # connections and requests at once; more are told to come back later
PING = 20  # seconds


def bound(port: int, host: str) -> socket:
    """Return a socket bound to a port, not yet listening."""
    if not 0 <= port <= MAX_PORT:
        raise TableError(f"--port {port} is not from 0 to {MAX_PORT}")
    sock = socket(AF_INET, SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let others take the port over
            sock.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        advice = "--port 0 takes a free port" if error.errno == errno.EADDRINUSE else "--host names another address"
        raise OSError(error.errno, f"{error.strerror}; {advice}", f"{host}:{port}") from None
    return sock


def serve(server: Server, sock: socket, address: str, opens_browser: bool) -> None:
    """Serve until the process is told to stop."""
    config = uvicorn.Config(
        server.app,
        log_level="critical",
        access_log=False,
        server_header=False,
        ws_max_size=MAX_BYTES,  # longer than a message may be, so that a long one is answered
        ws_ping_interval=PING,
        ws_per_message_deflate=False,  # which would hold more memory than a room
        timeout_graceful_shutdown=1,
        limit_concurrency=MAX_CONNECTIONS,
    )
    sock.listen()
    print(f"The table is at {address}  (Ctrl-C stops it)", flush=True)
    if opens_browser:
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):  # which uvicorn raises again once it has stopped
        uvicorn.Server(config).run(sockets=[sock])
    print("Stopped; the rooms are kept.")
