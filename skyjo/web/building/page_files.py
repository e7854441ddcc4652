"""The files of the pages: HTML with the head and the bar that all pages share, modules and styles without comments."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from os import PathLike, stat_result
from pathlib import Path
from typing import ClassVar

from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from skyjo.interfaces import GameInterface

PAGES = Path(__file__).parent / "pages"
COMMENTS = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)  # those with lines of their own
OK = 200
KINDS = {".js": "text/javascript", ".css": "text/css"}  # of files that are sent without comments
HEAD = """<meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" type="image/svg+xml" href="/pages/icon.svg">
  <script src="/pages/theme.js"></script>
  <link rel="stylesheet" href="/pages/app.css">"""
MENU = (  # words, page, path
    ("Play", "index", ""),
    ("Learn", "learn", "/learn"),
    ("Games", "games", "/games"),
    ("Ladder", "ladder", "/ladder"),
)
STYLE = re.compile(r'\n *<link rel="stylesheet" href="/pages/(\w+)\.css">')
JOINED = ("app.css", "felt.css")  # styles in which all games have a part, from their files of the same name
LINKS = re.compile(f'href="(/|{"|".join(path for _, _, path in MENU[1:])})"')  # to pages of the game that one is about


@dataclass(frozen=True)
class Pages:
    """The pages of one game on a site that has others, too."""

    files: ClassVar[str] = "/pages/"  # the address of modules and styles
    interface: GameInterface
    interfaces: Sequence[GameInterface]  # of all games of the site

    def page(self, name: str) -> str:
        """A page with its head and bar, in the colours of the game; its links lead to pages of the game."""
        text = (PAGES / f"{name}.html").read_text("utf-8")
        marks = {"head": HEAD, "bar": self._bar(name), "games": self._games()}
        for mark, filled in marks.items():
            text = text.replace(f"<!-- {mark} -->", filled)
        text = text.replace('<html lang="en">', f'<html lang="en" data-game="{self.interface.game}">')
        text = STYLE.sub(self._with_own_style, text)
        text = LINKS.sub(lambda link: f'href="{self.address(self.interface, link[1].rstrip("/"))}"', text)
        return text.replace('="/pages/', f'="{self.files}')

    def message(self, title: str, words: str) -> str:
        """A page that says something, such as that a page does not exist."""
        return self.page("message").replace("{title}", escape(title)).replace("{words}", escape(words))

    def address(self, interface: GameInterface, path: str) -> str:
        """The address of a page of a game, by its path in the menu."""
        return f"/{interface.command}{path}"

    def _with_own_style(self, link: re.Match[str]) -> str:
        """Return a style of the pages, and the one of the same name that the game has of its own, if there is one."""
        own = f"boards/{self.interface.game}_{link[1]}.css"
        has_own = own in game_files(self.interface)
        return link[0] + link[0].replace(f"{link[1]}.css", own) if has_own else link[0]

    def _bar(self, name: str) -> str:
        links = (
            f'<a href="{self.address(self.interface, path)}"{_current(page == name)}>{word}</a>'
            for word, page, path in MENU
        )
        brand = (
            f'<a class="brand" href="{self.address(self.interface, "")}" id="title">{escape(self.interface.title)}</a>'
        )
        return f'{brand}\n    <nav aria-label="Pages">{"".join(links)}</nav>'

    def _games(self) -> str:
        links = (
            f'<a href="{self.address(one, "")}" data-game="{one.game}"{_current(one is self.interface)}>'
            f"{escape(one.title)}</a>"
            for one in self.interfaces
        )
        return f'<nav class="games-of-site" aria-label="Games of cards">{"".join(links)}</nav>'


def _current(is_current: bool) -> str:
    return ' aria-current="page"' if is_current else ""


def without_comments(text: str) -> str:
    """A module or a style without its comments; those that share a line with code stay."""
    return COMMENTS.sub("", text)


def game_files(interface: GameInterface) -> dict[str, Path]:
    """The modules and styles that a game has of its own, by their addresses among the files of the pages."""
    own = [path for path in interface.path.iterdir() if path.suffix in KINDS and path.name not in JOINED]
    return {f"boards/{interface.game}_{path.name}".replace("_board.", "."): path for path in own}


def sent_text(path: Path, interfaces: Sequence[GameInterface]) -> str:
    """The text of a module or a style as it is sent; to a joined style, all games of the site add theirs."""
    parts = [interface.path / path.name for interface in interfaces] if path.name in JOINED else []
    return "".join(part.read_text("utf-8") for part in (path, *parts) if part.exists())


class PageFiles(StaticFiles):
    """The files of the pages and those of games; modules and styles without comments, which no browser needs."""

    def __init__(self, *interfaces: GameInterface) -> None:
        super().__init__(directory=PAGES)
        self._programs = interfaces
        self._own = {name: path for interface in interfaces for name, path in game_files(interface).items()}

    def lookup_path(self, path: str) -> tuple[str, stat_result | None]:
        """Where a file lies, and what the system knows of it."""
        own = self._own.get(path)
        return super().lookup_path(path) if own is None else (str(own), own.stat())

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = OK
    ) -> Response:
        """The file, or the answer that the browser has it already."""
        found = super().file_response(full_path, stat_result, scope, status_code)
        kind = KINDS.get(Path(full_path).suffix)
        if not isinstance(found, FileResponse) or kind is None:
            return found
        headers = {name: found.headers[name] for name in ("etag", "last-modified")}
        text = without_comments(sent_text(Path(full_path), self._programs))
        return Response(text, status_code, headers, kind)
