"""Which files a commit touched: the one thing git itself is asked."""

from __future__ import annotations

import os
import shutil
import subprocess

_PATIENCE = 5.0
_MOST = 50
_NOTHING_STARTED = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
"""A repository can name programs for these, and has git start them whenever it looks at its index."""


def files_of(root: str, commit: str) -> list[str]:
    """Return the paths a commit touched, at most 50; none where git cannot say."""
    git = _git()
    if git is None:
        return []
    asked = ["--no-commit-id", "--name-only", "-r", "--root", "-z", commit]
    command = [git, "-C", root, *_NOTHING_STARTED, "diff-tree", *asked]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=_PATIENCE,
            check=True,
            stdin=subprocess.DEVNULL,
            env=_harmless(),
        )
    except (OSError, subprocess.SubprocessError):
        return []
    names = done.stdout.decode("utf-8", "replace").split("\0")
    return [name for name in names if name][:_MOST]


def _git() -> str | None:
    """Return where git is, by whole paths only: Windows would look into the project first."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which("git", path=os.pathsep.join(filter(os.path.isabs, folders)))
    return found if found and os.path.isabs(found) else None


def _harmless() -> dict[str, str]:
    """Return an environment in which a repository's own settings cannot have git start anything.

    A repository that says it is partial has git fetch what is missing, through a program of its choice.
    """
    return {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_OPTIONAL_LOCKS": "0"}
