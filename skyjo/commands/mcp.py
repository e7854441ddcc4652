"""The command `mcp`: tables as tools for language models."""

from __future__ import annotations

from dataclasses import dataclass

from skyjo.programs import program


@dataclass(frozen=True)
class ToolServer:
    """Let a language model play: serve tables as tools (Model Context Protocol) on standard input and output.

    The program that hosts the model starts this command; docs/text.md shows how to set it up.
    """

    def run(self) -> None:
        """Serve until the client closes standard input."""
        import sys

        from skyjo.tools.tool_server import make_server

        if sys.stdin is not None and sys.stdin.isatty():
            print("Waiting for a client on standard input; Ctrl-C stops it.", file=sys.stderr)
        make_server(program()).run("stdio")
