"""Which files a commit touched: the one thing git itself is asked."""

from __future__ import annotations

import subprocess

_PATIENCE = 5.0
_MOST = 50


def files_of(root: str, commit: str) -> list[str]:
    """Return the paths a commit touched, at most 50; none where git cannot say."""
    command = ["git", "-C", root, "diff-tree", "--no-commit-id", "--name-only", "-r", "--root", "-z", commit]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=_PATIENCE, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return []
    names = done.stdout.decode("utf-8", "replace").split("\0")
    return [name for name in names if name][:_MOST]
