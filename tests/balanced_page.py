"""Reads an HTML page: every tag must be closed, and nothing may come from elsewhere."""

from html.parser import HTMLParser

VOID = {"meta", "br", "link"}


class Balanced(HTMLParser):
    """Follows the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert all(not (value or "").startswith(("http://", "//")) for _, value in attrs if tag in ("img", "script"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
