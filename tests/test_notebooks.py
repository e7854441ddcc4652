"""The notebooks of the examples run, cell by cell, and show what they say."""

from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

from tests.documents import ROOT  # noqa: E402

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def read(path: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code_cells(read(path)))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_the_first_steps_run_and_show_tables_as_pictures(tmp_path: Path) -> None:
    notebook = read(ROOT / "examples" / "first_steps.ipynb")
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        "image" if "<img src" in html else "table" if "<table>" in html else "text"
        for cell in code_cells(notebook)
        for output in cell.outputs
        for html in [output.get("data", {}).get("text/html", "")]
    ]
    assert shown == ["image", "text", "text", "text", "image", "text", "image", "table"]
    assert list(tmp_path.iterdir()) == []
