"""Files that look like plans or logs but are at no known place: `init` proposes to read them (S5.1).

The known places are in `core.known_paths` (`FORMATS`, `LOG_PLACES`).
"""

from __future__ import annotations

import os
from typing import NamedTuple

from progress_plugin.core import known_paths
from progress_plugin.core.files import safe_read

_DEEPEST = 3
"""Folders on the way to a file."""
_MOST_FOLDERS = 500
"""That are listed in all: a monorepo has tens of thousands."""
_MOST_PROPOSED = 5
"""Of either kind: whoever has more names them better alone."""
_NOT_ENTERED = frozenset({
    "node_modules", "vendor", "third_party", "dist", "build", "target", "out", "coverage", "venv", "env",
    "site-packages", "__pycache__", "archive", "archives", "examples", "example", "fixtures", "templates",
})  # fmt: skip
"""Folders of what others wrote, of what is made, and of what is over."""
_LOGS = (
    frozenset(path.rpartition("/")[2].casefold() for path in known_paths.LOGS)
    | {"devlog.md", "session-notes.md", "changelog_agent.md", "handover.md", "notes_for_next_session.md"}
) - {"context.md"}
"""In small letters. Those that stand here alone are not read unasked: people keep such files as well."""


class Elsewhere(NamedTuple):
    """Paths relative to the root, nearest first."""

    logs: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()


def found_elsewhere(root: str, known: frozenset[str]) -> Elsewhere:
    """Return what looks like a log or plan by its name, besides what is `known`; nothing is opened.

    The look is bounded in depth and number, follows no link and enters no other repository.
    """
    logs: list[str] = []
    plans: list[str] = []
    waiting = [""]
    for folder in waiting:  # grows meanwhile: the nearest come first
        names = _listed(folder, root)
        if folder and ".git" in names:
            continue
        for name in names:
            path = f"{folder}/{name}" if folder else name
            if name.casefold() in _LOGS and _is_new(path, root, known):
                logs.append(path)
            elif name.casefold() in known_paths.UNMISTAKABLE_PLANS and _is_new(path, root, known):
                plans.append(path)
            elif len(waiting) < _MOST_FOLDERS and _may_be_entered(path, name, root):
                waiting.append(path)
    return Elsewhere(tuple(logs[:_MOST_PROPOSED]), tuple(plans[:_MOST_PROPOSED]))


def _listed(folder: str, root: str) -> list[str]:
    try:
        return [name for name, is_link in safe_read.listed(folder or ".", root) if not is_link]
    except safe_read.LeadsOut:
        return []


def _is_new(path: str, root: str, known: frozenset[str]) -> bool:
    return path not in known and os.path.isfile(os.path.join(root, path))


def _may_be_entered(path: str, name: str, root: str) -> bool:
    depth = path.count("/") + 1
    if name.startswith(".") or name.casefold() in _NOT_ENTERED or depth > _DEEPEST:
        return False
    return os.path.isdir(os.path.join(root, path))
