"""Where agents put their logs (S5.2)."""

from __future__ import annotations

FOLDERS = ("", "tasks", "scripts/ralph", ".ralph", "ralph")
"""Relative to the root; the plan's own folder is looked at too."""
NAMES = ("progress.md", "progress.txt")
CANDIDATES = (
    *(f"{folder}/{name}" if folder else name for folder in FOLDERS for name in NAMES),
    "claude-progress.txt",
)
"""Relative paths with forward slashes, the commonest first. Configuration may add to them."""


def beside(plan_path: str) -> tuple[str, ...]:
    """Return where a log of this plan would stand: in the plan's own folder."""
    folder = plan_path.rpartition("/")[0]
    return tuple(f"{folder}/{name}" if folder else name for name in NAMES)
