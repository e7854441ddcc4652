"""What every request must pass: the right host and origin, the access token where there is one, and a cookie that
identifies the browser.
"""

import secrets
from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from skyjo.web.access import LETTERS, TOKEN, Reach

MOST_COOKIES = 8192  # letters
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


class Guard:
    """Lets through what comes from a page of this server, and says who asks in `scope["owner"]`."""

    def __init__(self, app: ASGIApp, reach: Reach, game: str) -> None:
        """`reach` says under which names the server answers, and whether it asks for a token."""
        self._app, self._reach = app, reach
        self._browser, self._access = f"{game}_browser", f"{game}_access"  # names of cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        if refused:
            await _refusal(scope, refused)(scope, receive, send)
            return
        token = self._cookie(headers, self._browser)
        settings = [] if token else [self._browser]
        token = token or secrets.token_hex(LETTERS // 2)
        scope["owner"] = sha256(token.encode()).hexdigest()[:LETTERS]
        values = {self._browser: token, self._access: self._reach.token}
        if self._reach.token and self._cookie(headers, self._access) != self._reach.token:
            settings.append(self._access)

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
        given = QueryParams(scope["query_string"]).get(TOKEN) or self._cookie(headers, self._access)
        if self._reach.token and not secrets.compare_digest(str(given).encode(), self._reach.token.encode()):
            return "this server needs an access token: ask whoever runs it for the full link"
        return ""

    def _cookie(self, headers: Headers, name: str) -> str | None:
        """What a cookie of ours holds. Others may stand beside it, as all ports of a machine share their cookies."""
        for part in headers.get("cookie", "")[:MOST_COOKIES].split(";"):
            key, _, value = part.strip().partition("=")
            if key == name and len(value) == LETTERS and value.isascii() and value.isalnum():
                return value
        return None


def _refusal(scope: Scope, words: str) -> ASGIApp:
    if scope["type"] == "websocket":
        return WebSocketClose()
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": words}, FORBIDDEN)
    return PlainTextResponse(words, FORBIDDEN)
