"""The files of the pages. Modules are sent without their comments, a sixth of a page that no browser needs."""

import re
from os import PathLike, stat_result
from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

COMMENTS = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)  # those with lines of their own
OK = 200


def bare(module: str) -> str:
    """A module without its comments; those that share a line with code stay."""
    return COMMENTS.sub("", module)


class PageFiles(StaticFiles):
    """The files of a folder, its modules without comments."""

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = OK
    ) -> Response:
        """A file, or that the browser has it already."""
        found = super().file_response(full_path, stat_result, scope, status_code)
        if not isinstance(found, FileResponse) or Path(full_path).suffix != ".js":
            return found
        headers = {name: found.headers[name] for name in ("etag", "last-modified")}
        return Response(bare(Path(full_path).read_text("utf-8")), status_code, headers, "text/javascript")
