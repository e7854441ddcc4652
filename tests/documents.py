"""The documents and the code blocks in them, and how the programs that they show are run in this process."""

import io
import re
import runpy
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a document in this language."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [body for name, body in fenced if name == language]


def pages() -> list[Path]:
    """Every page of the documents."""
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "papers").glob("*.md")]


class Printed(NamedTuple):
    """What a program left behind."""

    status: int
    out: str
    err: str


def run_program(file: str, *arguments: str) -> Printed:
    """Run a program of the repository, such as an example, in this process."""
    status, out, err = 0, io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", [file, *arguments]):
        try:
            runpy.run_path(str(ROOT / file), run_name="__main__")
        except SystemExit as end:
            status = int(end.code or 0)
    return Printed(status, out.getvalue(), err.getvalue())


def run_block(code: str) -> str:
    """What a block of Python prints."""
    with redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "<block>", "exec"), {"__name__": "__main__"})
    return out.getvalue()
