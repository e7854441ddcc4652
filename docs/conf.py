"""The documents as a site: `make docs` builds it in build/docs, from the Markdown in this folder and beside the README.

The sources lie as they do on GitHub, so the same relative links hold in both places. The sidebar has the lists of
index.md. `<!-- api: NAME -->` on a page stands for a class, or for everything that a module exports;
`reference_tables.py` makes the other parts that stand for such a comment.
"""

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in (".", "docs", "agents", "training")]

from reference_tables import linked, with_tables  # noqa: E402  (found only now)

project = "skyjo-env"
project_copyright = "the skyjo-env developers"
root_doc = "docs/index"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
include_patterns = ["*.md", "docs/**.md", "papers/*.md"]
exclude_patterns = ["README.md", ".*", "build", "dist"]
myst_heading_anchors = 4
highlight_language = "text"
# Classes of other packages: their members are not shown again in the classes that inherit from them.
FOREIGN = "BaseCallback,BaseException,Env,Module,VectorEnv,VecEnv,MaskablePPO,OnPolicyAlgorithm,BaseAlgorithm,tuple"
autodoc_default_options = {"members": True, "member-order": "bysource", "inherited-members": FOREIGN}
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = "skyjo-env"
html_copy_source = False
html_use_index = html_domain_indices = False
html_static_path, html_css_files = ["static"], ["site.css"]
html_extra_path = ["site"]  # the first page, which leads to docs/index.html


def with_toctrees(index: str) -> str:
    """Return the first page with a hidden toctree under each heading, of the pages that are linked there."""
    sections = re.split(r"^(?=## )", index, flags=re.MULTILINE)
    return "".join(f"{section.rstrip()}\n\n{_toctree(section)}\n" for section in sections)


def _toctree(section: str) -> str:
    caption = re.match(r"## (.*)", section)
    pages = re.findall(r"(?<!!)\[([^]]*)\]\(([\w./]+)\.md\)", section)
    if caption is None or not pages:
        return ""
    entries = "\n".join(f"{title} </{posixpath.normpath(f'docs/{page}')}>" for title, page in pages)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption[1]}\n\n{entries}\n```\n"


def with_whole_figures(page: str) -> str:
    """Return a page whose tables keep figures such as "+0.56 ± 0.06", "77.5 %" or "(2 to 8)" on one line."""
    gap = r" (?=[±%] )|(?<=±) |(?<=\d) (?=to \d)|(?<=\d to) (?=\d)"
    return re.sub(r"^\|.*", lambda row: re.sub(gap, "\u00a0", row[0]), page, flags=re.MULTILINE)


def with_modules(page: str) -> str:
    """Return a page with every comment that names a module or a class replaced by a heading and its reference."""
    return re.sub(r"^<!-- api: ([\w.]+) -->(\n.+)*$", _reference, page, flags=re.MULTILINE)


def _reference(comment: re.Match[str]) -> str:
    is_class = comment[1].rpartition(".")[2][0].isupper()
    directive = "autoclass" if is_class else "automodule"
    return f"### {comment[1]}\n\n```{{eval-rst}}\n.. {directive}:: {comment[1]}\n```"


def to_rst(docstring: list[str]) -> list[str]:
    """Return a docstring, which is plain text with `code`, lists and examples, as reStructuredText."""
    lines: list[str] = []
    is_example = False
    for line in docstring:
        begins = line.lstrip().startswith(">>>") and not is_example
        is_example = bool(line.strip()) and (is_example or begins)
        if begins:
            indent = line[: len(line) - len(line.lstrip())]
            lines += ["", f"{indent}.. code-block:: pycon", ""]
        lines.append(f"    {line}" if is_example else _prose(line))
    return lines


def _prose(line: str) -> str:
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(f"\\ `{part}`\\ " if part.startswith("`") else linked(part) for part in parts)


def short_types(signature: str | None) -> str | None:
    """Return a signature in which the types of arrays are as short as in the code."""
    long = r"~?numpy\.ndarray\[tuple\[~?typing\.Any, \.\.\.\], ~?numpy\.dtype\[(.*?)\]\]"
    return signature and re.sub(long, r"NDArray[\1]", signature)


def setup(app: Any) -> None:
    """Change pages and docstrings as they are read."""

    def read(_: Any, name: str, source: list[str]) -> None:
        page = with_toctrees(source[0]) if name == root_doc else source[0]
        source[0] = with_tables(with_modules(with_whole_figures(page)))

    def skip(_: Any, __: str, ___: str, member: Any, *____: Any) -> bool | None:
        is_bare_field = (getattr(member, "__doc__", None) or "").startswith("Alias for field number")
        return True if is_bare_field else None  # the signature of a NamedTuple has all its fields

    def process(*arguments: Any) -> None:
        arguments[-1][:] = to_rst(arguments[-1])

    def shorten(*arguments: Any) -> tuple[str | None, str | None]:
        return short_types(arguments[-2]), short_types(arguments[-1])

    app.connect("source-read", read)
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-process-docstring", process)
    app.connect("autodoc-skip-member", skip)
