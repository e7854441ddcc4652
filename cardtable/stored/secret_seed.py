"""The seed of a refereed plan: drawn at random, fixed by a commitment before the first game, revealed after the last.

The commitment is SHA-256 of the nonce, the seed and the plan, a line each. The nonce keeps anybody from finding the
seed by trying. Until the last game both are in a file of their own that only its owner can read.
"""

import hashlib
import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from cardtable.checks import brief, seed_number
from cardtable.files import drafted
from cardtable.play.plan import Plan
from cardtable.stored.store import MANIFEST, SECRET, Store, StoreError

NONCE = 32  # bytes


@dataclass(frozen=True)
class SecretSeed:
    """A seed that nobody can guess, and the nonce that keeps the commitment from giving it away."""

    seed: int
    nonce: str  # hexadecimal digits

    @classmethod
    def drawn(cls) -> Self:
        """A new one, from the system's source of random numbers."""
        return cls(secrets.randbits(64), secrets.token_hex(NONCE))

    @classmethod
    def of(cls, folder: Path) -> Self:
        """That of the games in a folder, or a new one if nothing is stored there yet."""
        if not Store.is_at(folder):
            return cls.drawn()
        manifest = Store.open(folder).manifest
        if _refereed(manifest) is None:
            raise StoreError(f"{folder} holds games without a referee; choose another folder")
        if manifest["plan"]["seed"] is not None:
            return cls(manifest["plan"]["seed"], manifest["referee"]["nonce"])
        return cls._read(folder / SECRET)

    @classmethod
    def _read(cls, path: Path) -> Self:
        try:
            written = json.loads(path.read_bytes())
            return cls(seed_number("seed", written["seed"]), str(written["nonce"]))
        except FileNotFoundError:
            raise StoreError(f"{path}: missing, so these games cannot be continued; choose another folder") from None
        except (ValueError, KeyError, TypeError):
            raise StoreError(f"{path}: damaged, so these games cannot be continued; choose another folder") from None

    def write(self, folder: Path) -> None:
        """Keep it beside the games, readable by the owner alone."""
        with drafted(folder / SECRET, mode=0o600) as stream:
            stream.write(json.dumps(asdict(self)).encode())

    def commitment(self, plan: dict[str, Any]) -> str:
        """The digest that fixes it for a plan, which is given as in a manifest."""
        rest = json.dumps({name: value for name, value in plan.items() if name != "seed"}, sort_keys=True)
        return hashlib.sha256(f"{self.nonce}\n{self.seed}\n{rest}".encode()).hexdigest()


def public_plan(plan: Plan, is_revealed: bool = False) -> dict[str, Any]:
    """A refereed plan as in a manifest: without the guests' limits, which have a place of their own there, and with
    the seed only once it is revealed.
    """
    return plan.to_dict() | {"referee": True, "seed": plan.setup.seed if is_revealed else None}


def promise(plan: Plan, secret: SecretSeed) -> dict[str, Any]:
    """The first entries of the manifest of a refereed plan."""
    assert plan.referee is not None
    public = public_plan(plan)
    public_part = {"commitment": secret.commitment(public), "nonce": None, **asdict(plan.referee)}
    return {"plan": public, "referee": public_part}


def revealed(store: Store) -> dict[str, Any]:
    """What is added to the manifest after the last game: the seed and the nonce. Empty for games without a referee,
    or if they are there already.
    """
    manifest = store.manifest
    if _refereed(manifest) is None or is_revealed(store):
        return {}
    secret = SecretSeed.of(store.folder)
    return {
        "plan": manifest["plan"] | {"seed": secret.seed},
        "referee": manifest["referee"] | {"nonce": secret.nonce},
    }


def is_revealed(store: Store) -> bool:
    """Whether these games were refereed and their seed is public."""
    return _refereed(store.manifest) is not None and store.manifest["plan"]["seed"] is not None


def commitment_of(store: Store) -> str | None:
    """The commitment of refereed games; None for others."""
    entry = _refereed(store.manifest)
    return None if entry is None else str(entry["commitment"])


def check_commitment(store: Store) -> None:
    """StoreError unless seed, nonce and plan give the commitment."""
    entry = _refereed(store.manifest)
    if entry is None:
        return
    plan = store.manifest["plan"]
    found = SecretSeed(plan["seed"], entry["nonce"]).commitment(plan)
    if found != entry["commitment"]:
        raise StoreError(
            f"{store.folder}: the commitment is {brief(entry['commitment'])}, but seed, nonce and plan give {found}: "
            "one of them was changed afterwards"
        )


def _refereed(manifest: dict[str, Any]) -> dict[str, Any] | None:
    """The manifest's entry about its referee, None if there was none; StoreError if it is damaged."""
    entry, plan = manifest.get("referee"), manifest.get("plan")
    is_planned = isinstance(plan, dict) and bool(plan.get("referee"))
    if entry is None and not is_planned:
        return None
    if not isinstance(entry, dict) or not is_planned or not {"commitment", "nonce"} <= set(entry):
        raise StoreError(f"{MANIFEST} is damaged: its entry about a referee is incomplete")
    return entry
