"""`python -m build` by the locked backend, without a network."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Built:
    """A wheel and an sdist."""

    wheel: Path
    sdist: Path

    def in_wheel(self) -> set[str]:
        """Return the names of the wheel's files."""
        with zipfile.ZipFile(self.wheel) as archive:
            return set(archive.namelist())

    def in_sdist(self) -> set[str]:
        """Return the names of the sdist's files, below its one folder."""
        with tarfile.open(self.sdist) as archive:
            return {name.partition("/")[2] for name in archive.getnames()}


def build(source: Path, target: Path, python: str) -> Built:
    """Build both from a source tree into `target`, with the backend that `python` has."""
    done = subprocess.run(
        [python, "-m", "build", "--no-isolation", "--outdir", str(target), str(source)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = target.glob("*.whl")
    (sdist,) = target.glob("*.tar.gz")
    return Built(wheel, sdist)
