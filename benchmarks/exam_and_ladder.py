"""How closely an examination ranks agents as the ladder does: points given away per decision beside points won a round.

.venv/bin/python benchmarks/exam_and_ladder.py
"""

import argparse
import json
from typing import Any

from scipy.stats import kendalltau, spearmanr

from cardtable.exam.grading import grade
from cardtable.exam.questions import Exam, ExamKind
from skyjo.programs import Program, find_program, loaded


def tables(program: Program) -> list[dict[str, Any]]:
    """The agents of each ladder at a size of table that the examination has."""
    kind: ExamKind = loaded(program.exam)
    exam, ladder = Exam.read(kind.file), json.loads((program.path / "ladder.json").read_text())
    return [
        compared(exam, table["players"], table["rows"]) for table in ladder["tables"] if table["players"] in exam.tables
    ]


def compared(exam: Exam, players: int, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What each agent of a ladder won there, and gives away in the examination; and how well the two agree."""
    asked = Exam(exam.recipe, {players: exam.tables[players]})
    lost = [float(grade(row["agent"], asked).lost[players].mean()) for row in rows]
    won = [row["points"] for row in rows]
    found = [
        {"agent": row["agent"], "won": row["points"], "given_away": each} for row, each in zip(rows, lost, strict=True)
    ]
    ranks = {"spearman": -float(spearmanr(won, lost).statistic), "kendall": -float(kendalltau(won, lost).statistic)}
    return {"players": players, "agents": found, **ranks}


def main() -> None:
    """Compare, and print tables or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=("skyjo", "skipbo"), default="skyjo")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = tables(find_program(options.game))
    if options.json:
        print(json.dumps(found, indent=1))
        return
    for table in found:
        print(f"{table['players']} players: points a round in the ladder, points given away per decision")
        for each in table["agents"]:
            print(f"  {each['agent']:50} {each['won']:+7.2f} {each['given_away']:+6.3f}")
        print(f"  rank correlation: Spearman {table['spearman']:.2f}, Kendall {table['kendall']:.2f}\n")


if __name__ == "__main__":
    main()
