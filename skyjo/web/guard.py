"""What every request must pass: the right host and origin, and a cookie by which a browser is known again."""

import secrets
from collections.abc import Collection
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

TOKEN_LETTERS = 32
A_YEAR = 365 * 24 * 3600
POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
FORBIDDEN = 403


class Guard:
    """Lets through what comes from a page of this server at this machine, and says who asks in `scope["owner"]`."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], cookie: str) -> None:
        """`hosts` are what the server may be called, with the port; `cookie` is the cookie's name."""
        self._app, self._cookie = app, cookie
        self._hosts, self._origins = set(hosts), {f"http://{host}" for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._is_welcome(scope, headers):
            refusal = WebSocketClose() if scope["type"] == "websocket" else _error(FORBIDDEN, "not from this page")
            await refusal(scope, receive, send)
            return
        token = self._token(headers)
        is_new = token is None
        token = token or secrets.token_hex(TOKEN_LETTERS // 2)
        scope["owner"] = sha256(token.encode()).hexdigest()[:TOKEN_LETTERS]

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
                if is_new:
                    MutableHeaders(scope=message).append("set-cookie", self._setting(token))
            await send(message)

        await self._app(scope, receive, send_on)

    def _is_welcome(self, scope: Scope, headers: Headers) -> bool:
        if headers.get("host", "") not in self._hosts:
            return False
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        return origin in self._origins if changes or origin is not None else True

    def _token(self, headers: Headers) -> str | None:
        """The token of the cookie, if it is one of ours."""
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return None
        is_ours = found is not None and len(found.value) == TOKEN_LETTERS and found.value.isalnum()
        return found.value if found is not None and is_ours else None

    def _setting(self, token: str) -> str:
        return f"{self._cookie}={token}; Path=/; Max-Age={A_YEAR}; HttpOnly; SameSite=Lax"


def _error(status: int, words: str) -> JSONResponse:
    return JSONResponse({"error": words}, status)
