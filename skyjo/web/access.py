"""Who may come: from which machines the server can be reached, and what every request must bring with it.

That is the right host and origin, the access token where there is one, and a cookie that identifies the browser.
"""

import os
import secrets
import socket
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from skyjo.web.table_files import FOR_ME

HERE = "127.0.0.1"
USUAL = 80  # the port that an address need not name
TOKEN = "token"  # what it is called in links
LETTERS = 32  # of a token
FILE = "access-token"
ELSEWHERE = "192.0.2.1"  # an address for examples: asked for the way there, the system tells our own

MAX_COOKIES = 8192  # letters
A_YEAR = 365 * 24 * 3600
POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
COOKIE = f"Path=/; Max-Age={A_YEAR}; HttpOnly; SameSite=Lax"
FORBIDDEN = 403
BROWSER, ACCESS = "skyjo_browser", "skyjo_access"  # cookies, the same for all games


@dataclass(frozen=True)
class Reach:
    """The names under which a server answers, and what it asks for."""

    port: int
    address: str = HERE  # by which others reach it
    names: frozenset[str] = frozenset({HERE, "localhost"})
    token: str | None = None  # None where nobody but this machine can come

    def answers_to(self, host: str) -> bool:
        """May a request name the server like this? With a token it may be any address, but no foreign name, which could
        be a trap.
        """
        name, _, port = host.partition(":")
        return (port or str(USUAL)) == str(self.port) and (
            name in self.names or (self.token is not None and _is_address(name))
        )

    def link(self, path: str) -> str:
        """The address of a page, to share."""
        return f"http://{self.address}:{self.port}{path}" + ("" if self.token is None else f"?{TOKEN}={self.token}")


def address_of(host: str) -> IPv4Address:
    """The address to listen at."""
    try:
        return IPv4Address(host)
    except AddressValueError:
        raise TableError(
            f"--host {brief(host)} is not an IPv4 address such as 192.168.1.20, or 0.0.0.0 for all of this machine's"
        ) from None


def reach_of(address: IPv4Address, port: int, folder: Path) -> Reach:
    """Who may come to a server that listens there; its token is kept in the folder, so that links stay valid."""
    if address.is_loopback:
        return Reach(port, str(address), frozenset({str(address), "localhost"}))
    names = {"localhost", socket.gethostname(), f"{socket.gethostname()}.local", socket.getfqdn()}
    return Reach(port, _own_address(address), frozenset(map(str.lower, names)), _kept_token(folder / FILE))


def _own_address(address: IPv4Address) -> str:
    """The address by which others reach a server that listens there."""
    if not address.is_unspecified:
        return str(address)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect((ELSEWHERE, 9))  # sends nothing
        except OSError:
            return HERE
        name: str = sock.getsockname()[0]
        return name


def _kept_token(path: Path) -> str:
    """The token of a folder, made when there is none."""
    if path.exists():
        token = path.read_bytes().decode("ascii", "replace").strip()
        if len(token) != LETTERS or not (token.isascii() and token.isalnum()):
            raise TableError(f"{path} does not hold a valid access token; delete it to get a new one")
        return token
    token = secrets.token_hex(LETTERS // 2)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FOR_ME), "w") as stream:
        stream.write(f"{token}\n")
    return token


def _is_address(name: str) -> bool:
    try:
        IPv4Address(name)
    except AddressValueError:
        return False
    return True


class Guard:
    """Lets through what comes from a page of this server, and says who asks in `scope["owner"]`."""

    def __init__(self, app: ASGIApp, reach: Reach) -> None:
        """`reach` says under which names the server answers, and whether it asks for a token."""
        self._app, self._reach = app, reach

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        if refused:
            await refusal(scope, refused)(scope, receive, send)
            return
        token = self._cookie(headers, BROWSER)
        settings = [] if token else [BROWSER]
        token = token or secrets.token_hex(LETTERS // 2)
        scope["owner"] = sha256(token.encode()).hexdigest()[:LETTERS]
        values = {BROWSER: token, ACCESS: self._reach.token}
        if self._reach.token and self._cookie(headers, ACCESS) != self._reach.token:
            settings.append(ACCESS)

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
                for name in settings:
                    MutableHeaders(scope=message).append("set-cookie", f"{name}={values[name]}; {COOKIE}")
            await send(message)

        await self._app(scope, receive, send_on)

    def _refused(self, scope: Scope, headers: Headers) -> str:
        """Why a request is refused; empty if it is not."""
        host = headers.get("host", "")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        is_ours = origin == f"http://{host}" if changes or origin is not None else True
        if not self._reach.answers_to(host) or not is_ours:
            return "not from this page"
        given = QueryParams(scope["query_string"]).get(TOKEN) or self._cookie(headers, ACCESS)
        if self._reach.token and not secrets.compare_digest(str(given).encode(), self._reach.token.encode()):
            return "this server needs an access token: ask whoever runs it for the full link"
        return ""

    def _cookie(self, headers: Headers, name: str) -> str | None:
        """The value of our cookie of this name. There may be others: all ports of a machine share cookies."""
        for part in headers.get("cookie", "")[:MAX_COOKIES].split(";"):
            key, _, value = part.strip().partition("=")
            if key == name and len(value) == LETTERS and value.isascii() and value.isalnum():
                return value
        return None


def refusal(scope: Scope, words: str, status: int = FORBIDDEN) -> ASGIApp:
    """What answers a request that is not carried out."""
    if scope["type"] == "websocket":
        return WebSocketClose()
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": words}, status)
    return PlainTextResponse(words, status)
