"""Change the kernel of a game in small wrong ways, and report the changes that no fast test of the game notices.

`python -m tests.fuzz.mutants skyjo --mutants 50` runs the tests in `tests/skyjo_env/covered.txt` uncompiled, with a
changed copy of the package. A mutant is killed if a test fails, or if the tests take far longer than without it.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
LEAST = 0.9  # the share of mutants that must be killed; some are equivalent to what they change
EXCHANGED = ["Lt", "LtE", "Gt", "GtE", "Eq", "NotEq", "Is", "IsNot", "Add", "Sub", "And", "Or"]  # operators, in pairs
OTHER: dict[Any, Any] = {getattr(ast, name): getattr(ast, EXCHANGED[place ^ 1]) for place, name in enumerate(EXCHANGED)}


class Mutant(NamedTuple):
    """A node of a file in the package, and what stands in its place."""

    path: Path
    node: ast.AST
    other: ast.AST

    def __str__(self) -> str:
        return f"{self.path}:{self.node.lineno}: {ast.unparse(self.node)}  ->  {ast.unparse(self.other)}"  # type: ignore[attr-defined]

    def source(self) -> bytes:
        """Return the file with the change."""
        node: ast.expr = self.node  # type: ignore[assignment]  # statements have the same places
        lines = (ROOT / self.path).read_bytes().splitlines(keepends=True)
        first, last = node.lineno - 1, (node.end_lineno or 0) - 1
        before = b"".join(lines[:first]) + lines[first][: node.col_offset]
        after = lines[last][node.end_col_offset :] + b"".join(lines[last + 1 :])
        text = ast.unparse(self.other).encode()
        return before + (text if isinstance(self.other, ast.stmt) else b"(" + text + b")") + after


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node becomes by each small mistake."""
    other: Any = deepcopy(node)
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in OTHER:
            other.ops = [OTHER[type(operator)]()]
            yield other
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) | ast.BoolOp(op=operator) if type(operator) in OTHER:
            other.op = OTHER[type(operator)]()
            yield other
        case ast.Name(id="min" | "max" as name):
            yield ast.Name("max" if name == "min" else "min")
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Break | ast.Continue) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()


def mutants(game: str) -> Iterator[Mutant]:
    """Yield every mutant of the functions in the kernel of a game."""
    for path in sorted((ROOT / f"{game}_env" / "kernel").glob("*.py")):
        for function in ast.parse(path.read_text()).body:
            if isinstance(function, ast.FunctionDef):
                nodes = (node for statement in function.body for node in ast.walk(statement))
                yield from (Mutant(path.relative_to(ROOT), node, other) for node in nodes for other in changes(node))


def survives(game: str, mutant: Mutant | None, seconds: float | None = None) -> bool:
    """Return whether the tests pass, within these seconds, in a copy of the repository with a mutant."""
    package = f"{game}_env"
    with TemporaryDirectory() as folder:
        for each in {*ROOT.iterdir()} - {ROOT / package}:
            Path(folder, each.name).symlink_to(each)
        shutil.copytree(ROOT / package, Path(folder, package), ignore=shutil.ignore_patterns("__pycache__"))
        if mutant is not None:
            Path(folder, mutant.path).write_bytes(mutant.source())
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-W", "ignore:overflow", "-m"]
        command += ["not slow and not long and not statistical", f"@tests/{package}/covered.txt"]
        settings = {"NUMBA_DISABLE_JIT": "1", "LOCKSTEP": "16000", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
        try:
            done = subprocess.run(command, cwd=folder, env=os.environ | settings, timeout=seconds, capture_output=True)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def main() -> int:
    """Return 1 if too many mutants survive, else 0."""
    parser = argparse.ArgumentParser("python -m tests.fuzz.mutants", description=__doc__)
    parser.add_argument("game", help="such as skyjo")
    parser.add_argument("--mutants", type=int, default=20, help="how many (default: 20)")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9, help="of the choice (default: the time)")
    options = parser.parse_args()
    begun = time.monotonic()
    if not survives(options.game, None):
        parser.error(f"the tests of {options.game} fail without any change")
    limit, killed = 3 * (time.monotonic() - begun) + 10, 0
    for mutant in random.Random(options.seed).sample([*mutants(options.game)], options.mutants):
        has_survived = survives(options.game, mutant, limit)
        killed += not has_survived
        print("SURVIVED" if has_survived else "killed  ", mutant, flush=True)
    print(f"{options.game}, seed {options.seed}: {killed} of {options.mutants} mutants were killed")
    return int(killed < LEAST * options.mutants)


if __name__ == "__main__":
    sys.exit(main())
