"""The command `export`: a learned policy as files that can be shared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from skyjo.interfaces import interface
from skyjo.terminal.progress import progress

if TYPE_CHECKING:
    from cardtable.table.agents.policies.model_card import ModelCard
    from cardtable.table.agents.policies.policy_file import PolicyNetwork


@dataclass(frozen=True)
class Export:
    """Write a learned policy as files that are safe to share. These are its weights (numbers only), a model card with
    its training and strength, and, with --onnx, ONNX files for programs in other languages.

    POLICY is the folder of a training run, a .safetensors file with its card next to it, the name of a policy that
    comes with the package, or, with --allow-pickle, a .zip saved by stable-baselines3.
    """

    policy: Annotated[str, tyro.conf.arg(metavar="POLICY"), tyro.conf.Positional]
    """The policy to write."""

    out: Annotated[str | None, tyro.conf.arg(metavar="STEM", help_behavior_hint="")] = None
    """Path to write to, without extension (default: POLICY's own name, in the current folder)."""

    onnx: bool = False
    """Also write STEM-PLAYERS.onnx for every number of players; takes a few seconds each."""

    strength: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Output of compare --json about POLICY, to put on the card."""

    allow_pickle: bool = False
    """Accept a stable-baselines3 .zip, which can run any code: only for files you trust."""

    json: bool = False
    """Print the card as JSON."""

    def run(self) -> None:
        """Read, check and write."""
        from skyjo.terminal.text_files import read_text, target
        from skyjo_training.policy_export import export, strength_of

        source = self._source()
        stem = Path(target(self.out or ".", source.stem))
        network, model_card = self._read(source)
        if self.strength is not None:
            model_card = replace(model_card, strength=strength_of(read_text(self.strength)))
        with progress("writing", 1 + len(model_card.players) * self.onnx) as report:
            files = export(network, model_card, stem, self.onnx, report)
        if self.json:
            print(files[1].read_text("utf-8"), end="")
        else:
            print(f"Written: {', '.join(map(str, files))}")

    def _read(self, source: Path) -> tuple[PolicyNetwork, ModelCard]:
        """Return the network and its card; AgentError for a .zip without leave to run its code."""
        if source.suffix == ".zip" and self.allow_pickle:
            from skyjo_training.sb3_models import load_zip

            return load_zip(source)
        from cardtable.table.agents.policies.policy_file import load_policy

        return load_policy(source)

    def _source(self) -> Path:
        """Return the file of the policy."""
        from cardtable.table.agents.policies.model_card import shipped
        from cardtable.table.errors import AgentError, TableError
        from skyjo_training.training_run import policies_of

        path = Path(self.policy).expanduser()
        if path.is_dir():
            first, *others = policies_of(path)
            if others:
                raise TableError(f"{path} has several policies; name one, such as {first}")
            return first
        if path.suffix:
            return path
        try:
            return shipped(interface().game, self.policy)
        except AgentError as error:
            raise TableError(f"{path}: neither a folder nor a file of a policy; {error}") from None
