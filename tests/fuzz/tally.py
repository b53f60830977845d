"""What fuzzers have tried so far, kept on the disk while they run: runs of one and the same code add up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.conftest import REPOSITORY

PLACE = REPOSITORY / "build" / "fuzzing" / "tally.json"
CHECKS = (
    "tests/fuzz/journeys.py",
    "tests/fuzz/readers.py",
    "tests/torture/client.py",
    "tests/hostile/growth.py",
)


@dataclass
class Kind:
    """The figures of one kind of input; an input counts once everything was checked that must hold of it."""

    tried: int = 0
    traced: int = 0
    """Of these, so many with a look at the lines they reach."""
    kept: int = 0
    """Of these, so many that reached lines which none before them had."""
    grown: int = 0
    """Beside these: parts that were there over and over, in four sizes each, the work counted."""
    findings: int = 0
    seconds: float = 0.0
    """Of processor time."""


@dataclass
class Tally:
    """The figures of every kind, of one state of the code."""

    code: str
    day: str = ""
    runs: int = 0
    kinds: dict[str, Kind] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        return sum(kind.tried for kind in self.kinds.values())

    @property
    def findings(self) -> int:
        return sum(kind.findings for kind in self.kinds.values())

    def keep(self, place: Path = PLACE) -> None:
        """Write the figures: what is cut short from now on loses none of them."""
        self.day = f"{datetime.now(UTC):%Y-%m-%d}"
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_suffix(".new")
        beside.write_text(json.dumps(asdict(self), indent=1), "utf-8")
        beside.replace(place)


def kept_tally(place: Path = PLACE, code: str = "") -> Tally:
    """Return the figures of earlier runs of the same code; new ones where it has changed since."""
    code = code or code_under_test()
    try:
        told: dict[str, Any] = json.loads(place.read_bytes())
    except (OSError, ValueError):
        return Tally(code)
    if told["code"] != code:
        return Tally(code)
    return Tally(
        code, told["day"], told["runs"], {name: Kind(**kind) for name, kind in told["kinds"].items()}
    )


def code_under_test(root: Path = REPOSITORY) -> str:
    """Return by what the code is known again: the package, and what is checked of it."""
    digest = hashlib.sha256()
    for path in _files(root):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _files(root: Path) -> Iterable[Path]:
    return sorted((root / "progress_plugin").rglob("*.py")) + [root / name for name in CHECKS]
