"""The Pythons of this machine, one of each version that is supported."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests import conftest

VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def pythons() -> dict[str, str]:
    """Return an interpreter by version: from PATH, of pyenv, of uv; the real ones, no shims."""
    found = {}
    for version in VERSIONS:
        program = next(filter(None, map(_real, _candidates(version))), None)
        if program:
            found[version] = program
    return found


def _candidates(version: str) -> list[Path]:
    home = Path(conftest._REAL_HOME)
    roots = [
        Path(os.environ.get("PYENV_ROOT") or home / ".pyenv") / "versions",
        home / ".local" / "share" / "uv" / "python",
    ]
    name = f"python{version}"
    managed = [path for root in roots for path in sorted(root.glob(f"*{version}*/bin/{name}"))]
    return [*managed, *(Path(folder) / name for folder in os.get_exec_path())]


def _real(program: Path) -> str | None:
    """Return the interpreter behind a program that can make virtual environments; None where it is none."""
    if not program.is_file():
        return None
    told = "import ensurepip, os, sys; print(os.path.realpath(sys._base_executable))"
    done = subprocess.run([program, "-I", "-c", told], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None
