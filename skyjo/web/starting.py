"""What is answered while the server still loads or compiles what tables need."""

import asyncio
from contextlib import suppress

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from skyjo.web.http_answers import BUSY

SOON = 0.3  # seconds that a page waits before it says that the table is starting
PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="refresh" content="1">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Starting</title>
  <link rel="icon" type="image/svg+xml" href="/pages/icon.svg">
  <link rel="stylesheet" href="/pages/app.css">
</head>
<body>
  <main>
    <h1>The table is starting</h1>
    <p>This page becomes the table as soon as the agents are ready. If nothing has been compiled yet, this takes about a
    minute.</p>
  </main>
</body>
</html>
"""


class Starting:
    """Passes requests on once the server is ready.

    Until then requests to /api/ wait, files under /pages/ are sent, and instead of every other page there is one that
    says that the table is starting and reloads itself.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app, self.is_ready = app, asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        path = scope.get("path", "")
        if path.startswith("/api/"):
            await self.is_ready.wait()
        elif scope["type"] == "http" and not path.startswith("/pages/") and not await self._is_ready_soon():
            await HTMLResponse(PAGE, BUSY, {"cache-control": "no-store"})(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _is_ready_soon(self) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.is_ready.wait(), SOON)
        return self.is_ready.is_set()
