"""`python -m tests.dead_links FOLDER`: every link of a built site to another of its files, or to a place in one, leads
somewhere.
"""

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.places.add(value)


@cache
def read(page: Path) -> _Read:
    """The links of a page, and the places in it to which others can lead."""
    reader = _Read()
    reader.feed(page.read_text("utf-8"))
    return reader


def dead_links(folder: Path) -> Iterator[str]:
    """Each dead link, after the page on which it is."""
    for page in sorted(folder.rglob("*.html")):
        for link in read(page).links:
            address = urlsplit(link)
            if not (address.scheme or address.netloc) and not _leads_somewhere(page, address.path, address.fragment):
                yield f"{page.relative_to(folder)}: {link}"


def _leads_somewhere(page: Path, path: str, place: str) -> bool:
    target = (page.parent / unquote(path)) if path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    return not place or target.suffix != ".html" or unquote(place) in read(target).places


if __name__ == "__main__":
    dead = [*dead_links(Path(sys.argv[1]))]
    print("\n".join(dead) or f"no dead links in {sys.argv[1]}")
    sys.exit(bool(dead))
