"""Reads an HTML page: every tag must be closed, and nothing may come from elsewhere."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """What a page says, and its elements; AssertionError if one is closed that is not open, or none of them."""

    VOID = ("meta", "wbr", "br", "link")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert all(not (value or "").startswith(("http://", "//")) for _, value in attrs if tag in ("img", "script"))
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.said += data

    @property
    def words(self) -> str:
        """With single spaces."""
        return " ".join(self.said.split())
