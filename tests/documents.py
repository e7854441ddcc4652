"""The documents and the code blocks in them."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a document in this language."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [body for name, body in fenced if name == language]


def pages() -> list[Path]:
    """Every page of the documents."""
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
