"""`python -m skyjo.web.building.site FOLDER`: write the table as a folder of files that needs no server, after `make wasm`.

Pages, styles and boards are those of `skyjo web`; in the server's place they have a worker (anywhere/worker). What the
server would always answer alike is asked of it here, and written down.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.testclient import TestClient

from skyjo.web.building.__main__ import PLACE
from skyjo.web.building.modules import modules
from skyjo.web.building.table_data import table_data
from skyjo.interfaces import DISTRIBUTION, HOME, GameInterface, find_interface
from skyjo.web.access import Reach
from skyjo.web.building.page_files import MENU, PAGES, Pages, game_files, sent_text, without_comments
from skyjo.web.server import Server
from skyjo.web.table_room import TableRoom

HERE = Path(__file__).parent
PORT = 8765  # that nobody listens at
ORIGIN = f"http://127.0.0.1:{PORT}"
MARK = "site.webmanifest"  # by which a folder is known as a site
POLICY = """<meta http-equiv="content-security-policy"
    content="default-src 'self'; base-uri 'none'; form-action 'none'">"""
HEAD = f"""<head>
  {POLICY}
  <link rel="manifest" href="../{MARK}">"""
ENTRY = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
{POLICY}
<title>Play {{title}}</title>
<meta http-equiv="refresh" content="0; url={{game}}/index.html">
<a href="{{game}}/index.html">Play {{title}}</a>
</html>
"""
SHARED = ("shared.js",)  # modules of pages that the worker uses, too
SHORT = 12  # letters of a digest


def manifest(interface: GameInterface) -> dict[str, Any]:
    """Return what a browser reads to install the site as an application that begins with a game."""
    return {
        "name": f"{interface.title}: play, learn, analyse",
        "short_name": interface.title,
        "id": DISTRIBUTION,
        "start_url": f"{interface.game}/index.html",
        "scope": ".",
        "display": "standalone",
        "background_color": "#1f5a4d",
        "theme_color": "#1f5a4d",
        "icons": [{"src": "pages/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }


class StaticPages(Pages):
    """The pages of one game in a folder beside those of the others."""

    files = "../pages/"

    def page(self, name: str) -> str:
        """A page that allows nothing foreign."""
        return super().page(name).replace("<head>", HEAD, 1)

    def address(self, interface: GameInterface, path: str) -> str:
        """The address of a page of a game."""
        return f"../{interface.game}/{path.removeprefix('/') or 'index'}.html"


def write_site(folder: Path) -> None:
    """Write all files of the site into an empty folder."""
    interfaces = [find_interface(module.card_game.name) for module in modules()]
    interfaces.sort(key=lambda interface: interface.game != HOME)
    write(folder / "index.html", ENTRY.format(title=interfaces[0].title, game=interfaces[0].game))
    write(folder / MARK, json.dumps(manifest(interfaces[0])))
    write_modules(folder, interfaces)
    for interface in interfaces:
        write_pages(folder / interface.game, StaticPages(interface, interfaces))
        write_data(folder / "data" / interface.game, interface)
    write_service_worker(folder)


def write_modules(folder: Path, interfaces: list[GameInterface]) -> None:
    """Write modules, styles and icons."""
    boards = {name: path for interface in interfaces for name, path in game_files(interface).items()}
    shown = {path.name: path for path in PAGES.iterdir() if path.suffix in (".js", ".css", ".svg")}
    workers = {path.name: path for path in (HERE / "worker").glob("*.js")} | {name: PAGES / name for name in SHARED}
    files = {f"pages/{name}": path for name, path in {**shown, **boards, "server.js": HERE / "pages/server.js"}.items()}
    files |= {f"worker/{name}": path for name, path in workers.items()} | {"engine.js": HERE / "engine.js"}
    for name, path in files.items():
        text = sent_text(path, interfaces)
        write(folder / name, without_comments(text) if path.suffix == ".js" else text)


def write_pages(folder: Path, pages: StaticPages) -> None:
    """Write the pages of a game."""
    for name in (*(page for _, page, _ in MENU), "table", "game"):
        write(folder / f"{name}.html", pages.page(name))


def write_data(folder: Path, interface: GameInterface) -> None:
    """Write what the worker needs to know of a game: its module, and what Python has to say."""
    game = interface.game
    description = json.loads((PLACE / f"{game}.json").read_text("utf-8"))
    names = {f"{game}.json": "module.json", f"{game}.wasm": "module.wasm"}
    for path in (*map(PLACE.joinpath, names), *PLACE.glob(f"{game}_*.weights")):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / names.get(path.name, path.name))
    for name, document in (("table", table_data(interface)), *answers(interface, set(description["agents"]))):
        write(folder / f"{name}.json", json.dumps(document, separators=(",", ":"), ensure_ascii=False))


def answers(interface: GameInterface, agents: set[str]) -> Iterator[tuple[str, Any]]:
    """What the server answers whoever comes, by name; only these agents can play without it."""
    with (
        TemporaryDirectory() as folder,
        TestClient(
            Server(TableRoom(interface.game, Path(folder))).app(Reach(PORT)),
            base_url=ORIGIN,
            headers={"origin": ORIGIN},
        ) as client,
    ):
        found = {name: client.get(f"/api/{name}").json() for name in ("start", "learn", "ladder", "rules")}
        for row in (*found["start"]["rivals"], *(row for table in found["ladder"]["tables"] for row in table["rows"])):
            row["playable"] = row["agent"] in agents
        yield from found.items()
        addresses = (f"/api/learn/puzzles/{number}" for number in range(found["learn"]["puzzles"]["count"]))
        yield (
            "puzzles",
            [
                {**client.get(address).json(), "answer": client.post(address, json={"action": 0}).json()}
                for address in addresses
            ],
        )


def write_service_worker(folder: Path) -> None:
    """Write what keeps all these files in a browser. Its version follows from what is in them."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = json.dumps({path.relative_to(folder).as_posix(): short_digest(path.read_bytes()) for path in paths})
    version = short_digest(files.encode())
    text = (HERE / "pages" / "service_worker.js").read_text("utf-8")
    text = text.replace("const FILES = {}", f"const FILES = {files}").replace('VERSION = ""', f'VERSION = "{version}"')
    write(folder / "service_worker.js", without_comments(text))


def short_digest(content: bytes) -> str:
    """Letters that tell contents apart."""
    return sha256(content).hexdigest()[:SHORT]


def write(path: Path, text: str) -> None:
    """Write a file, and make its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def main(name: str) -> None:
    """Write the site into a new or empty folder, or in place of an earlier site."""
    folder = Path(name)
    if folder.exists() and not folder.joinpath(MARK).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise SystemExit(f"{name} is not empty, and no earlier site: name a new folder")
    shutil.rmtree(folder, ignore_errors=True)
    write_site(folder)
    print(f"serve it with: python -m http.server --directory {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
