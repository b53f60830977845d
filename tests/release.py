"""Whether this checkout may be released: `python -m tests.release`, after `python3 tests/run.py` has passed.

The tests hold all manifests to one version; here is what only counts at a release: the state of the repository,
and whether the wheel and the sdist that would be published work in a fresh environment. They are left in
`dist`. Exit code 1 where anything is missing.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from progress_plugin.core.version import VERSION
from tests.installed.built import build
from tests.installed.machine import machine, works

ROOT = Path(__file__).resolve().parents[1]


def missing(root: Path, version: str) -> list[str]:
    """Return what stands in the way of a release, one line each, with what to do."""
    found = []
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md has no dated section for {version}: date it")
    if _git(root, "status", "--porcelain"):
        found.append("the working tree has changes: commit them")
    if _git(root, "tag", "--list", f"v{version}"):
        found.append(
            f"v{version} is tagged already: raise the version in every manifest and in core/version.py"
        )
    return found


def broken(files: Iterable[Path], scratch: Path) -> Iterator[str]:
    """Install each file into a fresh environment, as a user does, and yield what does not work there."""
    for file in files:
        place = scratch / file.suffix.strip(".")
        venv = place / "venv"
        ours = machine(place, [str(venv / "bin" / "agent-progress")])
        try:
            ours.install(sys.executable, "-m", "venv", venv)
            ours.install(venv / "bin" / "pip", "install", file)
            works(ours)  # the demonstration, a hook, the server
        except AssertionError as error:
            yield f"{file.name}, installed by pip, does not work: {error}"


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main() -> int:
    """Print what is missing; return the exit code."""
    found = missing(ROOT, VERSION)
    with tempfile.TemporaryDirectory() as scratch:
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        (ROOT / "dist").mkdir()
        built = build(ROOT, ROOT / "dist", sys.executable)
        found += broken((built.wheel, built.sdist), Path(scratch))
    sys.stdout.write("\n".join(found or [f"{VERSION} may be released: git tag v{VERSION}"]) + "\n")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
