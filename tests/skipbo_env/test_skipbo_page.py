"""What docs/skipbo.md shows is so."""

import re
from itertools import pairwise

from skipbo_env import OFFICIAL, action_names
from tests.documents import ROOT, blocks, run_block

PAGE = (ROOT / "docs" / "skipbo.md").read_text()
CLAUSES = (ROOT / "SKIPBO_RULES.md").read_text()


def test_the_example_prints_the_table_on_the_page() -> None:
    (code,), (_, shown) = blocks(PAGE, "python"), blocks(PAGE, "")  # the first are commands
    assert run_block(code).rstrip() == shown.rstrip()


def test_the_table_of_actions_begins_each_group_with_its_first_name() -> None:
    rows = re.findall(r"^\| (\d+)(?: to (\d+))? \| `(.*?)` \| .*? \| (.*?) \|$", PAGE, re.MULTILINE)
    names = action_names(OFFICIAL)
    for first, _, name, cited in rows:
        assert names[int(first)] == name
        for clause in cited.split(", "):
            assert re.search(rf"^{re.escape(clause)} ", CLAUSES, re.MULTILINE), clause
    ends = [int(last or first) for first, last, _, _ in rows]
    assert all(int(after[0]) == end + 1 for end, (_, after) in zip(ends, pairwise(rows), strict=False))
    assert (rows[0][0], ends[-1]) == ("0", len(names) - 1)
