"""`skyjo export`: a learned policy as files that can be shared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from skyjo.progress import progress


@dataclass(frozen=True)
class Export:
    """Write a learned policy as files that can be shared: its weights, which are numbers only, a card that says what it
    was trained for and how well it plays, and ONNX for programs in other languages.

    POLICY is a .safetensors file with its card beside it, or the name of a policy that comes with the package.
    """

    policy: Annotated[str, tyro.conf.arg(metavar="POLICY"), tyro.conf.Positional]
    """What to write."""

    out: Annotated[str | None, tyro.conf.arg(metavar="STEM", help_behavior_hint="")] = None
    """Where to write, without ending (POLICY's own name, in this folder, if left out)."""

    onnx: bool = False
    """Write STEM-PLAYERS.onnx too, one for every number of players; a few seconds each."""

    may_run_code: bool = False
    """Let POLICY be a .zip of stable-baselines3, which can run any code: only for files that you trust."""

    json: bool = False
    """Print the card as JSON."""

    def run(self) -> None:
        """Read, check and write."""
        from agents.policy import open_policy, shipped
        from skyjo.files import target
        from training.export import export

        source = Path(self.policy).expanduser() if Path(self.policy).suffix else shipped(self.policy)
        stem = Path(target(self.out or ".", source.stem))
        network, card = open_policy(source, may_run_code=self.may_run_code)
        with progress("writing", 1 + len(card.players) * self.onnx) as report:
            files = export(network, card, stem, self.onnx, report)
        if self.json:
            print(files[1].read_text("utf-8"), end="")
        else:
            print(f"Written: {', '.join(map(str, files))}")
