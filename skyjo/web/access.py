"""Access to the server: its addresses, and the token that every request must bring.

A server that only this machine reaches checks the name by which it is asked for. Any other one asks for a token, which
the printed link carries once and a cookie from then on. A second cookie tells browsers apart.
"""

import os
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

from starlette.datastructures import URL, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from cardtable.table.errors import TableError

HERE = "127.0.0.1"
TOKEN = "token"  # what it is called in links
LETTERS = 32  # of a token
FILE = "access-token"
FOR_ME = 0o600  # file mode
ELSEWHERE = "192.0.2.1"  # an address for examples: asked for the way there, the system tells our own
BROWSER, ACCESS = "skyjo_browser", "skyjo_access"  # cookies
COOKIE = f"Path=/; Max-Age={365 * 24 * 3600}; HttpOnly; SameSite=Lax"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
FORBIDDEN = 403


@dataclass(frozen=True)
class Reach:
    """Address, port and token of a server."""

    port: int
    address: str = HERE  # by which others reach it
    token: str | None = None  # None where only this machine can come

    def answers_to(self, host: str) -> bool:
        """Return whether a request may name the server like this.

        With a token it may be any name: a page under a foreign name, which could be a trap, has no cookie.
        """
        return self.token is not None or host in (f"{name}:{self.port}" for name in (self.address, "localhost"))

    def link(self, path: str) -> str:
        """Return the address of a page, to share."""
        address = URL(f"http://{self.address}:{self.port}{path}")
        if self.token is None:
            return str(address)
        return str(address.replace(query="&".join(filter(None, [address.query, f"{TOKEN}={self.token}"]))))


def reach_of(sock: socket.socket, folder: Path) -> Reach:
    """Return how a server that listens there is reached; its token is kept in the folder, so that links stay valid."""
    host, port = sock.getsockname()
    if IPv4Address(host).is_loopback:
        return Reach(port, host)
    if IPv4Address(host).is_unspecified:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
            way.connect((ELSEWHERE, 9))  # sends nothing
            host = way.getsockname()[0]
    return Reach(port, host, _kept_token(folder / FILE))


def _kept_token(path: Path) -> str:
    """Return the token of a folder, made when there is none."""
    if not path.exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FOR_ME), "w") as stream:
            stream.write(f"{secrets.token_hex(LETTERS // 2)}\n")
    token = path.read_bytes().decode("ascii", "replace").strip()
    if not _is_token(token):
        raise TableError(f"{path} does not hold a valid access token; delete it to get a new one")
    return token


def _is_token(text: str) -> bool:
    return len(text) == LETTERS and text.isascii() and text.isalnum()


class Guard:
    """Lets through what comes from a page of this server, and says in `scope["owner"]` which browser asks."""

    def __init__(self, app: ASGIApp, reach: Reach) -> None:
        self._app, self._reach = app, reach

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        words, known = self._refused(asked), asked.cookies.get(BROWSER, "")
        scope["owner"] = known if _is_token(known) else secrets.token_hex(LETTERS // 2)
        wanted = {BROWSER: scope["owner"], ACCESS: self._reach.token} if not words else {}

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                for name, value in wanted.items():
                    if value is not None and asked.cookies.get(name) != value:
                        headers.append("set-cookie", f"{name}={value}; {COOKIE}")
            await send(message)

        app = self._without_token(scope) or self._app
        if words:
            app = WebSocketClose() if scope["type"] == "websocket" else refusal(scope, words, FORBIDDEN)
        await app(scope, receive, send_on)

    def _refused(self, asked: HTTPConnection) -> str:
        """Return why a request is refused; empty if it may pass."""
        host, origin = asked.headers.get("host", ""), asked.headers.get("origin")
        is_safe = asked.scope.get("method") in ("GET", "HEAD")
        is_ours = is_safe if origin is None else origin.partition("://")[2] == host
        if not is_ours or not self._reach.answers_to(host):
            return "not from this page"
        given = asked.query_params.get(TOKEN) or asked.cookies.get(ACCESS, "")
        if self._reach.token and not secrets.compare_digest(given.encode(), self._reach.token.encode()):
            return "this server needs an access token: ask its owner for the full link"
        return ""

    def _without_token(self, scope: Scope) -> ASGIApp | None:
        """Return what leads to the same page without the token, which its cookie holds from now on."""
        parts = scope["query_string"].decode("latin-1").split("&")
        others = [part for part in parts if not part.startswith(f"{TOKEN}=")]
        if len(others) == len(parts) or scope["type"] != "http":
            return None
        return RedirectResponse("/" + scope["path"].lstrip("/") + ("?" + "&".join(others) if others else ""))


def refusal(scope: Scope, words: str, status: int) -> Response:
    """Return the answer to a refused request."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": words}, status)
    return PlainTextResponse(words, status)
