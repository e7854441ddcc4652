"""The files of the pages: HTML with the head and the bar that all pages share, modules and styles without comments."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from skyjo.interfaces import GameInterface

WEB = Path(__file__).parents[1]
PAGES = WEB / "pages"
# What no browser needs: comments with lines of their own, types and words at the end of a line, and indentation
COMMENTS = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
NOT_NEEDED = re.compile(r"/\*\* @[^\n]*?\*/ ?| +// [^\n\"'`]*$|^\s+", re.MULTILINE)
GOES_ON = re.compile(r"^((?:(?!//)[^\n])*[,({\[;])\n", re.MULTILINE)  # a line of a script without a remark at its end
AROUND = re.compile(r"\s*([{};,])\s*|(?<=\w)(:) ")  # in styles
SENT = (".js", ".css", ".svg")
MANIFEST = "site.webmanifest"
POLICY = """<meta http-equiv="content-security-policy"
    content="default-src 'self'; base-uri 'none'; form-action 'none'">"""
HEAD = f"""{POLICY}
  <link rel="manifest" href="../{MANIFEST}">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" type="image/svg+xml" href="../pages/icon.svg">
  <script src="../pages/theme.js"></script>
  <link rel="stylesheet" href="../pages/app.css">"""
GEAR = '<button type="button" id="settings-button" class="quiet" aria-label="Settings" title="Settings">⚙</button>'
MENU = {"Play": "index", "Learn": "learn", "Games": "games", "Ladder": "ladder"}  # pages by their words
NAMES = (*MENU.values(), "table", "game")
STYLE = re.compile(r'\n *<link rel="stylesheet" href="../pages/(\w+)\.css">')
JOINED = ("app.css",)  # styles in which all games have a part, from their files of the same name


def page(name: str, interface: GameInterface, interfaces: Sequence[GameInterface]) -> str:
    """Return a page of a game with the head and bar, in the colours of the game, beside those of the other games."""
    menu = (f'<a href="{other}.html"{_current(other == name)}>{words}</a>' for words, other in MENU.items())
    games = (
        f'<a href="../{one.game}/index.html" data-game="{one.game}"{_current(one is interface)}>{escape(one.title)}</a>'
        for one in interfaces
    )
    brand = f'<a class="brand" href="index.html" id="title">{escape(interface.title)}</a>'
    parts = {
        "<!-- head -->": HEAD,
        "<!-- bar -->": f'{brand}\n    <nav aria-label="Pages">{"".join(menu)}</nav>',
        "<!-- settings -->": GEAR,
        "<!-- line -->": escape(interface.line),
        "<!-- games -->": f'<nav class="games-of-site" aria-label="Games of cards">{"".join(games)}</nav>',
        '<html lang="en">': f'<html lang="en" data-game="{interface.game}">',
    }
    text = (PAGES / f"{name}.html").read_text("utf-8")
    for mark, part in parts.items():
        text = text.replace(mark, part)
    own = game_files(interface)
    for link in [*STYLE.finditer(text)]:  # a game may have its own style of the same name
        if (name := f"boards/{interface.game}_{link[1]}.css") in own:
            text = text.replace(link[0], link[0] + link[0].replace(f"{link[1]}.css", name))
    return text


def _current(is_current: bool) -> str:
    return ' aria-current="page"' if is_current else ""


def game_files(interface: GameInterface) -> dict[str, Path]:
    """Return the modules and styles of a game, by their names among the files of the pages."""
    own = [path for path in interface.path.iterdir() if path.suffix in SENT and path.name not in JOINED]
    return {f"boards/{interface.game}_{path.name}".replace("_board.", "."): path for path in own}


def scripts(interfaces: Sequence[GameInterface]) -> Iterator[tuple[str, Path]]:
    """Yield the names and the files of all modules, styles and icons of the site."""
    shared = {f"{folder}/{path.name}": path for folder in ("worker", "engine") for path in (WEB / folder).glob("*.js")}
    shown = {f"pages/{path.name}": path for path in PAGES.iterdir() if path.suffix in SENT}
    boards = {f"pages/{name}": path for one in interfaces for name, path in game_files(one).items()}
    yield from sorted({**shared, **shown, **boards}.items())


def modules_and_styles(interfaces: Sequence[GameInterface]) -> Iterator[tuple[str, str]]:
    """Yield the names of these files, and the texts that are sent."""
    for name, path in scripts(interfaces):
        parts = [interface.path / path.name for interface in interfaces] if path.name in JOINED else []
        text = "".join(part.read_text("utf-8") for part in (path, *parts) if part.exists())
        yield name, text if path.suffix == ".svg" else sent(text, path.suffix == ".css")


def sent(text: str, is_style: bool) -> str:
    """Return a module or a style without what no browser needs."""
    short = NOT_NEEDED.sub("", COMMENTS.sub("", text))
    return AROUND.sub(r"\1\2", short) if is_style else GOES_ON.sub(r"\1", short)
