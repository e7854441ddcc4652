"""`python -m skyjo.web.building.site FOLDER`: write the table as a folder of files, after `make wasm`.

Any server of files can send them. The pages talk to a worker in the browser, which reads what Python has to say of a
game from `data/`.
"""

import json
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from skyjo.interfaces import DISTRIBUTION, HOME, GameInterface, find_interface, playable_interfaces
from skyjo.web.building.page_data import page_data
from skyjo.web.building.page_files import COMMENTS, MANIFEST, NAMES, PAGES, POLICY, modules_and_styles, page
from skyjo.web.building.table_data import table_data
from skyjo.web.built_site import STAMP, all_sources, build_folder, digest_of

ENTRY = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
{POLICY}
<title>Play {{title}}</title>
<meta http-equiv="refresh" content="0; url={{game}}/index.html">
<a href="{{game}}/index.html">Play {{title}}</a>
</html>
"""
SERVED = "data/server.json"  # what a server offers beside the files; here nothing
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


def write_site(folder: Path) -> None:
    """Write all files of the site into an empty folder."""
    interfaces = sorted(map(find_interface, playable_interfaces()), key=lambda interface: interface.game != HOME)
    write(folder / "index.html", ENTRY.format(title=interfaces[0].title, game=interfaces[0].game))
    write(folder / MANIFEST, json.dumps(manifest(interfaces[0])))
    write(folder / SERVED, "{}")
    for name, text in modules_and_styles(interfaces):
        write(folder / name, text)
    for interface in interfaces:
        for name in NAMES:
            write(folder / interface.game / f"{name}.html", page(name, interface, interfaces))
        write_data(folder / "data" / interface.game, interface)
    write_service_worker(folder)


def write_data(folder: Path, interface: GameInterface) -> None:
    """Write what the worker needs to know of a game: its module, and what Python has to say."""
    modules, game = build_folder() / "wasm", interface.game
    description = json.loads((modules / f"{game}.json").read_text("utf-8"))
    names = {f"{game}.json": "module.json", f"{game}.wasm": "module.wasm"}
    folder.mkdir(parents=True, exist_ok=True)
    for path in (*map(modules.joinpath, names), *modules.glob(f"{game}_*.weights")):
        shutil.copyfile(path, folder / names.get(path.name, path.name))
    for name, document in {"table": table_data(interface), **page_data(interface, description["agents"])}.items():
        write(folder / f"{name}.json", json.dumps(document, separators=(",", ":"), ensure_ascii=False))


def write_service_worker(folder: Path) -> None:
    """Write what keeps all these files in a browser. Its version follows from what is in them."""
    served = folder / SERVED
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path != served)
    files = json.dumps({path.relative_to(folder).as_posix(): short_digest(path.read_bytes()) for path in paths})
    version = short_digest(files.encode())
    text = (PAGES / "service_worker.js").read_text("utf-8")
    text = text.replace("const FILES = {}", f"const FILES = {files}").replace('VERSION = ""', f'VERSION = "{version}"')
    write(folder / "service_worker.js", COMMENTS.sub("", text))


def short_digest(content: bytes) -> str:
    """Return letters that tell contents apart."""
    return sha256(content).hexdigest()[:SHORT]


def write(path: Path, text: str) -> None:
    """Write a file, and make its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def main(name: str) -> None:
    """Write the site into a new or empty folder, or in place of an earlier site."""
    folder = Path(name)
    if folder.exists() and not folder.joinpath(MANIFEST).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise SystemExit(f"{name} is not empty, and no earlier site: name a new folder")
    shutil.rmtree(folder, ignore_errors=True)
    digest = digest_of(all_sources())
    write_site(folder)
    write(folder / STAMP, digest)
    print(f"serve it with: python -m http.server --directory {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
