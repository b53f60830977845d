"""Whether this checkout may be released: `python -m tests.release`, after `python3 tests/run.py` has passed.

The tests hold all manifests to one version; here is what only counts at a release. Exit code 1 where
anything is missing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from progress_plugin.core.version import VERSION

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


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main() -> int:
    """Print what is missing; return the exit code."""
    found = missing(ROOT, VERSION)
    sys.stdout.write("\n".join(found or [f"{VERSION} may be released: git tag v{VERSION}"]) + "\n")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
