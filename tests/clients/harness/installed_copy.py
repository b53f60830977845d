"""Copy only what a user installs: some clients copy the whole plugin directory, which here holds tests and documents."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_NOT_NEEDED = ("tests/", "docs/", "benchmarks/", "training/", ".venv")


def copy_plugin(place: Path) -> Path:
    """Copy what a user installs to `place`, and return the copy."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if not name.startswith(_NOT_NEEDED) and (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)
    return place
